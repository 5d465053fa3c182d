// early_exit.mlir - A classifier of sentences that answers as soon as it is sure
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W. Zhou et al.: BERT Loses Patience. NeurIPS 2020 (PABEE), on an ALBERT of six layers:
// one encoder layer, six times, and behind each of them a classifier of its own, which
// reads the state of the first token, [CLS]. Training asks all six at once: the loss
// is the mean of theirs, with the weights 1 to 6. Afterwards a sentence stops as soon as
// as many classifiers as the patience says have agreed with the one before
// (predict_1 to predict_5; layers_1 to layers_5 tell after how many layers).
//
// All tokens of a sentence stop together, so that nothing of it is computed any more:
// `masked` computes the sentences that go on, and no other.
//
// sizes: words = 10000, width = 128, three = 3 * width, inner = 512, classes = 6, places = 64

nn.param @embedding : tensor<10000x128xf32> init #nn.init<truncated_normal(0.0, 0.1)> {group = "embeddings"}
nn.param @places : tensor<64x128xf32> init #nn.init<truncated_normal(0.0, 0.05)>
nn.param @g_e : tensor<128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_e : tensor<128xf32> {no_decay}
nn.param @W_qkv : tensor<128x384xf32> init #nn.init<xavier_uniform>
nn.param @b_qkv : tensor<384xf32> {no_decay}
nn.param @W_o : tensor<128x128xf32> init #nn.init<xavier_uniform>
nn.param @b_o : tensor<128xf32> {no_decay}
nn.param @g_a : tensor<128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_a : tensor<128xf32> {no_decay}
nn.param @W_1 : tensor<128x512xf32> init #nn.init<xavier_uniform>
nn.param @b_1 : tensor<512xf32> {no_decay}
nn.param @W_2 : tensor<512x128xf32> init #nn.init<xavier_uniform>
nn.param @b_2 : tensor<128xf32> {no_decay}
nn.param @g_f : tensor<128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_f : tensor<128xf32> {no_decay}
// Six classifiers, side by side.
nn.param @W_y : tensor<128x36xf32> init #nn.init<truncated_normal(0.0, 0.08)>
nn.param @b_y : tensor<36xf32> {no_decay}

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

/// For each token, what the six classifiers say of the sentence's first one.
func.func private @ask(%x: tensor<?x128xf32>) -> tensor<?x36xf32> {
  %W_y = nn.use @W_y : tensor<128x36xf32>
  %b_y = nn.use @b_y : tensor<36xf32>
  %s = nn.linear %x, %W_y, %b_y : tensor<?x128xf32>, tensor<128x36xf32>, tensor<36xf32>
  %first = nn.positions %x limit 1 : tensor<?x128xf32>
  %y = nn.take %s, %first : tensor<?x36xf32>, tensor<?xi32>
  return %y : tensor<?x36xf32>
}

