// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of a ListOps expression, read without its brackets: all trees at once.
//
// J. Maillard, S. Clark, D. Yogatama: Jointly Learning Sentence Embeddings and Syntax with
// Unsupervised Tree-LSTMs. arXiv 1705.09189, 2017: a chart of all spans, each the weighted sum of what
// its cuts give. Cell: Simoulin 2022, equations 3.22-3.27. An expression of n words takes memory for
// n^3 / 6 cuts.
nn.import "../common/chart.mlir"
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
  %s = nn.call @chart_tree_lstm(%x) in "chart" : (!hs) -> !h
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
