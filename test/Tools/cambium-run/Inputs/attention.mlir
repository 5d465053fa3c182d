// attention.mlir - A sum of children with attention, which it also gives
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// h_j = tanh(x_j + sum_k alpha_jk h_k), alpha_j = softmax over the children of
// q_j . h_k, q_j = x_j Q. `predict` also gives alpha: a second pass from the root to
// the leaves hands every node its parent's query and normalization.

nn.param @embedding : tensor<32x16xf32> init #nn.init<normal(0.0, 0.3)>
nn.param @Q : tensor<16x16xf32> init #nn.init<xavier_uniform>
nn.param @W : tensor<16x3xf32> init #nn.init<xavier_uniform>
nn.param @b : tensor<3xf32>

/// Scores, states, queries, and the sum of the exponentials over the children.
func.func private @answer(%tree: !tree.tree {cambium.name = "tree"},
                          %words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<?x3xf32>, tensor<?x16xf32>, tensor<?x16xf32>, tensor<?xf32>) {
  %E = nn.use @embedding : tensor<32x16xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<32x16xf32>
  %Q = nn.use @Q : tensor<16x16xf32>
  %q = nn.linear %x, %Q : tensor<?x16xf32>, tensor<16x16xf32>
  %h, %z = tree.fold %tree nodes(%xj = %x : tensor<16xf32>, %qj = %q : tensor<16xf32>)
                 children(%hk : tensor<?x16xf32>, %zk : tensor<?xf32>) -> (tensor<16xf32>, tensor<f32>) {
    %s = nn.matmul %hk, %qj : tensor<?x16xf32>, tensor<16xf32>
    %e = math.exp %s : tensor<?xf32>
    %zj = nn.sum %e over 0 : tensor<?xf32>
    %alpha = nn.softmax %s over 0 : tensor<?xf32>
    %hs = nn.matmul %alpha, %hk : tensor<?xf32>, tensor<?x16xf32>
    %a = arith.addf %xj, %hs : tensor<16xf32>
    %t = math.tanh %a : tensor<16xf32>
    tree.yield %t, %zj : tensor<16xf32>, tensor<f32>
  }
  %W = nn.use @W : tensor<16x3xf32>
  %b = nn.use @b : tensor<3xf32>
  %y = nn.linear %h, %W, %b : tensor<?x16xf32>, tensor<16x3xf32>, tensor<3xf32>
  return %y, %h, %q, %z : tensor<?x3xf32>, tensor<?x16xf32>, tensor<?x16xf32>, tensor<?xf32>
}

func.func @predict(%tree: !tree.tree {cambium.name = "tree"},
                   %words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<?x3xf32>, tensor<?xf32> {cambium.name = "edge_attention"}) {
  %y, %h, %q, %z = call @answer(%tree, %words) : (!tree.tree, tensor<?xi32>) -> (tensor<?x3xf32>, tensor<?x16xf32>, tensor<?x16xf32>, tensor<?xf32>)
  %qu, %zu, %w = tree.unfold %tree nodes(%hj = %h : tensor<16xf32>, %qj = %q : tensor<16xf32>, %zj = %z : tensor<f32>)
      parent(%qp : tensor<16xf32>, %zp : tensor<f32>, %wp : tensor<f32>) -> (tensor<16xf32>, tensor<f32>, tensor<f32>) {
    %hq = arith.mulf %hj, %qp : tensor<16xf32>
    %s = nn.sum %hq over 0 : tensor<16xf32>
    %e = math.exp %s : tensor<f32>
    %a = arith.divf %e, %zp : tensor<f32>
    tree.yield %qj, %zj, %a : tensor<16xf32>, tensor<f32>, tensor<f32>
  }
  return %y, %w : tensor<?x3xf32>, tensor<?xf32>
}

func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %words: tensor<?xi32> {cambium.name = "words"},
                %labels: tensor<?xi32> {cambium.name = "labels"}) -> tensor<f32> {
  %y, %h, %q, %z = call @answer(%tree, %words) : (!tree.tree, tensor<?xi32>) -> (tensor<?x3xf32>, tensor<?x16xf32>, tensor<?x16xf32>, tensor<?xf32>)
  %l = nn.cross_entropy %y, %labels : tensor<?x3xf32>, tensor<?xi32>
  %m = nn.mean %l over 0 : tensor<?xf32>
  return %m : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam>
