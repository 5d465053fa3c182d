// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child-Sum Tree-LSTM that attends to children.
//
// A. Simoulin: Sentence embeddings and their relation with sentence structures. PhD thesis,
// Université Paris Cité 2022, eq. 3.18-3.21 in place of 3.11 of the Child-Sum Tree-LSTM
// (3.12-3.17): the children are weighted by the softmax over them of the cosine between a query of
// the node's word and a key of the child's state. The forget gates see the states as they are. A
// leaf has no children to attend to: its sum is zero.
nn.import "../common/tree_lstm.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 2000, input = 200, hidden = 150, classes = 5, query = 64}

!tree = !tree.tree
!words = tensor<?xi32>
!x = tensor<200xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!E = tensor<2000x200xf32>
!q = tensor<64xf32>
!qs = tensor<?x64xf32>

/// The state of the root.
func.func @encode(%tree: !tree {cambium.name = "tree"},
                  %words: !words {cambium.name = "words"}) -> !h {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E : !words, !E
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
  %root = tree.root %tree, %h : !hs
  return %root : !h
}

/// Cross entropy of a linear layer over the state of the root.
func.func @loss(%tree: !tree {cambium.name = "tree"}, %words: !words {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h = nn.call @encode(%tree, %words) : (!tree, !words) -> !h
  %y = nn.call @dense_one(%h) in "classes" : (!h) -> tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> clip_norm 5.0
