// adaptive_albert.mlir - one encoder layer, as often as needed
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of an arithmetic expression in prefix notation, read as a sequence between
// [CLS] and [SEP]: one encoder layer, for each token as often as its own
// halting probability asks for (section 6.2, equations 6.9-6.14), at most 6 times. The
// loss adds tau (N + R), summed over the tokens, with tau = 0.001. Not a model of the
// thesis, which trains this on text alone.
//
// Simoulin 2022, section 7.3 (data and set-up). The thesis puts a random number of
// [PAD] before the expression; nothing here needs padding, and nobody sees it: places
// are moved by a random number instead.
//
// sizes: width = 128, three = 3 * width, inner = 512, classes = 100, places = 40

nn.param @dice : tensor<103x128xf32> init #nn.init<file("embeddings.safetensors", "dice")> {frozen}
nn.param @marked : tensor<5x128xf32> init #nn.init<file("embeddings.safetensors", "marked")>
nn.param @places : tensor<40x128xf32> init #nn.init<truncated_normal(0.0, 0.05)>
nn.param @g_e : tensor<128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_e : tensor<128xf32> {no_decay}
nn.param @W_qkv : tensor<128x384xf32> init #nn.init<truncated_normal(0.0, 0.07)>
nn.param @b_qkv : tensor<384xf32> {no_decay}
nn.param @W_o : tensor<128x128xf32> init #nn.init<truncated_normal(0.0, 0.07)>
nn.param @b_o : tensor<128xf32> {no_decay}
nn.param @g_a : tensor<128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_a : tensor<128xf32> {no_decay}
nn.param @W_1 : tensor<128x512xf32> init #nn.init<truncated_normal(0.0, 0.07)>
nn.param @b_1 : tensor<512xf32> {no_decay}
nn.param @W_2 : tensor<512x128xf32> init #nn.init<truncated_normal(0.0, 0.07)>
nn.param @b_2 : tensor<128xf32> {no_decay}
nn.param @g_f : tensor<128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_f : tensor<128xf32> {no_decay}
nn.param @W_h : tensor<128x1xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_h : tensor<1xf32> init #nn.init<constant(-1.0)> {no_decay}
nn.param @V_1 : tensor<128x256xf32> init #nn.init<xavier_uniform>
nn.param @c_1 : tensor<256xf32> {no_decay}
nn.param @V_2 : tensor<256x100xf32> init #nn.init<xavier_uniform>
nn.param @c_2 : tensor<100xf32> {no_decay}

/// How far everything behind [CLS] is moved: drawn from 0 to 15 for each example while
/// training, by four dropped or kept ones (0 or 2, so that d (d - 1) / 2 is a bit);
/// else 0.
func.func private @offset() -> tensor<i32> {
  %ones = arith.constant dense<1.0> : tensor<4xf32>
  %weights = arith.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf32>
  %d = nn.dropout %ones rate 0.5 : tensor<4xf32>
  %d1 = arith.subf %d, %ones : tensor<4xf32>
  %bits = arith.mulf %d, %d1 : tensor<4xf32>
  %weighted = arith.mulf %bits, %weights : tensor<4xf32>
  %sum = nn.sum %weighted over 0 : tensor<4xf32>
  %offset = arith.fptosi %sum : tensor<f32> to tensor<i32>
  return %offset : tensor<i32>
}

/// The numbers of the places: 0 for [CLS], then 1 + offset, 2 + offset, ...
func.func private @places_of(%numbers: tensor<?xi32>) -> tensor<?xi32> {
  %o = call @offset() : () -> tensor<i32>
  %i = nn.positions %numbers limit 24 : tensor<?xi32>
  %behind = nn.positions %numbers limit 2 : tensor<?xi32>
  %os = nn.broadcast %o dims [] like %i : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %move = arith.muli %behind, %os : tensor<?xi32>
  %place = arith.addi %i, %move : tensor<?xi32>
  return %place : tensor<?xi32>
}

func.func private @embed(%numbers: tensor<?xi32>, %operators: tensor<?xi32>) -> tensor<?x128xf32> {
  %dice = nn.use @dice : tensor<103x128xf32>
  %marked = nn.use @marked : tensor<5x128xf32>
  %places = nn.use @places : tensor<40x128xf32>
  %g_e = nn.use @g_e : tensor<128xf32>
  %s_e = nn.use @s_e : tensor<128xf32>
  %xn = nn.embed %numbers, %dice {padding_id = 0 : i64} : tensor<?xi32>, tensor<103x128xf32>
  %xo = nn.embed %operators, %marked {padding_id = 0 : i64} : tensor<?xi32>, tensor<5x128xf32>
  %i = call @places_of(%numbers) : (tensor<?xi32>) -> tensor<?xi32>
  %p = nn.embed %i, %places : tensor<?xi32>, tensor<40x128xf32>
  %w = arith.addf %xn, %xo : tensor<?x128xf32>
  %e = arith.addf %w, %p : tensor<?x128xf32>
  %x = nn.layer_norm %e, %g_e, %s_e : tensor<?x128xf32>, tensor<128xf32>, tensor<128xf32>
  return %x : tensor<?x128xf32>
}

