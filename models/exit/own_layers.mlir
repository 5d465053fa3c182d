// own_layers.mlir - Six layers of their own, and an answer as soon as it is sure
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W. Zhou et al.: BERT Loses Patience. NeurIPS 2020 (PABEE), on a BERT of six layers: as
// early_exit.mlir, but each layer has weights of its own. A layer is a loop of one
// iteration, which only those sentences begin that go on: `active` says which.
//
// sizes: words = 10000, width = 128, three = 3 * width, inner = 512, classes = 6, places = 64

nn.param @embedding : tensor<10000x128xf32> init #nn.init<truncated_normal(0.0, 0.1)> {group = "embeddings"}
nn.param @places : tensor<64x128xf32> init #nn.init<truncated_normal(0.0, 0.05)>
nn.param @g_e : tensor<128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_e : tensor<128xf32> {no_decay}
// Of six layers, and their classifiers.
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
nn.param @W_y : tensor<6x128x6xf32> init #nn.init<truncated_normal(0.0, 0.07)>
nn.param @b_y : tensor<6x6xf32> {no_decay}

func.func private @embed(%tokens: tensor<?xi32>) -> tensor<?x128xf32> {
  %E = nn.use @embedding : tensor<10000x128xf32>
  %P = nn.use @places : tensor<64x128xf32>
  %g_e = nn.use @g_e : tensor<128xf32>
  %s_e = nn.use @s_e : tensor<128xf32>
  %w = nn.embed %tokens, %E : tensor<?xi32>, tensor<10000x128xf32>
  %i = nn.positions %tokens limit 64 : tensor<?xi32>
  %p = nn.embed %i, %P : tensor<?xi32>, tensor<64x128xf32>
  %e = arith.addf %w, %p : tensor<?x128xf32>
  %n = nn.layer_norm %e, %g_e, %s_e : tensor<?x128xf32>, tensor<128xf32>, tensor<128xf32>
  %x = nn.dropout %n rate 0.3 : tensor<?x128xf32>
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

/// For each token, what a classifier says of the sentence's first one.
func.func private @ask(%x: tensor<?x128xf32>, %W_y1: tensor<1x128x6xf32>, %b_y1: tensor<1x6xf32>)
    -> tensor<?x6xf32> {
  %W_y = nn.reshape %W_y1 : tensor<1x128x6xf32> -> tensor<128x6xf32>
  %b_y = nn.reshape %b_y1 : tensor<1x6xf32> -> tensor<6xf32>
  %s = nn.linear %x, %W_y, %b_y : tensor<?x128xf32>, tensor<128x6xf32>, tensor<6xf32>
  %first = nn.positions %x limit 1 : tensor<?x128xf32>
  %y = nn.take %s, %first : tensor<?x6xf32>, tensor<?xi32>
  return %y : tensor<?x6xf32>
}

/// 1 where two lists of scores have their greatest at the same place, else 0.
func.func private @agree(%a: tensor<?x6xf32>, %b: tensor<?x6xf32>) -> tensor<?xi32> {
  %ma = nn.max %a over 1 : tensor<?x6xf32>
  %mb = nn.max %b over 1 : tensor<?x6xf32>
  %as = nn.broadcast %ma dims [0] : tensor<?xf32> -> tensor<?x6xf32>
  %bs = nn.broadcast %mb dims [0] : tensor<?xf32> -> tensor<?x6xf32>
  %isA = arith.cmpf oeq, %a, %as : tensor<?x6xf32>
  %isB = arith.cmpf oeq, %b, %bs : tensor<?x6xf32>
  %both = arith.andi %isA, %isB : tensor<?x6xi1>
  %number = arith.uitofp %both : tensor<?x6xi1> to tensor<?x6xf32>
  %any = nn.max %number over 1 : tensor<?x6xf32>
  %y = arith.fptosi %any : tensor<?xf32> to tensor<?xi32>
  return %y : tensor<?xi32>
}

/// A layer for the sentences that go on: the states, the last scores, how often they have
/// agreed, 1 where it goes on, how many layers there were.
func.func private @stage(%patience: tensor<i32>, %x0: tensor<?x128xf32>, %s0: tensor<?x6xf32>,
    %c0: tensor<?xi32>, %more: tensor<?xi32>, %number: tensor<?xi32>,
    %W_qkv: tensor<1x128x384xf32>, %b_qkv: tensor<1x384xf32>, %W_o: tensor<1x128x128xf32>,
    %b_o: tensor<1x128xf32>, %g_a: tensor<1x128xf32>, %s_a: tensor<1x128xf32>,
    %W_1: tensor<1x128x512xf32>, %b_1: tensor<1x512xf32>, %W_2: tensor<1x512x128xf32>,
    %b_2: tensor<1x128xf32>, %g_f: tensor<1x128xf32>, %s_f: tensor<1x128xf32>,
    %W_y: tensor<1x128x6xf32>, %b_y: tensor<1x6xf32>)
    -> (tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %one = arith.constant dense<1> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %none = nn.broadcast %zero dims [] like %x0 : tensor<i32>, tensor<?x128xf32> -> tensor<?xi32>
  %on = arith.cmpi sgt, %more, %none : tensor<?xi32>
  %h, %s, %c, %m, %n = depth.iterate max 1 masked active(%on : tensor<?xi1>) carried(
      %x = %x0 : tensor<?x128xf32>, %before = %s0 : tensor<?x6xf32>,
      %same = %c0 : tensor<?xi32>, %old = %more : tensor<?xi32>) {
    %y = func.call @layer(%x,
        %W_qkv, %b_qkv, %W_o, %b_o, %g_a, %s_a, %W_1, %b_1, %W_2, %b_2, %g_f, %s_f)
        : (tensor<?x128xf32>,
        tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
        tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
        tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
    %now = func.call @ask(%y, %W_y, %b_y)
      : (tensor<?x128xf32>, tensor<1x128x6xf32>, tensor<1x6xf32>) -> tensor<?x6xf32>
    %agrees = func.call @agree(%now, %before) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?xi32>
    %ones = nn.broadcast %one dims [] like %same : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
    %zeros = nn.broadcast %zero dims [] like %same : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
    // Nothing agrees with the first one.
    %isLater = arith.cmpi sgt, %number, %zeros : tensor<?xi32>
    %later = arith.select %isLater, %agrees, %zeros : tensor<?xi1>, tensor<?xi32>
    %plus = arith.addi %same, %ones : tensor<?xi32>
    %count = arith.muli %plus, %later : tensor<?xi32>
    %enough = nn.broadcast %patience dims [] like %same : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
    %go = arith.cmpi slt, %count, %enough : tensor<?xi32>
    %goes = arith.select %go, %ones, %zeros : tensor<?xi1>, tensor<?xi32>
    depth.yield %go, %y, %now, %count, %goes
      : tensor<?xi1>, tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>
  }
  %layers = arith.addi %number, %n : tensor<?xi32>
  return %h, %s, %c, %m, %layers
    : tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

/// Scores and number of layers of a sentence with this patience.
func.func private @exit(%tokens: tensor<?xi32>, %patience: tensor<i32>) -> (tensor<6xf32>, tensor<i32>) {
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
  %W_y = nn.use @W_y : tensor<6x128x6xf32>
  %b_y = nn.use @b_y : tensor<6x6xf32>
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
  %W_ys:6 = nn.split %W_y over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x128x6xf32>
  %b_ys:6 = nn.split %b_y over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x6xf32>
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %nothing = arith.constant dense<0.0> : tensor<6xf32>
  %x0 = call @embed(%tokens) : (tensor<?xi32>) -> tensor<?x128xf32>
  %s0 = nn.broadcast %nothing dims [1] like %x0 : tensor<6xf32>, tensor<?x128xf32> -> tensor<?x6xf32>
  %i0 = nn.broadcast %zero dims [] like %x0 : tensor<i32>, tensor<?x128xf32> -> tensor<?xi32>
  %i1 = nn.broadcast %one dims [] like %x0 : tensor<i32>, tensor<?x128xf32> -> tensor<?xi32>
  %x1, %s1, %c1, %m1, %n1 = call @stage(%patience, %x0, %s0, %i0, %i1, %i0,
      %W_qkvs#0, %b_qkvs#0, %W_os#0, %b_os#0, %g_as#0, %s_as#0, %W_1s#0, %b_1s#0, %W_2s#0,
      %b_2s#0, %g_fs#0, %s_fs#0, %W_ys#0, %b_ys#0)
    : (tensor<i32>, tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>,
      tensor<?xi32>, tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>,
      tensor<1x512xf32>, tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128x6xf32>, tensor<1x6xf32>)
    -> (tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>)
  %x2, %s2, %c2, %m2, %n2 = call @stage(%patience, %x1, %s1, %c1, %m1, %n1,
      %W_qkvs#1, %b_qkvs#1, %W_os#1, %b_os#1, %g_as#1, %s_as#1, %W_1s#1, %b_1s#1, %W_2s#1,
      %b_2s#1, %g_fs#1, %s_fs#1, %W_ys#1, %b_ys#1)
    : (tensor<i32>, tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>,
      tensor<?xi32>, tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>,
      tensor<1x512xf32>, tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128x6xf32>, tensor<1x6xf32>)
    -> (tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>)
  %x3, %s3, %c3, %m3, %n3 = call @stage(%patience, %x2, %s2, %c2, %m2, %n2,
      %W_qkvs#2, %b_qkvs#2, %W_os#2, %b_os#2, %g_as#2, %s_as#2, %W_1s#2, %b_1s#2, %W_2s#2,
      %b_2s#2, %g_fs#2, %s_fs#2, %W_ys#2, %b_ys#2)
    : (tensor<i32>, tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>,
      tensor<?xi32>, tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>,
      tensor<1x512xf32>, tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128x6xf32>, tensor<1x6xf32>)
    -> (tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>)
  %x4, %s4, %c4, %m4, %n4 = call @stage(%patience, %x3, %s3, %c3, %m3, %n3,
      %W_qkvs#3, %b_qkvs#3, %W_os#3, %b_os#3, %g_as#3, %s_as#3, %W_1s#3, %b_1s#3, %W_2s#3,
      %b_2s#3, %g_fs#3, %s_fs#3, %W_ys#3, %b_ys#3)
    : (tensor<i32>, tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>,
      tensor<?xi32>, tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>,
      tensor<1x512xf32>, tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128x6xf32>, tensor<1x6xf32>)
    -> (tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>)
  %x5, %s5, %c5, %m5, %n5 = call @stage(%patience, %x4, %s4, %c4, %m4, %n4,
      %W_qkvs#4, %b_qkvs#4, %W_os#4, %b_os#4, %g_as#4, %s_as#4, %W_1s#4, %b_1s#4, %W_2s#4,
      %b_2s#4, %g_fs#4, %s_fs#4, %W_ys#4, %b_ys#4)
    : (tensor<i32>, tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>,
      tensor<?xi32>, tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>,
      tensor<1x512xf32>, tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128x6xf32>, tensor<1x6xf32>)
    -> (tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>)
  %x6, %s6, %c6, %m6, %n6 = call @stage(%patience, %x5, %s5, %c5, %m5, %n5,
      %W_qkvs#5, %b_qkvs#5, %W_os#5, %b_os#5, %g_as#5, %s_as#5, %W_1s#5, %b_1s#5, %W_2s#5,
      %b_2s#5, %g_fs#5, %s_fs#5, %W_ys#5, %b_ys#5)
    : (tensor<i32>, tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>,
      tensor<?xi32>, tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>,
      tensor<1x512xf32>, tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128x6xf32>, tensor<1x6xf32>)
    -> (tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>)
  %scores = nn.take %s6, %zero : tensor<?x6xf32>, tensor<i32>
  %layers = nn.take %n6, %zero : tensor<?xi32>, tensor<i32>
  return %scores, %layers : tensor<6xf32>, tensor<i32>
}

func.func @predict_1(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<6xf32> {
  %patience = arith.constant dense<1> : tensor<i32>
  %y, %n = call @exit(%tokens, %patience) : (tensor<?xi32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>)
  return %y : tensor<6xf32>
}
func.func @layers_1(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<i32> {
  %patience = arith.constant dense<1> : tensor<i32>
  %y, %n = call @exit(%tokens, %patience) : (tensor<?xi32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>)
  return %n : tensor<i32>
}
func.func @predict_2(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<6xf32> {
  %patience = arith.constant dense<2> : tensor<i32>
  %y, %n = call @exit(%tokens, %patience) : (tensor<?xi32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>)
  return %y : tensor<6xf32>
}
func.func @layers_2(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<i32> {
  %patience = arith.constant dense<2> : tensor<i32>
  %y, %n = call @exit(%tokens, %patience) : (tensor<?xi32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>)
  return %n : tensor<i32>
}
func.func @predict_3(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<6xf32> {
  %patience = arith.constant dense<3> : tensor<i32>
  %y, %n = call @exit(%tokens, %patience) : (tensor<?xi32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>)
  return %y : tensor<6xf32>
}
func.func @layers_3(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<i32> {
  %patience = arith.constant dense<3> : tensor<i32>
  %y, %n = call @exit(%tokens, %patience) : (tensor<?xi32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>)
  return %n : tensor<i32>
}
func.func @predict_4(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<6xf32> {
  %patience = arith.constant dense<4> : tensor<i32>
  %y, %n = call @exit(%tokens, %patience) : (tensor<?xi32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>)
  return %y : tensor<6xf32>
}
func.func @layers_4(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<i32> {
  %patience = arith.constant dense<4> : tensor<i32>
  %y, %n = call @exit(%tokens, %patience) : (tensor<?xi32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>)
  return %n : tensor<i32>
}
func.func @predict_5(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<6xf32> {
  %patience = arith.constant dense<5> : tensor<i32>
  %y, %n = call @exit(%tokens, %patience) : (tensor<?xi32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>)
  return %y : tensor<6xf32>
}
func.func @layers_5(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<i32> {
  %patience = arith.constant dense<5> : tensor<i32>
  %y, %n = call @exit(%tokens, %patience) : (tensor<?xi32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>)
  return %n : tensor<i32>
}
/// All six layers: nobody can agree six times.
func.func @predict(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<6xf32> {
  %patience = arith.constant dense<6> : tensor<i32>
  %y, %n = call @exit(%tokens, %patience) : (tensor<?xi32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>)
  return %y : tensor<6xf32>
}

/// What a classifier loses, times its weight.
func.func private @cost(%x: tensor<?x128xf32>, %label: tensor<i32>, %weight: tensor<f32>,
    %W_y1: tensor<1x128x6xf32>, %b_y1: tensor<1x6xf32>) -> tensor<f32> {
  %W_y = nn.reshape %W_y1 : tensor<1x128x6xf32> -> tensor<128x6xf32>
  %b_y = nn.reshape %b_y1 : tensor<1x6xf32> -> tensor<6xf32>
  %first = arith.constant dense<0> : tensor<i32>
  %c = nn.take %x, %first : tensor<?x128xf32>, tensor<i32>
  %s = nn.linear %c, %W_y, %b_y : tensor<128xf32>, tensor<128x6xf32>, tensor<6xf32>
  %e = nn.cross_entropy %s, %label : tensor<6xf32>, tensor<i32>
  %l = arith.mulf %e, %weight : tensor<f32>
  return %l : tensor<f32>
}

/// (1 l_1 + 2 l_2 + ... + 6 l_6) / 21, where l_i is the cross entropy behind layer i.
func.func @loss(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
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
  %W_y = nn.use @W_y : tensor<6x128x6xf32>
  %b_y = nn.use @b_y : tensor<6x6xf32>
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
  %W_ys:6 = nn.split %W_y over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x128x6xf32>
  %b_ys:6 = nn.split %b_y over 0 sizes [1, 1, 1, 1, 1, 1] : tensor<6x6xf32>
  %x0 = call @embed(%tokens) : (tensor<?xi32>) -> tensor<?x128xf32>
  %x1 = call @layer(%x0,
      %W_qkvs#0, %b_qkvs#0, %W_os#0, %b_os#0, %g_as#0, %s_as#0, %W_1s#0, %b_1s#0, %W_2s#0,
      %b_2s#0, %g_fs#0, %s_fs#0)
    : (tensor<?x128xf32>,
      tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
      tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
  %w1 = arith.constant dense<1.0> : tensor<f32>
  %l1 = call @cost(%x1, %label, %w1, %W_ys#0, %b_ys#0)
    : (tensor<?x128xf32>, tensor<i32>, tensor<f32>, tensor<1x128x6xf32>, tensor<1x6xf32>) -> tensor<f32>
  %x2 = call @layer(%x1,
      %W_qkvs#1, %b_qkvs#1, %W_os#1, %b_os#1, %g_as#1, %s_as#1, %W_1s#1, %b_1s#1, %W_2s#1,
      %b_2s#1, %g_fs#1, %s_fs#1)
    : (tensor<?x128xf32>,
      tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
      tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
  %w2 = arith.constant dense<2.0> : tensor<f32>
  %l2 = call @cost(%x2, %label, %w2, %W_ys#1, %b_ys#1)
    : (tensor<?x128xf32>, tensor<i32>, tensor<f32>, tensor<1x128x6xf32>, tensor<1x6xf32>) -> tensor<f32>
  %x3 = call @layer(%x2,
      %W_qkvs#2, %b_qkvs#2, %W_os#2, %b_os#2, %g_as#2, %s_as#2, %W_1s#2, %b_1s#2, %W_2s#2,
      %b_2s#2, %g_fs#2, %s_fs#2)
    : (tensor<?x128xf32>,
      tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
      tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
  %w3 = arith.constant dense<3.0> : tensor<f32>
  %l3 = call @cost(%x3, %label, %w3, %W_ys#2, %b_ys#2)
    : (tensor<?x128xf32>, tensor<i32>, tensor<f32>, tensor<1x128x6xf32>, tensor<1x6xf32>) -> tensor<f32>
  %x4 = call @layer(%x3,
      %W_qkvs#3, %b_qkvs#3, %W_os#3, %b_os#3, %g_as#3, %s_as#3, %W_1s#3, %b_1s#3, %W_2s#3,
      %b_2s#3, %g_fs#3, %s_fs#3)
    : (tensor<?x128xf32>,
      tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
      tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
  %w4 = arith.constant dense<4.0> : tensor<f32>
  %l4 = call @cost(%x4, %label, %w4, %W_ys#3, %b_ys#3)
    : (tensor<?x128xf32>, tensor<i32>, tensor<f32>, tensor<1x128x6xf32>, tensor<1x6xf32>) -> tensor<f32>
  %x5 = call @layer(%x4,
      %W_qkvs#4, %b_qkvs#4, %W_os#4, %b_os#4, %g_as#4, %s_as#4, %W_1s#4, %b_1s#4, %W_2s#4,
      %b_2s#4, %g_fs#4, %s_fs#4)
    : (tensor<?x128xf32>,
      tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
      tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
  %w5 = arith.constant dense<5.0> : tensor<f32>
  %l5 = call @cost(%x5, %label, %w5, %W_ys#4, %b_ys#4)
    : (tensor<?x128xf32>, tensor<i32>, tensor<f32>, tensor<1x128x6xf32>, tensor<1x6xf32>) -> tensor<f32>
  %x6 = call @layer(%x5,
      %W_qkvs#5, %b_qkvs#5, %W_os#5, %b_os#5, %g_as#5, %s_as#5, %W_1s#5, %b_1s#5, %W_2s#5,
      %b_2s#5, %g_fs#5, %s_fs#5)
    : (tensor<?x128xf32>,
      tensor<1x128x384xf32>, tensor<1x384xf32>, tensor<1x128x128xf32>, tensor<1x128xf32>,
      tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128x512xf32>, tensor<1x512xf32>,
      tensor<1x512x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<?x128xf32>
  %w6 = arith.constant dense<6.0> : tensor<f32>
  %l6 = call @cost(%x6, %label, %w6, %W_ys#5, %b_ys#5)
    : (tensor<?x128xf32>, tensor<i32>, tensor<f32>, tensor<1x128x6xf32>, tensor<1x6xf32>) -> tensor<f32>
  %t2 = arith.addf %l1, %l2 : tensor<f32>
  %t3 = arith.addf %t2, %l3 : tensor<f32>
  %t4 = arith.addf %t3, %l4 : tensor<f32>
  %t5 = arith.addf %t4, %l5 : tensor<f32>
  %t6 = arith.addf %t5, %l6 : tensor<f32>
  %part = arith.constant dense<0.047619047619047616> : tensor<f32>
  %l = arith.mulf %t6, %part : tensor<f32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01> {clip_norm = 1.0 : f64}
