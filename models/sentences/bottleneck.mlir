// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a sentence, by eight numbers of each of eight heads.
//
// A. Stiff, Q. Song, E. Fosler-Lussier: How Self-Attention Improves Rare Class Performance in a
// Question-Answering Dialogue Agent. SIGDIAL 2020, section 5.2: sigmoid(W m + b) of each row m of
// self_attentive.mlir, so that one sees in 8 x 8 numbers what the heads have found.
nn.import "../common/heads.mlir"
nn.sizes {hidden = 128, both = 2 * hidden, heads = 8, all = heads * heads, classes = 50}

#words = {words = #nn.given<"words" = 10000>, input = #nn.given<"input" = 300>}
#sizes = {attention = #nn.given<"attention" = 350>, layer = #nn.given<"layer" = 500>}
!words = tensor<?xi32>
!h = tensor<?x256xf32>
!m = tensor<8x256xf32>
!y = tensor<50xf32>

func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %h = nn.call @gru_words(%tokens) with #words : (!words) -> !h
  %m = nn.call @look(%h) with #sizes : (!h) -> !m
  %W = nn.param "bottleneck.W" : tensor<256x8xf32> init <uniform(-0.1, 0.1)>
  %b = nn.param "bottleneck.b" : tensor<8xf32> no_decay
  %z = nn.linear %m, %W, %b : !m, tensor<256x8xf32>, tensor<8xf32>
  %s = nn.sigmoid %z : tensor<8x8xf32>
  %all = nn.reshape %s : tensor<8x8xf32> -> tensor<64xf32>
  %y = nn.call @answer(%all) with #sizes : (tensor<64xf32>) -> !y
  return %y : !y
}

func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
