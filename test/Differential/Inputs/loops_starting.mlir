// loops_starting.mlir - Loops that only some rows begin
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers that differ, each of which says who goes on to the next one: of rows, of
// examples all of whose rows go on, and of examples; and loops that nobody begins.

nn.param @E : tensor<11x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W1 : tensor<6x6xf32> init #nn.init<xavier_uniform>
nn.param @W2 : tensor<6x6xf32> init #nn.init<xavier_uniform>
nn.param @Wk : tensor<6x6xf32> init #nn.init<normal(0.0, 0.7)>

func.func private @layer(%x: tensor<?x6xf32>, %W: tensor<6x6xf32>) -> tensor<?x6xf32> {
  %Wk = nn.use @Wk : tensor<6x6xf32>
  %k = nn.linear %x, %Wk : tensor<?x6xf32>, tensor<6x6xf32>
  %a = nn.attention %x, %k, %x heads 2 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
  %f = nn.linear %a, %W : tensor<?x6xf32>, tensor<6x6xf32>
  %s = arith.addf %f, %x : tensor<?x6xf32>
  %y = math.tanh %s : tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}
func.func private @energy(%h: tensor<?x6xf32>) -> tensor<f32> {
  %m = nn.sum %h over 0 : tensor<?x6xf32>
  %mm = arith.mulf %m, %m : tensor<6xf32>
  %l = nn.sum %mm over 0 : tensor<6xf32>
  return %l : tensor<f32>
}
/// Which rows' numbers are greater.
func.func private @above(%words: tensor<?xi32>, %than: tensor<i32>) -> tensor<?xi1> {
  %least = nn.broadcast %than dims [] like %words : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %go = arith.cmpi sgt, %words, %least : tensor<?xi32>
  return %go : tensor<?xi1>
}
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

