// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a sentence, by filters over windows of 3, 4 and 5 words.
//
// Y. Kim: Convolutional Neural Networks for Sentence Classification. EMNLP 2014: CNN-rand, whose
// word vectors begin at random. The weights of a class have the norm 3 at most, where the paper
// shortens them behind each update.
nn.import "../common/windows.mlir"
nn.sizes {words = 25000, input = 300, filters = 100, classes = 2}

#dropout = #nn.given<"dropout" = 0.5>
!words = tensor<?xi32>
!x = tensor<?x300xf32>
!u = tensor<100xf32>
!row = tensor<1x100xf32>
!us = tensor<3x100xf32>
!W = tensor<3x100x2xf32>
!part = tensor<3x2xf32>
!y = tensor<2xf32>

/// W (u * r) + b of the strongest answers u, where dropout r leaves out half of them.
func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %E = nn.param "words" : tensor<25000x300xf32> init <uniform(-0.25, 0.25)>
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<25000x300xf32>
  %u3, %u4, %u5 = nn.call @windows(%x) in "windows" : (!x) -> (!u, !u, !u)
  %r3 = nn.reshape %u3 : !u -> !row
  %r4 = nn.reshape %u4 : !u -> !row
  %r5 = nn.reshape %u5 : !u -> !row
  %u = nn.concat %r3, %r4, %r5 over 0 : !row, !row, !row
  %y = nn.call @vote(%u) in "vote" : (!us) -> !y
  return %y : !y
}

func.func private @vote(%u: !us) -> !y {
  %W = nn.param "W" : !W
  %b = nn.param "b" : !y no_decay
  %d = nn.dropout %u rate #dropout : !us
  %parts = nn.matmul %d, %W batch_dims 1 : !us, !W
  %sum = nn.sum %parts over 0 : !part
  %shorter = nn.call @shortening(%W) : (!W) -> !y
  %short = arith.mulf %sum, %shorter : !y
  %y = arith.addf %short, %b : !y
  return %y : !y
}

/// min(1, 3 / |w|) for the weights w of each class.
func.func private @shortening(%W: !W) -> !y {
  %longest = nn.constant "longest" = 3.0 : tensor<f32>
  %least = arith.constant dense<1.0e-12> : !y
  %most = arith.constant dense<1.0> : !y
  %squares = arith.mulf %W, %W : !W
  %parts = nn.sum %squares over 1 : !W
  %sums = nn.sum %parts over 0 : !part
  %some = arith.maximumf %sums, %least : !y
  %one = math.rsqrt %some : !y
  %longests = nn.broadcast %longest dims [] : tensor<f32> -> !y
  %factor = arith.mulf %one, %longests : !y
  %f = arith.minimumf %factor, %most : !y
  return %f : !y
}

func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adadelta>
