// adaptive_albert.mlir - ALBERT whose words think as long as each of them needs
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A. Simoulin 2022, section 6.2: one layer with the same weights in every iteration (Lan et al.:
// ALBERT. ICLR 2020), a halting probability per word (equation 6.9), the convex mix (6.10, 6.11), at
// most 6 iterations; word vectors are factorized. The loss adds tau (N + R), summed over the words
// (6.13, 6.14), with tau = 0.001. Positions are learned (128 at most); the vector of a sentence is
// the mean.
nn.import "../common/transformer.mlir"
nn.sizes {words = 20000, narrow = 64, width = 96, classes = 5}

#small = #nn.init<truncated_normal(0.0, 0.02)>
#places = #nn.given<"places" = 128>
#layers = #nn.given<"layers" = 6>
#layer = {heads = #nn.given<"heads" = 2>, inner = #nn.given<"inner" = 384>, eps = 1.0e-5,
          init = #nn.init<xavier_uniform>}

!ids = tensor<?xi32>
!p = tensor<?xf32>
!x = tensor<?x96xf32>
!y = tensor<5xf32>
!Wh = tensor<96x1xf32>
!bh = tensor<1xf32>
!e = tensor<?x64xf32>
!words = tensor<20000x64xf32>

/// W_e norm(word + place) + b_e: in two factors.
func.func private @vectors(%tokens: !ids) -> !x {
  %words = nn.param "words" : !words init <truncated_normal(0.0, 0.2)> group "embeddings"
  %e = nn.call @embed_words(%tokens, %words) with {places = #places, init = #small}
    : (!ids, !words) -> !e
  %n = nn.call @norm(%e) in "norm" with {eps = 1.0e-5} : (!e) -> !e
  %x = nn.call @dense(%n) in "up" : (!e) -> !x
  return %x : !x
}

/// The states of the words, how often each was computed, and its remainder.
func.func private @ponder(%tokens: !ids) -> (!x, !ids, !p) {
  %W = nn.param "halting.W" : !Wh init #small
  %b = nn.param "halting.b" : !bh init <constant(-1.0)> no_decay
  %h0 = nn.call @vectors(%tokens) in "embeddings" : (!ids) -> !x
  %h, %n, %r = depth.ponder max #layers combine convex remainder none tied "layer" carried(%x = %h0 : !x) {
    %y = nn.call @layer(%x) with #layer : (!x) -> !x
    %p = nn.call @halt(%y, %W, %b) : (!x, !Wh, !bh) -> !p
    depth.yield %p, %y : !p, !x
  }
  return %h, %n, %r : !x, !ids, !p
}

/// The scores of the classes, from the mean of the words' states.
func.func private @scores(%h: !x) -> !y {
  %m = nn.mean %h over 0 : !x
  %y = nn.call @dense_one(%m) in "classes" : (tensor<96xf32>) -> !y
  return %y : !y
}

func.func @predict(%tokens: !ids {cambium.name = "tokens"}) -> !y {
  %h, %n, %r = nn.call @ponder(%tokens) : (!ids) -> (!x, !ids, !p)
  %y = nn.call @scores(%h) : (!x) -> !y
  return %y : !y
}

/// How often each word was computed.
func.func @steps(%tokens: !ids {cambium.name = "tokens"}) -> !ids {
  %h, %n, %r = nn.call @ponder(%tokens) : (!ids) -> (!x, !ids, !p)
  return %n : !ids
}

/// The same, as a mean over the sentence.
func.func @depth(%tokens: !ids {cambium.name = "tokens"}) -> tensor<f32> {
  %h, %n, %r = nn.call @ponder(%tokens) : (!ids) -> (!x, !ids, !p)
  %f = arith.sitofp %n : !ids to !p
  %m = nn.mean %f over 0 : !p
  return %m : tensor<f32>
}

/// Cross entropy + tau (N + R).
func.func @loss(%tokens: !ids {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h, %n, %r = nn.call @ponder(%tokens) : (!ids) -> (!x, !ids, !p)
  %y = nn.call @scores(%h) : (!x) -> !y
  %ce = nn.cross_entropy %y, %label : !y, tensor<i32>
  %price = nn.call @price(%n, %r) : (!ids, !p) -> tensor<f32>
  %l = arith.addf %ce, %price : tensor<f32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01> clip_norm 5.0
