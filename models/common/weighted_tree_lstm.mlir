// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Tree-LSTM over the tree of the greatest scores, that weighs the states of children by them.
//
// Numbers of equations: A. Simoulin's thesis, Université Paris Cité 2022, chapter 5.
nn.import "tree_lstm.mlir"
nn.sizes {input = 300, hidden = 150}

!f = tensor<f32>
!fs = tensor<?xf32>
!id = tensor<i32>
!ids = tensor<?xi32>
!pairs = tensor<?x?xf32>
!x = tensor<300xf32>
!xs = tensor<?x300xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>

/// The tree, and tau times the score of the arc from each word to its head (5.5). `scale` is what tau
/// begins with: the sum of a word with many children is large, and so are scores that heads were
/// learned by.
func.func private @choose(%s: !pairs) -> (!ids, !fs) {
  %scale = nn.constant "scale" = 1.0 : !f
  %learned = nn.param "tau" : !f init <constant(1.0)> no_decay
  %tau = arith.mulf %learned, %scale : !f
  %heads = tree.max_spanning %s : !pairs
  %alpha = nn.each rows(%si = %s : !fs, %head = %heads : !id) -> (!f) {
    %own = nn.take %si, %head : !fs, !id
    %y = arith.mulf %own, %tau : !f
    nn.yield %y : !f
  }
  return %heads, %alpha : !ids, !fs
}

/// The state of the root, h~_j = sum_k alpha_kj h_k (5.6); the path of the forget gates is not
/// weighted.
func.func private @compose(%x: !xs, %heads: !ids, %alpha: !fs) -> !h {
  %tree = tree.from_parents %heads : !ids
  %edges = tree.child_rows %tree, %alpha : !fs
  %h, %c = tree.fold %tree nodes(%xj = %x : !x) edges(%ak = %edges : !fs)
                     children(%hk : !hs, %ck : !hs) -> (!h, !h) {
    %hs = nn.matmul %ak, %hk : !fs, !hs
    %hj, %cj = nn.call @child_sum_cell(%xj, %hs, %hk, %ck) : (!x, !h, !hs, !hs) -> (!h, !h)
    tree.yield %hj, %cj : !h, !h
  }
  %root = tree.root %tree, %h : !hs
  return %root : !h
}
