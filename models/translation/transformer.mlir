// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text from another one, word by word: Transformer encoder and decoder.
//
// A. Vaswani et al.: Attention Is All You Need. NeurIPS 2017, with the norm in front of each part
// (as OpenNMT-py has it) and learned places; tables of words and of scores are one.
//
// `loss` sees a target that is known, with what it begins with in front (`target.in`) and what ends
// it behind (`target.out`). `predict` searches: of a hypothesis it keeps the keys and values of its
// words, so that a step computes one word.
nn.import "../common/writing.mlir"
nn.sizes {words = 8000, places = 256, width = 128, steps = 60}

#inner = {inner = #nn.given<"inner" = 512>}

!i = tensor<i32>
!ids = tensor<?xi32>
!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>
!ys = tensor<?x8000xf32>
!E = tensor<8000x128xf32>
!P = tensor<256x128xf32>

/// The mean cross entropy of the words of the target, of which each sees those before it.
func.func @loss(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> tensor<f32> {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %s = nn.call @known(%in, %m, %E, %P) : (!ids, !xs, !E, !P) -> !ys
  %ce = nn.cross_entropy %s, %out : !ys, !ids
  %l = nn.mean %ce over 0 : tensor<?xf32>
  return %l : tensor<f32>
}

/// The five best targets, of at most 60 words.
func.func @predict(%source: !ids {cambium.name = "source", cambium.rows = "source"})
    -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>) {
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %zero = arith.constant dense<0> : !i
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %words, %lengths, %scores = depth.search beam 5 max 60 begin %begin end %end
      carried(%i = %zero : !i) grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own)
      next(%w : !ids) {
    %p, %next, %ka, %va, %kb, %vb = nn.call @write(%w, %i, %m, %E, %P, %k0, %v0, %k1, %v1)
      with #inner : (!ids, !ids, !xs, !E, !P, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own)
    depth.yield %p, %next, %ka, %va, %kb, %vb : !ys, !ids, !own, !own, !own, !own
  }
  return %words, %lengths, %scores : tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>
}

/// The same, each word the best behind those before it.
func.func @greedy(%source: !ids {cambium.name = "source", cambium.rows = "source"})
    -> (tensor<1x60xi32>, tensor<1xi32>, tensor<1xf32>) {
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %zero = arith.constant dense<0> : !i
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %words, %lengths, %scores = depth.search beam 1 max 60 begin %begin end %end
      carried(%i = %zero : !i) grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own)
      next(%w : !ids) {
    %p, %next, %ka, %va, %kb, %vb = nn.call @write(%w, %i, %m, %E, %P, %k0, %v0, %k1, %v1)
      with #inner : (!ids, !ids, !xs, !E, !P, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own)
    depth.yield %p, %next, %ka, %va, %kb, %vb : !ys, !ids, !own, !own, !own, !own
  }
  return %words, %lengths, %scores : tensor<1x60xi32>, tensor<1xi32>, tensor<1xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
