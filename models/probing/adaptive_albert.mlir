// adaptive_albert.mlir - ALBERT with adaptive depth, fine-tuned for two classes
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The encoder of models/albert/adaptive_albert.mlir, with the same names, so that
// `cambium-run train --init` can begin with what was learned there, and a class of the
// text from the state of [CLS]. The loss adds tau (N + R), summed over the pieces
// (A. Simoulin 2022, section 6.2 and Table 6.4).
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
nn.param @W_h : tensor<128x1xf32> init #nn.init<truncated_normal(0.0, 0.02)> {group = "halting"}
nn.param @b_h : tensor<1xf32> init #nn.init<constant(-1.5)> {no_decay, group = "halting"}
nn.param @W_c : tensor<128x2xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_c : tensor<2xf32> {no_decay}

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

/// The scores of the classes, from the first piece.
func.func private @scores(%h: tensor<?x128xf32>) -> tensor<2xf32> {
  %first = arith.constant dense<0> : tensor<i32>
  %W_c = nn.use @W_c : tensor<128x2xf32>
  %b_c = nn.use @b_c : tensor<2xf32>
  %x = nn.take %h, %first : tensor<?x128xf32>, tensor<i32>
  %d = nn.dropout %x rate 0.1 : tensor<128xf32>
  %y = nn.linear %d, %W_c, %b_c : tensor<128xf32>, tensor<128x2xf32>, tensor<2xf32>
  return %y : tensor<2xf32>
}

func.func @predict(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                   %segments: tensor<?xi32> {cambium.name = "segments"}) -> tensor<2xf32> {
  %h, %n, %r = call @encode(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>)
  %y = call @scores(%h) : (tensor<?x128xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

/// How often each piece was computed.
func.func @steps(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                 %segments: tensor<?xi32> {cambium.name = "segments"}) -> tensor<?xi32> {
  %h, %n, %r = call @encode(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>)
  return %n : tensor<?xi32>
}

/// Cross entropy + tau (N + R).
func.func @loss(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                %segments: tensor<?xi32> {cambium.name = "segments"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h, %n, %r = call @encode(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>)
  %y = call @scores(%h) : (tensor<?x128xf32>) -> tensor<2xf32>
  %ce = nn.cross_entropy %y, %label : tensor<2xf32>, tensor<i32>
  %f = arith.sitofp %n : tensor<?xi32> to tensor<?xf32>
  %nr = arith.addf %f, %r : tensor<?xf32>
  %cost = nn.sum %nr over 0 : tensor<?xf32>
  %tau = arith.constant dense<0.001> : tensor<f32>
  %price = arith.mulf %tau, %cost : tensor<f32>
  %l = arith.addf %ce, %price : tensor<f32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01> {clip_norm = 1.0 : f64}
