// adaptive_albert.mlir - ALBERT with adaptive depth, and its pre-training
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A. Simoulin 2022, section 6.2: the layer of ALBERT (Lan et al. ICLR 2020), with the same weights in
// every iteration, for each piece as often as its own halting probability asks for. Pre-training:
// masked pieces, the order of two segments, and tau (N + R), summed over the pieces (equation 6.14).
// The widths are reduced, and the setting is the thesis' "tiny": at most 6 iterations, tau = 0.001.
// `cambium-compile --size layers=24 --size tau=0.00025 --size bias=-3.0` makes another one.
nn.import "../common/albert.mlir"
nn.sizes {words = 4000, narrow = 64, hidden = 128}

#normal = #nn.init<truncated_normal(0.0, 0.02)>
#places = #nn.given<"places" = 256>
#layers = #nn.given<"layers" = 6>
#layer = {heads = #nn.given<"heads" = 4>, inner = #nn.given<"inner" = 512>}
#encoder = {heads = #nn.given<"heads" = 4>, inner = #nn.given<"inner" = 512>, places = #places,
            layers = #layers}

!ids = tensor<?xi32>
!i = tensor<i32>
!p = tensor<?xf32>
!x = tensor<?x128xf32>
!words = tensor<4000x64xf32>
!Wh = tensor<128x1xf32>

func.func private @words() -> !words {
  %words = nn.call @word_table() in "embeddings" with {init = #normal} : () -> !words
  return %words : !words
}

func.func private @halting() -> !Wh {
  %W = nn.param "halting.W" : !Wh group "halting" no_decay
  return %W : !Wh
}

/// The states of the pieces, how often each was computed, and its remainder.
func.func private @encode(%tokens: !ids, %segments: !ids) -> (!x, !ids, !p) {
  %words = nn.call @words() : () -> !words
  %W = nn.call @halting() : () -> !Wh
  %h, %n, %r = nn.call @adaptive_albert(%tokens, %segments, %words, %W) with #encoder
    : (!ids, !ids, !words, !Wh) -> (!x, !ids, !p)
  return %h, %n, %r : !x, !ids, !p
}

/// Whether the segments are in order (0) or swapped (1).
func.func @predict(%tokens: !ids {cambium.name = "tokens"},
                   %segments: !ids {cambium.name = "segments"}) -> tensor<2xf32> {
  %h, %n, %r = nn.call @encode(%tokens, %segments) : (!ids, !ids) -> (!x, !ids, !p)
  %y = nn.call @order_scores(%h) in "order" : (!x) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

/// The pieces at masked places.
func.func @mlm(%tokens: !ids {cambium.name = "tokens"}, %segments: !ids {cambium.name = "segments"},
               %places: !ids {cambium.name = "places"}) -> tensor<?x4000xf32> {
  %h, %n, %r = nn.call @encode(%tokens, %segments) : (!ids, !ids) -> (!x, !ids, !p)
  %words = nn.call @words() : () -> !words
  %y = nn.call @word_scores(%h, %places, %words) in "masked"
    : (!x, !ids, !words) -> tensor<?x4000xf32>
  return %y : tensor<?x4000xf32>
}

/// How often each piece was computed.
func.func @steps(%tokens: !ids {cambium.name = "tokens"},
                 %segments: !ids {cambium.name = "segments"}) -> !p {
  %h, %n, %r = nn.call @encode(%tokens, %segments) : (!ids, !ids) -> (!x, !ids, !p)
  %f = arith.sitofp %n : !ids to !p
  return %f : !p
}

/// The cosine between the states of each piece before and after iteration `at` (from 1):
/// depth.ponder's rule, written out. 1 where the piece had stopped.
func.func @turn(%tokens: !ids {cambium.name = "tokens"}, %segments: !ids {cambium.name = "segments"},
                %at: !i {cambium.name = "at"}) -> !p {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %none = arith.constant dense<0> : !i
  %unit = arith.constant dense<1> : !i
  %end = arith.constant dense<0.99> : tensor<f32>
  %words = nn.call @words() : () -> !words
  %W = nn.call @halting() : () -> !Wh
  %h0 = nn.call @albert_embed(%tokens, %segments, %words) with {places = #places}
    : (!ids, !ids, !words) -> !x
  %a0 = nn.broadcast %zero dims [] like %tokens : tensor<f32>, !ids -> !p
  %c0 = nn.broadcast %one dims [] like %tokens : tensor<f32>, !ids -> !p
  %n0 = nn.broadcast %none dims [] like %tokens : !i, !ids -> !ids
  %h, %a, %n, %c, %count = depth.iterate max #layers
      carried(%x = %h0 : !x, %before = %a0 : !p, %i = %n0 : !ids, %cos = %c0 : !p) {
    %p, %y = nn.call @albert_iterate(%x, %W) with #layer : (!x, !Wh) -> (!p, !x)
    %after = arith.addf %before, %p : !p
    %ends = nn.broadcast %end dims [] like %p : tensor<f32>, !p -> !p
    %go = arith.cmpf olt, %after, %ends : !p
    %ones = nn.broadcast %one dims [] like %p : tensor<f32>, !p -> !p
    %rest = arith.subf %ones, %before : !p
    %lambda = arith.select %go, %p, %rest : tensor<?xi1>, !p
    %part = nn.broadcast %lambda dims [0] : !p -> !x
    %step = arith.subf %y, %x : !x
    %move = arith.mulf %part, %step : !x
    %next = arith.addf %x, %move : !x
    %units = nn.broadcast %unit dims [] like %i : !i, !ids -> !ids
    %number = arith.addi %i, %units : !ids
    %ats = nn.broadcast %at dims [] like %i : !i, !ids -> !ids
    %here = arith.cmpi eq, %number, %ats : !ids
    %cosine = nn.cosine_similarity %x, %next over 1 : !x, !x
    %kept = arith.select %here, %cosine, %cos : tensor<?xi1>, !p
    depth.yield %go, %next, %after, %number, %kept : tensor<?xi1>, !x, !p, !ids, !p
  }
  return %c : !p
}

/// Masked pieces + order + tau (N + R).
func.func @loss(%tokens: !ids {cambium.name = "tokens"}, %segments: !ids {cambium.name = "segments"},
                %places: !ids {cambium.name = "places"}, %labels: !ids {cambium.name = "labels"},
                %label: !i {cambium.name = "label"}) -> tensor<f32> {
  %h, %n, %r = nn.call @encode(%tokens, %segments) : (!ids, !ids) -> (!x, !ids, !p)
  %words = nn.call @words() : () -> !words
  %l = nn.call @pretraining_loss(%h, %places, %words, %labels, %label)
    : (!x, !ids, !words, !ids, !i) -> tensor<f32>
  %price = nn.call @price(%n, %r) : (!ids, !p) -> tensor<f32>
  %all = arith.addf %l, %price : tensor<f32>
  return %all : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<lamb>
  groups {halting = #train.optimizer<adam>}
