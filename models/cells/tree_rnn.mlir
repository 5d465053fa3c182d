// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursive neural network on binary trees.
//
// R. Socher et al.: Recursive Deep Models for Semantic Compositionality Over a Sentiment Treebank.
// EMNLP 2013, section 4.1. The cell is that of common/tree_rnn.mlir.
nn.import "../common/tree_rnn.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 2000, hidden = 150, classes = 5}

!tree = !tree.tree
!words = tensor<?xi32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!E = tensor<2000x150xf32>

/// The state of the root.
func.func @encode(%tree: !tree {cambium.name = "tree"},
                  %words: !words {cambium.name = "words"}) -> !h {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E : !words, !E
  %h = nn.call @tree_rnn(%tree, %x) : (!tree, !hs) -> !hs
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
