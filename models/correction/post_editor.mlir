// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A draft of a text becomes a better one beside what it was made from: a Transformer of two memories.
//
// W. Lee, B. Jung, J. Shin, J.-H. Lee: Adaptation of Back-translation to Automatic Post-Editing for
// Synthetic Data Generation. EACL 2021, whose text gives no equations: each layer that reads the draft
// attends to itself, then to the source; each that writes to what it has written, to the draft, then
// to the source. Labels are smoothed, and the norm stands in front of each part, as in corrector.mlir.
nn.import "../common/writing.mlir"
nn.import "../common/two_memories.mlir"
nn.sizes {words = 8000, places = 256, width = 128}

#layers = #nn.given<"layers" = 2>
#inner = {inner = #nn.given<"inner" = 512>}

!i = tensor<i32>
!f = tensor<f32>
!ids = tensor<?xi32>
!fs = tensor<?xf32>
!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>
!ys = tensor<?x8000xf32>
!E = tensor<8000x128xf32>
!P = tensor<256x128xf32>

/// What was read of a draft beside its source.
func.func private @reader(%x: !xs, %source: !xs) -> !xs {
  %h = depth.iterate #layers stacked "layer" carried(%y = %x : !xs) {
    %n = nn.call @norm(%y) in "self.norm" with {eps = 1.0e-6} : (!xs) -> !xs
    %a = nn.call @look(%n, %n) in "self" : (!xs, !xs) -> !xs
    %b = nn.call @add(%y, %a) : (!xs, !xs) -> !xs
    %c = nn.call @beside(%b, %source) in "source" : (!xs, !xs) -> !xs
    %z = nn.call @feed(%c) with #inner : (!xs) -> !xs
    depth.yield %z : !xs
  }
  %m = nn.call @norm(%h) in "norm" with {eps = 1.0e-6} : (!xs) -> !xs
  return %m : !xs
}

/// What was read of both.
func.func private @memories(%source: !ids, %draft: !ids, %E: !E, %P: !P) -> (!xs, !xs) {
  %ms = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %x = nn.call @read(%draft, %E, %P) : (!ids, !E, !P) -> !xs
  %md = nn.call @reader(%x, %ms) in "draft" : (!xs, !xs) -> !xs
  return %ms, %md : !xs, !xs
}

/// Log-probabilities of words by what a layer has written for them.
func.func private @logs(%x: !xs, %E: !E) -> !ys {
  %n = nn.call @norm(%x) in "norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %s = nn.call @scores(%n, %E) : (!xs, !E) -> !ys
  %p = nn.log_softmax %s over 1 : !ys
  return %p : !ys
}

/// Log-probabilities of the words of a target that is known.
func.func private @told(%source: !ids, %draft: !ids, %in: !ids) -> !ys {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %ms, %md = nn.call @memories(%source, %draft, %E, %P) : (!ids, !ids, !E, !P) -> (!xs, !xs)
  %x = nn.call @read(%in, %E, %P) : (!ids, !E, !P) -> !xs
  %a = nn.call @layer(%x, %md, %ms) in "decoder.0" with #inner : (!xs, !xs, !xs) -> !xs
  %b = nn.call @layer(%a, %md, %ms) in "decoder.1" with #inner : (!xs, !xs, !xs) -> !xs
  %p = nn.call @logs(%b, %E) in "decoder" : (!xs, !E) -> !ys
  return %p : !ys
}

/// The mean over the words of the cross entropy with labels of which a part is spread over all words.
func.func @loss(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                %draft: !ids {cambium.name = "draft", cambium.rows = "draft"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %smoothing = nn.constant "smoothing" = 0.1 : !f
  %one = arith.constant dense<1.0> : !f
  %p = nn.call @told(%source, %draft, %in) : (!ids, !ids, !ids) -> !ys
  %picked = nn.pick %p, %out : !ys, !ids
  %spread = nn.mean %p over 1 : !ys
  %right = nn.mean %picked over 0 : !fs
  %any = nn.mean %spread over 0 : !fs
  %rest = arith.subf %one, %smoothing : !f
  %r = arith.mulf %right, %rest : !f
  %s = arith.mulf %any, %smoothing : !f
  %sum = arith.addf %r, %s : !f
  %l = arith.negf %sum : !f
  return %l : !f
}

/// The logarithm of the probability of a text.
func.func @score(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                 %draft: !ids {cambium.name = "draft", cambium.rows = "draft"},
                 %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                 %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %p = nn.call @told(%source, %draft, %in) : (!ids, !ids, !ids) -> !ys
  %right = nn.pick %p, %out : !ys, !ids
  %y = nn.sum %right over 0 : !fs
  return %y : !f
}

/// The five best texts, of at most 80 words, by score per word.
func.func @predict(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                   %draft: !ids {cambium.name = "draft", cambium.rows = "draft"})
    -> (tensor<5x80xi32>, tensor<5xi32>, tensor<5xf32>) {
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %one = arith.constant dense<1> : !i
  %zero = arith.constant dense<0> : !i
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %ms, %md = nn.call @memories(%source, %draft, %E, %P) : (!ids, !ids, !E, !P) -> (!xs, !xs)
  %words, %lengths, %scores = depth.search beam 5 length_penalty 1.0 max 80 begin %begin end %end
      carried(%i = %zero : !i) grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own)
      next(%w : !ids) {
    %ones = nn.broadcast %one dims [] like %w : !i, !ids -> !ids
    %next = arith.addi %i, %ones : !ids
    %x = nn.call @vectors(%w, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
    %a, %ka, %va = nn.call @layer_step(%x, %md, %ms, %k0, %v0) in "decoder.0"
      with #inner : (!xs, !xs, !xs, !own, !own) -> (!xs, !own, !own)
    %b, %kb, %vb = nn.call @layer_step(%a, %md, %ms, %k1, %v1) in "decoder.1"
      with #inner : (!xs, !xs, !xs, !own, !own) -> (!xs, !own, !own)
    %p = nn.call @logs(%b, %E) in "decoder" : (!xs, !E) -> !ys
    depth.yield %p, %next, %ka, %va, %kb, %vb : !ys, !ids, !own, !own, !own, !own
  }
  return %words, %lengths, %scores : tensor<5x80xi32>, tensor<5xi32>, tensor<5xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 1.0
