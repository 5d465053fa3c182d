// albert-equal.mlir - What must be equal in the models of models/albert
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With at most 4 iterations.
nn.import "../../../models/common/albert.mlir"
nn.sizes {words = 4000, narrow = 64, hidden = 128}

#normal = #nn.init<truncated_normal(0.0, 0.02)>
#places = #nn.given<"places" = 256>
#encoder = {heads = #nn.given<"heads" = 4>, inner = #nn.given<"inner" = 512>, places = #places,
            layers = 4}
#layer = {heads = #nn.given<"heads" = 4>, inner = #nn.given<"inner" = 512>}

!ids = tensor<?xi32>
!p = tensor<?xf32>
!x = tensor<?x128xf32>
!words = tensor<4000x64xf32>
!Wh = tensor<128x1xf32>

func.func private @words() -> !words {
  %words = nn.call @word_table() in "embeddings" with {init = #normal} : () -> !words
  return %words : !words
}

func.func private @vectors(%tokens: !ids, %segments: !ids) -> !x {
  %words = nn.call @words() : () -> !words
  %h0 = nn.call @albert_embed(%tokens, %segments, %words) with {places = #places}
    : (!ids, !ids, !words) -> !x
  return %h0 : !x
}

func.func private @iterate(%x: !x) -> (!p, !x) {
  %W = nn.param "halting.W" : !Wh
  %p, %y = nn.call @albert_iterate(%x, %W) with #layer : (!x, !Wh) -> (!p, !x)
  return %p, %y : !p, !x
}

/// The model of fixed depth.
func.func @fixed(%tokens: !ids {cambium.name = "tokens"},
                 %segments: !ids {cambium.name = "segments"}) -> !x {
  %words = nn.call @words() : () -> !words
  %h = nn.call @albert(%tokens, %segments, %words) with #encoder : (!ids, !ids, !words) -> !x
  return %h : !x
}
/// lambda = 1 in every iteration: the state becomes what the layer gives, nothing of what it was
/// before is left.
func.func @replaced(%tokens: !ids {cambium.name = "tokens"},
                    %segments: !ids {cambium.name = "segments"}) -> !x {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %h0 = nn.call @vectors(%tokens, %segments) : (!ids, !ids) -> !x
  %h, %n, %r = depth.ponder max 4 combine weighted_sum remainder forced carried(%x = %h0 : !x) {
    %q, %y = nn.call @iterate(%x) : (!x) -> (!p, !x)
    %p = nn.broadcast %zero dims [] like %q : tensor<f32>, !p -> !p
    depth.yield %p, %y : !p, !x
  }
  return %h : !x
}
/// p = 1: everything stops after one layer.
func.func @at_once(%tokens: !ids {cambium.name = "tokens"},
                   %segments: !ids {cambium.name = "segments"}) -> !x {
  %one = arith.constant dense<1.0> : tensor<f32>
  %h0 = nn.call @vectors(%tokens, %segments) : (!ids, !ids) -> !x
  %h, %n, %r = depth.ponder max 4 combine convex remainder none carried(%x = %h0 : !x) {
    %q, %y = nn.call @iterate(%x) : (!x) -> (!p, !x)
    %p = nn.broadcast %one dims [] like %q : tensor<f32>, !p -> !p
    depth.yield %p, %y : !p, !x
  }
  return %h : !x
}
func.func @once(%tokens: !ids {cambium.name = "tokens"},
                %segments: !ids {cambium.name = "segments"}) -> !x {
  %h0 = nn.call @vectors(%tokens, %segments) : (!ids, !ids) -> !x
  %q, %h = nn.call @iterate(%h0) : (!x) -> (!p, !x)
  return %h : !x
}
