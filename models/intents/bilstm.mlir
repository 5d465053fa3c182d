// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a sentence asks for, by an LSTM from both ends, and how sure of it the model is.
//
// Z. Zeng, K. He, Y. Yan, H. Xu, W. Xu: Adversarial Self-Supervised Learning for Out-of-Domain
// Detection. NAACL 2021: the states of the first and of the last word, side by side.
nn.import "../common/ends.mlir"
nn.import "../common/layers.mlir"
nn.import "../common/certainty.mlir"
nn.sizes {words = 8000, input = 300, hidden = 128, both = 2 * hidden, ends = 2 * both, classes = 150}

#dropout = #nn.given<"dropout" = 0.5>
!words = tensor<?xi32>
!x = tensor<?x300xf32>
!z = tensor<512xf32>
!y = tensor<150xf32>

/// What stands for a sentence, by which distances from the vectors of the classes are taken.
func.func @vector(%tokens: !words {cambium.name = "tokens"}) -> !z {
  %E = nn.param "words" : tensor<8000x300xf32> init <normal(0.0, 0.1)>
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<8000x300xf32>
  %d = nn.dropout %x rate #dropout : !x
  %z = nn.call @ends(%d) : (!x) -> !z
  return %z : !z
}

func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %z = nn.call @vector(%tokens) : (!words) -> !z
  %d = nn.dropout %z rate #dropout : !z
  %y = nn.call @dense_one(%d) in "classes" : (!z) -> !y
  return %y : !y
}

/// How sure it is: what is asked for by no class should have a small number.
func.func @certainty(%tokens: !words {cambium.name = "tokens"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %p = nn.call @greatest_probability(%y) : (!y) -> tensor<f32>
  return %p : tensor<f32>
}

func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
