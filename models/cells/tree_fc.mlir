// tree_fc.mlir - One fully connected layer per node of a binary tree
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The benchmark cell of M. Looks et al.: Deep Learning with Dynamic Computation
// Graphs. ICLR 2017, which later systems call TreeFC: a fully connected layer over
// the node's input and the states of its two children. It has no published
// nonlinearity of its own; here it is the rectifier.
//
// sizes: words = 2000, input = 200, hidden = 150, classes = 5, both = 2 * hidden, all = input + both

nn.param @embedding : tensor<2000x200xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @W : tensor<500x150xf32> init #nn.init<xavier_uniform>
nn.param @b : tensor<150xf32> {no_decay}
nn.param @W_y : tensor<150x5xf32> init #nn.init<xavier_uniform>
nn.param @b_y : tensor<5xf32> {no_decay}

/// The state of the root.
func.func @encode(%tree: !tree.tree {cambium.name = "tree"},
                  %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<150xf32> {
  %E = nn.use @embedding : tensor<2000x200xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<2000x200xf32>
  %W = nn.use @W : tensor<500x150xf32>
  %b = nn.use @b : tensor<150xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<200xf32>)
                 children(%hk : tensor<2x150xf32>) -> (tensor<150xf32>) {
    // h_j = relu(W [x_j; h_1; h_2] + b)
    %both = nn.reshape %hk : tensor<2x150xf32> -> tensor<300xf32>
    %all = nn.concat %xj, %both over 0 : tensor<200xf32>, tensor<300xf32>
    %a = nn.linear %all, %W, %b : tensor<500xf32>, tensor<500x150xf32>, tensor<150xf32>
    %hj = nn.relu %a : tensor<150xf32>
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
