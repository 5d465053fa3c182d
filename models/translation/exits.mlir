// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text from another one, word by word, of which an easy word is written after fewer layers.
//
// M. Elbayad, J. Gu, E. Grave, M. Auli: Depth-Adaptive Transformer. ICLR 2020, with aligned
// training and an exit by confidence: behind each of the decoder's four layers the table of words
// says what follows, and where a layer gives some word the probability `threshold`, its row leaves.
// Its state stands in the layers above as it left: they make keys and values of it, which later
// words see. `loss` asks all four layers, each with the states of the one below.
//
// `predict` and `greedy` search so; `score` says how probable a target is behind its exits, and
// `layers` how many each of its words has taken, which a search does not say.
nn.import "../common/writing.mlir"
nn.sizes {words = 8000, places = 256, width = 128, steps = 60}

#inner = {inner = #nn.given<"inner" = 512>}
#heads = #nn.given<"heads" = 4>

!i = tensor<i32>
!f = tensor<f32>
!ids = tensor<?xi32>
!fs = tensor<?xf32>
!go = tensor<?xi1>
!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>
!ys = tensor<?x8000xf32>
!E = tensor<8000x128xf32>
!P = tensor<256x128xf32>

//===--- Exits ---===//

/// Log-probabilities of words by the states behind a layer.
func.func private @logs(%x: !xs, %E: !E) -> !ys {
  %n = nn.call @norm(%x) in "exit" with {eps = 1.0e-6} : (!xs) -> !xs
  %s = nn.call @scores(%n, %E) : (!xs, !E) -> !ys
  %p = nn.log_softmax %s over 1 : !ys
  return %p : !ys
}

/// Which rows go on: no word is as probable as the threshold.
func.func private @unsure(%p: !ys, %threshold: !f) -> !go {
  %most = nn.max %p over 1 : !ys
  %e = math.exp %most : !fs
  %t = nn.broadcast %threshold dims [] like %e : !f, !fs -> !fs
  %go = arith.cmpf olt, %e, %t : !fs
  return %go : !go
}

/// All rows take the first layer.
func.func private @all(%x: !xs) -> !go {
  %true = arith.constant dense<true> : tensor<i1>
  %go = nn.broadcast %true dims [] like %x : tensor<i1>, !xs -> !go
  return %go : !go
}

/// No words are scored yet.
func.func private @nothing(%x: !xs) -> !ys {
  %none = arith.constant dense<0.0> : tensor<8000xf32>
  %p = nn.broadcast %none dims [1] like %x : tensor<8000xf32>, !xs -> !ys
  return %p : !ys
}

//===--- A layer of a target that is known ---===//

/// The states behind a layer for the rows that go on, which see those that have left as they stand.
func.func private @known_layer(%x: !xs, %p: !ys, %n: !ids, %go: !go, %m: !xs, %E: !E,
                               %threshold: !f)
    -> (!xs, !ys, !ids, !go) {
  %z, %q, %one = depth.iterate max 1 masked active(%go : !go) tied ""
      carried(%y = %x : !xs, %before = %p : !ys) {
    %a = nn.call @decoder_layer(%y, %m) with #inner : (!xs, !xs) -> !xs
    %now = nn.call @logs(%a, %E) : (!xs, !E) -> !ys
    %on = nn.call @unsure(%now, %threshold) : (!ys, !f) -> !go
    depth.yield %on, %a, %now : !go, !xs, !ys
  }
  %sum = arith.addi %n, %one : !ids
  %more = nn.call @unsure(%q, %threshold) : (!ys, !f) -> !go
  return %z, %q, %sum, %more : !xs, !ys, !ids, !go
}

/// Log-probabilities behind the exits, and after how many layers.
func.func private @told(%source: !ids, %in: !ids, %threshold: !f) -> (!ys, !ids) {
  %zero = arith.constant dense<0> : !i
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %x = nn.call @read(%in, %E, %P) : (!ids, !E, !P) -> !xs
  %p = nn.call @nothing(%x) : (!xs) -> !ys
  %n = nn.broadcast %zero dims [] like %in : !i, !ids -> !ids
  %go = nn.call @all(%x) : (!xs) -> !go
  %x0, %p0, %n0, %go0 = nn.call @known_layer(%x, %p, %n, %go, %m, %E, %threshold)
    in "decoder.0" : (!xs, !ys, !ids, !go, !xs, !E, !f) -> (!xs, !ys, !ids, !go)
  %x1, %p1, %n1, %go1 = nn.call @known_layer(%x0, %p0, %n0, %go0, %m, %E, %threshold)
    in "decoder.1" : (!xs, !ys, !ids, !go, !xs, !E, !f) -> (!xs, !ys, !ids, !go)
  %x2, %p2, %n2, %go2 = nn.call @known_layer(%x1, %p1, %n1, %go1, %m, %E, %threshold)
    in "decoder.2" : (!xs, !ys, !ids, !go, !xs, !E, !f) -> (!xs, !ys, !ids, !go)
  %x3, %p3, %n3, %go3 = nn.call @known_layer(%x2, %p2, %n2, %go2, %m, %E, %threshold)
    in "decoder.3" : (!xs, !ys, !ids, !go, !xs, !E, !f) -> (!xs, !ys, !ids, !go)
  return %p3, %n3 : !ys, !ids
}

