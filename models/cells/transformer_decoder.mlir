// transformer_decoder.mlir - Transformer decoder layer with a cache for generation
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A. Vaswani et al.: Attention Is All You Need. NeurIPS 2017, section 3.1: causal attention
// to the words so far, attention to a memory (the states of an encoder), two products;
// normalization after each. Next words are scored with the table of the inputs (Press and
// Wolf: Using the Output Embedding to Improve Language Models. EACL 2017).
//
// `predict` scores the next word behind every word. `step` does the same for new words
// behind others, of which the host has kept the keys and values that earlier calls gave: the
// rows of the results `keys` and `values`, appended to the cache. One word at a time, or
// any number of them: the scores are those of `predict`.
//
// sizes: words = 2000, width = 96, inner = 384

nn.param @embedding : tensor<2000x96xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @W_q : tensor<96x96xf32> init #nn.init<xavier_uniform>
nn.param @b_q : tensor<96xf32> {no_decay}
nn.param @W_k : tensor<96x96xf32> init #nn.init<xavier_uniform>
nn.param @b_k : tensor<96xf32> {no_decay}
nn.param @W_v : tensor<96x96xf32> init #nn.init<xavier_uniform>
nn.param @b_v : tensor<96xf32> {no_decay}
nn.param @W_o : tensor<96x96xf32> init #nn.init<xavier_uniform>
nn.param @b_o : tensor<96xf32> {no_decay}
nn.param @W_cq : tensor<96x96xf32> init #nn.init<xavier_uniform>
nn.param @b_cq : tensor<96xf32> {no_decay}
nn.param @W_ck : tensor<96x96xf32> init #nn.init<xavier_uniform>
nn.param @b_ck : tensor<96xf32> {no_decay}
nn.param @W_cv : tensor<96x96xf32> init #nn.init<xavier_uniform>
nn.param @b_cv : tensor<96xf32> {no_decay}
nn.param @W_co : tensor<96x96xf32> init #nn.init<xavier_uniform>
nn.param @b_co : tensor<96xf32> {no_decay}
nn.param @W_1 : tensor<96x384xf32> init #nn.init<xavier_uniform>
nn.param @b_1 : tensor<384xf32> {no_decay}
nn.param @W_2 : tensor<384x96xf32> init #nn.init<xavier_uniform>
nn.param @b_2 : tensor<96xf32> {no_decay}
nn.param @g_a : tensor<96xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_a : tensor<96xf32> {no_decay}
nn.param @g_c : tensor<96xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_c : tensor<96xf32> {no_decay}
nn.param @g_f : tensor<96xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @s_f : tensor<96xf32> {no_decay}

/// The keys and values of words for the attention of later ones.
func.func private @keys(%x: tensor<?x96xf32>) -> (tensor<?x96xf32>, tensor<?x96xf32>) {
  %W_k = nn.use @W_k : tensor<96x96xf32>
  %b_k = nn.use @b_k : tensor<96xf32>
  %k = nn.linear %x, %W_k, %b_k : tensor<?x96xf32>, tensor<96x96xf32>, tensor<96xf32>
  %W_v = nn.use @W_v : tensor<96x96xf32>
  %b_v = nn.use @b_v : tensor<96xf32>
  %v = nn.linear %x, %W_v, %b_v : tensor<?x96xf32>, tensor<96x96xf32>, tensor<96xf32>
  return %k, %v : tensor<?x96xf32>, tensor<?x96xf32>
}

