// gru.mlir - Gated recurrent unit, reset before the product
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// K. Cho et al.: Learning Phrase Representations using RNN Encoder-Decoder for
// Statistical Machine Translation. EMNLP 2014; here as in A. Simoulin's thesis,
// Université Paris Cité 2022, eq. 3.1-3.4: the reset gate acts on the state before the
// product with U_h (gru_cudnn.mlir: after it).
//
// sizes: words = 2000, input = 200, hidden = 150, classes = 5

nn.param @embedding : tensor<2000x200xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @W_r : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_r : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_r : tensor<150xf32> {no_decay}
nn.param @W_z : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_z : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_z : tensor<150xf32> {no_decay}
nn.param @W_h : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @U_h : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_h : tensor<150xf32> {no_decay}
nn.param @W_y : tensor<150x5xf32> init #nn.init<xavier_uniform>
nn.param @b_y : tensor<5xf32> {no_decay}

/// The state of the last word.
func.func @encode(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<150xf32> {
  %E = nn.use @embedding : tensor<2000x200xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<2000x200xf32>
  %W_r = nn.use @W_r : tensor<200x150xf32>
  %U_r = nn.use @U_r : tensor<150x150xf32>
  %b_r = nn.use @b_r : tensor<150xf32>
  %W_z = nn.use @W_z : tensor<200x150xf32>
  %U_z = nn.use @U_z : tensor<150x150xf32>
  %b_z = nn.use @b_z : tensor<150xf32>
  %W_h = nn.use @W_h : tensor<200x150xf32>
  %U_h = nn.use @U_h : tensor<150x150xf32>
  %b_h = nn.use @b_h : tensor<150xf32>
  %chain = tree.chain %words : tensor<?xi32>
  %h = tree.fold %chain nodes(%xj = %x : tensor<200xf32>)
                 children(%hk : tensor<1x150xf32>) -> (tensor<150xf32>) {
    // the state before: that of the only child, zero for the first word
    %hp = nn.sum %hk over 0 : tensor<1x150xf32>
    // r_t = sigmoid(W_r x_t + U_r h_t-1 + b_r) (3.1)
    %rx = nn.linear %xj, %W_r, %b_r : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %rh = nn.linear %hp, %U_r : tensor<150xf32>, tensor<150x150xf32>
    %ra = arith.addf %rx, %rh : tensor<150xf32>
    %r = nn.sigmoid %ra : tensor<150xf32>
    // z_t = sigmoid(W_z x_t + U_z h_t-1 + b_z) (3.2)
    %zx = nn.linear %xj, %W_z, %b_z : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %zh = nn.linear %hp, %U_z : tensor<150xf32>, tensor<150x150xf32>
    %za = arith.addf %zx, %zh : tensor<150xf32>
    %z = nn.sigmoid %za : tensor<150xf32>
    %rhp = arith.mulf %r, %hp : tensor<150xf32>
    // g_t = tanh(W_h x_t + U_h (r_t * h_t-1) + b_h) (3.3)
    %gx = nn.linear %xj, %W_h, %b_h : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %gh = nn.linear %rhp, %U_h : tensor<150xf32>, tensor<150x150xf32>
    %ga = arith.addf %gx, %gh : tensor<150xf32>
    %g = math.tanh %ga : tensor<150xf32>
    // h_t = (1 - z_t) * h_t-1 + z_t * g_t (3.4)
    %d = arith.subf %g, %hp : tensor<150xf32>
    %zd = arith.mulf %z, %d : tensor<150xf32>
    %hj = arith.addf %hp, %zd : tensor<150xf32>
    tree.yield %hj : tensor<150xf32>
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
