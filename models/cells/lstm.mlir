// lstm.mlir - Long short-term memory
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// S. Hochreiter, J. Schmidhuber: Long Short-Term Memory. Neural Computation 1997, with
// the forget gate of Gers et al. 2000; here as in A. Simoulin's thesis, Université
// Paris Cité 2022, eq. 3.5-3.10. A sequence is a tree in which a word's only child
// is the word before it.
//
// sizes: words = 2000, input = 200, hidden = 150, classes = 5

nn.param @embedding : tensor<2000x200xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @W_i : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_i : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_i : tensor<150xf32> {no_decay}
nn.param @W_f : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_f : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_f : tensor<150xf32> {no_decay}
nn.param @W_o : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_o : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_o : tensor<150xf32> {no_decay}
nn.param @W_u : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_u : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_u : tensor<150xf32> {no_decay}
nn.param @W_y : tensor<150x5xf32> init #nn.init<xavier_uniform>
nn.param @b_y : tensor<5xf32> {no_decay}

/// The state of the last word.
func.func @encode(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<150xf32> {
  %E = nn.use @embedding : tensor<2000x200xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<2000x200xf32>
  %W_i = nn.use @W_i : tensor<200x150xf32>
  %U_i = nn.use @U_i : tensor<150x150xf32>
  %b_i = nn.use @b_i : tensor<150xf32>
  %W_f = nn.use @W_f : tensor<200x150xf32>
  %U_f = nn.use @U_f : tensor<150x150xf32>
  %b_f = nn.use @b_f : tensor<150xf32>
  %W_o = nn.use @W_o : tensor<200x150xf32>
  %U_o = nn.use @U_o : tensor<150x150xf32>
  %b_o = nn.use @b_o : tensor<150xf32>
  %W_u = nn.use @W_u : tensor<200x150xf32>
  %U_u = nn.use @U_u : tensor<150x150xf32>
  %b_u = nn.use @b_u : tensor<150xf32>
  %chain = tree.chain %words : tensor<?xi32>
  %h, %c = tree.fold %chain nodes(%xj = %x : tensor<200xf32>)
                     children(%hk : tensor<1x150xf32>, %ck : tensor<1x150xf32>)
                     -> (tensor<150xf32>, tensor<150xf32>) {
    // the state before: that of the only child, zero for the first word
    %hp = nn.sum %hk over 0 : tensor<1x150xf32>
    %cp = nn.sum %ck over 0 : tensor<1x150xf32>
    // i_t = sigmoid(W_i x_t + U_i h_t-1 + b_i) (3.5)
    %ix = nn.linear %xj, %W_i, %b_i : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %ih = nn.linear %hp, %U_i : tensor<150xf32>, tensor<150x150xf32>
    %ia = arith.addf %ix, %ih : tensor<150xf32>
    %i = nn.sigmoid %ia : tensor<150xf32>
    // f_t = sigmoid(W_f x_t + U_f h_t-1 + b_f) (3.6)
    %fx = nn.linear %xj, %W_f, %b_f : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %fh = nn.linear %hp, %U_f : tensor<150xf32>, tensor<150x150xf32>
    %fa = arith.addf %fx, %fh : tensor<150xf32>
    %f = nn.sigmoid %fa : tensor<150xf32>
    // o_t = sigmoid(W_o x_t + U_o h_t-1 + b_o) (3.7)
    %ox = nn.linear %xj, %W_o, %b_o : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %oh = nn.linear %hp, %U_o : tensor<150xf32>, tensor<150x150xf32>
    %oa = arith.addf %ox, %oh : tensor<150xf32>
    %o = nn.sigmoid %oa : tensor<150xf32>
    // u_t = tanh(W_u x_t + U_u h_t-1 + b_u) (3.8)
    %ux = nn.linear %xj, %W_u, %b_u : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %uh = nn.linear %hp, %U_u : tensor<150xf32>, tensor<150x150xf32>
    %ua = arith.addf %ux, %uh : tensor<150xf32>
    %u = math.tanh %ua : tensor<150xf32>
    // c_t = i_t * u_t + f_t * c_t-1 (3.9)
    %iu = arith.mulf %i, %u : tensor<150xf32>
    %fc = arith.mulf %f, %cp : tensor<150xf32>
    %cj = arith.addf %iu, %fc : tensor<150xf32>
    // h_t = o_t * tanh(c_t) (3.10)
    %t = math.tanh %cj : tensor<150xf32>
    %hj = arith.mulf %o, %t : tensor<150xf32>
    tree.yield %hj, %cj : tensor<150xf32>, tensor<150xf32>
  }
  %last = tree.root %chain, %h : tensor<?x150xf32>
  return %last : tensor<150xf32>
}

/// Cross entropy of a linear layer over the state of the root.
func.func @loss(%words: tensor<?xi32> {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %W = nn.use @W_y : tensor<150x5xf32>
  %b = nn.use @b_y : tensor<5xf32>
  %h = func.call @encode(%words) : (tensor<?xi32>) -> tensor<150xf32>
  %y = nn.linear %h, %W, %b : tensor<150xf32>, tensor<150x5xf32>, tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> {clip_norm = 5.0 : f64}
