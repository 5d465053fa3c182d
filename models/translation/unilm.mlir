// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text from another one by one Transformer, whose mask alone makes it read one and write the other.
//
// L. Dong et al.: Unified Language Model Pre-training for Natural Language Understanding and
// Generation. NeurIPS 2019 (UniLM): words of the source see one another; words of the target see the
// source and those before them. Without a source it is a language model of targets, which sees to the
// left, and learns so where a table has lines with an empty source. Places begin anew in the target,
// and a vector is added to the words of the source.
nn.import "../common/one_stack.mlir"
nn.sizes {words = 8000, places = 256, heads = 4, columns = 32, width = heads * columns}

#stack = {heads = #nn.given<"heads" = 4>, columns = #nn.given<"columns" = 32>,
          inner = #nn.given<"inner" = 512>}

!i = tensor<i32>
!f = tensor<f32>
!ids = tensor<?xi32>
!fs = tensor<?xf32>
!x = tensor<128xf32>
!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>
!ys = tensor<?x8000xf32>
!E = tensor<8000x128xf32>
!P = tensor<256x128xf32>

func.func private @tables() -> (!E, !P) {
  %E = nn.param "words" : !E init <normal(0.0, 0.09)>
  %P = nn.param "places" : !P init <sinusoidal(1.0)>
  return %E, %P : !E, !P
}

/// Keys and values of the source in both layers.
func.func private @in_front(%tokens: !ids, %E: !E, %P: !P) -> (!xs, !xs, !xs, !xs) {
  %s = nn.param "source" : !x init <normal(0.0, 0.09)>
  %i = nn.positions %tokens limit 256 : !ids
  %v = nn.call @vectors(%tokens, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %ss = nn.broadcast %s dims [1] like %v : !x, !xs -> !xs
  %x = arith.addf %v, %ss : !xs
  %k0, %v0, %k1, %v1 = nn.call @front(%x) with #stack : (!xs) -> (!xs, !xs, !xs, !xs)
  return %k0, %v0, %k1, %v1 : !xs, !xs, !xs, !xs
}

/// Log-probabilities of the words of a target that is known.
func.func private @told(%source: !ids, %in: !ids) -> !ys {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %k0, %v0, %k1, %v1 = nn.call @in_front(%source, %E, %P) : (!ids, !E, !P) -> (!xs, !xs, !xs, !xs)
  %i = nn.positions %in limit 256 : !ids
  %x = nn.call @vectors(%in, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %y = nn.call @behind(%x, %k0, %v0, %k1, %v1) with #stack : (!xs, !xs, !xs, !xs, !xs) -> !xs
  %s = nn.call @scores(%y, %E) : (!xs, !E) -> !ys
  %p = nn.log_softmax %s over 1 : !ys
  return %p : !ys
}

/// The mean cross entropy of the words of the target.
func.func @loss(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %p = nn.call @told(%source, %in) : (!ids, !ids) -> !ys
  %right = nn.pick %p, %out : !ys, !ids
  %m = nn.mean %right over 0 : !fs
  %l = arith.negf %m : !f
  return %l : !f
}

/// The logarithm of the probability of a target.
func.func @score(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                 %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                 %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %p = nn.call @told(%source, %in) : (!ids, !ids) -> !ys
  %right = nn.pick %p, %out : !ys, !ids
  %y = nn.sum %right over 0 : !fs
  return %y : !f
}

/// The five best targets, of at most 60 words.
func.func @predict(%source: !ids {cambium.name = "source", cambium.rows = "source"})
    -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>) {
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %zero = arith.constant dense<0> : !i
  %one = arith.constant dense<1> : !i
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %fk0, %fv0, %fk1, %fv1 = nn.call @in_front(%source, %E, %P) : (!ids, !E, !P) -> (!xs, !xs, !xs, !xs)
  %words, %lengths, %scores = depth.search beam 5 max 60 begin %begin end %end
      carried(%i = %zero : !i) grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own)
      next(%w : !ids) {
    %ones = nn.broadcast %one dims [] like %i : !i, !ids -> !ids
    %next = arith.addi %i, %ones : !ids
    %x = nn.call @vectors(%w, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
    %y, %ka, %va, %kb, %vb = nn.call @behind_step(%x, %fk0, %fv0, %fk1, %fv1, %k0, %v0, %k1, %v1)
      with #stack : (!xs, !xs, !xs, !xs, !xs, !own, !own, !own, !own)
      -> (!xs, !own, !own, !own, !own)
    %s = nn.call @scores(%y, %E) : (!xs, !E) -> !ys
    %p = nn.log_softmax %s over 1 : !ys
    depth.yield %p, %next, %ka, %va, %kb, %vb : !ys, !ids, !own, !own, !own, !own
  }
  return %words, %lengths, %scores : tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
