// own_layers.mlir - Six layers of their own, and an answer as soon as it is sure
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W. Zhou et al.: BERT Loses Patience. NeurIPS 2020 (PABEE), on a BERT of six layers: as
// early_exit.mlir, but each layer has weights of its own.
nn.import "../common/patience.mlir"
nn.sizes {width = 128, classes = 6}

#layers = #nn.given<"layers" = 6>
#embed = {words = #nn.given<"words" = 10000>, places = #nn.given<"places" = 64>}
#layer = {heads = #nn.given<"heads" = 8>, inner = #nn.given<"inner" = 512>, eps = 1.0e-5,
          init = #nn.init<truncated_normal(0.0, 0.07)>}

!ids = tensor<?xi32>
!i = tensor<i32>
!go = tensor<?xi1>
!x = tensor<?x128xf32>
!s = tensor<?x6xf32>
!y = tensor<6xf32>
!W = tensor<128x6xf32>

/// A layer, and the classifier behind it.
func.func private @classifier() -> (!W, !y) {
  %W = nn.param "W" : !W init <truncated_normal(0.0, 0.07)>
  %b = nn.param "b" : !y no_decay
  return %W, %b : !W, !y
}
func.func private @embedded(%tokens: !ids) -> !x {
  %x = nn.call @embed_questions(%tokens) in "embeddings" with #embed : (!ids) -> !x
  return %x : !x
}

/// Scores and number of layers of a sentence with the patience.
func.func private @exit(%tokens: !ids, %patience: !i) -> (!y, !i) {
  %zero = arith.constant dense<0> : !i
  %one = arith.constant dense<1> : !i
  %nothing = arith.constant dense<0.0> : !y
  %x0 = nn.call @embedded(%tokens) : (!ids) -> !x
  %s0 = nn.broadcast %nothing dims [1] like %x0 : !y, !x -> !s
  %i0 = nn.broadcast %zero dims [] like %x0 : !i, !x -> !ids
  // The states, the last scores, how often they have agreed, the number of the layer.
  %h, %s, %c, %l, %n = depth.iterate max #layers masked stacked "layer"
      carried(%x = %x0 : !x, %before = %s0 : !s, %same = %i0 : !ids, %number = %i0 : !ids) {
    %W, %b = nn.call @classifier() in "classes" : () -> (!W, !y)
    %z = nn.call @joined_layer(%x) with #layer : (!x) -> !x
    %now = nn.call @ask(%z, %W, %b) : (!x, !W, !y) -> !s
    %go, %count = nn.call @lose_patience(%now, %before, %same, %number, %patience)
      : (!s, !s, !ids, !ids, !i) -> (!go, !ids)
    %ones = nn.broadcast %one dims [] like %same : !i, !ids -> !ids
    %next = arith.addi %number, %ones : !ids
    depth.yield %go, %z, %now, %count, %next : !go, !x, !s, !ids, !ids
  }
  %scores = nn.take %s, %zero : !s, !i
  %layers = nn.take %n, %zero : !ids, !i
  return %scores, %layers : !y, !i
}

func.func @predict(%tokens: !ids {cambium.name = "tokens"},
                   %patience: !i {cambium.name = "patience"}) -> !y {
  %y, %n = nn.call @exit(%tokens, %patience) : (!ids, !i) -> (!y, !i)
  return %y : !y
}
/// After how many layers.
func.func @layers(%tokens: !ids {cambium.name = "tokens"},
                  %patience: !i {cambium.name = "patience"}) -> !i {
  %y, %n = nn.call @exit(%tokens, %patience) : (!ids, !i) -> (!y, !i)
  return %n : !i
}

/// (1 l_1 + 2 l_2 + ... + 6 l_6) / 21, where l_i is the cross entropy behind layer i.
func.func @loss(%tokens: !ids {cambium.name = "tokens"},
                %label: !i {cambium.name = "label"}) -> tensor<f32> {
  %none = arith.constant dense<0.0> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %x0 = nn.call @embedded(%tokens) : (!ids) -> !x
  %h, %sum, %all, %next = depth.iterate #layers stacked "layer"
      carried(%x = %x0 : !x, %l = %none : tensor<f32>, %parts = %none : tensor<f32>,
              %w = %one : tensor<f32>) {
    %W, %b = nn.call @classifier() in "classes" : () -> (!W, !y)
    %z = nn.call @joined_layer(%x) with #layer : (!x) -> !x
    %cost = nn.call @cost(%z, %label, %w, %W, %b)
      : (!x, !i, tensor<f32>, !W, !y) -> tensor<f32>
    %more = arith.addf %l, %cost : tensor<f32>
    %part = arith.addf %parts, %w : tensor<f32>
    %v = arith.addf %w, %one : tensor<f32>
    depth.yield %z, %more, %part, %v : !x, tensor<f32>, tensor<f32>, tensor<f32>
  }
  %y = arith.divf %sum, %all : tensor<f32>
  return %y : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01>
  clip_norm 1.0
