// loops_divide.mlir - Values of examples that have stopped do not count
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an example has no rows left, 1 / sum would be infinite, and its gradient no number.

nn.param @E : tensor<11x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W : tensor<6x6xf32> init #nn.init<xavier_uniform>

func.func private @energy(%h: tensor<?x6xf32>) -> tensor<f32> {
  %m = nn.sum %h over 0 : tensor<?x6xf32>
  %mm = arith.mulf %m, %m : tensor<6xf32>
  %l = nn.sum %mm over 0 : tensor<6xf32>
  return %l : tensor<f32>
}
func.func private @rows(%n: tensor<i32>, %like: tensor<?xi32>) -> tensor<?xi32> {
  %rows = nn.broadcast %n dims [] like %like : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  return %rows : tensor<?xi32>
}
func.func private @embed(%words: tensor<?xi32>) -> tensor<?x6xf32> {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  return %x0 : tensor<?x6xf32>
}
func.func private @zeros(%words: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %z = call @rows(%zero, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  return %z : tensor<?xi32>
}
func.func private @next(%c: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant dense<1> : tensor<i32>
  %ones = nn.broadcast %one dims [] like %c : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %d = arith.addi %c, %ones : tensor<?xi32>
  return %d : tensor<?xi32>
}

func.func @reciprocal(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %W = nn.use @W : tensor<6x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 3 masked carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %w = nn.linear %x, %W : tensor<?x6xf32>, tensor<6x6xf32>
    %e = math.exp %w : tensor<?x6xf32>
    %s = nn.sum %e over 0 : tensor<?x6xf32>
    %one = arith.constant dense<1.0> : tensor<6xf32>
    %r = arith.divf %one, %s : tensor<6xf32>
    %rw = nn.linear %r, %W : tensor<6xf32>, tensor<6x6xf32>
    %rr = nn.broadcast %rw dims [1] like %x : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
    %y = math.tanh %rr : tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %six = arith.constant dense<6> : tensor<i32>
    %sixs = func.call @rows(%six, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi sgt, %words, %sixs : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_reciprocal loss @reciprocal optimizer #train.optimizer<sgd>
// With a chain in the model no example is without rows, for which the body would be computed.
func.func @chain(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?xi32> {
  %tree = tree.chain %words : tensor<?xi32>
  return %words : tensor<?xi32>
}
