// adaptive_albert.mlir - ALBERT with adaptive depth, and its pre-training
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A. Simoulin 2022, section 6.2: the layer of ALBERT (Lan et al. ICLR 2020), with the
// same weights in every iteration, for each piece as often as its own halting
// probability asks for. Pre-training: masked pieces, the order of two segments, and
// tau (N + R), summed over the pieces (equation 6.14). Here the widths are reduced,
// and the setting is the thesis' "tiny": at most 6 iterations, tau = 0.001.
// models/albert/setting writes the others.
//
// sizes: words = 4000, narrow = 64, hidden = 128, inner = 512, places = 256

nn.param @words : tensor<4000x64xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @places : tensor<256x64xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @segments : tensor<2x64xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @g_e : tensor<64xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_e : tensor<64xf32> {no_decay}
nn.param @W_e : tensor<64x128xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_e : tensor<128xf32> {no_decay}
nn.param @W_q : tensor<128x128xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_q : tensor<128xf32> {no_decay}
nn.param @W_k : tensor<128x128xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_k : tensor<128xf32> {no_decay}
nn.param @W_v : tensor<128x128xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_v : tensor<128xf32> {no_decay}
nn.param @W_o : tensor<128x128xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_o : tensor<128xf32> {no_decay}
nn.param @W_1 : tensor<128x512xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_1 : tensor<512xf32> {no_decay}
nn.param @W_2 : tensor<512x128xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_2 : tensor<128xf32> {no_decay}
nn.param @g_a : tensor<128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_a : tensor<128xf32> {no_decay}
nn.param @g_f : tensor<128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_f : tensor<128xf32> {no_decay}
nn.param @W_h : tensor<128x1xf32> {no_decay, group = "halting"}
nn.param @b_h : tensor<1xf32> init #nn.init<constant(-1.5)> {no_decay, group = "halting"}
nn.param @W_m : tensor<128x64xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_m : tensor<64xf32> {no_decay}
nn.param @g_m : tensor<64xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_m : tensor<64xf32> {no_decay}
nn.param @b_w : tensor<4000xf32> {no_decay}
nn.param @W_p : tensor<128x128xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_p : tensor<128xf32> {no_decay}
nn.param @W_s : tensor<128x2xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_s : tensor<2xf32> {no_decay}

/// softmax(Q K^T / sqrt(d)) V for four heads, and a product of the heads side by side.
func.func private @attend(%x: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %W_q = nn.use @W_q : tensor<128x128xf32>
  %b_q = nn.use @b_q : tensor<128xf32>
  %W_k = nn.use @W_k : tensor<128x128xf32>
  %b_k = nn.use @b_k : tensor<128xf32>
  %W_v = nn.use @W_v : tensor<128x128xf32>
  %b_v = nn.use @b_v : tensor<128xf32>
  %W_o = nn.use @W_o : tensor<128x128xf32>
  %b_o = nn.use @b_o : tensor<128xf32>
  %q = nn.linear %x, %W_q, %b_q : tensor<?x128xf32>, tensor<128x128xf32>, tensor<128xf32>
  %k = nn.linear %x, %W_k, %b_k : tensor<?x128xf32>, tensor<128x128xf32>, tensor<128xf32>
  %v = nn.linear %x, %W_v, %b_v : tensor<?x128xf32>, tensor<128x128xf32>, tensor<128xf32>
  %y = nn.attention %q, %k, %v heads 4 : tensor<?x128xf32>, tensor<?x128xf32>, tensor<?x128xf32>
  %o = nn.linear %y, %W_o, %b_o : tensor<?x128xf32>, tensor<128x128xf32>, tensor<128xf32>
  return %o : tensor<?x128xf32>
}

