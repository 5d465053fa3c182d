// dag_rnn.mlir - Recurrent network on a directed acyclic graph
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// B. Shuai, Z. Zuo, B. Wang, G. Wang: DAG-Recurrent Neural Networks For Scene
// Labeling. CVPR 2016, in one direction: the children of a vertex are its
// predecessors, which other vertices may share; every vertex is classified.
//
// sizes: words = 2000, input = 200, hidden = 150, classes = 5

nn.param @embedding : tensor<2000x200xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @U : tensor<200x150xf32> init #nn.init<xavier_uniform>
nn.param @W : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b : tensor<150xf32> {no_decay}
nn.param @W_y : tensor<150x5xf32> init #nn.init<xavier_uniform>
nn.param @b_y : tensor<5xf32> {no_decay}

/// The states of all vertices.
func.func @states(%tree: !tree.tree {cambium.name = "tree"},
                  %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x150xf32> {
  %E = nn.use @embedding : tensor<2000x200xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<2000x200xf32>
  %U = nn.use @U : tensor<200x150xf32>
  %W = nn.use @W : tensor<150x150xf32>
  %b = nn.use @b : tensor<150xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<200xf32>)
                 children(%hk : tensor<?x150xf32>) -> (tensor<150xf32>) {
    // h_j = tanh(U x_j + W sum_k h_k + b)
    %s = nn.sum %hk over 0 : tensor<?x150xf32>
    %xa = nn.linear %xj, %U, %b : tensor<200xf32>, tensor<200x150xf32>, tensor<150xf32>
    %ha = nn.linear %s, %W : tensor<150xf32>, tensor<150x150xf32>
    %a = arith.addf %xa, %ha : tensor<150xf32>
    %hj = math.tanh %a : tensor<150xf32>
    tree.yield %hj : tensor<150xf32>
  }
  return %h : tensor<?x150xf32>
}

/// The state of the root.
func.func @encode(%tree: !tree.tree {cambium.name = "tree"},
                  %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<150xf32> {
  %h = func.call @states(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<?x150xf32>
  %root = tree.root %tree, %h : tensor<?x150xf32>
  return %root : tensor<150xf32>
}

/// Mean over the vertices of the cross entropy of o_j = softmax(V h_j + c).
func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %words: tensor<?xi32> {cambium.name = "words"},
                %labels: tensor<?xi32> {cambium.name = "labels"}) -> tensor<f32> {
  %W = nn.use @W_y : tensor<150x5xf32>
  %b = nn.use @b_y : tensor<5xf32>
  %h = func.call @states(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<?x150xf32>
  %y = nn.linear %h, %W, %b : tensor<?x150xf32>, tensor<150x5xf32>, tensor<5xf32>
  %lj = nn.cross_entropy %y, %labels : tensor<?x5xf32>, tensor<?xi32>
  %l = nn.mean %lj over 0 : tensor<?xf32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> {clip_norm = 5.0 : f64}
