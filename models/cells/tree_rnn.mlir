// tree_rnn.mlir - Recursive neural network on binary trees
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// R. Socher et al.: Recursive Deep Models for Semantic Compositionality Over a
// Sentiment Treebank. EMNLP 2013, section 4.1: a leaf is its word vector, an inner
// node is tanh(W [h_1; h_2] + b).
//
// sizes: words = 2000, hidden = 150, classes = 5, both = 2 * hidden

nn.param @embedding : tensor<2000x150xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @W : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @b : tensor<150xf32> {no_decay}
nn.param @W_y : tensor<150x5xf32> init #nn.init<xavier_uniform>
nn.param @b_y : tensor<5xf32> {no_decay}

/// The state of the root.
func.func @encode(%tree: !tree.tree {cambium.name = "tree"},
                  %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<150xf32> {
  %E = nn.use @embedding : tensor<2000x150xf32>
  %W = nn.use @W : tensor<300x150xf32>
  %b = nn.use @b : tensor<150xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<2000x150xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<150xf32>)
                 children(%hk : tensor<2x150xf32>) -> (tensor<150xf32>) {
    %both = nn.reshape %hk : tensor<2x150xf32> -> tensor<300xf32>
    %a = nn.linear %both, %W, %b : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %hj = math.tanh %a : tensor<150xf32>
    tree.yield %hj : tensor<150xf32>
  } leaf {
    tree.yield %xj : tensor<150xf32>
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