/// The states behind a layer of all rows, and the mean cross entropy of what they say.
func.func private @asked(%x: !xs, %m: !xs, %E: !E, %out: !ids) -> (!xs, !f) {
  %y = nn.call @decoder_layer(%x, %m) with #inner : (!xs, !xs) -> !xs
  %p = nn.call @logs(%y, %E) : (!xs, !E) -> !ys
  %right = nn.pick %p, %out : !ys, !ids
  %mean = nn.mean %right over 0 : !fs
  %l = arith.negf %mean : !f
  return %y, %l : !xs, !f
}

/// The mean over the layers of the mean cross entropy of the words of the target.
func.func @loss(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %quarter = arith.constant dense<0.25> : !f
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %x = nn.call @read(%in, %E, %P) : (!ids, !E, !P) -> !xs
  %x0, %l0 = nn.call @asked(%x, %m, %E, %out) in "decoder.0" : (!xs, !xs, !E, !ids) -> (!xs, !f)
  %x1, %l1 = nn.call @asked(%x0, %m, %E, %out) in "decoder.1" : (!xs, !xs, !E, !ids) -> (!xs, !f)
  %x2, %l2 = nn.call @asked(%x1, %m, %E, %out) in "decoder.2" : (!xs, !xs, !E, !ids) -> (!xs, !f)
  %x3, %l3 = nn.call @asked(%x2, %m, %E, %out) in "decoder.3" : (!xs, !xs, !E, !ids) -> (!xs, !f)
  %a = arith.addf %l0, %l1 : !f
  %b = arith.addf %a, %l2 : !f
  %c = arith.addf %b, %l3 : !f
  %l = arith.mulf %c, %quarter : !f
  return %l : !f
}

/// The logarithm of the probability of a target behind its exits.
func.func @score(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                 %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                 %out: !ids {cambium.name = "target.out", cambium.rows = "target"},
                 %threshold: !f {cambium.name = "threshold"}) -> !f {
  %p, %n = nn.call @told(%source, %in, %threshold) : (!ids, !ids, !f) -> (!ys, !ids)
  %right = nn.pick %p, %out : !ys, !ids
  %y = nn.sum %right over 0 : !fs
  return %y : !f
}

/// The mean number of layers of the words of a target.
func.func @layers(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                  %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                  %threshold: !f {cambium.name = "threshold"}) -> !f {
  %p, %n = nn.call @told(%source, %in, %threshold) : (!ids, !ids, !f) -> (!ys, !ids)
  %fs = arith.sitofp %n : !ids to !fs
  %y = nn.mean %fs over 0 : !fs
  return %y : !f
}

//===--- A layer of a step of a search ---===//

/// Keys and values of the states below a layer, behind those of the words before.
func.func private @seen(%x: !xs, %keys: !own, %values: !own) -> (!own, !own) {
  %n = nn.call @norm(%x) in "back.norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %k = nn.call @dense(%n) in "back.key" : (!xs) -> !xs
  %v = nn.call @dense(%n) in "back.value" : (!xs) -> !xs
  %ks = depth.append %keys, %k : !own, !xs
  %vs = depth.append %values, %v : !own, !xs
  return %ks, %vs : !own, !own
}

func.func private @look_at(%x: !xs, %ks: !own, %vs: !own) -> !xs {
  %n = nn.call @norm(%x) in "norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %q = nn.call @dense(%n) in "query" : (!xs) -> !xs
  %a = nn.attention %q, %ks, %vs heads #heads : !xs, !own, !own
  %o = nn.call @dense(%a) in "output" : (!xs) -> !xs
  return %o : !xs
}

/// As known_layer, of the last word of each hypothesis.
func.func private @layer_step(%x: !xs, %p: !ys, %go: !go, %k: !own, %v: !own, %m: !xs, %E: !E,
                              %threshold: !f) -> (!xs, !ys, !go, !own, !own) {
  %ks, %vs = nn.call @seen(%x, %k, %v) : (!xs, !own, !own) -> (!own, !own)
  %back = nn.call @look_at(%x, %ks, %vs) in "back" : (!xs, !own, !own) -> !xs
  %z, %q, %one = depth.iterate max 1 active(%go : !go) tied ""
      carried(%y = %x : !xs, %before = %p : !ys) {
    %a = nn.call @look_aside(%y, %back, %m) with #inner : (!xs, !xs, !xs) -> !xs
    %now = nn.call @logs(%a, %E) : (!xs, !E) -> !ys
    %on = nn.call @unsure(%now, %threshold) : (!ys, !f) -> !go
    depth.yield %on, %a, %now : !go, !xs, !ys
  }
  %more = nn.call @unsure(%q, %threshold) : (!ys, !f) -> !go
  return %z, %q, %more, %ks, %vs : !xs, !ys, !go, !own, !own
}

