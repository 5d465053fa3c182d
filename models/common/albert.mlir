// albert.mlir - ALBERT: embeddings, adaptive depth, the heads of its pre-training
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Z. Lan et al.: ALBERT. ICLR 2020; A. Simoulin 2022, section 6.2. A call gives `inner`, `places`,
// `heads`, `layers` and `bias` where they are not these.
nn.import "transformer.mlir"
nn.sizes {words = 4000, narrow = 64, hidden = 128}

#normal = #nn.init<truncated_normal(0.0, 0.02)>
#layers = #nn.given<"layers" = 6>

!ids = tensor<?xi32>
!p = tensor<?xf32>
!words = tensor<4000x64xf32>
!e = tensor<?x64xf32>
!x = tensor<?x128xf32>
!Wh = tensor<128x1xf32>
!bh = tensor<1xf32>

/// W_e norm(word + place + segment) + b_e: vectors in two factors.
func.func private @albert_embed(%tokens: !ids, %segments: !ids, %words: !words) -> !x {
  %e = nn.call @embed(%tokens, %segments, %words) in "embeddings" with {init = #normal}
    : (!ids, !ids, !words) -> !e
  %x = nn.call @dense(%e) in "embeddings.up" with {init = #normal} : (!e) -> !x
  return %x : !x
}

/// The states of the pieces: the layer, always as often.
func.func private @albert(%tokens: !ids, %segments: !ids, %words: !words) -> !x {
  %h0 = nn.call @albert_embed(%tokens, %segments, %words) : (!ids, !ids, !words) -> !x
  %h = depth.iterate #layers tied "layer" carried(%x = %h0 : !x) {
    %y = nn.call @albert_layer(%x) with {init = #normal} : (!x) -> !x
    depth.yield %y : !x
  }
  return %h : !x
}

/// The layer, and with which probability a piece stops behind it. The halting unit begins with the
/// bias: -1.5 makes about six iterations.
func.func private @albert_iterate(%x: !x, %W: !Wh) -> (!p, !x) {
  %b = nn.param "halting.b" : !bh group "halting" no_decay
  %bias = nn.constant "bias" = -1.5 : tensor<f32>
  %bias1 = nn.broadcast %bias dims [] : tensor<f32> -> !bh
  %bb = arith.addf %b, %bias1 : !bh
  %y = nn.call @albert_layer(%x) in "layer" with {init = #normal} : (!x) -> !x
  %p = nn.call @halt(%y, %W, %bb) : (!x, !Wh, !bh) -> !p
  return %p, %y : !p, !x
}

/// The states of the pieces, how often each was computed, and its remainder. W is the halting unit's.
func.func private @adaptive_albert(%tokens: !ids, %segments: !ids, %words: !words, %W: !Wh)
    -> (!x, !ids, !p) {
  %h0 = nn.call @albert_embed(%tokens, %segments, %words) : (!ids, !ids, !words) -> !x
  %h, %n, %r = depth.ponder max #layers combine convex remainder none carried(%x = %h0 : !x) {
    %p, %y = nn.call @albert_iterate(%x, %W) : (!x, !Wh) -> (!p, !x)
    depth.yield %p, %y : !p, !x
  }
  return %h, %n, %r : !x, !ids, !p
}

/// The scores of the pieces that may have stood at masked places: a dense layer, and a product with
/// the word vectors.
func.func private @word_scores(%h: !x, %at: !ids, %words: !words) -> tensor<?x4000xf32> {
  %b = nn.param "b" : tensor<4000xf32> no_decay
  %x = nn.take %h, %at : !x, !ids
  %a = nn.call @dense(%x) in "dense" with {init = #normal} : (!x) -> !e
  %g = nn.gelu %a tanh : !e
  %n = nn.call @norm(%g) in "norm" : (!e) -> !e
  %out = nn.transpose %words perm [1, 0] : !words
  %y = nn.linear %n, %out, %b : !e, tensor<64x4000xf32>, tensor<4000xf32>
  return %y : tensor<?x4000xf32>
}

/// The scores of "in order" and "swapped", from the first piece.
func.func private @order_scores(%h: !x) -> tensor<2xf32> {
  %x = nn.call @first(%h) : (!x) -> tensor<128xf32>
  %a = nn.call @dense_one(%x) in "dense" with {init = #normal} : (tensor<128xf32>) -> tensor<128xf32>
  %t = math.tanh %a : tensor<128xf32>
  %y = nn.call @dense_one(%t) in "scores" with {init = #normal} : (tensor<128xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

/// Cross entropy of masked pieces, their mean, and of the order.
func.func private @pretraining_loss(%h: !x, %at: !ids, %words: !words, %labels: !ids, %label: tensor<i32>)
    -> tensor<f32> {
  %scores = nn.call @word_scores(%h, %at, %words) in "masked"
    : (!x, !ids, !words) -> tensor<?x4000xf32>
  %ces = nn.cross_entropy %scores, %labels : tensor<?x4000xf32>, !ids
  %mlm = nn.mean %ces over 0 : !p
  %order = nn.call @order_scores(%h) in "order" : (!x) -> tensor<2xf32>
  %sop = nn.cross_entropy %order, %label : tensor<2xf32>, tensor<i32>
  %l = arith.addf %mlm, %sop : tensor<f32>
  return %l : tensor<f32>
}
