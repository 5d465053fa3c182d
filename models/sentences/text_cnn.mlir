// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a sentence, by filters over windows of 3, 4 and 5 words.
//
// Y. Kim: Convolutional Neural Networks for Sentence Classification. EMNLP 2014: CNN-rand, whose
// word vectors begin at random. The paper has Adadelta and rows of norm 3 at most where Adam is.
nn.import "../common/windows.mlir"
nn.sizes {words = 25000, input = 300, filters = 100, classes = 2}

#dropout = #nn.given<"dropout" = 0.5>
!words = tensor<?xi32>
!xs = tensor<?x300xf32>
!u = tensor<100xf32>
!y = tensor<2xf32>

/// W (u * r) + b of the strongest answers u, where dropout r leaves out half of them.
func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %E = nn.param "words" : tensor<25000x300xf32> init <uniform(-0.25, 0.25)>
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<25000x300xf32>
  %u3, %u4, %u5 = nn.call @windows(%x) in "windows" : (!xs) -> (!u, !u, !u)
  %y3 = nn.call @vote(%u3) in "vote.three" : (!u) -> !y
  %y4 = nn.call @vote(%u4) in "vote.four" : (!u) -> !y
  %y5 = nn.call @vote(%u5) in "vote.five" : (!u) -> !y
  %b = nn.param "vote.b" : !y no_decay
  %y34 = arith.addf %y3, %y4 : !y
  %y345 = arith.addf %y34, %y5 : !y
  %y = arith.addf %y345, %b : !y
  return %y : !y
}

/// The part of W (u * r) that has the answers of one width.
func.func private @vote(%u: !u) -> !y {
  %W = nn.param "W" : tensor<100x2xf32> init <xavier_uniform>
  %d = nn.dropout %u rate #dropout : !u
  %y = nn.linear %d, %W : !u, tensor<100x2xf32>
  return %y : !y
}

func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam>