/// The scores of one of the six, by its number from 0.
func.func private @of_layer(%all: tensor<?x36xf32>, %number: tensor<?xi32>) -> tensor<?x6xf32> {
  %m = nn.reshape %all : tensor<?x36xf32> -> tensor<?x6x6xf32>
  %unit = arith.constant dense<1.0> : tensor<f32>
  %ones = nn.broadcast %unit dims [] like %number : tensor<f32>, tensor<?xi32> -> tensor<?xf32>
  %one = nn.one_hot %number, %ones size 6 : tensor<?xi32>, tensor<?xf32>
  %mask = nn.broadcast %one dims [0, 1] : tensor<?x6xf32> -> tensor<?x6x6xf32>
  %chosen = arith.mulf %m, %mask : tensor<?x6x6xf32>
  %y = nn.sum %chosen over 1 : tensor<?x6x6xf32>
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

/// Scores and number of layers of a sentence with this patience.
func.func private @exit(%tokens: tensor<?xi32>, %patience: tensor<i32>) -> (tensor<6xf32>, tensor<i32>) {
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %nothing = arith.constant dense<0.0> : tensor<6xf32>
  %x0 = call @embed(%tokens) : (tensor<?xi32>) -> tensor<?x128xf32>
  %s0 = nn.broadcast %nothing dims [1] like %x0 : tensor<6xf32>, tensor<?x128xf32> -> tensor<?x6xf32>
  %i0 = nn.broadcast %zero dims [] like %x0 : tensor<i32>, tensor<?x128xf32> -> tensor<?xi32>
  // The states, the last scores, how often they have agreed, the number of the layer.
  %h, %s, %c, %l, %n = depth.iterate max 6 masked carried(
      %x = %x0 : tensor<?x128xf32>, %before = %s0 : tensor<?x6xf32>,
      %same = %i0 : tensor<?xi32>, %number = %i0 : tensor<?xi32>) {
    %y = func.call @layer(%x) : (tensor<?x128xf32>) -> tensor<?x128xf32>
    %all = func.call @ask(%y) : (tensor<?x128xf32>) -> tensor<?x36xf32>
    %now = func.call @of_layer(%all, %number) : (tensor<?x36xf32>, tensor<?xi32>) -> tensor<?x6xf32>
    %agrees = func.call @agree(%now, %before) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?xi32>
    %ones = nn.broadcast %one dims [] like %same : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
    %zeros = nn.broadcast %zero dims [] like %same : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
    // Nothing agrees with the first one.
    %isLater = arith.cmpi sgt, %number, %zeros : tensor<?xi32>
    %later = arith.select %isLater, %agrees, %zeros : tensor<?xi1>, tensor<?xi32>
    %more = arith.addi %same, %ones : tensor<?xi32>
    %count = arith.muli %more, %later : tensor<?xi32>
    %next = arith.addi %number, %ones : tensor<?xi32>
    %enough = nn.broadcast %patience dims [] like %same : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
    %go = arith.cmpi slt, %count, %enough : tensor<?xi32>
    depth.yield %go, %y, %now, %count, %next
      : tensor<?xi1>, tensor<?x128xf32>, tensor<?x6xf32>, tensor<?xi32>, tensor<?xi32>
  }
  %scores = nn.take %s, %zero : tensor<?x6xf32>, tensor<i32>
  %layers = nn.take %n, %zero : tensor<?xi32>, tensor<i32>
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


func.func private @first_scores(%x: tensor<?x128xf32>) -> tensor<36xf32> {
  %W_y = nn.use @W_y : tensor<128x36xf32>
  %b_y = nn.use @b_y : tensor<36xf32>
  %first = arith.constant dense<0> : tensor<i32>
  %c = nn.take %x, %first : tensor<?x128xf32>, tensor<i32>
  %y = nn.linear %c, %W_y, %b_y : tensor<128xf32>, tensor<128x36xf32>, tensor<36xf32>
  return %y : tensor<36xf32>
}
func.func private @cost_1(%x: tensor<?x128xf32>, %label: tensor<i32>) -> tensor<f32> {
  %y = call @first_scores(%x) : (tensor<?x128xf32>) -> tensor<36xf32>
  %s = nn.slice %y over 0 from 0 size 6 : tensor<36xf32>
  %c = nn.cross_entropy %s, %label : tensor<6xf32>, tensor<i32>
  %w = arith.constant dense<1.0> : tensor<f32>
  %l = arith.mulf %c, %w : tensor<f32>
  return %l : tensor<f32>
}
func.func private @cost_2(%x: tensor<?x128xf32>, %label: tensor<i32>) -> tensor<f32> {
  %y = call @first_scores(%x) : (tensor<?x128xf32>) -> tensor<36xf32>
  %s = nn.slice %y over 0 from 6 size 6 : tensor<36xf32>
  %c = nn.cross_entropy %s, %label : tensor<6xf32>, tensor<i32>
  %w = arith.constant dense<2.0> : tensor<f32>
  %l = arith.mulf %c, %w : tensor<f32>
  return %l : tensor<f32>
}
func.func private @cost_3(%x: tensor<?x128xf32>, %label: tensor<i32>) -> tensor<f32> {
  %y = call @first_scores(%x) : (tensor<?x128xf32>) -> tensor<36xf32>
  %s = nn.slice %y over 0 from 12 size 6 : tensor<36xf32>
  %c = nn.cross_entropy %s, %label : tensor<6xf32>, tensor<i32>
  %w = arith.constant dense<3.0> : tensor<f32>
  %l = arith.mulf %c, %w : tensor<f32>
  return %l : tensor<f32>
}
func.func private @cost_4(%x: tensor<?x128xf32>, %label: tensor<i32>) -> tensor<f32> {
  %y = call @first_scores(%x) : (tensor<?x128xf32>) -> tensor<36xf32>
  %s = nn.slice %y over 0 from 18 size 6 : tensor<36xf32>
  %c = nn.cross_entropy %s, %label : tensor<6xf32>, tensor<i32>
  %w = arith.constant dense<4.0> : tensor<f32>
  %l = arith.mulf %c, %w : tensor<f32>
  return %l : tensor<f32>
}
func.func private @cost_5(%x: tensor<?x128xf32>, %label: tensor<i32>) -> tensor<f32> {
  %y = call @first_scores(%x) : (tensor<?x128xf32>) -> tensor<36xf32>
  %s = nn.slice %y over 0 from 24 size 6 : tensor<36xf32>
  %c = nn.cross_entropy %s, %label : tensor<6xf32>, tensor<i32>
  %w = arith.constant dense<5.0> : tensor<f32>
  %l = arith.mulf %c, %w : tensor<f32>
  return %l : tensor<f32>
}
func.func private @cost_6(%x: tensor<?x128xf32>, %label: tensor<i32>) -> tensor<f32> {
  %y = call @first_scores(%x) : (tensor<?x128xf32>) -> tensor<36xf32>
  %s = nn.slice %y over 0 from 30 size 6 : tensor<36xf32>
  %c = nn.cross_entropy %s, %label : tensor<6xf32>, tensor<i32>
  %w = arith.constant dense<6.0> : tensor<f32>
  %l = arith.mulf %c, %w : tensor<f32>
  return %l : tensor<f32>
}

/// (1 l_1 + 2 l_2 + ... + 6 l_6) / 21, where l_i is the cross entropy behind layer i.
func.func @loss(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %x0 = call @embed(%tokens) : (tensor<?xi32>) -> tensor<?x128xf32>
  %x1 = call @layer(%x0) : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %c1 = call @cost_1(%x1, %label) : (tensor<?x128xf32>, tensor<i32>) -> tensor<f32>
  %x2 = call @layer(%x1) : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %c2 = call @cost_2(%x2, %label) : (tensor<?x128xf32>, tensor<i32>) -> tensor<f32>
  %x3 = call @layer(%x2) : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %c3 = call @cost_3(%x3, %label) : (tensor<?x128xf32>, tensor<i32>) -> tensor<f32>
  %x4 = call @layer(%x3) : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %c4 = call @cost_4(%x4, %label) : (tensor<?x128xf32>, tensor<i32>) -> tensor<f32>
  %x5 = call @layer(%x4) : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %c5 = call @cost_5(%x5, %label) : (tensor<?x128xf32>, tensor<i32>) -> tensor<f32>
  %x6 = call @layer(%x5) : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %c6 = call @cost_6(%x6, %label) : (tensor<?x128xf32>, tensor<i32>) -> tensor<f32>
  %s2 = arith.addf %c1, %c2 : tensor<f32>
  %s3 = arith.addf %s2, %c3 : tensor<f32>
  %s4 = arith.addf %s3, %c4 : tensor<f32>
  %s5 = arith.addf %s4, %c5 : tensor<f32>
  %s6 = arith.addf %s5, %c6 : tensor<f32>
  %part = arith.constant dense<0.047619047619047616> : tensor<f32>
  %l = arith.mulf %s6, %part : tensor<f32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01> {clip_norm = 1.0 : f64}
