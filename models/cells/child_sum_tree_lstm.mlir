// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child-Sum Tree-LSTM.
//
// K. S. Tai, R. Socher, C. D. Manning: Improved Semantic Representations From Tree-Structured Long
// Short-Term Memory Networks. ACL 2015, eq. 2-8. The cell is that of common/tree_lstm.mlir.
nn.import "../common/tree_lstm.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 2000, input = 200, hidden = 150, classes = 5}

!tree = !tree.tree
!words = tensor<?xi32>
!x = tensor<200xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!E = tensor<2000x200xf32>

/// The state of the root.
func.func @encode(%tree: !tree {cambium.name = "tree"},
                  %words: !words {cambium.name = "words"}) -> !h {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E : !words, !E
  %h, %c = tree.fold %tree nodes(%xj = %x : !x) children(%hk : !hs, %ck : !hs) -> (!h, !h) {
    // h~_j = sum_k h_k
    %hs = nn.sum %hk over 0 : !hs
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