func.func @stack(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<f32>, tensor<?x6xf32>, tensor<?xi32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W1 = nn.use @W1 : tensor<6x6xf32>
  %W2 = nn.use @W2 : tensor<6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %three = arith.constant dense<3> : tensor<i32>
  %six = arith.constant dense<6> : tensor<i32>
  %some = call @above(%words, %three) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi1>
  %few = call @above(%words, %six) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi1>
  %h1, %n1 = depth.iterate max 1 active(%some : tensor<?xi1>) carried(%x = %x0 : tensor<?x6xf32>) {
    %y = func.call @layer(%x, %W1) : (tensor<?x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
    depth.yield %some, %y : tensor<?xi1>, tensor<?x6xf32>
  }
  %h2, %n2 = depth.iterate max 1 active(%few : tensor<?xi1>) carried(%x = %h1 : tensor<?x6xf32>) {
    %y = func.call @layer(%x, %W2) : (tensor<?x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
    depth.yield %few, %y : tensor<?xi1>, tensor<?x6xf32>
  }
  %n = arith.addi %n1, %n2 : tensor<?xi32>
  %l = call @energy(%h2) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h2, %n : tensor<f32>, tensor<?x6xf32>, tensor<?xi32>
}
train.step @train_stack loss @stack optimizer #train.optimizer<sgd>

// The same, of layers computed for all rows, and selected.
func.func @selected(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<f32>, tensor<?x6xf32>, tensor<?xi32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W1 = nn.use @W1 : tensor<6x6xf32>
  %W2 = nn.use @W2 : tensor<6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %three = arith.constant dense<3> : tensor<i32>
  %six = arith.constant dense<6> : tensor<i32>
  %some = call @above(%words, %three) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi1>
  %few = call @above(%words, %six) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi1>
  %h1, %n1 = depth.iterate max 1 masked active(%some : tensor<?xi1>) carried(%x = %x0 : tensor<?x6xf32>) {
    %y = func.call @layer(%x, %W1) : (tensor<?x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
    depth.yield %some, %y : tensor<?xi1>, tensor<?x6xf32>
  }
  %h2, %n2 = depth.iterate max 1 masked active(%few : tensor<?xi1>) carried(%x = %h1 : tensor<?x6xf32>) {
    %y = func.call @layer(%x, %W2) : (tensor<?x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
    depth.yield %few, %y : tensor<?xi1>, tensor<?x6xf32>
  }
  %n = arith.addi %n1, %n2 : tensor<?xi32>
  %l = call @energy(%h2) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h2, %n : tensor<f32>, tensor<?x6xf32>, tensor<?xi32>
}
train.step @train_selected loss @selected optimizer #train.optimizer<sgd>

// Several iterations, with values of the example that are computed from its rows.
func.func private @iterations(%x0: tensor<?x6xf32>, %words: tensor<?xi32>, %some: tensor<?xi1>) -> (tensor<?x6xf32>, tensor<?xi32>) {
  %W1 = nn.use @W1 : tensor<6x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 4 active(%some : tensor<?xi1>) carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %y = func.call @layer(%x, %W1) : (tensor<?x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
    %m = nn.mean %x over 0 : tensor<?x6xf32>
    %rows = nn.broadcast %m dims [1] like %x : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
    %z = arith.addf %y, %rows : tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %z, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  return %h, %n : tensor<?x6xf32>, tensor<?xi32>
}
func.func @several(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<f32>, tensor<?x6xf32>, tensor<?xi32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %three = arith.constant dense<3> : tensor<i32>
  %some = call @above(%words, %three) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi1>
  %h, %n = call @iterations(%x0, %words, %some) : (tensor<?x6xf32>, tensor<?xi32>, tensor<?xi1>) -> (tensor<?x6xf32>, tensor<?xi32>)
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h, %n : tensor<f32>, tensor<?x6xf32>, tensor<?xi32>
}
train.step @train_several loss @several optimizer #train.optimizer<sgd>

// Nobody begins: the loop does nothing, and its parameters have no gradient.
func.func @nobody(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<f32>, tensor<?x6xf32>, tensor<?xi32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %eleven = arith.constant dense<11> : tensor<i32>
  %none = call @above(%words, %eleven) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi1>
  %h, %n = call @iterations(%x0, %words, %none) : (tensor<?x6xf32>, tensor<?xi32>, tensor<?xi1>) -> (tensor<?x6xf32>, tensor<?xi32>)
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h, %n : tensor<f32>, tensor<?x6xf32>, tensor<?xi32>
}
train.step @train_nobody loss @nobody optimizer #train.optimizer<sgd>

// Whole examples, one of whose words decides; a second loop goes on where the first
// one ended.
func.func @examples(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<f32>, tensor<6xf32>, tensor<i32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W1 = nn.use @W1 : tensor<6x6xf32>
  %W2 = nn.use @W2 : tensor<6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %first = nn.sum %x0 over 0 : tensor<?x6xf32>
  %numbers = arith.sitofp %words : tensor<?xi32> to tensor<?xf32>
  %greatest = nn.max %numbers over 0 : tensor<?xf32>
  %seven = arith.constant dense<7.0> : tensor<f32>
  %go = arith.cmpf ogt, %greatest, %seven : tensor<f32>
  %h1, %n1 = depth.iterate max 2 active(%go : tensor<i1>) carried(%x = %first : tensor<6xf32>) {
    %f = nn.linear %x, %W1 : tensor<6xf32>, tensor<6x6xf32>
    %y = math.tanh %f : tensor<6xf32>
    depth.yield %go, %y : tensor<i1>, tensor<6xf32>
  }
  %h2, %n2 = depth.iterate max 1 active(%go : tensor<i1>) carried(%x = %h1 : tensor<6xf32>) {
    %f = nn.linear %x, %W2 : tensor<6xf32>, tensor<6x6xf32>
    %y = math.tanh %f : tensor<6xf32>
    depth.yield %go, %y : tensor<i1>, tensor<6xf32>
  }
  %n = arith.addi %n1, %n2 : tensor<i32>
  %hh = arith.mulf %h2, %h2 : tensor<6xf32>
  %l = nn.sum %hh over 0 : tensor<6xf32>
  return %l, %h2, %n : tensor<f32>, tensor<6xf32>, tensor<i32>
}
train.step @train_examples loss @examples optimizer #train.optimizer<sgd>

// In another loop, whose rows say who begins the inner one.
func.func @nested(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<f32>, tensor<?x6xf32>, tensor<?xi32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W2 = nn.use @W2 : tensor<6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %two = arith.constant dense<2> : tensor<i32>
  %h, %t, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %late = func.call @above(%words, %two) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi1>
    %s, %m = depth.iterate max 2 active(%late : tensor<?xi1>) carried(%u = %x : tensor<?x6xf32>) {
      %f = nn.linear %u, %W2 : tensor<?x6xf32>, tensor<6x6xf32>
      %y = math.tanh %f : tensor<?x6xf32>
      depth.yield %late, %y : tensor<?xi1>, tensor<?x6xf32>
    }
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %s, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h, %n : tensor<f32>, tensor<?x6xf32>, tensor<?xi32>
}
train.step @train_nested loss @nested optimizer #train.optimizer<sgd>
