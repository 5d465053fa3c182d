// iterate.mlir - Loops whose rows stop, each at its own time
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A word's number says how often its row iterates: 0 and 1 once, the greatest ones as
// often as the maximum allows. Rows attend to all rows of the example, those that have stopped
// among them. `compact` and `masked` are one function in two forms; so are the two
// functions over examples and over rows of one row each.

nn.param @E : tensor<11x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W : tensor<6x6xf32> init #nn.init<xavier_uniform>
nn.param @Wq : tensor<6x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @Wk : tensor<6x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @Wv : tensor<6x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @V : tensor<6x6xf32> init #nn.init<xavier_uniform>

// One layer: attention to all rows, the mean of all rows, what the row was at first.
func.func private @layer(%x: tensor<?x6xf32>, %first: tensor<?x6xf32>,
                         %example: tensor<6xf32>) -> tensor<?x6xf32> {
  %W = nn.use @W : tensor<6x6xf32>
  %V = nn.use @V : tensor<6x6xf32>
  %Wq = nn.use @Wq : tensor<6x6xf32>
  %Wk = nn.use @Wk : tensor<6x6xf32>
  %Wv = nn.use @Wv : tensor<6x6xf32>
  %q = nn.linear %x, %Wq : tensor<?x6xf32>, tensor<6x6xf32>
  %k = nn.linear %x, %Wk : tensor<?x6xf32>, tensor<6x6xf32>
  %v = nn.linear %x, %Wv : tensor<?x6xf32>, tensor<6x6xf32>
  %a = nn.attention %q, %k, %v heads 2 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
  // A value of the example, with a parameter: it changes with every iteration.
  %m = nn.mean %x over 0 : tensor<?x6xf32>
  %mv = nn.linear %m, %V : tensor<6xf32>, tensor<6x6xf32>
  %me = arith.addf %mv, %example : tensor<6xf32>
  %rows = nn.broadcast %me dims [1] like %x : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
  %s0 = arith.addf %a, %first : tensor<?x6xf32>
  %s1 = arith.addf %s0, %rows : tensor<?x6xf32>
  %f = nn.linear %s1, %W : tensor<?x6xf32>, tensor<6x6xf32>
  %y = math.tanh %f : tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}

func.func private @next(%count: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant dense<1> : tensor<i32>
  %ones = nn.broadcast %one dims [] like %count : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %next = arith.addi %count, %ones : tensor<?xi32>
  return %next : tensor<?xi32>
}

func.func private @start(%labels: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %zeros = nn.broadcast %zero dims [] like %labels : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  return %zeros : tensor<?xi32>
}

func.func @compact(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<?x6xf32>, tensor<?xi32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %example = nn.max %x0 over 0 : tensor<?x6xf32>
  %zeros = call @start(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 compact carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %y = func.call @layer(%x, %x0, %example) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  return %h, %n : tensor<?x6xf32>, tensor<?xi32>
}

func.func @masked(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<?x6xf32>, tensor<?xi32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %example = nn.max %x0 over 0 : tensor<?x6xf32>
  %zeros = call @start(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 masked carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %y = func.call @layer(%x, %x0, %example) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  return %h, %n : tensor<?x6xf32>, tensor<?xi32>
}

// Two layers in one iteration: the second one reads rows whose values change after
// they have stopped, so that the masked form is taken.
func.func @two_layers(%words: tensor<?xi32> {cambium.name = "words"})
    -> tensor<?x6xf32> {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %example = nn.max %x0 over 0 : tensor<?x6xf32>
  %zeros = call @start(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %y0 = func.call @layer(%x, %x0, %example) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<6xf32>) -> tensor<?x6xf32>
    %y = func.call @layer(%y0, %x0, %example) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  return %h : tensor<?x6xf32>
}

// The example stops: as soon as it is near enough to where it was.
func.func @example(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<6xf32>, tensor<i32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W = nn.use @W : tensor<6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %first = nn.mean %x0 over 0 : tensor<?x6xf32>
  %near = arith.constant dense<1.0e-2> : tensor<f32>
  %h, %n = depth.iterate max 8 carried(%x = %first : tensor<6xf32>) {
    %f = nn.linear %x, %W : tensor<6xf32>, tensor<6x6xf32>
    %s = arith.addf %f, %first : tensor<6xf32>
    %y = math.tanh %s : tensor<6xf32>
    %d = arith.subf %y, %x : tensor<6xf32>
    %dd = arith.mulf %d, %d : tensor<6xf32>
    %l = nn.sum %dd over 0 : tensor<6xf32>
    %go = arith.cmpf ogt, %l, %near : tensor<f32>
    depth.yield %go, %y : tensor<i1>, tensor<6xf32>
  }
  return %h, %n : tensor<6xf32>, tensor<i32>
}

func.func private @energy(%h: tensor<?x6xf32>) -> tensor<f32> {
  %m = nn.mean %h over 0 : tensor<?x6xf32>
  %mm = arith.mulf %m, %m : tensor<6xf32>
  %l = nn.sum %mm over 0 : tensor<6xf32>
  return %l : tensor<f32>
}

func.func @compact_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %h, %n = call @compact(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>, tensor<?xi32>)
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func @masked_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %h, %n = call @masked(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>, tensor<?xi32>)
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func @two_layers_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %h = call @two_layers(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func @example_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %h, %n = call @example(%words) : (tensor<?xi32>) -> (tensor<6xf32>, tensor<i32>)
  %hh = arith.mulf %h, %h : tensor<6xf32>
  %l = nn.sum %hh over 0 : tensor<6xf32>
  return %l : tensor<f32>
}

train.step @train_compact loss @compact_loss optimizer #train.optimizer<sgd>
train.step @train_masked loss @masked_loss optimizer #train.optimizer<sgd>
train.step @train_two_layers loss @two_layers_loss optimizer #train.optimizer<sgd>
train.step @train_example loss @example_loss optimizer #train.optimizer<sgd>
