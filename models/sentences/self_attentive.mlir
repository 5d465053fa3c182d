// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a sentence, by eight heads that look at the words.
//
// Z. Lin et al.: A Structured Self-attentive Sentence Embedding. ICLR 2017, equations 1 to 6, without
// the penalty; as in A. Stiff, Q. Song, E. Fosler-Lussier: How Self-Attention Improves Rare Class
// Performance in a Question-Answering Dialogue Agent. SIGDIAL 2020.
nn.import "../common/heads.mlir"
nn.sizes {hidden = 128, both = 2 * hidden, heads = 8, all = heads * both, classes = 50}

#words = {words = #nn.given<"words" = 10000>, input = #nn.given<"input" = 300>}
#sizes = {attention = #nn.given<"attention" = 350>, layer = #nn.given<"layer" = 500>}
!words = tensor<?xi32>
!h = tensor<?x256xf32>
!a = tensor<?x8xf32>
!m = tensor<8x256xf32>
!y = tensor<50xf32>

func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %h = nn.call @gru_words(%tokens) with #words : (!words) -> !h
  %m = nn.call @look(%h) with #sizes : (!h) -> !m
  %all = nn.reshape %m : !m -> tensor<2048xf32>
  %y = nn.call @answer(%all) with #sizes : (tensor<2048xf32>) -> !y
  return %y : !y
}

/// How much each head looks at each word, and what it finds: one head after the other.
func.func @seen(%tokens: !words {cambium.name = "tokens"})
    -> (!a {cambium.name = "attention"}, tensor<2048xf32> {cambium.name = "found"}) {
  %h = nn.call @gru_words(%tokens) with #words : (!words) -> !h
  %a = nn.call @attention(%h) with #sizes : (!h) -> !a
  %m = nn.outer_sum %a, %h : !a, !h
  %all = nn.reshape %m : !m -> tensor<2048xf32>
  return %a, %all : !a, tensor<2048xf32>
}

func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
