// minilm.mlir - BERT encoder, 6 layers of 384 columns
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// J. Devlin et al.: BERT. NAACL 2019: layers with the norm behind the sum,
// exact gelu. Made by models/bert/generate.
//
// sizes: words = 30522, places = 512, width = 384, inner = 1536

nn.param @words : tensor<30522x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @places : tensor<512x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @segments : tensor<2x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @g_e : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_e : tensor<384xf32> {no_decay}
nn.param @W_q_0 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_q_0 : tensor<384xf32> {no_decay}
nn.param @W_k_0 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_k_0 : tensor<384xf32> {no_decay}
nn.param @W_v_0 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_v_0 : tensor<384xf32> {no_decay}
nn.param @W_o_0 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_o_0 : tensor<384xf32> {no_decay}
nn.param @g_a_0 : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_a_0 : tensor<384xf32> {no_decay}
nn.param @W_1_0 : tensor<384x1536xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_1_0 : tensor<1536xf32> {no_decay}
nn.param @W_2_0 : tensor<1536x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_2_0 : tensor<384xf32> {no_decay}
nn.param @g_f_0 : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_f_0 : tensor<384xf32> {no_decay}
nn.param @W_q_1 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_q_1 : tensor<384xf32> {no_decay}
nn.param @W_k_1 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_k_1 : tensor<384xf32> {no_decay}
nn.param @W_v_1 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_v_1 : tensor<384xf32> {no_decay}
nn.param @W_o_1 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_o_1 : tensor<384xf32> {no_decay}
nn.param @g_a_1 : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_a_1 : tensor<384xf32> {no_decay}
nn.param @W_1_1 : tensor<384x1536xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_1_1 : tensor<1536xf32> {no_decay}
nn.param @W_2_1 : tensor<1536x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_2_1 : tensor<384xf32> {no_decay}
nn.param @g_f_1 : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_f_1 : tensor<384xf32> {no_decay}
nn.param @W_q_2 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_q_2 : tensor<384xf32> {no_decay}
nn.param @W_k_2 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_k_2 : tensor<384xf32> {no_decay}
nn.param @W_v_2 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_v_2 : tensor<384xf32> {no_decay}
nn.param @W_o_2 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_o_2 : tensor<384xf32> {no_decay}
nn.param @g_a_2 : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_a_2 : tensor<384xf32> {no_decay}
nn.param @W_1_2 : tensor<384x1536xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_1_2 : tensor<1536xf32> {no_decay}
nn.param @W_2_2 : tensor<1536x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_2_2 : tensor<384xf32> {no_decay}
nn.param @g_f_2 : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_f_2 : tensor<384xf32> {no_decay}
nn.param @W_q_3 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_q_3 : tensor<384xf32> {no_decay}
nn.param @W_k_3 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_k_3 : tensor<384xf32> {no_decay}
nn.param @W_v_3 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_v_3 : tensor<384xf32> {no_decay}
nn.param @W_o_3 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_o_3 : tensor<384xf32> {no_decay}
nn.param @g_a_3 : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_a_3 : tensor<384xf32> {no_decay}
nn.param @W_1_3 : tensor<384x1536xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_1_3 : tensor<1536xf32> {no_decay}
nn.param @W_2_3 : tensor<1536x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_2_3 : tensor<384xf32> {no_decay}
nn.param @g_f_3 : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_f_3 : tensor<384xf32> {no_decay}
nn.param @W_q_4 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_q_4 : tensor<384xf32> {no_decay}
nn.param @W_k_4 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_k_4 : tensor<384xf32> {no_decay}
nn.param @W_v_4 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_v_4 : tensor<384xf32> {no_decay}
nn.param @W_o_4 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_o_4 : tensor<384xf32> {no_decay}
nn.param @g_a_4 : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_a_4 : tensor<384xf32> {no_decay}
nn.param @W_1_4 : tensor<384x1536xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_1_4 : tensor<1536xf32> {no_decay}
nn.param @W_2_4 : tensor<1536x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_2_4 : tensor<384xf32> {no_decay}
nn.param @g_f_4 : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_f_4 : tensor<384xf32> {no_decay}
nn.param @W_q_5 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_q_5 : tensor<384xf32> {no_decay}
nn.param @W_k_5 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_k_5 : tensor<384xf32> {no_decay}
nn.param @W_v_5 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_v_5 : tensor<384xf32> {no_decay}
nn.param @W_o_5 : tensor<384x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_o_5 : tensor<384xf32> {no_decay}
nn.param @g_a_5 : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_a_5 : tensor<384xf32> {no_decay}
nn.param @W_1_5 : tensor<384x1536xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_1_5 : tensor<1536xf32> {no_decay}
nn.param @W_2_5 : tensor<1536x384xf32> init #nn.init<truncated_normal(0.0, 0.02)>
nn.param @b_2_5 : tensor<384xf32> {no_decay}
nn.param @g_f_5 : tensor<384xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_f_5 : tensor<384xf32> {no_decay}

