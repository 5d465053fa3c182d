// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of a ListOps expression, read as a sequence: an LSTM.
//
// Nangia and Bowman 2018, ListOps: A Diagnostic Dataset for Latent Tree Learning (data and task);
// cell: Simoulin 2022, equations 3.5-3.10. It reads digits, operators and their ends, without the
// brackets.
nn.import "../common/lstm.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 20, hidden = 128}

!words = tensor<?xi32>
!hs = tensor<?x128xf32>
!h = tensor<128xf32>
!y = tensor<10xf32>
!E = tensor<20x128xf32>

/// Scores of the values 0 to 9.
func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %E = nn.param "words" : !E init <normal(0.0, 1.0)>
  %x = nn.embed %tokens, %E padding_id 0 : !words, !E
  %chain = tree.chain %x : !hs
  %s = nn.call @lstm(%chain, %x) : (!tree.tree, !hs) -> !h
  %a = nn.call @dense_one(%s) in "inner" : (!h) -> !h
  %r = nn.relu %a : !h
  %y = nn.call @dense_one(%r) in "values" : (!h) -> !y
  return %y : !y
}

func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