/// W_2 gelu(W_1 x + b_1) + b_2.
func.func private @feed(%x: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %W_1 = nn.use @W_1 : tensor<128x512xf32>
  %b_1 = nn.use @b_1 : tensor<512xf32>
  %W_2 = nn.use @W_2 : tensor<512x128xf32>
  %b_2 = nn.use @b_2 : tensor<128xf32>
  %a = nn.linear %x, %W_1, %b_1 : tensor<?x128xf32>, tensor<128x512xf32>, tensor<512xf32>
  %h = nn.gelu %a {tanh} : tensor<?x512xf32>
  %y = nn.linear %h, %W_2, %b_2 : tensor<?x512xf32>, tensor<512x128xf32>, tensor<128xf32>
  return %y : tensor<?x128xf32>
}

/// norm(x + attend(x)), then norm(y + feed(y)).
func.func private @layer(%x: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %g_a = nn.use @g_a : tensor<128xf32>
  %s_a = nn.use @s_a : tensor<128xf32>
  %g_f = nn.use @g_f : tensor<128xf32>
  %s_f = nn.use @s_f : tensor<128xf32>
  %a = func.call @attend(%x) : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %xa = arith.addf %x, %a : tensor<?x128xf32>
  %y = nn.layer_norm %xa, %g_a, %s_a {eps = 1.0e-12} : tensor<?x128xf32>, tensor<128xf32>, tensor<128xf32>
  %f = func.call @feed(%y) : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %yf = arith.addf %y, %f : tensor<?x128xf32>
  %z = nn.layer_norm %yf, %g_f, %s_f {eps = 1.0e-12} : tensor<?x128xf32>, tensor<128xf32>, tensor<128xf32>
  return %z : tensor<?x128xf32>
}

/// W_e norm(e): a piece, its place and its segment, in two factors.
func.func private @vectors(%tokens: tensor<?xi32>, %segments: tensor<?xi32>) -> tensor<?x128xf32> {
  %words = nn.use @words : tensor<4000x64xf32>
  %places = nn.use @places : tensor<256x64xf32>
  %segments_of = nn.use @segments : tensor<2x64xf32>
  %g_e = nn.use @g_e : tensor<64xf32>
  %s_e = nn.use @s_e : tensor<64xf32>
  %W_e = nn.use @W_e : tensor<64x128xf32>
  %b_e = nn.use @b_e : tensor<128xf32>
  %i = nn.positions %tokens limit 256 : tensor<?xi32>
  %w = nn.embed %tokens, %words : tensor<?xi32>, tensor<4000x64xf32>
  %p = nn.embed %i, %places : tensor<?xi32>, tensor<256x64xf32>
  %s = nn.embed %segments, %segments_of : tensor<?xi32>, tensor<2x64xf32>
  %wp = arith.addf %w, %p : tensor<?x64xf32>
  %e = arith.addf %wp, %s : tensor<?x64xf32>
  %n = nn.layer_norm %e, %g_e, %s_e {eps = 1.0e-12} : tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>
  %x = nn.linear %n, %W_e, %b_e : tensor<?x64xf32>, tensor<64x128xf32>, tensor<128xf32>
  return %x : tensor<?x128xf32>
}

/// The layer, and with which probability a piece stops behind it.
func.func private @iterate(%x: tensor<?x128xf32>) -> (tensor<?xf32>, tensor<?x128xf32>) {
  %W_h = nn.use @W_h : tensor<128x1xf32>
  %b_h = nn.use @b_h : tensor<1xf32>
  %y = func.call @layer(%x) : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %l = nn.linear %y, %W_h, %b_h : tensor<?x128xf32>, tensor<128x1xf32>, tensor<1xf32>
  %p1 = nn.sigmoid %l : tensor<?x1xf32>
  %p = nn.reshape %p1 : tensor<?x1xf32> -> tensor<?xf32>
  return %p, %y : tensor<?xf32>, tensor<?x128xf32>
}