/// norm(word + place + segment).
func.func private @vectors(%tokens: tensor<?xi32>, %types: tensor<?xi32>) -> tensor<?x384xf32> {
  %words = nn.use @words : tensor<30522x384xf32>
  %places = nn.use @places : tensor<512x384xf32>
  %segments = nn.use @segments : tensor<2x384xf32>
  %g = nn.use @g_e : tensor<384xf32>
  %s = nn.use @s_e : tensor<384xf32>
  %i = nn.positions %tokens limit 512 : tensor<?xi32>
  %w = nn.embed %tokens, %words : tensor<?xi32>, tensor<30522x384xf32>
  %t = nn.embed %types, %segments : tensor<?xi32>, tensor<2x384xf32>
  %p = nn.embed %i, %places : tensor<?xi32>, tensor<512x384xf32>
  %wt = arith.addf %w, %t : tensor<?x384xf32>
  %e = arith.addf %wt, %p : tensor<?x384xf32>
  %x = nn.layer_norm %e, %g, %s {eps = 1.0e-12} : tensor<?x384xf32>, tensor<384xf32>, tensor<384xf32>
  return %x : tensor<?x384xf32>
}

/// norm(x + attention(x) W_o), then norm(y + gelu(y W_1) W_2).
func.func private @layer(%x: tensor<?x384xf32>, %W_q: tensor<384x384xf32>, %b_q: tensor<384xf32>, %W_k:
                         tensor<384x384xf32>, %b_k: tensor<384xf32>, %W_v: tensor<384x384xf32>, %b_v: tensor<384xf32>,
                         %W_o: tensor<384x384xf32>, %b_o: tensor<384xf32>, %g_a: tensor<384xf32>, %s_a:
                         tensor<384xf32>, %W_1: tensor<384x1536xf32>, %b_1: tensor<1536xf32>, %W_2:
                         tensor<1536x384xf32>, %b_2: tensor<384xf32>, %g_f: tensor<384xf32>, %s_f: tensor<384xf32>) ->
                         tensor<?x384xf32> {
  %q = nn.linear %x, %W_q, %b_q : tensor<?x384xf32>, tensor<384x384xf32>, tensor<384xf32>
  %k = nn.linear %x, %W_k, %b_k : tensor<?x384xf32>, tensor<384x384xf32>, tensor<384xf32>
  %v = nn.linear %x, %W_v, %b_v : tensor<?x384xf32>, tensor<384x384xf32>, tensor<384xf32>
  %c = nn.attention %q, %k, %v heads 12 : tensor<?x384xf32>, tensor<?x384xf32>, tensor<?x384xf32>
  %o = nn.linear %c, %W_o, %b_o : tensor<?x384xf32>, tensor<384x384xf32>, tensor<384xf32>
  %xo = arith.addf %x, %o : tensor<?x384xf32>
  %y = nn.layer_norm %xo, %g_a, %s_a {eps = 1.0e-12} : tensor<?x384xf32>, tensor<384xf32>, tensor<384xf32>
  %a = nn.linear %y, %W_1, %b_1 : tensor<?x384xf32>, tensor<384x1536xf32>, tensor<1536xf32>
  %i = nn.gelu %a : tensor<?x1536xf32>
  %z = nn.linear %i, %W_2, %b_2 : tensor<?x1536xf32>, tensor<1536x384xf32>, tensor<384xf32>
  %yz = arith.addf %y, %z : tensor<?x384xf32>
  %r = nn.layer_norm %yz, %g_f, %s_f {eps = 1.0e-12} : tensor<?x384xf32>, tensor<384xf32>, tensor<384xf32>
  return %r : tensor<?x384xf32>
}

