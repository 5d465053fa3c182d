// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a sentence praises or blames: a constituency Tree-LSTM with a loss at every node that
// does either.
//
// Tai, Socher and Manning 2015, sections 3.2 and 4.1; cell: Simoulin 2022, equations 3.22-3.27.
// Words stand at the leaves alone: the cell of a leaf reads the word, that of a phrase its two
// parts. Classes 0 (negative) and 1 (positive); a neutral phrase has the weight 0.
nn.import "../common/tree_lstm.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 20000, input = 128, hidden = 150}

!tree = !tree.tree
!words = tensor<?xi32>
!xs = tensor<?x128xf32>
!hs = tensor<?x150xf32>
!E = tensor<20000x128xf32>
!y = tensor<?x2xf32>
!weights = tensor<?xf32>

/// The scores of the two classes at every node.
func.func @predict(%tree: !tree {cambium.name = "tree"},
                   %words: !words {cambium.name = "words"}) -> !y {
  %E = nn.param "words" : !E init <uniform(-0.05, 0.05)> group "embeddings"
  %x0 = nn.embed %words, %E padding_id 0 : !words, !E
  %x = nn.dropout %x0 rate 0.3 : !xs
  %h = nn.call @binary_tree_lstm(%tree, %x) : (!tree, !xs) -> !hs
  %hd = nn.dropout %h rate 0.5 : !hs
  %y = nn.call @dense(%hd) in "classes" : (!hs) -> !y
  return %y : !y
}

/// The sum of the cross entropies of all phrases that are not neutral.
func.func @loss(%tree: !tree {cambium.name = "tree"}, %words: !words {cambium.name = "words"},
                %labels: !words {cambium.name = "labels"},
                %weights: !weights {cambium.name = "weights"}) -> tensor<f32> {
  %y = nn.call @predict(%tree, %words) : (!tree, !words) -> !y
  %l = nn.cross_entropy %y, %labels : !y, !words
  %w = arith.mulf %l, %weights : !weights
  %s = nn.sum %w over 0 : !weights
  return %s : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  groups {embeddings = #train.optimizer<adagrad>} clip_norm 10.0
