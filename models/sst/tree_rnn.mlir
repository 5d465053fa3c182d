// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentiment of every phrase of a sentence: a recursive neural network with a loss at every node.
//
// Socher et al. 2013, Recursive Deep Models for Semantic Compositionality Over a Sentiment
// Treebank, section 4.1: a leaf is its word vector, a phrase is tanh(W [h_1; h_2] + b).
nn.import "../common/tree_rnn.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 20000, hidden = 150}

!tree = !tree.tree
!words = tensor<?xi32>
!hs = tensor<?x150xf32>
!E = tensor<20000x150xf32>
!y = tensor<?x5xf32>

/// The scores of the five classes at every node.
func.func @predict(%tree: !tree {cambium.name = "tree"},
                   %words: !words {cambium.name = "words"}) -> !y {
  %E = nn.param "words" : !E init <uniform(-0.05, 0.05)> group "embeddings"
  %x0 = nn.embed %words, %E padding_id 0 : !words, !E
  %x = nn.dropout %x0 rate 0.3 : !hs
  %h = nn.call @tree_rnn(%tree, %x) : (!tree, !hs) -> !hs
  %hd = nn.dropout %h rate 0.5 : !hs
  %y = nn.call @dense(%hd) in "classes" : (!hs) -> !y
  return %y : !y
}

/// The sum of the cross entropies of all phrases of the sentence.
func.func @loss(%tree: !tree {cambium.name = "tree"}, %words: !words {cambium.name = "words"},
                %labels: !words {cambium.name = "labels"}) -> tensor<f32> {
  %y = nn.call @predict(%tree, %words) : (!tree, !words) -> !y
  %l = nn.cross_entropy %y, %labels : !y, !words
  %s = nn.sum %l over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  groups {embeddings = #train.optimizer<adagrad>} clip_norm 10.0
