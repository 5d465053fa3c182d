// albert.mlir - ALBERT, and its pre-training
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lan et al.: ALBERT. ICLR 2020: one layer with the same weights, 6 times (12 times in the paper) for
// each piece. Pre-training: masked pieces, and the order of two segments. Everything but the loop is
// as in adaptive_albert.mlir.
nn.import "../common/albert.mlir"
nn.sizes {words = 4000, narrow = 64, hidden = 128}

#normal = #nn.init<truncated_normal(0.0, 0.02)>
#encoder = {heads = #nn.given<"heads" = 4>, inner = #nn.given<"inner" = 512>,
            places = #nn.given<"places" = 256>, layers = #nn.given<"layers" = 6>}

!ids = tensor<?xi32>
!i = tensor<i32>
!x = tensor<?x128xf32>
!words = tensor<4000x64xf32>

func.func private @words() -> !words {
  %words = nn.call @word_table() in "embeddings" with {init = #normal} : () -> !words
  return %words : !words
}

/// The states of the pieces.
func.func private @encode(%tokens: !ids, %segments: !ids) -> !x {
  %words = nn.call @words() : () -> !words
  %h = nn.call @albert(%tokens, %segments, %words) with #encoder : (!ids, !ids, !words) -> !x
  return %h : !x
}

/// Whether the segments are in order (0) or swapped (1).
func.func @predict(%tokens: !ids {cambium.name = "tokens"},
                   %segments: !ids {cambium.name = "segments"}) -> tensor<2xf32> {
  %h = nn.call @encode(%tokens, %segments) : (!ids, !ids) -> !x
  %y = nn.call @order_scores(%h) in "order" : (!x) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

/// The pieces at masked places.
func.func @mlm(%tokens: !ids {cambium.name = "tokens"}, %segments: !ids {cambium.name = "segments"},
               %places: !ids {cambium.name = "places"}) -> tensor<?x4000xf32> {
  %h = nn.call @encode(%tokens, %segments) : (!ids, !ids) -> !x
  %words = nn.call @words() : () -> !words
  %y = nn.call @word_scores(%h, %places, %words) in "masked"
    : (!x, !ids, !words) -> tensor<?x4000xf32>
  return %y : tensor<?x4000xf32>
}

/// Masked pieces + order.
func.func @loss(%tokens: !ids {cambium.name = "tokens"}, %segments: !ids {cambium.name = "segments"},
                %places: !ids {cambium.name = "places"}, %labels: !ids {cambium.name = "labels"},
                %label: !i {cambium.name = "label"}) -> tensor<f32> {
  %h = nn.call @encode(%tokens, %segments) : (!ids, !ids) -> !x
  %words = nn.call @words() : () -> !words
  %l = nn.call @pretraining_loss(%h, %places, %words, %labels, %label)
    : (!x, !ids, !words, !ids, !i) -> tensor<f32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<lamb>
