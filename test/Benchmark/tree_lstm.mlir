// tree_lstm.mlir - the model of the benchmark: a binary Tree-LSTM of size 256
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tai, Socher and Manning 2015, eq. 9-14 with N = 2: words at the leaves alone, two
// forget gates that each see both children, a loss at every node (the sum over the
// nodes of a tree). torch_tree_lstm.py computes the same. No dropout, and updates by
// plain SGD, so that times are those of the cell.
nn.import "../../models/common/tree_lstm.mlir"
nn.sizes {words = 20000, hidden = 256, classes = 5}

!tree = !tree.tree
!words = tensor<?xi32>
!hs = tensor<?x256xf32>
!y = tensor<?x5xf32>
!E = tensor<20000x256xf32>
!V = tensor<256x5xf32>
!c = tensor<5xf32>

// The scores of the five classes at every node.
func.func @predict(%tree: !tree {cambium.name = "tree"},
                   %words: !words {cambium.name = "words"}) -> !y {
  %E = nn.param "words" : !E init <uniform(-0.05, 0.05)>
  %x = nn.embed %words, %E padding_id 0 : !words, !E
  %h = nn.call @binary_tree_lstm(%tree, %x) : (!tree, !hs) -> !hs
  %V = nn.param "V" : !V init <xavier_uniform>
  %c = nn.param "c" : !c
  %y = nn.linear %h, %V, %c : !hs, !V, !c
  return %y : !y
}

// The sum of the cross entropies of all phrases of the sentence.
func.func @loss(%tree: !tree {cambium.name = "tree"},
                %words: !words {cambium.name = "words"},
                %labels: !words {cambium.name = "labels"}) -> tensor<f32> {
  %y = nn.call @predict(%tree, %words) : (!tree, !words) -> !y
  %l = nn.cross_entropy %y, %labels : !y, !words
  %s = nn.sum %l over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<sgd>
