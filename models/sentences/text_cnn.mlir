// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a sentence, by filters over windows of 3, 4 and 5 words.
//
// Y. Kim: Convolutional Neural Networks for Sentence Classification. EMNLP 2014: CNN-rand, whose
// word vectors begin at random.
nn.import "../common/vote.mlir"
nn.import "../common/windows.mlir"
nn.sizes {words = 25000, input = 300, filters = 100, classes = 2}

!words = tensor<?xi32>
!x = tensor<?x300xf32>
!u = tensor<100xf32>
!y = tensor<2xf32>

func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %E = nn.param "words" : tensor<25000x300xf32> init <uniform(-0.25, 0.25)> group "words"
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<25000x300xf32>
  %u3, %u4, %u5 = nn.call @windows(%x) in "windows" : (!x) -> (!u, !u, !u)
  %y = nn.call @vote(%u3, %u4, %u5) in "vote" : (!u, !u, !u) -> !y
  return %y : !y
}

func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adadelta>
