// adaptive_albert.mlir - ALBERT with adaptive depth, fine-tuned for two classes
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The encoder of models/albert/adaptive_albert.mlir, with the same names, so that `cambium-run train
// --init` can begin with what was learned there, and a class of the text from the state of [CLS]. The
// loss adds tau (N + R), summed over the pieces (A. Simoulin 2022, section 6.2 and Table 6.4).
nn.import "../common/albert.mlir"
nn.sizes {words = 4000, narrow = 64, hidden = 128}

#normal = #nn.init<truncated_normal(0.0, 0.02)>
#encoder = {heads = #nn.given<"heads" = 4>, inner = #nn.given<"inner" = 512>,
            places = #nn.given<"places" = 256>, layers = #nn.given<"layers" = 6>}

!ids = tensor<?xi32>
!p = tensor<?xf32>
!x = tensor<?x128xf32>
!one = tensor<128xf32>
!words = tensor<4000x64xf32>
!Wh = tensor<128x1xf32>

/// The states of the pieces, how often each was computed, and its remainder.
func.func private @encode(%tokens: !ids, %segments: !ids) -> (!x, !ids, !p) {
  %words = nn.call @word_table() in "embeddings" with {init = #normal} : () -> !words
  %W = nn.param "halting.W" : !Wh init #normal group "halting"
  %h, %n, %r = nn.call @adaptive_albert(%tokens, %segments, %words, %W) with #encoder
    : (!ids, !ids, !words, !Wh) -> (!x, !ids, !p)
  return %h, %n, %r : !x, !ids, !p
}

/// The scores of the classes, from the first piece.
func.func private @scores(%h: !x) -> tensor<2xf32> {
  %x = nn.call @first(%h) : (!x) -> !one
  %d = nn.dropout %x rate 0.1 : !one
  %y = nn.call @dense_one(%d) in "classes" with {init = #normal} : (!one) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

func.func @predict(%tokens: !ids {cambium.name = "tokens"},
                   %segments: !ids {cambium.name = "segments"}) -> tensor<2xf32> {
  %h, %n, %r = nn.call @encode(%tokens, %segments) : (!ids, !ids) -> (!x, !ids, !p)
  %y = nn.call @scores(%h) : (!x) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

/// How often each piece was computed.
func.func @steps(%tokens: !ids {cambium.name = "tokens"},
                 %segments: !ids {cambium.name = "segments"}) -> !ids {
  %h, %n, %r = nn.call @encode(%tokens, %segments) : (!ids, !ids) -> (!x, !ids, !p)
  return %n : !ids
}

/// Cross entropy + tau (N + R).
func.func @loss(%tokens: !ids {cambium.name = "tokens"}, %segments: !ids {cambium.name = "segments"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h, %n, %r = nn.call @encode(%tokens, %segments) : (!ids, !ids) -> (!x, !ids, !p)
  %y = nn.call @scores(%h) : (!x) -> tensor<2xf32>
  %ce = nn.cross_entropy %y, %label : tensor<2xf32>, tensor<i32>
  %price = nn.call @price(%n, %r) : (!ids, !p) -> tensor<f32>
  %l = arith.addf %ce, %price : tensor<f32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01> clip_norm 1.0