/// The states of the pieces, how often each was computed, and its remainder.
func.func private @encode(%tokens: tensor<?xi32>, %segments: tensor<?xi32>)
    -> (tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>) {
  %h0 = call @vectors(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x128xf32>
  %h, %n, %r = depth.ponder max 6 combine convex remainder none epsilon 1.0e-2
      carried(%x = %h0 : tensor<?x128xf32>) {
    %p, %y = func.call @iterate(%x) : (tensor<?x128xf32>) -> (tensor<?xf32>, tensor<?x128xf32>)
    depth.yield %p, %y : tensor<?xf32>, tensor<?x128xf32>
  }
  return %h, %n, %r : tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>
}

/// The scores of the pieces that may have stood at masked places: a dense layer, and
/// a product with the word vectors.
func.func private @word_scores(%h: tensor<?x128xf32>, %at: tensor<?xi32>) -> tensor<?x4000xf32> {
  %W_m = nn.use @W_m : tensor<128x64xf32>
  %b_m = nn.use @b_m : tensor<64xf32>
  %g_m = nn.use @g_m : tensor<64xf32>
  %s_m = nn.use @s_m : tensor<64xf32>
  %words = nn.use @words : tensor<4000x64xf32>
  %b_w = nn.use @b_w : tensor<4000xf32>
  %x = nn.take %h, %at : tensor<?x128xf32>, tensor<?xi32>
  %a = nn.linear %x, %W_m, %b_m : tensor<?x128xf32>, tensor<128x64xf32>, tensor<64xf32>
  %g = nn.gelu %a {tanh} : tensor<?x64xf32>
  %n = nn.layer_norm %g, %g_m, %s_m {eps = 1.0e-12} : tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>
  %out = nn.transpose %words perm [1, 0] : tensor<4000x64xf32>
  %y = nn.linear %n, %out, %b_w : tensor<?x64xf32>, tensor<64x4000xf32>, tensor<4000xf32>
  return %y : tensor<?x4000xf32>
}

/// The scores of "in order" and "swapped", from the first piece.
func.func private @order_scores(%h: tensor<?x128xf32>) -> tensor<2xf32> {
  %first = arith.constant dense<0> : tensor<i32>
  %W_p = nn.use @W_p : tensor<128x128xf32>
  %b_p = nn.use @b_p : tensor<128xf32>
  %W_s = nn.use @W_s : tensor<128x2xf32>
  %b_s = nn.use @b_s : tensor<2xf32>
  %x = nn.take %h, %first : tensor<?x128xf32>, tensor<i32>
  %a = nn.linear %x, %W_p, %b_p : tensor<128xf32>, tensor<128x128xf32>, tensor<128xf32>
  %t = math.tanh %a : tensor<128xf32>
  %y = nn.linear %t, %W_s, %b_s : tensor<128xf32>, tensor<128x2xf32>, tensor<2xf32>
  return %y : tensor<2xf32>
}

/// Whether the segments are in order (0) or swapped (1).
func.func @predict(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                   %segments: tensor<?xi32> {cambium.name = "segments"}) -> tensor<2xf32> {
  %h, %n, %r = call @encode(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>)
  %y = call @order_scores(%h) : (tensor<?x128xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

/// The pieces at masked places.
func.func @mlm(%tokens: tensor<?xi32> {cambium.name = "tokens"},
               %segments: tensor<?xi32> {cambium.name = "segments"},
               %places: tensor<?xi32> {cambium.name = "places"}) -> tensor<?x4000xf32> {
  %h, %n, %r = call @encode(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>)
  %y = call @word_scores(%h, %places) : (tensor<?x128xf32>, tensor<?xi32>) -> tensor<?x4000xf32>
  return %y : tensor<?x4000xf32>
}

/// How often each piece was computed.
func.func @steps(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                 %segments: tensor<?xi32> {cambium.name = "segments"}) -> tensor<?xf32> {
  %h, %n, %r = call @encode(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>)
  %f = arith.sitofp %n : tensor<?xi32> to tensor<?xf32>
  return %f : tensor<?xf32>
}

/// The cosine between the states of each piece before and after iteration `at` (from
/// 1): depth.ponder's rule, written out. 1 where the piece had stopped.
func.func @turn(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                %segments: tensor<?xi32> {cambium.name = "segments"},
                %at: tensor<i32> {cambium.name = "at"}) -> tensor<?xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %none = arith.constant dense<0> : tensor<i32>
  %unit = arith.constant dense<1> : tensor<i32>
  %end = arith.constant dense<0.99> : tensor<f32>
  %h0 = call @vectors(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x128xf32>
  %a0 = nn.broadcast %zero dims [] like %tokens : tensor<f32>, tensor<?xi32> -> tensor<?xf32>
  %c0 = nn.broadcast %one dims [] like %tokens : tensor<f32>, tensor<?xi32> -> tensor<?xf32>
  %n0 = nn.broadcast %none dims [] like %tokens : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %h, %a, %n, %c, %count = depth.iterate max 6
      carried(%x = %h0 : tensor<?x128xf32>, %before = %a0 : tensor<?xf32>, %i = %n0 : tensor<?xi32>, %cos = %c0 : tensor<?xf32>) {
    %p, %y = func.call @iterate(%x) : (tensor<?x128xf32>) -> (tensor<?xf32>, tensor<?x128xf32>)
    %after = arith.addf %before, %p : tensor<?xf32>
    %ends = nn.broadcast %end dims [] like %p : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
    %go = arith.cmpf olt, %after, %ends : tensor<?xf32>
    %ones = nn.broadcast %one dims [] like %p : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
    %rest = arith.subf %ones, %before : tensor<?xf32>
    %lambda = arith.select %go, %p, %rest : tensor<?xi1>, tensor<?xf32>
    %part = nn.broadcast %lambda dims [0] : tensor<?xf32> -> tensor<?x128xf32>
    %step = arith.subf %y, %x : tensor<?x128xf32>
    %move = arith.mulf %part, %step : tensor<?x128xf32>
    %next = arith.addf %x, %move : tensor<?x128xf32>
    %units = nn.broadcast %unit dims [] like %i : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
    %number = arith.addi %i, %units : tensor<?xi32>
    %ats = nn.broadcast %at dims [] like %i : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
    %here = arith.cmpi eq, %number, %ats : tensor<?xi32>
    %cosine = nn.cosine_similarity %x, %next over 1 : tensor<?x128xf32>, tensor<?x128xf32>
    %kept = arith.select %here, %cosine, %cos : tensor<?xi1>, tensor<?xf32>
    depth.yield %go, %next, %after, %number, %kept : tensor<?xi1>, tensor<?x128xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>
  }
  return %c : tensor<?xf32>
}

/// Masked pieces + order + tau (N + R).
func.func @loss(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                %segments: tensor<?xi32> {cambium.name = "segments"},
                %places: tensor<?xi32> {cambium.name = "places"},
                %labels: tensor<?xi32> {cambium.name = "labels"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h, %n, %r = call @encode(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>)
  %words = call @word_scores(%h, %places) : (tensor<?x128xf32>, tensor<?xi32>) -> tensor<?x4000xf32>
  %ces = nn.cross_entropy %words, %labels : tensor<?x4000xf32>, tensor<?xi32>
  %mlm = nn.mean %ces over 0 : tensor<?xf32>
  %order = call @order_scores(%h) : (tensor<?x128xf32>) -> tensor<2xf32>
  %sop = nn.cross_entropy %order, %label : tensor<2xf32>, tensor<i32>
  %l = arith.addf %mlm, %sop : tensor<f32>
  %f = arith.sitofp %n : tensor<?xi32> to tensor<?xf32>
  %nr = arith.addf %f, %r : tensor<?xf32>
  %cost = nn.sum %nr over 0 : tensor<?xf32>
  %tau = arith.constant dense<0.001> : tensor<f32>
  %price = arith.mulf %tau, %cost : tensor<f32>
  %all = arith.addf %l, %price : tensor<f32>
  return %all : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<lamb>
  groups {halting = #train.optimizer<adam>}
