// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a sentence entails another one (SICK): two LSTMs over the words, the greatest of their
// states, and the head of InferSent.
//
// A. Conneau et al.: Supervised Learning of Universal Sentence Representations from Natural Language
// Inference Data. EMNLP 2017, section 3; the head is that of ../heads/infersent.mlir (A. Simoulin's
// thesis, Université Paris Cité 2022, equation 3.36). Both sentences share all parameters.
nn.import "../common/lstm.mlir"
nn.import "../common/pairs.mlir"
nn.sizes {words = 2500, input = 300, hidden = 200, both = 2 * hidden, layer = 512}

#layer = {layer = #nn.given<"layer" = 512>}
!words = tensor<?xi32>
!x = tensor<?x300xf32>
!E = tensor<2500x300xf32>
!hs = tensor<?x400xf32>
!h = tensor<400xf32>
!y = tensor<3xf32>

/// Of each number of the states of both directions the greatest over the words.
func.func private @encode(%words: !words) -> !h {
  %E = nn.param "words" : !E frozen
  %x = nn.embed %words, %E padding_id 0 : !words, !E
  %states = nn.call @lstm_both(%x) : (!x) -> !hs
  %h = nn.max %states over 0 : !hs
  return %h : !h
}

/// The scores of contradiction, neutral, entailment.
func.func @predict(%words_a: !words {cambium.name = "words_a"},
                   %words_b: !words {cambium.name = "words_b"}) -> !y {
  %a = nn.call @encode(%words_a) : (!words) -> !h
  %b = nn.call @encode(%words_b) : (!words) -> !h
  %y = nn.call @score_infersent(%a, %b) with #layer : (!h, !h) -> !y
  return %y : !y
}

func.func @loss(%words_a: !words {cambium.name = "words_a"},
                %words_b: !words {cambium.name = "words_b"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%words_a, %words_b) : (!words, !words) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
