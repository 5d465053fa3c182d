// bidirectional_tree_lstm.mlir - A tree read upwards, then downwards
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After M. Miwa, M. Bansal: End-to-End Relation Extraction using LSTMs on Sequences
// and Tree Structures. ACL 2016: a Child-Sum Tree-LSTM from the leaves
// to the root, then an LSTM from the root to the leaves whose input at a node is
// the upward state. The example's vector is the mean over its nodes of both states.
//
// sizes: words = 2000, input = 200, hidden = 150, classes = 5, both = 2 * hidden

nn.param @embedding : tensor<2000x200xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @W_i : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_i : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_i : tensor<150xf32> {no_decay}
nn.param @W_o : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_o : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_o : tensor<150xf32> {no_decay}
nn.param @W_u : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_u : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_u : tensor<150xf32> {no_decay}
nn.param @W_f : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_f : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_f : tensor<150xf32> {no_decay}
nn.param @V_di : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @U_di : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_di : tensor<150xf32> {no_decay}
nn.param @V_do : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @U_do : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_do : tensor<150xf32> {no_decay}
nn.param @V_df : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @U_df : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_df : tensor<150xf32> {no_decay}
nn.param @V_du : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @U_du : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_du : tensor<150xf32> {no_decay}
nn.param @W_y : tensor<300x5xf32> init #nn.init<xavier_uniform>
nn.param @b_y : tensor<5xf32> {no_decay}

