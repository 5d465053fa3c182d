// loops_dropout.mlir - Random numbers in loops whose rows stop
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A key for each iteration of a row, an example, a row of another space, a node. What
// is drawn for a row does not depend on who is active beside it.

nn.param @E : tensor<11x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W : tensor<6x6xf32> init #nn.init<xavier_uniform>
nn.param @Wk : tensor<6x6xf32> init #nn.init<normal(0.0, 0.7)>

func.func private @next(%c: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant dense<1> : tensor<i32>
  %ones = nn.broadcast %one dims [] like %c : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %d = arith.addi %c, %ones : tensor<?xi32>
  return %d : tensor<?xi32>
}
func.func private @zeros(%words: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %z = nn.broadcast %zero dims [] like %words : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  return %z : tensor<?xi32>
}
func.func private @energy(%h: tensor<?x6xf32>) -> tensor<f32> {
  %m = nn.sum %h over 0 : tensor<?x6xf32>
  %mm = arith.mulf %m, %m : tensor<6xf32>
  %l = nn.sum %mm over 0 : tensor<6xf32>
  return %l : tensor<f32>
}
/// Dropout of weights of attention, and of what it gives.
func.func private @layer(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %W = nn.use @W : tensor<6x6xf32>
  %Wk = nn.use @Wk : tensor<6x6xf32>
  %k = nn.linear %x, %Wk : tensor<?x6xf32>, tensor<6x6xf32>
  %a = nn.attention %x, %k, %x heads 2 dropout 0.3 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
  %f = nn.linear %a, %W : tensor<?x6xf32>, tensor<6x6xf32>
  %d = nn.dropout %f rate 0.4 : tensor<?x6xf32>
  %s = arith.addf %d, %x : tensor<?x6xf32>
  %y = math.tanh %s : tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}

