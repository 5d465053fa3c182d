// adaptive_albert.mlir - ALBERT whose words think as long as each of them needs
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A. Simoulin 2022, section 6.2: one layer with the same weights in every iteration
// (Lan et al.: ALBERT. ICLR 2020), a halting probability per word (equation 6.9), the
// convex mix (6.10, 6.11), at most 6 iterations; word vectors are factorized. The loss
// adds tau (N + R), summed over the words (6.13, 6.14), with tau = 0.001. Positions
// are learned (128 at most); the vector of a sentence is the mean.
//
// sizes: words = 20000, narrow = 64, width = 96, inner = 384, classes = 5, places = 128

nn.param @embedding : tensor<20000x64xf32> init #nn.init<truncated_normal(0.0, 0.2)> {group = "embeddings"}
nn.param @places : tensor<128x64xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @g_e : tensor<64xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_e : tensor<64xf32> {no_decay}
nn.param @W_e : tensor<64x96xf32> init #nn.init<xavier_uniform>
nn.param @b_e : tensor<96xf32> {no_decay}
nn.param @W_q : tensor<96x96xf32> init #nn.init<xavier_uniform>
nn.param @b_q : tensor<96xf32> {no_decay}
nn.param @W_k : tensor<96x96xf32> init #nn.init<xavier_uniform>
nn.param @b_k : tensor<96xf32> {no_decay}
nn.param @W_v : tensor<96x96xf32> init #nn.init<xavier_uniform>
nn.param @b_v : tensor<96xf32> {no_decay}
nn.param @W_o : tensor<96x96xf32> init #nn.init<xavier_uniform>
nn.param @b_o : tensor<96xf32> {no_decay}
nn.param @W_1 : tensor<96x384xf32> init #nn.init<xavier_uniform>
nn.param @b_1 : tensor<384xf32> {no_decay}
nn.param @W_2 : tensor<384x96xf32> init #nn.init<xavier_uniform>
nn.param @b_2 : tensor<96xf32> {no_decay}
nn.param @g_a : tensor<96xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_a : tensor<96xf32> {no_decay}
nn.param @g_f : tensor<96xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_f : tensor<96xf32> {no_decay}
nn.param @W_h : tensor<96x1xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_h : tensor<1xf32> init #nn.init<constant(-1.0)> {no_decay}
nn.param @W_y : tensor<96x5xf32> init #nn.init<xavier_uniform>
nn.param @b_y : tensor<5xf32> {no_decay}

/// softmax(Q K^T / sqrt(d)) V for two heads, and a product of the heads side by side.
func.func private @attend(%x: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %W_q = nn.use @W_q : tensor<96x96xf32>
  %b_q = nn.use @b_q : tensor<96xf32>
  %W_k = nn.use @W_k : tensor<96x96xf32>
  %b_k = nn.use @b_k : tensor<96xf32>
  %W_v = nn.use @W_v : tensor<96x96xf32>
  %b_v = nn.use @b_v : tensor<96xf32>
  %W_o = nn.use @W_o : tensor<96x96xf32>
  %b_o = nn.use @b_o : tensor<96xf32>
  %q = nn.linear %x, %W_q, %b_q : tensor<?x96xf32>, tensor<96x96xf32>, tensor<96xf32>
  %k = nn.linear %x, %W_k, %b_k : tensor<?x96xf32>, tensor<96x96xf32>, tensor<96xf32>
  %v = nn.linear %x, %W_v, %b_v : tensor<?x96xf32>, tensor<96x96xf32>, tensor<96xf32>
  %y = nn.attention %q, %k, %v heads 2 : tensor<?x96xf32>, tensor<?x96xf32>, tensor<?x96xf32>
  %o = nn.linear %y, %W_o, %b_o : tensor<?x96xf32>, tensor<96x96xf32>, tensor<96xf32>
  return %o : tensor<?x96xf32>
}

/// W_2 gelu(W_1 x + b_1) + b_2.
func.func private @feed(%x: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %W_1 = nn.use @W_1 : tensor<96x384xf32>
  %b_1 = nn.use @b_1 : tensor<384xf32>
  %W_2 = nn.use @W_2 : tensor<384x96xf32>
  %b_2 = nn.use @b_2 : tensor<96xf32>
  %a = nn.linear %x, %W_1, %b_1 : tensor<?x96xf32>, tensor<96x384xf32>, tensor<384xf32>
  %h = nn.gelu %a : tensor<?x384xf32>
  %y = nn.linear %h, %W_2, %b_2 : tensor<?x384xf32>, tensor<384x96xf32>, tensor<96xf32>
  return %y : tensor<?x96xf32>
}

/// norm(x + attend(x)), then norm(y + feed(y)).
func.func private @layer(%x: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %g_a = nn.use @g_a : tensor<96xf32>
  %s_a = nn.use @s_a : tensor<96xf32>
  %g_f = nn.use @g_f : tensor<96xf32>
  %s_f = nn.use @s_f : tensor<96xf32>
  %a = func.call @attend(%x) : (tensor<?x96xf32>) -> tensor<?x96xf32>
  %xa = arith.addf %x, %a : tensor<?x96xf32>
  %y = nn.layer_norm %xa, %g_a, %s_a : tensor<?x96xf32>, tensor<96xf32>, tensor<96xf32>
  %f = func.call @feed(%y) : (tensor<?x96xf32>) -> tensor<?x96xf32>
  %yf = arith.addf %y, %f : tensor<?x96xf32>
  %z = nn.layer_norm %yf, %g_f, %s_f : tensor<?x96xf32>, tensor<96xf32>, tensor<96xf32>
  return %z : tensor<?x96xf32>
}