/// norm(x + attention to the words with these keys, of which x are the last).
func.func private @look_back(%x: tensor<?x96xf32>, %k: tensor<?x96xf32>, %v: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %W_q = nn.use @W_q : tensor<96x96xf32>
  %b_q = nn.use @b_q : tensor<96xf32>
  %q = nn.linear %x, %W_q, %b_q : tensor<?x96xf32>, tensor<96x96xf32>, tensor<96xf32>
  %y = nn.attention %q, %k, %v heads 2 causal : tensor<?x96xf32>, tensor<?x96xf32>, tensor<?x96xf32>
  %W_o = nn.use @W_o : tensor<96x96xf32>
  %b_o = nn.use @b_o : tensor<96xf32>
  %o = nn.linear %y, %W_o, %b_o : tensor<?x96xf32>, tensor<96x96xf32>, tensor<96xf32>
  %g_a = nn.use @g_a : tensor<96xf32>
  %s_a = nn.use @s_a : tensor<96xf32>
  %sum_a = arith.addf %x, %o : tensor<?x96xf32>
  %z = nn.layer_norm %sum_a, %g_a, %s_a : tensor<?x96xf32>, tensor<96xf32>, tensor<96xf32>
  return %z : tensor<?x96xf32>
}

/// norm(x + attention to the memory).
func.func private @look_aside(%x: tensor<?x96xf32>, %memory: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %W_cq = nn.use @W_cq : tensor<96x96xf32>
  %b_cq = nn.use @b_cq : tensor<96xf32>
  %q = nn.linear %x, %W_cq, %b_cq : tensor<?x96xf32>, tensor<96x96xf32>, tensor<96xf32>
  %W_ck = nn.use @W_ck : tensor<96x96xf32>
  %b_ck = nn.use @b_ck : tensor<96xf32>
  %k = nn.linear %memory, %W_ck, %b_ck : tensor<?x96xf32>, tensor<96x96xf32>, tensor<96xf32>
  %W_cv = nn.use @W_cv : tensor<96x96xf32>
  %b_cv = nn.use @b_cv : tensor<96xf32>
  %v = nn.linear %memory, %W_cv, %b_cv : tensor<?x96xf32>, tensor<96x96xf32>, tensor<96xf32>
  %y = nn.attention %q, %k, %v heads 2 : tensor<?x96xf32>, tensor<?x96xf32>, tensor<?x96xf32>
  %W_co = nn.use @W_co : tensor<96x96xf32>
  %b_co = nn.use @b_co : tensor<96xf32>
  %o = nn.linear %y, %W_co, %b_co : tensor<?x96xf32>, tensor<96x96xf32>, tensor<96xf32>
  %g_c = nn.use @g_c : tensor<96xf32>
  %s_c = nn.use @s_c : tensor<96xf32>
  %sum_c = arith.addf %x, %o : tensor<?x96xf32>
  %z = nn.layer_norm %sum_c, %g_c, %s_c : tensor<?x96xf32>, tensor<96xf32>, tensor<96xf32>
  return %z : tensor<?x96xf32>
}

/// norm(x + W_2 gelu(W_1 x + b_1) + b_2).
func.func private @feed(%x: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %W_1 = nn.use @W_1 : tensor<96x384xf32>
  %b_1 = nn.use @b_1 : tensor<384xf32>
  %a = nn.linear %x, %W_1, %b_1 : tensor<?x96xf32>, tensor<96x384xf32>, tensor<384xf32>
  %h = nn.gelu %a : tensor<?x384xf32>
  %W_2 = nn.use @W_2 : tensor<384x96xf32>
  %b_2 = nn.use @b_2 : tensor<96xf32>
  %y = nn.linear %h, %W_2, %b_2 : tensor<?x384xf32>, tensor<384x96xf32>, tensor<96xf32>
  %g_f = nn.use @g_f : tensor<96xf32>
  %s_f = nn.use @s_f : tensor<96xf32>
  %sum_f = arith.addf %x, %y : tensor<?x96xf32>
  %z = nn.layer_norm %sum_f, %g_f, %s_f : tensor<?x96xf32>, tensor<96xf32>, tensor<96xf32>
  return %z : tensor<?x96xf32>
}

/// The layer, for words with keys and values of themselves and of those before.
func.func private @layer(%x: tensor<?x96xf32>, %k: tensor<?x96xf32>, %v: tensor<?x96xf32>, %memory: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %a = call @look_back(%x, %k, %v) : (tensor<?x96xf32>, tensor<?x96xf32>, tensor<?x96xf32>) -> tensor<?x96xf32>
  %c = call @look_aside(%a, %memory) : (tensor<?x96xf32>, tensor<?x96xf32>) -> tensor<?x96xf32>
  %y = call @feed(%c) : (tensor<?x96xf32>) -> tensor<?x96xf32>
  return %y : tensor<?x96xf32>
}

