// bert.mlir - six encoder layers
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of an arithmetic expression in prefix notation, read as a sequence between
// [CLS] and [SEP]: six encoder layers, as in BERT. Row l of a stack of parameters
// is that of layer l.
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
nn.param @W_qkv : tensor<6x128x384xf32> init #nn.init<truncated_normal(0.0, 0.07)>
nn.param @b_qkv : tensor<6x384xf32> {no_decay}
nn.param @W_o : tensor<6x128x128xf32> init #nn.init<truncated_normal(0.0, 0.07)>
nn.param @b_o : tensor<6x128xf32> {no_decay}
nn.param @g_a : tensor<6x128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_a : tensor<6x128xf32> {no_decay}
nn.param @W_1 : tensor<6x128x512xf32> init #nn.init<truncated_normal(0.0, 0.07)>
nn.param @b_1 : tensor<6x512xf32> {no_decay}
nn.param @W_2 : tensor<6x512x128xf32> init #nn.init<truncated_normal(0.0, 0.07)>
nn.param @b_2 : tensor<6x128xf32> {no_decay}
nn.param @g_f : tensor<6x128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_f : tensor<6x128xf32> {no_decay}
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
func.func private @layer(%x: tensor<?x128xf32>,
    %W_qkv1: tensor<1x128x384xf32>, %b_qkv1: tensor<1x384xf32>, %W_o1: tensor<1x128x128xf32>,
    %b_o1: tensor<1x128xf32>, %g_a1: tensor<1x128xf32>, %s_a1: tensor<1x128xf32>,
    %W_11: tensor<1x128x512xf32>, %b_11: tensor<1x512xf32>, %W_21: tensor<1x512x128xf32>,
    %b_21: tensor<1x128xf32>, %g_f1: tensor<1x128xf32>, %s_f1: tensor<1x128xf32>) -> tensor<?x128xf32> {
  %W_qkv = nn.reshape %W_qkv1 : tensor<1x128x384xf32> -> tensor<128x384xf32>
  %b_qkv = nn.reshape %b_qkv1 : tensor<1x384xf32> -> tensor<384xf32>
  %W_o = nn.reshape %W_o1 : tensor<1x128x128xf32> -> tensor<128x128xf32>
  %b_o = nn.reshape %b_o1 : tensor<1x128xf32> -> tensor<128xf32>
  %g_a = nn.reshape %g_a1 : tensor<1x128xf32> -> tensor<128xf32>
  %s_a = nn.reshape %s_a1 : tensor<1x128xf32> -> tensor<128xf32>
  %W_1 = nn.reshape %W_11 : tensor<1x128x512xf32> -> tensor<128x512xf32>
  %b_1 = nn.reshape %b_11 : tensor<1x512xf32> -> tensor<512xf32>
  %W_2 = nn.reshape %W_21 : tensor<1x512x128xf32> -> tensor<512x128xf32>
  %b_2 = nn.reshape %b_21 : tensor<1x128xf32> -> tensor<128xf32>
  %g_f = nn.reshape %g_f1 : tensor<1x128xf32> -> tensor<128xf32>
  %s_f = nn.reshape %s_f1 : tensor<1x128xf32> -> tensor<128xf32>
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

func.func private @encode(%x0: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %W_qkv = nn.use @W_qkv : tensor<6x128x384xf32>
  %b_qkv = nn.use @b_qkv : tensor<6x384xf32>
  %W_o = nn.use @W_o : tensor<6x128x128xf32>
  %b_o = nn.use @b_o : tensor<6x128xf32>
  %g_a = nn.use @g_a : tensor<6x128xf32>
  %s_a = nn.use @s_a : tensor<6x128xf32>
  %W_1 = nn.use @W_1 : tensor<6x128x512xf32>
  %b_1 = nn.use @b_1 : tensor<6x512xf32>
  %W_2 = nn.use @W_2 : tensor<6x512x128xf32>
  %b_2 = nn.use @b_2 : tensor<6x128xf32>
  %g_f = nn.use @g_f : tensor<6x128xf32>
  %s_f = nn.use @s_f : tensor<6x128xf32>
  %W_qkvs:6 = nn.split %W_qkv over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x128x384xf32>
  %b_qkvs:6 = nn.split %b_qkv over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x384xf32>
  %W_os:6 = nn.split %W_o over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x128x128xf32>
  %b_os:6 = nn.split %b_o over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x128xf32>
  %g_as:6 = nn.split %g_a over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x128xf32>
  %s_as:6 = nn.split %s_a over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x128xf32>
  %W_1s:6 = nn.split %W_1 over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x128x512xf32>
  %b_1s:6 = nn.split %b_1 over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x512xf32>
  %W_2s:6 = nn.split %W_2 over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x512x128xf32>
  %b_2s:6 = nn.split %b_2 over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x128xf32>
  %g_fs:6 = nn.split %g_f over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x128xf32>
  %s_fs:6 = nn.split %s_f over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x128xf32>
  %x1 = call @layer(%x0, %W_qkvs#0, %b_qkvs#0, %W_os#0, %b_os#0, %g_as#0, %s_as#0, %W_1s#0,
      %b_1s#0, %W_2s#0, %b_2s#0, %g_fs#0, %s_fs#0) : (tensor<?x128xf32>,
      tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
      tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
  %x2 = call @layer(%x1, %W_qkvs#1, %b_qkvs#1, %W_os#1, %b_os#1, %g_as#1, %s_as#1, %W_1s#1,
      %b_1s#1, %W_2s#1, %b_2s#1, %g_fs#1, %s_fs#1) : (tensor<?x128xf32>,
      tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
      tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
  %x3 = call @layer(%x2, %W_qkvs#2, %b_qkvs#2, %W_os#2, %b_os#2, %g_as#2, %s_as#2, %W_1s#2,
      %b_1s#2, %W_2s#2, %b_2s#2, %g_fs#2, %s_fs#2) : (tensor<?x128xf32>,
      tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
      tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
  %x4 = call @layer(%x3, %W_qkvs#3, %b_qkvs#3, %W_os#3, %b_os#3, %g_as#3, %s_as#3, %W_1s#3,
      %b_1s#3, %W_2s#3, %b_2s#3, %g_fs#3, %s_fs#3) : (tensor<?x128xf32>,
      tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
      tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
  %x5 = call @layer(%x4, %W_qkvs#4, %b_qkvs#4, %W_os#4, %b_os#4, %g_as#4, %s_as#4, %W_1s#4,
      %b_1s#4, %W_2s#4, %b_2s#4, %g_fs#4, %s_fs#4) : (tensor<?x128xf32>,
      tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
      tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
  %x6 = call @layer(%x5, %W_qkvs#5, %b_qkvs#5, %W_os#5, %b_os#5, %g_as#5, %s_as#5, %W_1s#5,
      %b_1s#5, %W_2s#5, %b_2s#5, %g_fs#5, %s_fs#5) : (tensor<?x128xf32>,
      tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
      tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
  return %x6 : tensor<?x128xf32>
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

// Scores of the values 1 to 100.
func.func @predict(%numbers: tensor<?xi32> {cambium.name = "marked_numbers"},
                   %operators: tensor<?xi32> {cambium.name = "marked_operators"}) -> tensor<100xf32> {
  %x = call @embed(%numbers, %operators) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x128xf32>
  %h = call @encode(%x) : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %y = call @classify(%h) : (tensor<?x128xf32>) -> tensor<100xf32>
  return %y : tensor<100xf32>
}

func.func @loss(%numbers: tensor<?xi32> {cambium.name = "marked_numbers"},
                %operators: tensor<?xi32> {cambium.name = "marked_operators"},
                %value: tensor<i32> {cambium.name = "value"}) -> tensor<f32> {
  %y = call @predict(%numbers, %operators) : (tensor<?xi32>, tensor<?xi32>) -> tensor<100xf32>
  %l = nn.cross_entropy %y, %value : tensor<100xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01>
  {clip_norm = 1.0 : f64}
