// mv_rnn.mlir - Matrix-vector recursive neural network
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// R. Socher, B. Huval, C. D. Manning, A. Y. Ng: Semantic Compositionality through
// Recursive Matrix-Vector Spaces. EMNLP 2012: every node has a vector and
// a matrix; the matrix of each child acts on the vector of the other one. Words
// have full matrices here, not low-rank ones.
//
// sizes: words = 2000, hidden = 25, classes = 5, both = 2 * hidden, square = hidden * hidden

nn.param @embedding : tensor<2000x25xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @matrices : tensor<2000x625xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @W : tensor<50x25xf32> init #nn.init<xavier_uniform>
nn.param @W_M : tensor<25x50xf32> init #nn.init<xavier_uniform>
nn.param @W_y : tensor<25x5xf32> init #nn.init<xavier_uniform>
nn.param @b_y : tensor<5xf32> {no_decay}

/// The vector of the root.
func.func @encode(%tree: !tree.tree {cambium.name = "tree"},
                  %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<25xf32> {
  %E = nn.use @embedding : tensor<2000x25xf32>
  %M = nn.use @matrices : tensor<2000x625xf32>
  %W = nn.use @W : tensor<50x25xf32>
  %W_M = nn.use @W_M : tensor<25x50xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<2000x25xf32>
  %xm = nn.embed %words, %M : tensor<?xi32>, tensor<2000x625xf32>
  %v, %m = tree.fold %tree nodes(%xj = %x : tensor<25xf32>, %xmj = %xm : tensor<625xf32>)
                     children(%vk : tensor<2x25xf32>, %mk : tensor<2x25x25xf32>)
                     -> (tensor<25xf32>, tensor<25x25xf32>) {
    %a0 = nn.slice %vk over 0 from 0 size 1 : tensor<2x25xf32>
    %b0 = nn.slice %vk over 0 from 1 size 1 : tensor<2x25xf32>
    %a = nn.reshape %a0 : tensor<1x25xf32> -> tensor<25xf32>
    %b = nn.reshape %b0 : tensor<1x25xf32> -> tensor<25xf32>
    %A0 = nn.slice %mk over 0 from 0 size 1 : tensor<2x25x25xf32>
    %B0 = nn.slice %mk over 0 from 1 size 1 : tensor<2x25x25xf32>
    %A = nn.reshape %A0 : tensor<1x25x25xf32> -> tensor<25x25xf32>
    %B = nn.reshape %B0 : tensor<1x25x25xf32> -> tensor<25x25xf32>
    // p = tanh(W [B a; A b])
    %Ba = nn.matmul %B, %a : tensor<25x25xf32>, tensor<25xf32>
    %Ab = nn.matmul %A, %b : tensor<25x25xf32>, tensor<25xf32>
    %BaAb = nn.concat %Ba, %Ab over 0 : tensor<25xf32>, tensor<25xf32>
    %pa = nn.linear %BaAb, %W : tensor<50xf32>, tensor<50x25xf32>
    %p = math.tanh %pa : tensor<25xf32>
    // P = W_M [A; B]
    %AB = nn.concat %A, %B over 0 : tensor<25x25xf32>, tensor<25x25xf32>
    %P = nn.matmul %W_M, %AB : tensor<25x50xf32>, tensor<50x25xf32>
    tree.yield %p, %P : tensor<25xf32>, tensor<25x25xf32>
  } leaf {
    %X = nn.reshape %xmj : tensor<625xf32> -> tensor<25x25xf32>
    tree.yield %xj, %X : tensor<25xf32>, tensor<25x25xf32>
  }
  %root = tree.root %tree, %v : tensor<?x25xf32>
  return %root : tensor<25xf32>
}

/// Cross entropy of a linear layer over the state of the root.
func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %words: tensor<?xi32> {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %W = nn.use @W_y : tensor<25x5xf32>
  %b = nn.use @b_y : tensor<5xf32>
  %h = func.call @encode(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<25xf32>
  %y = nn.linear %h, %W, %b : tensor<25xf32>, tensor<25x5xf32>, tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> {clip_norm = 5.0 : f64}