/// W_e norm(e): vectors of words and their places, in two factors.
func.func private @vectors(%tokens: tensor<?xi32>) -> tensor<?x96xf32> {
  %E = nn.use @embedding : tensor<20000x64xf32>
  %g_e = nn.use @g_e : tensor<64xf32>
  %s_e = nn.use @s_e : tensor<64xf32>
  %W_e = nn.use @W_e : tensor<64x96xf32>
  %b_e = nn.use @b_e : tensor<96xf32>
  %P = nn.use @places : tensor<128x64xf32>
  %i = nn.positions %tokens limit 128 : tensor<?xi32>
  %p = nn.embed %i, %P : tensor<?xi32>, tensor<128x64xf32>
  %w = nn.embed %tokens, %E : tensor<?xi32>, tensor<20000x64xf32>
  %e = arith.addf %w, %p : tensor<?x64xf32>
  %n = nn.layer_norm %e, %g_e, %s_e : tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>
  %x = nn.linear %n, %W_e, %b_e : tensor<?x64xf32>, tensor<64x96xf32>, tensor<96xf32>
  return %x : tensor<?x96xf32>
}

/// The states of the words, how often each was computed, and its remainder.
func.func private @ponder(%tokens: tensor<?xi32>) -> (tensor<?x96xf32>, tensor<?xi32>, tensor<?xf32>) {
  %W_h = nn.use @W_h : tensor<96x1xf32>
  %b_h = nn.use @b_h : tensor<1xf32>
  %h0 = call @vectors(%tokens) : (tensor<?xi32>) -> tensor<?x96xf32>
  %h, %n, %r = depth.ponder max 6 combine convex remainder none carried(%x = %h0 : tensor<?x96xf32>) {
    %y = func.call @layer(%x) : (tensor<?x96xf32>) -> tensor<?x96xf32>
    %l = nn.linear %y, %W_h, %b_h : tensor<?x96xf32>, tensor<96x1xf32>, tensor<1xf32>
    %p1 = nn.sigmoid %l : tensor<?x1xf32>
    %p = nn.reshape %p1 : tensor<?x1xf32> -> tensor<?xf32>
    depth.yield %p, %y : tensor<?xf32>, tensor<?x96xf32>
  }
  return %h, %n, %r : tensor<?x96xf32>, tensor<?xi32>, tensor<?xf32>
}

/// The scores of the classes, from the mean of the words' states.
func.func private @scores(%h: tensor<?x96xf32>) -> tensor<5xf32> {
  %W = nn.use @W_y : tensor<96x5xf32>
  %b = nn.use @b_y : tensor<5xf32>
  %m = nn.mean %h over 0 : tensor<?x96xf32>
  %y = nn.linear %m, %W, %b : tensor<96xf32>, tensor<96x5xf32>, tensor<5xf32>
  return %y : tensor<5xf32>
}

func.func @predict(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<5xf32> {
  %h, %n, %r = call @ponder(%tokens) : (tensor<?xi32>) -> (tensor<?x96xf32>, tensor<?xi32>, tensor<?xf32>)
  %y = call @scores(%h) : (tensor<?x96xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}

/// How often each word was computed.
func.func @steps(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<?xi32> {
  %h, %n, %r = call @ponder(%tokens) : (tensor<?xi32>) -> (tensor<?x96xf32>, tensor<?xi32>, tensor<?xf32>)
  return %n : tensor<?xi32>
}

/// The same, as a mean over the sentence.
func.func @depth(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<f32> {
  %h, %n, %r = call @ponder(%tokens) : (tensor<?xi32>) -> (tensor<?x96xf32>, tensor<?xi32>, tensor<?xf32>)
  %f = arith.sitofp %n : tensor<?xi32> to tensor<?xf32>
  %m = nn.mean %f over 0 : tensor<?xf32>
  return %m : tensor<f32>
}

/// Cross entropy + tau (N + R).
func.func @loss(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h, %n, %r = call @ponder(%tokens) : (tensor<?xi32>) -> (tensor<?x96xf32>, tensor<?xi32>, tensor<?xf32>)
  %y = call @scores(%h) : (tensor<?x96xf32>) -> tensor<5xf32>
  %ce = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  %f = arith.sitofp %n : tensor<?xi32> to tensor<?xf32>
  %nr = arith.addf %f, %r : tensor<?xf32>
  %cost = nn.sum %nr over 0 : tensor<?xf32>
  %tau = arith.constant dense<0.001> : tensor<f32>
  %price = arith.mulf %tau, %cost : tensor<f32>
  %l = arith.addf %ce, %price : tensor<f32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01> {clip_norm = 5.0 : f64}