/// The mean of the states of both directions.
func.func @encode(%tree: !tree.tree {cambium.name = "tree"},
                  %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<300xf32> {
  %E = nn.use @embedding : tensor<2000x200xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<2000x200xf32>
  %W_i = nn.use @W_i : tensor<200x150xf32>
  %U_i = nn.use @U_i : tensor<150x150xf32>
  %b_i = nn.use @b_i : tensor<150xf32>
  %W_o = nn.use @W_o : tensor<200x150xf32>
  %U_o = nn.use @U_o : tensor<150x150xf32>
  %b_o = nn.use @b_o : tensor<150xf32>
  %W_u = nn.use @W_u : tensor<200x150xf32>
  %U_u = nn.use @U_u : tensor<150x150xf32>
  %b_u = nn.use @b_u : tensor<150xf32>
  %W_f = nn.use @W_f : tensor<200x150xf32>
  %U_f = nn.use @U_f : tensor<150x150xf32>
  %b_f = nn.use @b_f : tensor<150xf32>
  %V_di = nn.use @V_di : tensor<150x150xf32>
  %U_di = nn.use @U_di : tensor<150x150xf32>
  %b_di = nn.use @b_di : tensor<150xf32>
  %V_do = nn.use @V_do : tensor<150x150xf32>
  %U_do = nn.use @U_do : tensor<150x150xf32>
  %b_do = nn.use @b_do : tensor<150xf32>
  %V_df = nn.use @V_df : tensor<150x150xf32>
  %U_df = nn.use @U_df : tensor<150x150xf32>
  %b_df = nn.use @b_df : tensor<150xf32>
  %V_du = nn.use @V_du : tensor<150x150xf32>
  %U_du = nn.use @U_du : tensor<150x150xf32>
  %b_du = nn.use @b_du : tensor<150xf32>
  %h, %c = tree.fold %tree nodes(%xj = %x : tensor<200xf32>)
                     children(%hk : tensor<?x150xf32>, %ck : tensor<?x150xf32>)
                     -> (tensor<150xf32>, tensor<150xf32>) {
    // h~_j = sum_k h_k
    %hs = nn.sum %hk over 0 : tensor<?x150xf32>
    // i_j = sigmoid(W_i x_j + U_i h~_j + b_i)
    %ix = nn.linear %xj, %W_i, %b_i : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %ih = nn.linear %hs, %U_i : tensor<150xf32>, tensor<150x150xf32>
    %ia = arith.addf %ix, %ih : tensor<150xf32>
    %i = nn.sigmoid %ia : tensor<150xf32>
    // o_j = sigmoid(W_o x_j + U_o h~_j + b_o)
    %ox = nn.linear %xj, %W_o, %b_o : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %oh = nn.linear %hs, %U_o : tensor<150xf32>, tensor<150x150xf32>
    %oa = arith.addf %ox, %oh : tensor<150xf32>
    %o = nn.sigmoid %oa : tensor<150xf32>
    // u_j = tanh(W_u x_j + U_u h~_j + b_u)
    %ux = nn.linear %xj, %W_u, %b_u : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %uh = nn.linear %hs, %U_u : tensor<150xf32>, tensor<150x150xf32>
    %ua = arith.addf %ux, %uh : tensor<150xf32>
    %u = math.tanh %ua : tensor<150xf32>
    // f_jk = sigmoid(W_f x_j + U_f h_k + b_f), one gate per child
    %fx = nn.linear %xj, %W_f, %b_f : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %fxk = nn.broadcast %fx dims [1] like %hk : tensor<150xf32>, tensor<?x150xf32> -> tensor<?x150xf32>
    %fh = nn.linear %hk, %U_f : tensor<?x150xf32>, tensor<150x150xf32>
    %fa = arith.addf %fxk, %fh : tensor<?x150xf32>
    %f = nn.sigmoid %fa : tensor<?x150xf32>
    // c_j = i_j * u_j + sum_k f_jk * c_k
    %iu = arith.mulf %i, %u : tensor<150xf32>
    %fc = arith.mulf %f, %ck : tensor<?x150xf32>
    %fcs = nn.sum %fc over 0 : tensor<?x150xf32>
    %cj = arith.addf %iu, %fcs : tensor<150xf32>
    // h_j = o_j * tanh(c_j)
    %t = math.tanh %cj : tensor<150xf32>
    %hj = arith.mulf %o, %t : tensor<150xf32>
    tree.yield %hj, %cj : tensor<150xf32>, tensor<150xf32>
  }
  %d, %e = tree.unfold %tree nodes(%hj = %h : tensor<150xf32>)
                       parent(%dp : tensor<150xf32>, %ep : tensor<150xf32>)
                       -> (tensor<150xf32>, tensor<150xf32>) {
    // i_j = sigmoid(V_i h_j + U_i d_p + b_i), and so on: an LSTM along each path from the root
    %ix = nn.linear %hj, %V_di, %b_di : tensor<150xf32>, tensor<150x150xf32>, tensor<150xf32>
    %ih = nn.linear %dp, %U_di : tensor<150xf32>, tensor<150x150xf32>
    %ia = arith.addf %ix, %ih : tensor<150xf32>
    %i = nn.sigmoid %ia : tensor<150xf32>
    %ox = nn.linear %hj, %V_do, %b_do : tensor<150xf32>, tensor<150x150xf32>, tensor<150xf32>
    %oh = nn.linear %dp, %U_do : tensor<150xf32>, tensor<150x150xf32>
    %oa = arith.addf %ox, %oh : tensor<150xf32>
    %o = nn.sigmoid %oa : tensor<150xf32>
    %fx = nn.linear %hj, %V_df, %b_df : tensor<150xf32>, tensor<150x150xf32>, tensor<150xf32>
    %fh = nn.linear %dp, %U_df : tensor<150xf32>, tensor<150x150xf32>
    %fa = arith.addf %fx, %fh : tensor<150xf32>
    %f = nn.sigmoid %fa : tensor<150xf32>
    %ux = nn.linear %hj, %V_du, %b_du : tensor<150xf32>, tensor<150x150xf32>, tensor<150xf32>
    %uh = nn.linear %dp, %U_du : tensor<150xf32>, tensor<150x150xf32>
    %ua = arith.addf %ux, %uh : tensor<150xf32>
    %u = math.tanh %ua : tensor<150xf32>
    // e_j = i_j * u_j + f_j * e_p; d_j = o_j * tanh(e_j)
    %iu = arith.mulf %i, %u : tensor<150xf32>
    %fe = arith.mulf %f, %ep : tensor<150xf32>
    %ej = arith.addf %iu, %fe : tensor<150xf32>
    %t = math.tanh %ej : tensor<150xf32>
    %dj = arith.mulf %o, %t : tensor<150xf32>
    tree.yield %dj, %ej : tensor<150xf32>, tensor<150xf32>
  }
  %both = nn.concat %h, %d over 1 : tensor<?x150xf32>, tensor<?x150xf32>
  %mean = nn.mean %both over 0 : tensor<?x300xf32>
  return %mean : tensor<300xf32>
}

/// Cross entropy of a linear layer over the state of the root.
func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %words: tensor<?xi32> {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %W = nn.use @W_y : tensor<300x5xf32>
  %b = nn.use @b_y : tensor<5xf32>
  %h = func.call @encode(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<300xf32>
  %y = nn.linear %h, %W, %b : tensor<300xf32>, tensor<300x5xf32>, tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> {clip_norm = 5.0 : f64}
