// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree read upwards, then downwards.
//
// After M. Miwa, M. Bansal: End-to-End Relation Extraction using LSTMs on Sequences and Tree
// Structures. ACL 2016: a Child-Sum Tree-LSTM from the leaves to the root, then an LSTM from the
// root to the leaves whose input at a node is the upward state. The example's vector is the mean
// over its nodes of both states.
nn.import "../common/tree_lstm.mlir"
nn.import "../common/lstm.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 2000, input = 200, hidden = 150, classes = 5, both = 2 * hidden}

!tree = !tree.tree
!words = tensor<?xi32>
!x = tensor<200xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!E = tensor<2000x200xf32>
!both = tensor<300xf32>

/// The mean of the states of both directions.
func.func @encode(%tree: !tree {cambium.name = "tree"},
                  %words: !words {cambium.name = "words"}) -> !both {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E : !words, !E
  %h, %c = tree.fold %tree nodes(%xj = %x : !x) children(%hk : !hs, %ck : !hs) -> (!h, !h) {
    %hs = nn.sum %hk over 0 : !hs
    %hj, %cj = nn.call @child_sum_cell(%xj, %hs, %hk, %ck) in "up" : (!x, !h, !hs, !hs) -> (!h, !h)
    tree.yield %hj, %cj : !h, !h
  }
  %d, %e = tree.unfold %tree nodes(%hj = %h : !h) parent(%dp : !h, %ep : !h) -> (!h, !h) {
    // an LSTM along each path from the root
    %dj, %ej = nn.call @lstm_cell(%hj, %dp, %ep) in "down" : (!h, !h, !h) -> (!h, !h)
    tree.yield %dj, %ej : !h, !h
  }
  %both = nn.concat %h, %d over 1 : !hs, !hs
  %mean = nn.mean %both over 0 : tensor<?x300xf32>
  return %mean : !both
}

/// Cross entropy of a linear layer over the mean.
func.func @loss(%tree: !tree {cambium.name = "tree"}, %words: !words {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h = nn.call @encode(%tree, %words) : (!tree, !words) -> !both
  %y = nn.call @dense_one(%h) in "classes" : (!both) -> tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> clip_norm 5.0
