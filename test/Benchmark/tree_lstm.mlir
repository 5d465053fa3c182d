// tree_lstm.mlir - the model of the benchmark: a binary Tree-LSTM of size 256
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tai, Socher and Manning 2015, eq. 9-14 with N = 2: words at the leaves alone, two
// forget gates that each see both children, a loss at every node (the sum over the
// nodes of a tree). torch_tree_lstm.py computes the same. No dropout, and updates by
// plain SGD, so that times are those of the cell.

nn.param @words : tensor<20000x256xf32> init #nn.init<uniform(-0.05, 0.05)>
nn.param @W_i : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @W_o : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @W_u : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @U_i : tensor<512x256xf32> init #nn.init<xavier_uniform>
nn.param @U_o : tensor<512x256xf32> init #nn.init<xavier_uniform>
nn.param @U_u : tensor<512x256xf32> init #nn.init<xavier_uniform>
nn.param @U_f1 : tensor<512x256xf32> init #nn.init<xavier_uniform>
nn.param @U_f2 : tensor<512x256xf32> init #nn.init<xavier_uniform>
nn.param @b_i : tensor<256xf32>
nn.param @b_o : tensor<256xf32>
nn.param @b_u : tensor<256xf32>
nn.param @b_f : tensor<256xf32> init #nn.init<constant(1.0)>
nn.param @V : tensor<256x5xf32> init #nn.init<xavier_uniform>
nn.param @c : tensor<5xf32>

// The scores of the five classes at every node.
func.func private @scores(%tree: !tree.tree, %words: tensor<?xi32>) -> tensor<?x5xf32> {
  %E = nn.use @words : tensor<20000x256xf32>
  %W_i = nn.use @W_i : tensor<256x256xf32>
  %W_o = nn.use @W_o : tensor<256x256xf32>
  %W_u = nn.use @W_u : tensor<256x256xf32>
  %U_i = nn.use @U_i : tensor<512x256xf32>
  %U_o = nn.use @U_o : tensor<512x256xf32>
  %U_u = nn.use @U_u : tensor<512x256xf32>
  %U_f1 = nn.use @U_f1 : tensor<512x256xf32>
  %U_f2 = nn.use @U_f2 : tensor<512x256xf32>
  %b_i = nn.use @b_i : tensor<256xf32>
  %b_o = nn.use @b_o : tensor<256xf32>
  %b_u = nn.use @b_u : tensor<256xf32>
  %b_f = nn.use @b_f : tensor<256xf32>
  %V = nn.use @V : tensor<256x5xf32>
  %c_v = nn.use @c : tensor<5xf32>

  %x = nn.embed %words, %E {padding_id = 0 : i64} : tensor<?xi32>, tensor<20000x256xf32>
  %h, %c = tree.fold %tree nodes(%xj = %x : tensor<256xf32>)
                     children(%hk : tensor<2x256xf32>, %ck : tensor<2x256xf32>)
                     -> (tensor<256xf32>, tensor<256xf32>) {
    %hh = nn.reshape %hk : tensor<2x256xf32> -> tensor<512xf32>
    %i0 = nn.linear %hh, %U_i, %b_i : tensor<512xf32>, tensor<512x256xf32>, tensor<256xf32>
    %i = nn.sigmoid %i0 : tensor<256xf32>
    %o0 = nn.linear %hh, %U_o, %b_o : tensor<512xf32>, tensor<512x256xf32>, tensor<256xf32>
    %o = nn.sigmoid %o0 : tensor<256xf32>
    %u0 = nn.linear %hh, %U_u, %b_u : tensor<512xf32>, tensor<512x256xf32>, tensor<256xf32>
    %u = math.tanh %u0 : tensor<256xf32>
    %f10 = nn.linear %hh, %U_f1, %b_f : tensor<512xf32>, tensor<512x256xf32>, tensor<256xf32>
    %f1 = nn.sigmoid %f10 : tensor<256xf32>
    %f20 = nn.linear %hh, %U_f2, %b_f : tensor<512xf32>, tensor<512x256xf32>, tensor<256xf32>
    %f2 = nn.sigmoid %f20 : tensor<256xf32>
    %c1s = nn.slice %ck over 0 from 0 size 1 : tensor<2x256xf32>
    %c1 = nn.reshape %c1s : tensor<1x256xf32> -> tensor<256xf32>
    %c2s = nn.slice %ck over 0 from 1 size 1 : tensor<2x256xf32>
    %c2 = nn.reshape %c2s : tensor<1x256xf32> -> tensor<256xf32>
    %iu = arith.mulf %i, %u : tensor<256xf32>
    %fc1 = arith.mulf %f1, %c1 : tensor<256xf32>
    %fc2 = arith.mulf %f2, %c2 : tensor<256xf32>
    %s = arith.addf %iu, %fc1 : tensor<256xf32>
    %cj = arith.addf %s, %fc2 : tensor<256xf32>
    %tc = math.tanh %cj : tensor<256xf32>
    %hj = arith.mulf %o, %tc : tensor<256xf32>
    tree.yield %hj, %cj : tensor<256xf32>, tensor<256xf32>
  } leaf {
    %i0 = nn.linear %xj, %W_i, %b_i : tensor<256xf32>, tensor<256x256xf32>, tensor<256xf32>
    %i = nn.sigmoid %i0 : tensor<256xf32>
    %o0 = nn.linear %xj, %W_o, %b_o : tensor<256xf32>, tensor<256x256xf32>, tensor<256xf32>
    %o = nn.sigmoid %o0 : tensor<256xf32>
    %u0 = nn.linear %xj, %W_u, %b_u : tensor<256xf32>, tensor<256x256xf32>, tensor<256xf32>
    %u = math.tanh %u0 : tensor<256xf32>
    %cj = arith.mulf %i, %u : tensor<256xf32>
    %tc = math.tanh %cj : tensor<256xf32>
    %hj = arith.mulf %o, %tc : tensor<256xf32>
    tree.yield %hj, %cj : tensor<256xf32>, tensor<256xf32>
  }
  %y = nn.linear %h, %V, %c_v : tensor<?x256xf32>, tensor<256x5xf32>, tensor<5xf32>
  return %y : tensor<?x5xf32>
}

func.func @predict(%tree: !tree.tree {cambium.name = "tree"},
                   %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x5xf32> {
  %y = call @scores(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<?x5xf32>
  return %y : tensor<?x5xf32>
}

// The sum of the cross entropies of all phrases of the sentence.
func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %words: tensor<?xi32> {cambium.name = "words"},
                %labels: tensor<?xi32> {cambium.name = "labels"}) -> tensor<f32> {
  %y = call @scores(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<?x5xf32>
  %l = nn.cross_entropy %y, %labels : tensor<?x5xf32>, tensor<?xi32>
  %s = nn.sum %l over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<sgd>
