// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child-Sum Tree-LSTM that attends to children.
//
// A. Simoulin: Sentence embeddings and their relation with sentence structures. PhD thesis,
// Université Paris Cité 2022, eq. 3.18-3.21 in place of 3.11 of the Child-Sum Tree-LSTM
// (3.12-3.17): the children are weighted by the softmax over them of the cosine between a query of
// the node's word and a key of the child's state. The forget gates see the states as they are. A
// leaf has no children to attend to: its sum is zero.
nn.import "tree_lstm.mlir"
nn.import "layers.mlir"
nn.sizes {input = 200, hidden = 150, query = 64}

!tree = !tree.tree
!x = tensor<200xf32>
!xs = tensor<?x200xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!q = tensor<64xf32>
!qs = tensor<?x64xf32>

/// The states of all nodes.
func.func private @attentive_child_sum(%tree: !tree, %x: !xs) -> !hs {
  %h, %c = tree.fold %tree nodes(%xj = %x : !x) children(%hk : !hs, %ck : !hs) -> (!h, !h) {
    // q_j = W_q x_j + b_q; p_k = W_p h_k + b_p
    %q = nn.call @dense_one(%xj) in "q" : (!x) -> !q
    %p = nn.call @dense(%hk) in "p" : (!hs) -> !qs
    // a_kj = q_j . p_k / (|q_j| |p_k|), alpha_j = softmax over the children
    %qk = nn.broadcast %q dims [1] like %p : !q, !qs -> !qs
    %a = nn.cosine_similarity %qk, %p over 1 : !qs, !qs
    %alpha = nn.softmax %a over 0 : tensor<?xf32>
    // h~_j = sum_k alpha_kj h_k
    %hs = nn.matmul %alpha, %hk : tensor<?xf32>, !hs
    %hj, %cj = nn.call @child_sum_cell(%xj, %hs, %hk, %ck) : (!x, !h, !hs, !hs) -> (!h, !h)
    tree.yield %hj, %cj : !h, !h
  }
  return %h : !hs
}
