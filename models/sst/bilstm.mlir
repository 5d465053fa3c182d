// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentiment of a sentence, read as a sequence from both ends: a bidirectional LSTM.
//
// Tai, Socher and Manning 2015, section 4.1 (baseline); cell: Simoulin 2022, equations 3.5-3.10. It
// sees the words and the label of the sentence, not those of its phrases.
nn.import "../common/lstm.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 20000, input = 128, hidden = 150, both = 2 * hidden}

!words = tensor<?xi32>
!xs = tensor<?x128xf32>
!h = tensor<150xf32>
!both = tensor<300xf32>
!y = tensor<5xf32>
!E = tensor<20000x128xf32>

/// Scores of the five classes of the sentence.
func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %E = nn.param "words" : !E init <uniform(-0.05, 0.05)> group "embeddings"
  %x0 = nn.embed %tokens, %E padding_id 0 : !words, !E
  %x = nn.dropout %x0 rate 0.3 : !xs
  %there = tree.chain %x : !xs
  %f = nn.call @lstm(%there, %x) in "forward" : (!tree.tree, !xs) -> !h
  %back = tree.chain %x reversed : !xs
  %b = nn.call @lstm(%back, %x) in "backward" : (!tree.tree, !xs) -> !h
  %s0 = nn.concat %f, %b over 0 : !h, !h
  %s = nn.dropout %s0 rate 0.5 : !both
  %y = nn.call @dense_one(%s) in "classes" : (!both) -> !y
  return %y : !y
}

func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  groups {embeddings = #train.optimizer<adagrad>} clip_norm 10.0