func.func @compact(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 compact carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %y = func.call @layer(%x) : (tensor<?x6xf32>) -> tensor<?x6xf32>
    // Of the example: one draw for all of its rows.
    %m = nn.mean %x over 0 : tensor<?x6xf32>
    %md = nn.dropout %m rate 0.5 : tensor<6xf32>
    %rows = nn.broadcast %md dims [1] like %x : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
    %z = arith.addf %y, %rows : tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %z, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_compact loss @compact optimizer #train.optimizer<sgd>

func.func @masked(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 masked carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %y = func.call @layer(%x) : (tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_masked loss @masked optimizer #train.optimizer<sgd>

// Keys that are drawn: others read what changes for a row that has stopped.
func.func @drawn_keys(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %dx = nn.dropout %x rate 0.4 : tensor<?x6xf32>
    %y = func.call @layer(%dx) : (tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_drawn_keys loss @drawn_keys optimizer #train.optimizer<sgd>

// The same by attention to another sentence, with dropped weights.
func.func @drawn_cross(%words: tensor<?xi32> {cambium.name = "words"}, %others: tensor<?xi32> {cambium.name = "others"})
    -> (tensor<f32>, tensor<?x6xf32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %y0 = nn.embed %others, %E : tensor<?xi32>, tensor<11x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %dx = nn.attention %x, %y0, %y0 heads 2 dropout 0.5 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
    %y = func.call @layer(%dx) : (tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_drawn_cross loss @drawn_cross optimizer #train.optimizer<sgd>

// Whole examples, and a loop in a loop.
func.func @examples(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<6xf32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W = nn.use @W : tensor<6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %first = nn.sum %x0 over 0 : tensor<?x6xf32>
  %numbers = arith.sitofp %words : tensor<?xi32> to tensor<?xf32>
  %greatest = nn.max %numbers over 0 : tensor<?xf32>
  %two = arith.constant dense<2.0> : tensor<f32>
  %half = arith.constant dense<0.5> : tensor<f32>
  %h, %c, %n = depth.iterate max 4 carried(%x = %first : tensor<6xf32>, %rest = %greatest : tensor<f32>) {
    %f = nn.linear %x, %W : tensor<6xf32>, tensor<6x6xf32>
    %d = nn.dropout %f rate 0.3 : tensor<6xf32>
    %s = arith.addf %d, %x : tensor<6xf32>
    %y = math.tanh %s : tensor<6xf32>
    %z, %m = depth.iterate max 2 carried(%u = %y : tensor<6xf32>) {
      %v = nn.dropout %u rate 0.3 : tensor<6xf32>
      %up = arith.cmpf ogt, %rest, %two : tensor<f32>
      depth.yield %up, %v : tensor<i1>, tensor<6xf32>
    }
    %less = arith.mulf %rest, %half : tensor<f32>
    %go = arith.cmpf ogt, %less, %half : tensor<f32>
    depth.yield %go, %z, %less : tensor<i1>, tensor<6xf32>, tensor<f32>
  }
  %hh = arith.mulf %h, %h : tensor<6xf32>
  %l = nn.sum %hh over 0 : tensor<6xf32>
  return %l, %h : tensor<f32>, tensor<6xf32>
}
train.step @train_examples loss @examples optimizer #train.optimizer<sgd>

// In the cell of a node, and of rows that do not all begin; halting probabilities.
func.func @cells(%tree: !tree.tree {cambium.name = "tree"}, %words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W = nn.use @W : tensor<6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %numbers = arith.sitofp %words : tensor<?xi32> to tensor<?xf32>
  %half = arith.constant dense<0.5> : tensor<f32>
  %h = tree.fold %tree nodes(%xj = %x0 : tensor<6xf32>, %nj = %numbers : tensor<f32>) children(%hk : tensor<?x6xf32>) -> (tensor<6xf32>) {
    %hs = nn.sum %hk over 0 : tensor<?x6xf32>
    %s = arith.addf %hs, %xj : tensor<6xf32>
    %y, %c, %n = depth.iterate max 3 carried(%x = %s : tensor<6xf32>, %rest = %nj : tensor<f32>) {
      %f = nn.linear %x, %W : tensor<6xf32>, tensor<6x6xf32>
      %d = nn.dropout %f rate 0.3 : tensor<6xf32>
      %t = math.tanh %d : tensor<6xf32>
      %less = arith.mulf %rest, %half : tensor<f32>
      %go = arith.cmpf ogt, %less, %half : tensor<f32>
      depth.yield %go, %t, %less : tensor<i1>, tensor<6xf32>, tensor<f32>
    }
    tree.yield %y : tensor<6xf32>
  }
  %r = tree.root %tree, %h : tensor<?x6xf32>
  %rr = arith.mulf %r, %r : tensor<6xf32>
  %l = nn.sum %rr over 0 : tensor<6xf32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_cells loss @cells optimizer #train.optimizer<sgd>

// A tree that is walked again in each iteration.
func.func @walks(%tree: !tree.tree {cambium.name = "tree"}, %labels: tensor<?xi32> {cambium.name = "labels"},
                 %words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %l0 = nn.embed %labels, %E : tensor<?xi32>, tensor<11x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %s = tree.fold %tree nodes(%lj = %l0 : tensor<6xf32>) children(%hk : tensor<?x6xf32>) -> (tensor<6xf32>) {
      %hs = nn.sum %hk over 0 : tensor<?x6xf32>
      %hj = arith.addf %hs, %lj : tensor<6xf32>
      %hd = nn.dropout %hj rate 0.3 : tensor<6xf32>
      %hn = math.tanh %hd : tensor<6xf32>
      tree.yield %hn : tensor<6xf32>
    }
    %r = tree.root %tree, %s : tensor<?x6xf32>
    %rows = nn.broadcast %r dims [1] like %x : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
    %xr = arith.addf %x, %rows : tensor<?x6xf32>
    %y = math.tanh %xr : tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_walks loss @walks optimizer #train.optimizer<sgd>

func.func @ponder(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %h, %n, %r = depth.ponder max 5 combine convex remainder none epsilon 1.0e-2 carried(%x = %x0 : tensor<?x6xf32>) {
    %y = func.call @layer(%x) : (tensor<?x6xf32>) -> tensor<?x6xf32>
    %m = nn.mean %y over 1 : tensor<?x6xf32>
    %p = nn.sigmoid %m : tensor<?xf32>
    depth.yield %p, %y : tensor<?xf32>, tensor<?x6xf32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_ponder loss @ponder optimizer #train.optimizer<sgd>
