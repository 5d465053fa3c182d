// ponder.mlir - Adaptive computation time
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of pondering is part of the losses, so that gradients go through the
// probabilities, the remainder and the mix. The interpreter evaluates `depth.ponder`
// as its equations say; compiled, it is a `depth.iterate`.

nn.param @E : tensor<11x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W : tensor<6x6xf32> init #nn.init<xavier_uniform>
nn.param @Wk : tensor<6x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @V : tensor<6x1xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @b : tensor<1xf32> init #nn.init<constant(-1.0)>

func.func private @layer(%x: tensor<?x6xf32>) -> (tensor<?xf32>, tensor<?x6xf32>) {
  %W = nn.use @W : tensor<6x6xf32>
  %Wk = nn.use @Wk : tensor<6x6xf32>
  %V = nn.use @V : tensor<6x1xf32>
  %b = nn.use @b : tensor<1xf32>
  %k = nn.linear %x, %Wk : tensor<?x6xf32>, tensor<6x6xf32>
  %a = nn.attention %x, %k, %x heads 2 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
  %s = arith.addf %a, %x : tensor<?x6xf32>
  %f = nn.linear %s, %W : tensor<?x6xf32>, tensor<6x6xf32>
  %y = math.tanh %f : tensor<?x6xf32>
  %l = nn.linear %y, %V, %b : tensor<?x6xf32>, tensor<6x1xf32>, tensor<1xf32>
  %p1 = nn.sigmoid %l : tensor<?x1xf32>
  %p = nn.reshape %p1 : tensor<?x1xf32> -> tensor<?xf32>
  return %p, %y : tensor<?xf32>, tensor<?x6xf32>
}

func.func private @words(%words: tensor<?xi32>) -> tensor<?x6xf32> {
  %E = nn.use @E : tensor<11x6xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  return %x : tensor<?x6xf32>
}

// N + R of all rows, with the energy of the states.
func.func private @cost(%h: tensor<?x6xf32>, %n: tensor<?xi32>, %r: tensor<?xf32>) -> tensor<f32> {
  %hh = arith.mulf %h, %h : tensor<?x6xf32>
  %rows = nn.sum %hh over 1 : tensor<?x6xf32>
  %nf = arith.sitofp %n : tensor<?xi32> to tensor<?xf32>
  %c0 = arith.addf %nf, %r : tensor<?xf32>
  %c = arith.addf %c0, %rows : tensor<?xf32>
  %l = nn.sum %c over 0 : tensor<?xf32>
  return %l : tensor<f32>
}

func.func @convex(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>) {
  %x0 = call @words(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %h, %n, %r = depth.ponder max 4 combine convex remainder forced carried(%x = %x0 : tensor<?x6xf32>) {
    %p, %y = func.call @layer(%x) : (tensor<?x6xf32>) -> (tensor<?xf32>, tensor<?x6xf32>)
    depth.yield %p, %y : tensor<?xf32>, tensor<?x6xf32>
  }
  return %h, %n, %r : tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>
}

func.func @convex_masked(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>) {
  %x0 = call @words(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %h, %n, %r = depth.ponder max 4 combine convex remainder forced masked carried(%x = %x0 : tensor<?x6xf32>) {
    %p, %y = func.call @layer(%x) : (tensor<?x6xf32>) -> (tensor<?xf32>, tensor<?x6xf32>)
    depth.yield %p, %y : tensor<?xf32>, tensor<?x6xf32>
  }
  return %h, %n, %r : tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>
}

func.func @sum(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>) {
  %x0 = call @words(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %h, %n, %r = depth.ponder max 3 combine weighted_sum remainder none epsilon 0.2 carried(%x = %x0 : tensor<?x6xf32>) {
    %p, %y = func.call @layer(%x) : (tensor<?x6xf32>) -> (tensor<?xf32>, tensor<?x6xf32>)
    depth.yield %p, %y : tensor<?xf32>, tensor<?x6xf32>
  }
  return %h, %n, %r : tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>
}

func.func @convex_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %h, %n, %r = call @convex(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>)
  %l = call @cost(%h, %n, %r) : (tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func @convex_masked_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %h, %n, %r = call @convex_masked(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>)
  %l = call @cost(%h, %n, %r) : (tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func @sum_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %h, %n, %r = call @sum(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>)
  %l = call @cost(%h, %n, %r) : (tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// An example that ponders as a whole.
func.func @example_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %W = nn.use @W : tensor<6x6xf32>
  %V = nn.use @V : tensor<6x1xf32>
  %b = nn.use @b : tensor<1xf32>
  %x0 = call @words(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %m = nn.mean %x0 over 0 : tensor<?x6xf32>
  %h, %n, %r = depth.ponder max 5 combine convex remainder none carried(%x = %m : tensor<6xf32>) {
    %f = nn.linear %x, %W : tensor<6xf32>, tensor<6x6xf32>
    %y = math.tanh %f : tensor<6xf32>
    %l = nn.linear %y, %V, %b : tensor<6xf32>, tensor<6x1xf32>, tensor<1xf32>
    %p1 = nn.sigmoid %l : tensor<1xf32>
    %p = nn.reshape %p1 : tensor<1xf32> -> tensor<f32>
    depth.yield %p, %y : tensor<f32>, tensor<6xf32>
  }
  %hh = arith.mulf %h, %h : tensor<6xf32>
  %s = nn.sum %hh over 0 : tensor<6xf32>
  %c = arith.addf %s, %r : tensor<f32>
  return %c : tensor<f32>
}

train.step @train_convex loss @convex_loss optimizer #train.optimizer<sgd>
train.step @train_masked loss @convex_masked_loss optimizer #train.optimizer<sgd>
train.step @train_sum loss @sum_loss optimizer #train.optimizer<sgd>
train.step @train_example loss @example_loss optimizer #train.optimizer<sgd>
