// nary_tree_lstm.mlir - N-ary Tree-LSTM for binary trees
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// K. S. Tai, R. Socher, C. D. Manning: Improved Semantic Representations From
// Tree-Structured Long Short-Term Memory Networks. ACL 2015, eq. 9-14 with N = 2:
// the children are ordered, and each of the two forget gates sees both of them
// (U_f1 = [U_11; U_12], U_f2 = [U_21; U_22]). Word 0 is no word: the vector of inner
// nodes is zero.
//
// sizes: words = 2000, input = 200, hidden = 150, classes = 5, both = 2 * hidden

nn.param @embedding : tensor<2000x200xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @W_i : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_i : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @b_i : tensor<150xf32> {no_decay}
nn.param @W_o : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_o : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @b_o : tensor<150xf32> {no_decay}
nn.param @W_u : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_u : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @b_u : tensor<150xf32> {no_decay}
nn.param @W_f : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_f1 : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_f2 : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @b_f : tensor<150xf32> {no_decay}
nn.param @W_y : tensor<150x5xf32> init #nn.init<xavier_uniform>
nn.param @b_y : tensor<5xf32> {no_decay}

/// The state of the root.
func.func @encode(%tree: !tree.tree {cambium.name = "tree"},
                  %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<150xf32> {
  %E = nn.use @embedding : tensor<2000x200xf32>
  %x = nn.embed %words, %E {padding_id = 0 : i64} : tensor<?xi32>, tensor<2000x200xf32>
  %W_i = nn.use @W_i : tensor<200x150xf32>
  %U_i = nn.use @U_i : tensor<300x150xf32>
  %b_i = nn.use @b_i : tensor<150xf32>
  %W_o = nn.use @W_o : tensor<200x150xf32>
  %U_o = nn.use @U_o : tensor<300x150xf32>
  %b_o = nn.use @b_o : tensor<150xf32>
  %W_u = nn.use @W_u : tensor<200x150xf32>
  %U_u = nn.use @U_u : tensor<300x150xf32>
  %b_u = nn.use @b_u : tensor<150xf32>
  %W_f = nn.use @W_f : tensor<200x150xf32>
  %U_f1 = nn.use @U_f1 : tensor<300x150xf32>
  %U_f2 = nn.use @U_f2 : tensor<300x150xf32>
  %b_f = nn.use @b_f : tensor<150xf32>
  %h, %c = tree.fold %tree nodes(%xj = %x : tensor<200xf32>)
                     children(%hk : tensor<2x150xf32>, %ck : tensor<2x150xf32>)
                     -> (tensor<150xf32>, tensor<150xf32>) {
    // [h_j1; h_j2], so that U_1 h_j1 + U_2 h_j2 is one product
    %hs = nn.reshape %hk : tensor<2x150xf32> -> tensor<300xf32>
    // i_j = sigmoid(W_i x_j + sum_l U_il h_jl + b_i) (9)
    %ix = nn.linear %xj, %W_i, %b_i : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %ih = nn.linear %hs, %U_i : tensor<300xf32>, tensor<300x150xf32>
    %ia = arith.addf %ix, %ih : tensor<150xf32>
    %i = nn.sigmoid %ia : tensor<150xf32>
    // f_jk = sigmoid(W_f x_j + sum_l U_fkl h_jl + b_f) (10)
    %fx = nn.linear %xj, %W_f, %b_f : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %f1h = nn.linear %hs, %U_f1 : tensor<300xf32>, tensor<300x150xf32>
    %f1a = arith.addf %fx, %f1h : tensor<150xf32>
    %f1 = nn.sigmoid %f1a : tensor<150xf32>
    %f2h = nn.linear %hs, %U_f2 : tensor<300xf32>, tensor<300x150xf32>
    %f2a = arith.addf %fx, %f2h : tensor<150xf32>
    %f2 = nn.sigmoid %f2a : tensor<150xf32>
    // o_j = sigmoid(W_o x_j + sum_l U_ol h_jl + b_o) (11)
    %ox = nn.linear %xj, %W_o, %b_o : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %oh = nn.linear %hs, %U_o : tensor<300xf32>, tensor<300x150xf32>
    %oa = arith.addf %ox, %oh : tensor<150xf32>
    %o = nn.sigmoid %oa : tensor<150xf32>
    // u_j = tanh(W_u x_j + sum_l U_ul h_jl + b_u) (12)
    %ux = nn.linear %xj, %W_u, %b_u : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %uh = nn.linear %hs, %U_u : tensor<300xf32>, tensor<300x150xf32>
    %ua = arith.addf %ux, %uh : tensor<150xf32>
    %u = math.tanh %ua : tensor<150xf32>
    // c_j = i_j * u_j + sum_l f_jl * c_jl (13)
    %iu = arith.mulf %i, %u : tensor<150xf32>
    %f = nn.concat %f1, %f2 over 0 : tensor<150xf32>, tensor<150xf32>
    %fl = nn.reshape %f : tensor<300xf32> -> tensor<2x150xf32>
    %fc = arith.mulf %fl, %ck : tensor<2x150xf32>
    %fcs = nn.sum %fc over 0 : tensor<2x150xf32>
    %cj = arith.addf %iu, %fcs : tensor<150xf32>
    // h_j = o_j * tanh(c_j) (14)
    %t = math.tanh %cj : tensor<150xf32>
    %hj = arith.mulf %o, %t : tensor<150xf32>
    tree.yield %hj, %cj : tensor<150xf32>, tensor<150xf32>
  }
  %root = tree.root %tree, %h : tensor<?x150xf32>
  return %root : tensor<150xf32>
}

/// Cross entropy of a linear layer over the state of the root.
func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %words: tensor<?xi32> {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %W = nn.use @W_y : tensor<150x5xf32>
  %b = nn.use @b_y : tensor<5xf32>
  %h = func.call @encode(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<150xf32>
  %y = nn.linear %h, %W, %b : tensor<150xf32>, tensor<150x5xf32>, tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> {clip_norm = 5.0 : f64}
