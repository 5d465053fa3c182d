// tree_gru.mlir - Tree-GRU with a reset gate per child
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W. Jin, R. Barzilay, T. Jaakkola: Junction Tree Variational Autoencoder for
// Molecular Graph Generation. ICML 2018, section on the tree encoder, bottom-up: a
// GRU whose previous state is the sum of the children's states and whose candidate
// sees each child through its own reset gate. On a chain it is the GRU of gru.mlir.
//
// sizes: words = 2000, input = 200, hidden = 150, classes = 5

nn.param @embedding : tensor<2000x200xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @W_z : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_z : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_z : tensor<150xf32> {no_decay}
nn.param @W_r : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_r : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_r : tensor<150xf32> {no_decay}
nn.param @W_h : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_h : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_h : tensor<150xf32> {no_decay}
nn.param @W_y : tensor<150x5xf32> init #nn.init<xavier_uniform>
nn.param @b_y : tensor<5xf32> {no_decay}

/// The state of the root.
func.func @encode(%tree: !tree.tree {cambium.name = "tree"},
                  %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<150xf32> {
  %E = nn.use @embedding : tensor<2000x200xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<2000x200xf32>
  %W_z = nn.use @W_z : tensor<200x150xf32>
  %U_z = nn.use @U_z : tensor<150x150xf32>
  %b_z = nn.use @b_z : tensor<150xf32>
  %W_r = nn.use @W_r : tensor<200x150xf32>
  %U_r = nn.use @U_r : tensor<150x150xf32>
  %b_r = nn.use @b_r : tensor<150xf32>
  %W_h = nn.use @W_h : tensor<200x150xf32>
  %U_h = nn.use @U_h : tensor<150x150xf32>
  %b_h = nn.use @b_h : tensor<150xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<200xf32>)
                 children(%hk : tensor<?x150xf32>) -> (tensor<150xf32>) {
    // s_j = sum_k h_k
    %s = nn.sum %hk over 0 : tensor<?x150xf32>
    // z_j = sigmoid(W_z x_j + U_z s_j + b_z)
    %zx = nn.linear %xj, %W_z, %b_z : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %zh = nn.linear %s, %U_z : tensor<150xf32>, tensor<150x150xf32>
    %za = arith.addf %zx, %zh : tensor<150xf32>
    %z = nn.sigmoid %za : tensor<150xf32>
    // r_jk = sigmoid(W_r x_j + U_r h_k + b_r), one gate per child
    %rx = nn.linear %xj, %W_r, %b_r : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %rxk = nn.broadcast %rx dims [1] like %hk : tensor<150xf32>, tensor<?x150xf32> -> tensor<?x150xf32>
    %rh = nn.linear %hk, %U_r : tensor<?x150xf32>, tensor<150x150xf32>
    %ra = arith.addf %rxk, %rh : tensor<?x150xf32>
    %r = nn.sigmoid %ra : tensor<?x150xf32>
    %rhk = arith.mulf %r, %hk : tensor<?x150xf32>
    %rs = nn.sum %rhk over 0 : tensor<?x150xf32>
    // g_j = tanh(W_h x_j + U_h sum_k r_jk * h_k + b_h)
    %gx = nn.linear %xj, %W_h, %b_h : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %gh = nn.linear %rs, %U_h : tensor<150xf32>, tensor<150x150xf32>
    %ga = arith.addf %gx, %gh : tensor<150xf32>
    %g = math.tanh %ga : tensor<150xf32>
    // h_j = (1 - z_j) * s_j + z_j * g_j
    %d = arith.subf %g, %s : tensor<150xf32>
    %zd = arith.mulf %z, %d : tensor<150xf32>
    %hj = arith.addf %s, %zd : tensor<150xf32>
    tree.yield %hj : tensor<150xf32>
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