/// The states of the last layer.
func.func private @encode(%tokens: tensor<?xi32>, %types: tensor<?xi32>) -> tensor<?x384xf32> {
  %x0 = call @vectors(%tokens, %types) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x384xf32>
  %W_q_0 = nn.use @W_q_0 : tensor<384x384xf32>
  %b_q_0 = nn.use @b_q_0 : tensor<384xf32>
  %W_k_0 = nn.use @W_k_0 : tensor<384x384xf32>
  %b_k_0 = nn.use @b_k_0 : tensor<384xf32>
  %W_v_0 = nn.use @W_v_0 : tensor<384x384xf32>
  %b_v_0 = nn.use @b_v_0 : tensor<384xf32>
  %W_o_0 = nn.use @W_o_0 : tensor<384x384xf32>
  %b_o_0 = nn.use @b_o_0 : tensor<384xf32>
  %g_a_0 = nn.use @g_a_0 : tensor<384xf32>
  %s_a_0 = nn.use @s_a_0 : tensor<384xf32>
  %W_1_0 = nn.use @W_1_0 : tensor<384x1536xf32>
  %b_1_0 = nn.use @b_1_0 : tensor<1536xf32>
  %W_2_0 = nn.use @W_2_0 : tensor<1536x384xf32>
  %b_2_0 = nn.use @b_2_0 : tensor<384xf32>
  %g_f_0 = nn.use @g_f_0 : tensor<384xf32>
  %s_f_0 = nn.use @s_f_0 : tensor<384xf32>
  %x1 = call @layer(%x0, %W_q_0, %b_q_0, %W_k_0, %b_k_0, %W_v_0, %b_v_0, %W_o_0, %b_o_0, %g_a_0, %s_a_0, %W_1_0,
    %b_1_0, %W_2_0, %b_2_0, %g_f_0, %s_f_0) : (tensor<?x384xf32>, tensor<384x384xf32>, tensor<384xf32>,
    tensor<384x384xf32>, tensor<384xf32>, tensor<384x384xf32>, tensor<384xf32>, tensor<384x384xf32>,
    tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384x1536xf32>, tensor<1536xf32>, tensor<1536x384xf32>,
    tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> tensor<?x384xf32>
  %W_q_1 = nn.use @W_q_1 : tensor<384x384xf32>
  %b_q_1 = nn.use @b_q_1 : tensor<384xf32>
  %W_k_1 = nn.use @W_k_1 : tensor<384x384xf32>
  %b_k_1 = nn.use @b_k_1 : tensor<384xf32>
  %W_v_1 = nn.use @W_v_1 : tensor<384x384xf32>
  %b_v_1 = nn.use @b_v_1 : tensor<384xf32>
  %W_o_1 = nn.use @W_o_1 : tensor<384x384xf32>
  %b_o_1 = nn.use @b_o_1 : tensor<384xf32>
  %g_a_1 = nn.use @g_a_1 : tensor<384xf32>
  %s_a_1 = nn.use @s_a_1 : tensor<384xf32>
  %W_1_1 = nn.use @W_1_1 : tensor<384x1536xf32>
  %b_1_1 = nn.use @b_1_1 : tensor<1536xf32>
  %W_2_1 = nn.use @W_2_1 : tensor<1536x384xf32>
  %b_2_1 = nn.use @b_2_1 : tensor<384xf32>
  %g_f_1 = nn.use @g_f_1 : tensor<384xf32>
  %s_f_1 = nn.use @s_f_1 : tensor<384xf32>
  %x2 = call @layer(%x1, %W_q_1, %b_q_1, %W_k_1, %b_k_1, %W_v_1, %b_v_1, %W_o_1, %b_o_1, %g_a_1, %s_a_1, %W_1_1,
    %b_1_1, %W_2_1, %b_2_1, %g_f_1, %s_f_1) : (tensor<?x384xf32>, tensor<384x384xf32>, tensor<384xf32>,
    tensor<384x384xf32>, tensor<384xf32>, tensor<384x384xf32>, tensor<384xf32>, tensor<384x384xf32>,
    tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384x1536xf32>, tensor<1536xf32>, tensor<1536x384xf32>,
    tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> tensor<?x384xf32>
  %W_q_2 = nn.use @W_q_2 : tensor<384x384xf32>
  %b_q_2 = nn.use @b_q_2 : tensor<384xf32>
  %W_k_2 = nn.use @W_k_2 : tensor<384x384xf32>
  %b_k_2 = nn.use @b_k_2 : tensor<384xf32>
  %W_v_2 = nn.use @W_v_2 : tensor<384x384xf32>
  %b_v_2 = nn.use @b_v_2 : tensor<384xf32>
  %W_o_2 = nn.use @W_o_2 : tensor<384x384xf32>
  %b_o_2 = nn.use @b_o_2 : tensor<384xf32>
  %g_a_2 = nn.use @g_a_2 : tensor<384xf32>
  %s_a_2 = nn.use @s_a_2 : tensor<384xf32>
  %W_1_2 = nn.use @W_1_2 : tensor<384x1536xf32>
  %b_1_2 = nn.use @b_1_2 : tensor<1536xf32>
  %W_2_2 = nn.use @W_2_2 : tensor<1536x384xf32>
  %b_2_2 = nn.use @b_2_2 : tensor<384xf32>
  %g_f_2 = nn.use @g_f_2 : tensor<384xf32>
  %s_f_2 = nn.use @s_f_2 : tensor<384xf32>
  %x3 = call @layer(%x2, %W_q_2, %b_q_2, %W_k_2, %b_k_2, %W_v_2, %b_v_2, %W_o_2, %b_o_2, %g_a_2, %s_a_2, %W_1_2,
    %b_1_2, %W_2_2, %b_2_2, %g_f_2, %s_f_2) : (tensor<?x384xf32>, tensor<384x384xf32>, tensor<384xf32>,
    tensor<384x384xf32>, tensor<384xf32>, tensor<384x384xf32>, tensor<384xf32>, tensor<384x384xf32>,
    tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384x1536xf32>, tensor<1536xf32>, tensor<1536x384xf32>,
    tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> tensor<?x384xf32>
  %W_q_3 = nn.use @W_q_3 : tensor<384x384xf32>
  %b_q_3 = nn.use @b_q_3 : tensor<384xf32>
  %W_k_3 = nn.use @W_k_3 : tensor<384x384xf32>
  %b_k_3 = nn.use @b_k_3 : tensor<384xf32>
  %W_v_3 = nn.use @W_v_3 : tensor<384x384xf32>
  %b_v_3 = nn.use @b_v_3 : tensor<384xf32>
  %W_o_3 = nn.use @W_o_3 : tensor<384x384xf32>
  %b_o_3 = nn.use @b_o_3 : tensor<384xf32>
  %g_a_3 = nn.use @g_a_3 : tensor<384xf32>
  %s_a_3 = nn.use @s_a_3 : tensor<384xf32>
  %W_1_3 = nn.use @W_1_3 : tensor<384x1536xf32>
  %b_1_3 = nn.use @b_1_3 : tensor<1536xf32>
  %W_2_3 = nn.use @W_2_3 : tensor<1536x384xf32>
  %b_2_3 = nn.use @b_2_3 : tensor<384xf32>
  %g_f_3 = nn.use @g_f_3 : tensor<384xf32>
  %s_f_3 = nn.use @s_f_3 : tensor<384xf32>
  %x4 = call @layer(%x3, %W_q_3, %b_q_3, %W_k_3, %b_k_3, %W_v_3, %b_v_3, %W_o_3, %b_o_3, %g_a_3, %s_a_3, %W_1_3,
    %b_1_3, %W_2_3, %b_2_3, %g_f_3, %s_f_3) : (tensor<?x384xf32>, tensor<384x384xf32>, tensor<384xf32>,
    tensor<384x384xf32>, tensor<384xf32>, tensor<384x384xf32>, tensor<384xf32>, tensor<384x384xf32>,
    tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384x1536xf32>, tensor<1536xf32>, tensor<1536x384xf32>,
    tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> tensor<?x384xf32>
  %W_q_4 = nn.use @W_q_4 : tensor<384x384xf32>
  %b_q_4 = nn.use @b_q_4 : tensor<384xf32>
  %W_k_4 = nn.use @W_k_4 : tensor<384x384xf32>
  %b_k_4 = nn.use @b_k_4 : tensor<384xf32>
  %W_v_4 = nn.use @W_v_4 : tensor<384x384xf32>
  %b_v_4 = nn.use @b_v_4 : tensor<384xf32>
  %W_o_4 = nn.use @W_o_4 : tensor<384x384xf32>
  %b_o_4 = nn.use @b_o_4 : tensor<384xf32>
  %g_a_4 = nn.use @g_a_4 : tensor<384xf32>
  %s_a_4 = nn.use @s_a_4 : tensor<384xf32>
  %W_1_4 = nn.use @W_1_4 : tensor<384x1536xf32>
  %b_1_4 = nn.use @b_1_4 : tensor<1536xf32>
  %W_2_4 = nn.use @W_2_4 : tensor<1536x384xf32>
  %b_2_4 = nn.use @b_2_4 : tensor<384xf32>
  %g_f_4 = nn.use @g_f_4 : tensor<384xf32>
  %s_f_4 = nn.use @s_f_4 : tensor<384xf32>
  %x5 = call @layer(%x4, %W_q_4, %b_q_4, %W_k_4, %b_k_4, %W_v_4, %b_v_4, %W_o_4, %b_o_4, %g_a_4, %s_a_4, %W_1_4,
    %b_1_4, %W_2_4, %b_2_4, %g_f_4, %s_f_4) : (tensor<?x384xf32>, tensor<384x384xf32>, tensor<384xf32>,
    tensor<384x384xf32>, tensor<384xf32>, tensor<384x384xf32>, tensor<384xf32>, tensor<384x384xf32>,
    tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384x1536xf32>, tensor<1536xf32>, tensor<1536x384xf32>,
    tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> tensor<?x384xf32>
  %W_q_5 = nn.use @W_q_5 : tensor<384x384xf32>
  %b_q_5 = nn.use @b_q_5 : tensor<384xf32>
  %W_k_5 = nn.use @W_k_5 : tensor<384x384xf32>
  %b_k_5 = nn.use @b_k_5 : tensor<384xf32>
  %W_v_5 = nn.use @W_v_5 : tensor<384x384xf32>
  %b_v_5 = nn.use @b_v_5 : tensor<384xf32>
  %W_o_5 = nn.use @W_o_5 : tensor<384x384xf32>
  %b_o_5 = nn.use @b_o_5 : tensor<384xf32>
  %g_a_5 = nn.use @g_a_5 : tensor<384xf32>
  %s_a_5 = nn.use @s_a_5 : tensor<384xf32>
  %W_1_5 = nn.use @W_1_5 : tensor<384x1536xf32>
  %b_1_5 = nn.use @b_1_5 : tensor<1536xf32>
  %W_2_5 = nn.use @W_2_5 : tensor<1536x384xf32>
  %b_2_5 = nn.use @b_2_5 : tensor<384xf32>
  %g_f_5 = nn.use @g_f_5 : tensor<384xf32>
  %s_f_5 = nn.use @s_f_5 : tensor<384xf32>
  %x6 = call @layer(%x5, %W_q_5, %b_q_5, %W_k_5, %b_k_5, %W_v_5, %b_v_5, %W_o_5, %b_o_5, %g_a_5, %s_a_5, %W_1_5,
    %b_1_5, %W_2_5, %b_2_5, %g_f_5, %s_f_5) : (tensor<?x384xf32>, tensor<384x384xf32>, tensor<384xf32>,
    tensor<384x384xf32>, tensor<384xf32>, tensor<384x384xf32>, tensor<384xf32>, tensor<384x384xf32>,
    tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384x1536xf32>, tensor<1536xf32>, tensor<1536x384xf32>,
    tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> tensor<?x384xf32>
  return %x6 : tensor<?x384xf32>
}

/// The mean of the states, of length 1.
func.func @predict(%tokens: tensor<?xi32> {cambium.name = "tokens", cambium.rows = "tokens"},
              %types: tensor<?xi32> {cambium.name = "segments", cambium.rows = "tokens"}) -> tensor<384xf32> {
  %x = call @encode(%tokens, %types) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x384xf32>
  %m = nn.mean %x over 0 : tensor<?x384xf32>
  %y = nn.l2_normalize %m over 0 : tensor<384xf32>
  return %y : tensor<384xf32>
}
