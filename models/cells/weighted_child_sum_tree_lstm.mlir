// weighted_child_sum_tree_lstm.mlir - Child-Sum Tree-LSTM with a weight per edge
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A. Simoulin: Sentence embeddings and their relation with sentence structures. PhD
// thesis, Université Paris Cité 2022, eq. 5.6-5.12: the Child-Sum Tree-LSTM in which
// the states of the children are weighted (5.6), here by the input `alpha`, one
// number per edge; in the thesis they are a parser's scores. The path of the forget
// gates (5.10, 5.11) is not weighted.
//
// sizes: words = 2000, input = 200, hidden = 150, classes = 5

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
nn.param @W_y : tensor<150x5xf32> init #nn.init<xavier_uniform>
nn.param @b_y : tensor<5xf32> {no_decay}

/// The state of the root.
func.func @encode(%tree: !tree.tree {cambium.name = "tree"},
                  %words: tensor<?xi32> {cambium.name = "words"},
                  %alpha: tensor<?xf32> {cambium.name = "alpha"}) -> tensor<150xf32> {
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
  %h, %c = tree.fold %tree nodes(%xj = %x : tensor<200xf32>) edges(%ak = %alpha : tensor<?xf32>)
                     children(%hk : tensor<?x150xf32>, %ck : tensor<?x150xf32>)
                     -> (tensor<150xf32>, tensor<150xf32>) {
    // h~_j = sum_k alpha_kj h_k (5.6)
    %hs = nn.matmul %ak, %hk : tensor<?xf32>, tensor<?x150xf32>
    // i_j = sigmoid(W_i x_j + U_i h~_j + b_i) (5.7)
    %ix = nn.linear %xj, %W_i, %b_i : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %ih = nn.linear %hs, %U_i : tensor<150xf32>, tensor<150x150xf32>
    %ia = arith.addf %ix, %ih : tensor<150xf32>
    %i = nn.sigmoid %ia : tensor<150xf32>
    // o_j = sigmoid(W_o x_j + U_o h~_j + b_o) (5.8)
    %ox = nn.linear %xj, %W_o, %b_o : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %oh = nn.linear %hs, %U_o : tensor<150xf32>, tensor<150x150xf32>
    %oa = arith.addf %ox, %oh : tensor<150xf32>
    %o = nn.sigmoid %oa : tensor<150xf32>
    // u_j = tanh(W_u x_j + U_u h~_j + b_u) (5.9)
    %ux = nn.linear %xj, %W_u, %b_u : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %uh = nn.linear %hs, %U_u : tensor<150xf32>, tensor<150x150xf32>
    %ua = arith.addf %ux, %uh : tensor<150xf32>
    %u = math.tanh %ua : tensor<150xf32>
    // f_jk = sigmoid(W_f x_j + U_f h_k + b_f), one gate per child (5.10)
    %fx = nn.linear %xj, %W_f, %b_f : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %fxk = nn.broadcast %fx dims [1] like %hk : tensor<150xf32>, tensor<?x150xf32> -> tensor<?x150xf32>
    %fh = nn.linear %hk, %U_f : tensor<?x150xf32>, tensor<150x150xf32>
    %fa = arith.addf %fxk, %fh : tensor<?x150xf32>
    %f = nn.sigmoid %fa : tensor<?x150xf32>
    // c_j = i_j * u_j + sum_k f_jk * c_k (5.11)
    %iu = arith.mulf %i, %u : tensor<150xf32>
    %fc = arith.mulf %f, %ck : tensor<?x150xf32>
    %fcs = nn.sum %fc over 0 : tensor<?x150xf32>
    %cj = arith.addf %iu, %fcs : tensor<150xf32>
    // h_j = o_j * tanh(c_j) (5.12)
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
                %alpha: tensor<?xf32> {cambium.name = "alpha"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %W = nn.use @W_y : tensor<150x5xf32>
  %b = nn.use @b_y : tensor<5xf32>
  %h = func.call @encode(%tree, %words, %alpha) : (!tree.tree, tensor<?xi32>, tensor<?xf32>) -> tensor<150xf32>
  %y = nn.linear %h, %W, %b : tensor<150xf32>, tensor<150x5xf32>, tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> {clip_norm = 5.0 : f64}
