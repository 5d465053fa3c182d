// chains.mlir - Cells that are the same on a chain
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An LSTM with one child, and a Child-Sum Tree-LSTM with any number of children,
// both on the chain of the words; and a fold over the chain that is rooted in its
// first word, which is the unfold over the chain that is rooted in its last one.

nn.param @embedding : tensor<11x6xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @W : tensor<6x28xf32> init #nn.init<xavier_uniform>
nn.param @U : tensor<7x21xf32> init #nn.init<xavier_uniform>
nn.param @U_f : tensor<7x7xf32> init #nn.init<xavier_uniform>
nn.param @b : tensor<28xf32>

func.func private @embed(%words: tensor<?xi32>) -> tensor<?x28xf32> {
  %E = nn.use @embedding : tensor<11x6xf32>
  %W = nn.use @W : tensor<6x28xf32>
  %b = nn.use @b : tensor<28xf32>
  %e = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %x = nn.linear %e, %W, %b : tensor<?x6xf32>, tensor<6x28xf32>, tensor<28xf32>
  return %x : tensor<?x28xf32>
}

// The state of every word, with one forget gate.
func.func @lstm(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x7xf32> {
  %U = nn.use @U : tensor<7x21xf32>
  %U_f = nn.use @U_f : tensor<7x7xf32>
  %x = call @embed(%words) : (tensor<?xi32>) -> tensor<?x28xf32>
  %chain = tree.chain %words : tensor<?xi32>
  %h, %c = tree.fold %chain nodes(%xj = %x : tensor<28xf32>)
                     children(%hk : tensor<1x7xf32>, %ck : tensor<1x7xf32>)
                     -> (tensor<7xf32>, tensor<7xf32>) {
    %hp = nn.reshape %hk : tensor<1x7xf32> -> tensor<7xf32>
    %cp = nn.reshape %ck : tensor<1x7xf32> -> tensor<7xf32>
    %xi, %xo, %xu, %xf = nn.split %xj over 0 sizes [7, 7, 7, 7] : tensor<28xf32>
    %hU = nn.linear %hp, %U : tensor<7xf32>, tensor<7x21xf32>
    %hi, %ho, %hu = nn.split %hU over 0 sizes [7, 7, 7] : tensor<21xf32>
    %ai = arith.addf %xi, %hi : tensor<7xf32>
    %i = nn.sigmoid %ai : tensor<7xf32>
    %ao = arith.addf %xo, %ho : tensor<7xf32>
    %o = nn.sigmoid %ao : tensor<7xf32>
    %au = arith.addf %xu, %hu : tensor<7xf32>
    %u = math.tanh %au : tensor<7xf32>
    %hf = nn.linear %hp, %U_f : tensor<7xf32>, tensor<7x7xf32>
    %af = arith.addf %xf, %hf : tensor<7xf32>
    %f = nn.sigmoid %af : tensor<7xf32>
    %iu = arith.mulf %i, %u : tensor<7xf32>
    %fc = arith.mulf %f, %cp : tensor<7xf32>
    %cj = arith.addf %iu, %fc : tensor<7xf32>
    %t = math.tanh %cj : tensor<7xf32>
    %hj = arith.mulf %o, %t : tensor<7xf32>
    tree.yield %hj, %cj : tensor<7xf32>, tensor<7xf32>
  }
  return %h : tensor<?x7xf32>
}

// The state of every node, with a forget gate per child.
func.func private @cell(%tree: !tree.tree, %x: tensor<?x28xf32>) -> tensor<?x7xf32> {
  %U = nn.use @U : tensor<7x21xf32>
  %U_f = nn.use @U_f : tensor<7x7xf32>
  %h, %c = tree.fold %tree nodes(%xj = %x : tensor<28xf32>)
                     children(%hk : tensor<?x7xf32>, %ck : tensor<?x7xf32>)
                     -> (tensor<7xf32>, tensor<7xf32>) {
    %hs = nn.sum %hk over 0 : tensor<?x7xf32>
    %xi, %xo, %xu, %xf = nn.split %xj over 0 sizes [7, 7, 7, 7] : tensor<28xf32>
    %hU = nn.linear %hs, %U : tensor<7xf32>, tensor<7x21xf32>
    %hi, %ho, %hu = nn.split %hU over 0 sizes [7, 7, 7] : tensor<21xf32>
    %ai = arith.addf %xi, %hi : tensor<7xf32>
    %i = nn.sigmoid %ai : tensor<7xf32>
    %ao = arith.addf %xo, %ho : tensor<7xf32>
    %o = nn.sigmoid %ao : tensor<7xf32>
    %au = arith.addf %xu, %hu : tensor<7xf32>
    %u = math.tanh %au : tensor<7xf32>
    %xfk = nn.broadcast %xf dims [1] like %hk : tensor<7xf32>, tensor<?x7xf32> -> tensor<?x7xf32>
    %hf = nn.linear %hk, %U_f : tensor<?x7xf32>, tensor<7x7xf32>
    %af = arith.addf %xfk, %hf : tensor<?x7xf32>
    %f = nn.sigmoid %af : tensor<?x7xf32>
    %iu = arith.mulf %i, %u : tensor<7xf32>
    %fck = arith.mulf %f, %ck : tensor<?x7xf32>
    %fc = nn.sum %fck over 0 : tensor<?x7xf32>
    %cj = arith.addf %iu, %fc : tensor<7xf32>
    %t = math.tanh %cj : tensor<7xf32>
    %hj = arith.mulf %o, %t : tensor<7xf32>
    tree.yield %hj, %cj : tensor<7xf32>, tensor<7xf32>
  }
  return %h : tensor<?x7xf32>
}

func.func @child_sum(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x7xf32> {
  %x = call @embed(%words) : (tensor<?xi32>) -> tensor<?x28xf32>
  %chain = tree.chain %words : tensor<?xi32>
  %h = call @cell(%chain, %x) : (!tree.tree, tensor<?x28xf32>) -> tensor<?x7xf32>
  return %h : tensor<?x7xf32>
}

// Upwards from the last word, by a fold and by an unfold.
func.func @fold_reversed(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x7xf32> {
  %U_f = nn.use @U_f : tensor<7x7xf32>
  %x28 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x28xf32>
  %x = nn.slice %x28 over 1 from 14 size 7 : tensor<?x28xf32>
  %chain = tree.chain %words reversed : tensor<?xi32>
  %h = tree.fold %chain nodes(%xj = %x : tensor<7xf32>)
                 children(%hk : tensor<?x7xf32>) -> (tensor<7xf32>) {
    %hp = nn.sum %hk over 0 : tensor<?x7xf32>
    %hU = nn.linear %hp, %U_f : tensor<7xf32>, tensor<7x7xf32>
    %a = arith.addf %xj, %hU : tensor<7xf32>
    %hj = math.tanh %a : tensor<7xf32>
    tree.yield %hj : tensor<7xf32>
  }
  return %h : tensor<?x7xf32>
}

func.func @unfold(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x7xf32> {
  %U_f = nn.use @U_f : tensor<7x7xf32>
  %x28 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x28xf32>
  %x = nn.slice %x28 over 1 from 14 size 7 : tensor<?x28xf32>
  %chain = tree.chain %words : tensor<?xi32>
  %h = tree.unfold %chain nodes(%xj = %x : tensor<7xf32>)
                   parent(%hp : tensor<7xf32>) -> (tensor<7xf32>) {
    %hU = nn.linear %hp, %U_f : tensor<7xf32>, tensor<7x7xf32>
    %a = arith.addf %xj, %hU : tensor<7xf32>
    %hj = math.tanh %a : tensor<7xf32>
    tree.yield %hj : tensor<7xf32>
  }
  return %h : tensor<?x7xf32>
}
