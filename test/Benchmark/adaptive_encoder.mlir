// adaptive_encoder.mlir - An encoder whose words say how often they are encoded
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What test/Benchmark/depth measures: the post-norm layer of ALBERT (Lan et al.,
// ICLR 2020), with the same weights in every iteration, compact and masked. The word
// with number n iterates n times (the first one once), at most 12 times.
nn.sizes {words = 2000, width = 256, inner = 1024}

nn.param @embedding : tensor<2000x256xf32> init #nn.init<normal(0.0, 0.5)>
nn.param @W_q : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @b_q : tensor<256xf32> no_decay
nn.param @W_k : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @b_k : tensor<256xf32> no_decay
nn.param @W_v : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @b_v : tensor<256xf32> no_decay
nn.param @W_o : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @b_o : tensor<256xf32> no_decay
nn.param @W_1 : tensor<256x1024xf32> init #nn.init<xavier_uniform>
nn.param @b_1 : tensor<1024xf32> no_decay
nn.param @W_2 : tensor<1024x256xf32> init #nn.init<xavier_uniform>
nn.param @b_2 : tensor<256xf32> no_decay
nn.param @g_a : tensor<256xf32> init #nn.init<constant(1.0)> no_decay
nn.param @s_a : tensor<256xf32> no_decay
nn.param @g_f : tensor<256xf32> init #nn.init<constant(1.0)> no_decay
nn.param @s_f : tensor<256xf32> no_decay

// softmax(Q K^T / sqrt(d)) V for two heads, and a product of the heads side by side.
func.func private @attend(%x: tensor<?x256xf32>) -> tensor<?x256xf32> {
  %W_q = nn.use @W_q : tensor<256x256xf32>
  %b_q = nn.use @b_q : tensor<256xf32>
  %W_k = nn.use @W_k : tensor<256x256xf32>
  %b_k = nn.use @b_k : tensor<256xf32>
  %W_v = nn.use @W_v : tensor<256x256xf32>
  %b_v = nn.use @b_v : tensor<256xf32>
  %W_o = nn.use @W_o : tensor<256x256xf32>
  %b_o = nn.use @b_o : tensor<256xf32>
  %q = nn.linear %x, %W_q, %b_q : tensor<?x256xf32>, tensor<256x256xf32>, tensor<256xf32>
  %k = nn.linear %x, %W_k, %b_k : tensor<?x256xf32>, tensor<256x256xf32>, tensor<256xf32>
  %v = nn.linear %x, %W_v, %b_v : tensor<?x256xf32>, tensor<256x256xf32>, tensor<256xf32>
  %y = nn.attention %q, %k, %v heads 4 : tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x256xf32>
  %o = nn.linear %y, %W_o, %b_o : tensor<?x256xf32>, tensor<256x256xf32>, tensor<256xf32>
  return %o : tensor<?x256xf32>
}

// W_2 gelu(W_1 x + b_1) + b_2.
func.func private @feed(%x: tensor<?x256xf32>) -> tensor<?x256xf32> {
  %W_1 = nn.use @W_1 : tensor<256x1024xf32>
  %b_1 = nn.use @b_1 : tensor<1024xf32>
  %W_2 = nn.use @W_2 : tensor<1024x256xf32>
  %b_2 = nn.use @b_2 : tensor<256xf32>
  %a = nn.linear %x, %W_1, %b_1 : tensor<?x256xf32>, tensor<256x1024xf32>, tensor<1024xf32>
  %h = nn.gelu %a : tensor<?x1024xf32>
  %y = nn.linear %h, %W_2, %b_2 : tensor<?x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>
  return %y : tensor<?x256xf32>
}

// norm(x + attend(x)), then norm(y + feed(y)).
func.func private @layer(%x: tensor<?x256xf32>) -> tensor<?x256xf32> {
  %g_a = nn.use @g_a : tensor<256xf32>
  %s_a = nn.use @s_a : tensor<256xf32>
  %g_f = nn.use @g_f : tensor<256xf32>
  %s_f = nn.use @s_f : tensor<256xf32>
  %a = func.call @attend(%x) : (tensor<?x256xf32>) -> tensor<?x256xf32>
  %xa = arith.addf %x, %a : tensor<?x256xf32>
  %y = nn.layer_norm %xa, %g_a, %s_a : tensor<?x256xf32>, tensor<256xf32>, tensor<256xf32>
  %f = func.call @feed(%y) : (tensor<?x256xf32>) -> tensor<?x256xf32>
  %yf = arith.addf %y, %f : tensor<?x256xf32>
  %z = nn.layer_norm %yf, %g_f, %s_f : tensor<?x256xf32>, tensor<256xf32>, tensor<256xf32>
  return %z : tensor<?x256xf32>
}


func.func @compact(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<256xf32> {
  %E = nn.use @embedding : tensor<2000x256xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<2000x256xf32>
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %zeros = nn.broadcast %zero dims [] like %words : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 12 compact carried(%x = %x0 : tensor<?x256xf32>, %c = %zeros : tensor<?xi32>) {
    %y = func.call @layer(%x) : (tensor<?x256xf32>) -> tensor<?x256xf32>
    %ones = nn.broadcast %one dims [] like %c : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
    %d = arith.addi %c, %ones : tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x256xf32>, tensor<?xi32>
  }
  %m = nn.mean %h over 0 : tensor<?x256xf32>
  return %m : tensor<256xf32>
}
func.func @compact_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %m = call @compact(%words) : (tensor<?xi32>) -> tensor<256xf32>
  %mm = arith.mulf %m, %m : tensor<256xf32>
  %l = nn.sum %mm over 0 : tensor<256xf32>
  return %l : tensor<f32>
}
train.step @train_compact loss @compact_loss optimizer #train.optimizer<sgd>

func.func @masked(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<256xf32> {
  %E = nn.use @embedding : tensor<2000x256xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<2000x256xf32>
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %zeros = nn.broadcast %zero dims [] like %words : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 12 masked carried(%x = %x0 : tensor<?x256xf32>, %c = %zeros : tensor<?xi32>) {
    %y = func.call @layer(%x) : (tensor<?x256xf32>) -> tensor<?x256xf32>
    %ones = nn.broadcast %one dims [] like %c : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
    %d = arith.addi %c, %ones : tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x256xf32>, tensor<?xi32>
  }
  %m = nn.mean %h over 0 : tensor<?x256xf32>
  return %m : tensor<256xf32>
}
func.func @masked_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %m = call @masked(%words) : (tensor<?xi32>) -> tensor<256xf32>
  %mm = arith.mulf %m, %m : tensor<256xf32>
  %l = nn.sum %mm over 0 : tensor<256xf32>
  return %l : tensor<f32>
}
train.step @train_masked loss @masked_loss optimizer #train.optimizer<sgd>