/// Log-probabilities of the words behind each of these, the next places, keys and values.
func.func private @write_one(%w: !ids, %i: !ids, %m: !xs, %E: !E, %P: !P, %threshold: !f,
    %k0: !own, %v0: !own, %k1: !own, %v1: !own, %k2: !own, %v2: !own, %k3: !own, %v3: !own)
    -> (!ys, !ids, !own, !own, !own, !own, !own, !own, !own, !own) {
  %one = arith.constant dense<1> : !i
  %ones = nn.broadcast %one dims [] like %i : !i, !ids -> !ids
  %next = arith.addi %i, %ones : !ids
  %x = nn.call @vectors(%w, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %p = nn.call @nothing(%x) : (!xs) -> !ys
  %go = nn.call @all(%x) : (!xs) -> !go
  %x0, %p0, %go0, %ks0, %vs0 = nn.call @layer_step(%x, %p, %go, %k0, %v0, %m, %E, %threshold)
    in "decoder.0" : (!xs, !ys, !go, !own, !own, !xs, !E, !f) -> (!xs, !ys, !go, !own, !own)
  %x1, %p1, %go1, %ks1, %vs1 = nn.call @layer_step(%x0, %p0, %go0, %k1, %v1, %m, %E, %threshold)
    in "decoder.1" : (!xs, !ys, !go, !own, !own, !xs, !E, !f) -> (!xs, !ys, !go, !own, !own)
  %x2, %p2, %go2, %ks2, %vs2 = nn.call @layer_step(%x1, %p1, %go1, %k2, %v2, %m, %E, %threshold)
    in "decoder.2" : (!xs, !ys, !go, !own, !own, !xs, !E, !f) -> (!xs, !ys, !go, !own, !own)
  %x3, %p3, %go3, %ks3, %vs3 = nn.call @layer_step(%x2, %p2, %go2, %k3, %v3, %m, %E, %threshold)
    in "decoder.3" : (!xs, !ys, !go, !own, !own, !xs, !E, !f) -> (!xs, !ys, !go, !own, !own)
  return %p3, %next, %ks0, %vs0, %ks1, %vs1, %ks2, %vs2, %ks3, %vs3
    : !ys, !ids, !own, !own, !own, !own, !own, !own, !own, !own
}

/// The five best targets, of at most 60 words.
func.func @predict(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                  %threshold: !f {cambium.name = "threshold"})
    -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>) {
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %zero = arith.constant dense<0> : !i
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %words, %lengths, %scores = depth.search beam 5 max 60 begin %begin end %end
      carried(%i = %zero : !i)
      grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own,
            %k2 : !own, %v2 : !own, %k3 : !own, %v3 : !own)
      next(%w : !ids) {
    %p, %next, %ks0, %vs0, %ks1, %vs1, %ks2, %vs2, %ks3, %vs3
      = nn.call @write_one(%w, %i, %m, %E, %P, %threshold, %k0, %v0, %k1, %v1, %k2, %v2, %k3, %v3)
      : (!ids, !ids, !xs, !E, !P, !f, !own, !own, !own, !own, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own, !own, !own, !own, !own)
    depth.yield %p, %next, %ks0, %vs0, %ks1, %vs1, %ks2, %vs2, %ks3, %vs3
      : !ys, !ids, !own, !own, !own, !own, !own, !own, !own, !own
  }
  return %words, %lengths, %scores : tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>
}

/// The same, each word the best behind those before it.
func.func @greedy(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                 %threshold: !f {cambium.name = "threshold"})
    -> (tensor<1x60xi32>, tensor<1xi32>, tensor<1xf32>) {
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %zero = arith.constant dense<0> : !i
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %words, %lengths, %scores = depth.search beam 1 max 60 begin %begin end %end
      carried(%i = %zero : !i)
      grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own,
            %k2 : !own, %v2 : !own, %k3 : !own, %v3 : !own)
      next(%w : !ids) {
    %p, %next, %ks0, %vs0, %ks1, %vs1, %ks2, %vs2, %ks3, %vs3
      = nn.call @write_one(%w, %i, %m, %E, %P, %threshold, %k0, %v0, %k1, %v1, %k2, %v2, %k3, %v3)
      : (!ids, !ids, !xs, !E, !P, !f, !own, !own, !own, !own, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own, !own, !own, !own, !own)
    depth.yield %p, %next, %ks0, %vs0, %ks1, %vs1, %ks2, %vs2, %ks3, %vs3
      : !ys, !ids, !own, !own, !own, !own, !own, !own, !own, !own
  }
  return %words, %lengths, %scores : tensor<1x60xi32>, tensor<1xi32>, tensor<1xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
