// albert.mlir - ALBERT, and its pre-training
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lan et al.: ALBERT. ICLR 2020: one layer with the same weights, 6 times (12 times in
// the paper) for each piece. Pre-training: masked pieces, and the order of two
// segments. Everything but the loop is as in adaptive_albert.mlir.
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

/// The states of the pieces: the layer, 6 times.
func.func private @encode(%tokens: tensor<?xi32>, %segments: tensor<?xi32>) -> tensor<?x128xf32> {
  %one = arith.constant dense<1> : tensor<i32>
  %h0 = call @vectors(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x128xf32>
  %h, %n = depth.iterate max 6 carried(%x = %h0 : tensor<?x128xf32>) {
    %y = func.call @layer(%x) : (tensor<?x128xf32>) -> tensor<?x128xf32>
    %ones = nn.broadcast %one dims [] like %tokens : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
    %go = arith.cmpi eq, %ones, %ones : tensor<?xi32>
    depth.yield %go, %y : tensor<?xi1>, tensor<?x128xf32>
  }
  return %h : tensor<?x128xf32>
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
  %h = call @encode(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x128xf32>
  %y = call @order_scores(%h) : (tensor<?x128xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

/// The pieces at masked places.
func.func @mlm(%tokens: tensor<?xi32> {cambium.name = "tokens"},
               %segments: tensor<?xi32> {cambium.name = "segments"},
               %places: tensor<?xi32> {cambium.name = "places"}) -> tensor<?x4000xf32> {
  %h = call @encode(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x128xf32>
  %y = call @word_scores(%h, %places) : (tensor<?x128xf32>, tensor<?xi32>) -> tensor<?x4000xf32>
  return %y : tensor<?x4000xf32>
}

/// Masked pieces + order.
func.func @loss(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                %segments: tensor<?xi32> {cambium.name = "segments"},
                %places: tensor<?xi32> {cambium.name = "places"},
                %labels: tensor<?xi32> {cambium.name = "labels"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h = call @encode(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x128xf32>
  %words = call @word_scores(%h, %places) : (tensor<?x128xf32>, tensor<?xi32>) -> tensor<?x4000xf32>
  %ces = nn.cross_entropy %words, %labels : tensor<?x4000xf32>, tensor<?xi32>
  %mlm = nn.mean %ces over 0 : tensor<?xf32>
  %order = call @order_scores(%h) : (tensor<?x128xf32>) -> tensor<2xf32>
  %sop = nn.cross_entropy %order, %label : tensor<2xf32>, tensor<i32>
  %l = arith.addf %mlm, %sop : tensor<f32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<lamb>