/// One layer: y = norm(x + attention(x)), norm(y + W_2 gelu(W_1 y + b_1) + b_2).
func.func private @layer(%x: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %W_qkv = nn.use @W_qkv : tensor<128x384xf32>
  %b_qkv = nn.use @b_qkv : tensor<384xf32>
  %W_o = nn.use @W_o : tensor<128x128xf32>
  %b_o = nn.use @b_o : tensor<128xf32>
  %g_a = nn.use @g_a : tensor<128xf32>
  %s_a = nn.use @s_a : tensor<128xf32>
  %W_1 = nn.use @W_1 : tensor<128x512xf32>
  %b_1 = nn.use @b_1 : tensor<512xf32>
  %W_2 = nn.use @W_2 : tensor<512x128xf32>
  %b_2 = nn.use @b_2 : tensor<128xf32>
  %g_f = nn.use @g_f : tensor<128xf32>
  %s_f = nn.use @s_f : tensor<128xf32>
  %qkv = nn.linear %x, %W_qkv, %b_qkv : tensor<?x128xf32>, tensor<128x384xf32>, tensor<384xf32>
  %q, %k, %v = nn.split %qkv over 1 sizes [128, 128, 128] : tensor<?x384xf32>
  %a = nn.attention %q, %k, %v heads 8 : tensor<?x128xf32>, tensor<?x128xf32>, tensor<?x128xf32>
  %o = nn.linear %a, %W_o, %b_o : tensor<?x128xf32>, tensor<128x128xf32>, tensor<128xf32>
  %xa = arith.addf %x, %o : tensor<?x128xf32>
  %y = nn.layer_norm %xa, %g_a, %s_a : tensor<?x128xf32>, tensor<128xf32>, tensor<128xf32>
  %i = nn.linear %y, %W_1, %b_1 : tensor<?x128xf32>, tensor<128x512xf32>, tensor<512xf32>
  %h = nn.gelu %i : tensor<?x512xf32>
  %f = nn.linear %h, %W_2, %b_2 : tensor<?x512xf32>, tensor<512x128xf32>, tensor<128xf32>
  %yf = arith.addf %y, %f : tensor<?x128xf32>
  %z = nn.layer_norm %yf, %g_f, %s_f : tensor<?x128xf32>, tensor<128xf32>, tensor<128xf32>
  return %z : tensor<?x128xf32>
}

/// The scores of the values, from the state of [CLS], the first row.
func.func private @classify(%h: tensor<?x128xf32>) -> tensor<100xf32> {
  %V_1 = nn.use @V_1 : tensor<128x256xf32>
  %c_1 = nn.use @c_1 : tensor<256xf32>
  %V_2 = nn.use @V_2 : tensor<256x100xf32>
  %c_2 = nn.use @c_2 : tensor<100xf32>
  %first = arith.constant dense<0> : tensor<i32>
  %cls = nn.take %h, %first : tensor<?x128xf32>, tensor<i32>
  %a = nn.linear %cls, %V_1, %c_1 : tensor<128xf32>, tensor<128x256xf32>, tensor<256xf32>
  %r = nn.relu %a : tensor<256xf32>
  %y = nn.linear %r, %V_2, %c_2 : tensor<256xf32>, tensor<256x100xf32>, tensor<100xf32>
  return %y : tensor<100xf32>
}

/// The states of the tokens, how often each was computed, and its remainder.
func.func private @ponder(%numbers: tensor<?xi32>, %operators: tensor<?xi32>)
    -> (tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>) {
  %W_h = nn.use @W_h : tensor<128x1xf32>
  %b_h = nn.use @b_h : tensor<1xf32>
  %h0 = call @embed(%numbers, %operators) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x128xf32>
  %h, %n, %r = depth.ponder max 6 combine convex remainder none carried(%x = %h0 : tensor<?x128xf32>) {
    %y = func.call @layer(%x) : (tensor<?x128xf32>) -> tensor<?x128xf32>
    %l = nn.linear %y, %W_h, %b_h : tensor<?x128xf32>, tensor<128x1xf32>, tensor<1xf32>
    %p1 = nn.sigmoid %l : tensor<?x1xf32>
    %p = nn.reshape %p1 : tensor<?x1xf32> -> tensor<?xf32>
    depth.yield %p, %y : tensor<?xf32>, tensor<?x128xf32>
  }
  return %h, %n, %r : tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>
}

// Scores of the values 1 to 100.
func.func @predict(%numbers: tensor<?xi32> {cambium.name = "marked_numbers"},
                   %operators: tensor<?xi32> {cambium.name = "marked_operators"}) -> tensor<100xf32> {
  %h, %n, %r = call @ponder(%numbers, %operators)
    : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>)
  %y = call @classify(%h) : (tensor<?x128xf32>) -> tensor<100xf32>
  return %y : tensor<100xf32>
}

/// How often each token was computed.
func.func @steps(%numbers: tensor<?xi32> {cambium.name = "marked_numbers"},
                 %operators: tensor<?xi32> {cambium.name = "marked_operators"}) -> tensor<?xi32> {
  %h, %n, %r = call @ponder(%numbers, %operators)
    : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>)
  return %n : tensor<?xi32>
}

/// Cross entropy + tau (N + R), summed over the tokens.
func.func @loss(%numbers: tensor<?xi32> {cambium.name = "marked_numbers"},
                %operators: tensor<?xi32> {cambium.name = "marked_operators"},
                %value: tensor<i32> {cambium.name = "value"}) -> tensor<f32> {
  %h, %n, %r = call @ponder(%numbers, %operators)
    : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?x128xf32>, tensor<?xi32>, tensor<?xf32>)
  %y = call @classify(%h) : (tensor<?x128xf32>) -> tensor<100xf32>
  %ce = nn.cross_entropy %y, %value : tensor<100xf32>, tensor<i32>
  %f = arith.sitofp %n : tensor<?xi32> to tensor<?xf32>
  %nr = arith.addf %f, %r : tensor<?xf32>
  %cost = nn.sum %nr over 0 : tensor<?xf32>
  %tau = arith.constant dense<0.001> : tensor<f32>
  %price = arith.mulf %tau, %cost : tensor<f32>
  %l = arith.addf %ce, %price : tensor<f32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01>
  {clip_norm = 1.0 : f64}
