// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of a ListOps expression, read from its brackets: a binary Tree-LSTM.
//
// Nangia and Bowman 2018, ListOps: A Diagnostic Dataset for Latent Tree Learning (data and task);
// cell: Simoulin 2022, equations 3.22-3.27. Words stand at the leaves alone: digits, operators such
// as "[MAX", and their end "]".
nn.import "../common/tree_lstm.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 20, hidden = 128}

!tree = !tree.tree
!words = tensor<?xi32>
!hs = tensor<?x128xf32>
!h = tensor<128xf32>
!y = tensor<10xf32>
!E = tensor<20x128xf32>

/// Scores of the values 0 to 9.
func.func @predict(%tree: !tree {cambium.name = "tree"},
                   %words: !words {cambium.name = "words"}) -> !y {
  %E = nn.param "words" : !E init <normal(0.0, 1.0)>
  %x = nn.embed %words, %E padding_id 0 : !words, !E
  %h = nn.call @binary_tree_lstm(%tree, %x) : (!tree, !hs) -> !hs
  %s = tree.root %tree, %h : !hs
  %a = nn.call @dense_one(%s) in "inner" : (!h) -> !h
  %r = nn.relu %a : !h
  %y = nn.call @dense_one(%r) in "values" : (!h) -> !y
  return %y : !y
}

func.func @loss(%tree: !tree {cambium.name = "tree"}, %words: !words {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tree, %words) : (!tree, !words) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