func.func private @vectors(%tokens: tensor<?xi32>) -> tensor<?x96xf32> {
  %E = nn.use @embedding : tensor<2000x96xf32>
  %x = nn.embed %tokens, %E : tensor<?xi32>, tensor<2000x96xf32>
  return %x : tensor<?x96xf32>
}

/// The score of each word of the table.
func.func private @scores(%y: tensor<?x96xf32>) -> tensor<?x2000xf32> {
  %E = nn.use @embedding : tensor<2000x96xf32>
  %Et = nn.transpose %E perm [1, 0] : tensor<2000x96xf32>
  %s = nn.linear %y, %Et : tensor<?x96xf32>, tensor<96x2000xf32>
  return %s : tensor<?x2000xf32>
}

func.func @predict(%tokens: tensor<?xi32> {cambium.name = "tokens", cambium.rows = "tokens"},
                   %memory: tensor<?x96xf32> {cambium.name = "memory"}) -> tensor<?x2000xf32> {
  %x = call @vectors(%tokens) : (tensor<?xi32>) -> tensor<?x96xf32>
  %k, %v = call @keys(%x) : (tensor<?x96xf32>) -> (tensor<?x96xf32>, tensor<?x96xf32>)
  %y = call @layer(%x, %k, %v, %memory) : (tensor<?x96xf32>, tensor<?x96xf32>, tensor<?x96xf32>, tensor<?x96xf32>) -> tensor<?x96xf32>
  %s = call @scores(%y) : (tensor<?x96xf32>) -> tensor<?x2000xf32>
  return %s : tensor<?x2000xf32>
}

func.func @step(%tokens: tensor<?xi32> {cambium.name = "tokens", cambium.rows = "tokens"},
                %cached_keys: tensor<?x96xf32> {cambium.name = "cached_keys", cambium.rows = "cache"},
                %cached_values: tensor<?x96xf32> {cambium.name = "cached_values", cambium.rows = "cache"},
                %memory: tensor<?x96xf32> {cambium.name = "memory"})
    -> (tensor<?x2000xf32>, tensor<?x96xf32> {cambium.name = "keys"}, tensor<?x96xf32> {cambium.name = "values"}) {
  %x = call @vectors(%tokens) : (tensor<?xi32>) -> tensor<?x96xf32>
  %k, %v = call @keys(%x) : (tensor<?x96xf32>) -> (tensor<?x96xf32>, tensor<?x96xf32>)
  %all_k = nn.append %cached_keys, %k : tensor<?x96xf32>, tensor<?x96xf32>
  %all_v = nn.append %cached_values, %v : tensor<?x96xf32>, tensor<?x96xf32>
  %y = call @layer(%x, %all_k, %all_v, %memory) : (tensor<?x96xf32>, tensor<?x96xf32>, tensor<?x96xf32>, tensor<?x96xf32>) -> tensor<?x96xf32>
  %s = call @scores(%y) : (tensor<?x96xf32>) -> tensor<?x2000xf32>
  return %s, %k, %v : tensor<?x2000xf32>, tensor<?x96xf32>, tensor<?x96xf32>
}

/// Cross entropy of the next word, meant over the words.
func.func @loss(%tokens: tensor<?xi32> {cambium.name = "tokens", cambium.rows = "tokens"},
                %memory: tensor<?x96xf32> {cambium.name = "memory"},
                %next: tensor<?xi32> {cambium.name = "next", cambium.rows = "tokens"}) -> tensor<f32> {
  %s = call @predict(%tokens, %memory) : (tensor<?xi32>, tensor<?x96xf32>) -> tensor<?x2000xf32>
  %ce = nn.cross_entropy %s, %next : tensor<?x2000xf32>, tensor<?xi32>
  %l = nn.mean %ce over 0 : tensor<?xf32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01> {clip_norm = 5.0 : f64}
