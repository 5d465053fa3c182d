// transformer_pre_norm.mlir - Transformer encoder layer, normalization before
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// R. Xiong et al.: On Layer Normalization in the Transformer Architecture. ICML 2020.
// One layer, applied twice with the same weights (Lan et al.: ALBERT. ICLR 2020). No
// positions: it is the layer that is shown; the vector of a sentence is the mean.
//
// sizes: words = 2000, width = 96, inner = 384, classes = 5

nn.param @embedding : tensor<2000x96xf32> init #nn.init<normal(0.0, 0.5)>
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

/// x + attend(norm(x)), then y + feed(norm(y)).
func.func private @layer(%x: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %g_a = nn.use @g_a : tensor<96xf32>
  %s_a = nn.use @s_a : tensor<96xf32>
  %g_f = nn.use @g_f : tensor<96xf32>
  %s_f = nn.use @s_f : tensor<96xf32>
  %nx = nn.layer_norm %x, %g_a, %s_a : tensor<?x96xf32>, tensor<96xf32>, tensor<96xf32>
  %a = func.call @attend(%nx) : (tensor<?x96xf32>) -> tensor<?x96xf32>
  %y = arith.addf %x, %a : tensor<?x96xf32>
  %ny = nn.layer_norm %y, %g_f, %s_f : tensor<?x96xf32>, tensor<96xf32>, tensor<96xf32>
  %f = func.call @feed(%ny) : (tensor<?x96xf32>) -> tensor<?x96xf32>
  %z = arith.addf %y, %f : tensor<?x96xf32>
  return %z : tensor<?x96xf32>
}

/// The mean of the words' vectors.
func.func @encode(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<96xf32> {
  %E = nn.use @embedding : tensor<2000x96xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<2000x96xf32>
  %y = func.call @layer(%x) : (tensor<?x96xf32>) -> tensor<?x96xf32>
  %z = func.call @layer(%y) : (tensor<?x96xf32>) -> tensor<?x96xf32>
  %m = nn.mean %z over 0 : tensor<?x96xf32>
  return %m : tensor<96xf32>
}

/// Cross entropy of a linear layer over the sentence's vector.
func.func @loss(%words: tensor<?xi32> {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %W = nn.use @W_y : tensor<96x5xf32>
  %b = nn.use @b_y : tensor<5xf32>
  %h = func.call @encode(%words) : (tensor<?xi32>) -> tensor<96xf32>
  %y = nn.linear %h, %W, %b : tensor<96xf32>, tensor<96x5xf32>, tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01> {clip_norm = 5.0 : f64}
