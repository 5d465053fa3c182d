// adaptive_albert.mlir - one encoder layer, as often as needed
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of an arithmetic expression in prefix notation, read as a sequence between [CLS] and
// [SEP]: one encoder layer, for each token as often as its own halting probability asks for (section
// 6.2, equations 6.9-6.14), at most 6 times. The loss adds tau (N + R), summed over the tokens, with
// tau = 0.001. Not a model of the thesis, which trains this on text alone.
//
// Simoulin 2022, section 7.3 (data and set-up). The thesis puts a random number of [PAD] before the
// expression; nothing here needs padding, and nobody sees it: places are moved by a random number
// instead.
nn.import "../common/expressions.mlir"
nn.import "../common/transformer.mlir"
nn.sizes {width = 128, classes = 100}

#layers = #nn.given<"layers" = 6>
#layer = {heads = #nn.given<"heads" = 8>, inner = #nn.given<"inner" = 512>, eps = 1.0e-5,
          init = #nn.init<truncated_normal(0.0, 0.07)>}

!ids = tensor<?xi32>
!x = tensor<?x128xf32>
!y = tensor<100xf32>
!p = tensor<?xf32>
!Wh = tensor<128x1xf32>
!bh = tensor<1xf32>

/// The states of the tokens, how often each was computed, and its remainder.
func.func private @ponder(%numbers: !ids, %operators: !ids) -> (!x, !ids, !p) {
  %W = nn.param "halting.W" : !Wh init <truncated_normal(0.0, 0.02)>
  %b = nn.param "halting.b" : !bh init <constant(-1.0)> no_decay
  %h0 = nn.call @embed_marked(%numbers, %operators) : (!ids, !ids) -> !x
  %h, %n, %r = depth.ponder max #layers combine convex remainder none tied "layer" carried(%x = %h0 : !x) {
    %y = nn.call @joined_layer(%x) with #layer : (!x) -> !x
    %p = nn.call @halt(%y, %W, %b) : (!x, !Wh, !bh) -> !p
    depth.yield %p, %y : !p, !x
  }
  return %h, %n, %r : !x, !ids, !p
}

func.func private @scores(%h: !x) -> !y {
  %s = nn.call @first(%h) : (!x) -> tensor<128xf32>
  %y = nn.call @classify(%s) : (tensor<128xf32>) -> !y
  return %y : !y
}

/// Scores of the values 1 to 100.
func.func @predict(%numbers: !ids {cambium.name = "marked_numbers"},
                   %operators: !ids {cambium.name = "marked_operators"}) -> !y {
  %h, %n, %r = nn.call @ponder(%numbers, %operators) : (!ids, !ids) -> (!x, !ids, !p)
  %y = nn.call @scores(%h) : (!x) -> !y
  return %y : !y
}

/// How often each token was computed.
func.func @steps(%numbers: !ids {cambium.name = "marked_numbers"},
                 %operators: !ids {cambium.name = "marked_operators"}) -> !ids {
  %h, %n, %r = nn.call @ponder(%numbers, %operators) : (!ids, !ids) -> (!x, !ids, !p)
  return %n : !ids
}

/// Cross entropy + tau (N + R), summed over the tokens.
func.func @loss(%numbers: !ids {cambium.name = "marked_numbers"},
                %operators: !ids {cambium.name = "marked_operators"},
                %value: tensor<i32> {cambium.name = "value"}) -> tensor<f32> {
  %h, %n, %r = nn.call @ponder(%numbers, %operators) : (!ids, !ids) -> (!x, !ids, !p)
  %y = nn.call @scores(%h) : (!x) -> !y
  %ce = nn.cross_entropy %y, %value : !y, tensor<i32>
  %price = nn.call @price(%n, %r) : (!ids, !p) -> tensor<f32>
  %l = arith.addf %ce, %price : tensor<f32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01>
  clip_norm 1.0
