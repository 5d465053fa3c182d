// loops.mlir - What loops carry, and what they read
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every loop, forward and backward.

nn.param @E : tensor<11x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W : tensor<6x6xf32> init #nn.init<xavier_uniform>
nn.param @Wk : tensor<6x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @M : tensor<4x4xf32> init #nn.init<xavier_uniform>
nn.param @D : tensor<11x3xf64> init #nn.init<normal(0.0, 0.7)>
nn.param @DW : tensor<3x3xf64> init #nn.init<xavier_uniform>

func.func private @layer(%x: tensor<?x6xf32>, %keys: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %W = nn.use @W : tensor<6x6xf32>
  %Wk = nn.use @Wk : tensor<6x6xf32>
  %k = nn.linear %keys, %Wk : tensor<?x6xf32>, tensor<6x6xf32>
  %a = nn.attention %x, %k, %keys heads 2 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
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
func.func private @loop(%x0: tensor<?x6xf32>, %words: tensor<?xi32>) -> tensor<?x6xf32> {
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 4 carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  return %h : tensor<?x6xf32>
}

// `max 1` is the layer.
func.func @once(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %h, %n = depth.iterate max 1 compact carried(%x = %x0 : tensor<?x6xf32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %go = arith.cmpi eq, %words, %words : tensor<?xi32>
    depth.yield %go, %y : tensor<?xi1>, tensor<?x6xf32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
func.func @plain(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %y = func.call @layer(%x0, %x0) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  %l = call @energy(%y) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %y : tensor<f32>, tensor<?x6xf32>
}
train.step @train_once loss @once optimizer #train.optimizer<sgd>
train.step @train_plain loss @plain optimizer #train.optimizer<sgd>

// Flags that no iteration changes.
func.func @constant(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %c = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %go = arith.cmpi eq, %words, %c : tensor<?xi32>
  %h, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    depth.yield %go, %y : tensor<?xi1>, tensor<?x6xf32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_constant loss @constant optimizer #train.optimizer<sgd>

// An iteration that changes nothing.
func.func @untouched(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %c = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>) {
    %go = arith.cmpi eq, %words, %c : tensor<?xi32>
    depth.yield %go, %x : tensor<?xi1>, tensor<?x6xf32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_untouched loss @untouched optimizer #train.optimizer<sgd>

// An iteration that reads nothing that it carries.
func.func @replaced(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %y = call @layer(%x0, %x0) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  %c = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>) {
    %go = arith.cmpi eq, %words, %c : tensor<?xi32>
    depth.yield %go, %y : tensor<?xi1>, tensor<?x6xf32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_replaced loss @replaced optimizer #train.optimizer<sgd>

// f64, in both forms.
func.func @doubles(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f64>, tensor<?x3xf64>, tensor<?xi32>) {
  %D = nn.use @D : tensor<11x3xf64>
  %DW = nn.use @DW : tensor<3x3xf64>
  %x0 = nn.embed %words, %D : tensor<?xi32>, tensor<11x3xf64>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 4 carried(%x = %x0 : tensor<?x3xf64>, %c = %zeros : tensor<?xi32>) {
    %m = nn.mean %x over 0 : tensor<?x3xf64>
    %mr = nn.broadcast %m dims [1] like %x : tensor<3xf64>, tensor<?x3xf64> -> tensor<?x3xf64>
    %z = nn.linear %x, %DW : tensor<?x3xf64>, tensor<3x3xf64>
    %s = arith.addf %z, %mr : tensor<?x3xf64>
    %y = math.tanh %s : tensor<?x3xf64>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x3xf64>, tensor<?xi32>
  }
  %hh = arith.mulf %h, %h : tensor<?x3xf64>
  %l1 = nn.sum %hh over 1 : tensor<?x3xf64>
  %l = nn.sum %l1 over 0 : tensor<?xf64>
  return %l, %h, %n : tensor<f64>, tensor<?x3xf64>, tensor<?xi32>
}
train.step @train_doubles loss @doubles optimizer #train.optimizer<sgd>

func.func @doubles_masked(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f64>, tensor<?x3xf64>, tensor<?xi32>) {
  %D = nn.use @D : tensor<11x3xf64>
  %DW = nn.use @DW : tensor<3x3xf64>
  %x0 = nn.embed %words, %D : tensor<?xi32>, tensor<11x3xf64>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 4 masked carried(%x = %x0 : tensor<?x3xf64>, %c = %zeros : tensor<?xi32>) {
    %m = nn.mean %x over 0 : tensor<?x3xf64>
    %mr = nn.broadcast %m dims [1] like %x : tensor<3xf64>, tensor<?x3xf64> -> tensor<?x3xf64>
    %z = nn.linear %x, %DW : tensor<?x3xf64>, tensor<3x3xf64>
    %s = arith.addf %z, %mr : tensor<?x3xf64>
    %y = math.tanh %s : tensor<?x3xf64>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x3xf64>, tensor<?xi32>
  }
  %hh = arith.mulf %h, %h : tensor<?x3xf64>
  %l1 = nn.sum %hh over 1 : tensor<?x3xf64>
  %l = nn.sum %l1 over 0 : tensor<?xf64>
  return %l, %h, %n : tensor<f64>, tensor<?x3xf64>, tensor<?xi32>
}
train.step @train_doubles_masked loss @doubles_masked optimizer #train.optimizer<sgd>

// Rows that are matrices, and several carried values of different types.
func.func @matrices(%words: tensor<?xi32> {cambium.name = "words"}, %start: tensor<?x3x4xf32> {cambium.name = "start", cambium.rows = "words"}) -> (tensor<f32>, tensor<?x3x4xf32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %W = nn.use @W : tensor<6x6xf32>
  %M = nn.use @M : tensor<4x4xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %g, %t, %n = depth.iterate max 4 compact carried(%x = %start : tensor<?x3x4xf32>, %v = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %z = nn.linear %x, %M : tensor<?x3x4xf32>, tensor<4x4xf32>
    %p = nn.reshape %z : tensor<?x3x4xf32> -> tensor<?x2x6xf32>
    %q = nn.matmul %p, %v batch_dims 1 : tensor<?x2x6xf32>, tensor<?x6xf32>
    %qq = nn.pad %q over 1 low 0 high 4 : tensor<?x2xf32>
    %w0 = nn.linear %v, %W : tensor<?x6xf32>, tensor<6x6xf32>
    %w1 = arith.addf %w0, %qq : tensor<?x6xf32>
    %w = math.tanh %w1 : tensor<?x6xf32>
    %y = math.tanh %z : tensor<?x3x4xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %w, %d : tensor<?xi1>, tensor<?x3x4xf32>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%g) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h, %g : tensor<f32>, tensor<?x3x4xf32>, tensor<?x6xf32>
}
train.step @train_matrices loss @matrices optimizer #train.optimizer<sgd>

// A function with a loop, called twice: the second reads what the first gives.
func.func @twice(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %a = call @loop(%x0, %words) : (tensor<?x6xf32>, tensor<?xi32>) -> tensor<?x6xf32>
  %b = call @loop(%a, %words) : (tensor<?x6xf32>, tensor<?xi32>) -> tensor<?x6xf32>
  %l = call @energy(%b) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %b : tensor<f32>, tensor<?x6xf32>
}
train.step @train_twice loss @twice optimizer #train.optimizer<sgd>

// Loops over the rows of two sentences.
func.func @two_sentences(%words: tensor<?xi32> {cambium.name = "words"}, %others: tensor<?xi32> {cambium.name = "others"}) -> (tensor<f32>, tensor<?x6xf32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %y0 = call @embed(%others) : (tensor<?xi32>) -> tensor<?x6xf32>
  %a = call @loop(%x0, %words) : (tensor<?x6xf32>, tensor<?xi32>) -> tensor<?x6xf32>
  %b = call @loop(%y0, %others) : (tensor<?x6xf32>, tensor<?xi32>) -> tensor<?x6xf32>
  %l = call @energy(%a) : (tensor<?x6xf32>) -> tensor<f32>
  %m = call @energy(%b) : (tensor<?x6xf32>) -> tensor<f32>
  %n = arith.mulf %l, %m : tensor<f32>
  return %n, %a, %b : tensor<f32>, tensor<?x6xf32>, tensor<?x6xf32>
}
train.step @train_two_sentences loss @two_sentences optimizer #train.optimizer<sgd>

// The counts of the first loop are carried by the second.
func.func @after(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>, tensor<?xi32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 4 compact carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  // Carries the counts of the first one down.
  %g, %u, %m = depth.iterate max 3 masked carried(%x = %h : tensor<?x6xf32>, %c = %n : tensor<?xi32>) {
    %y = func.call @layer(%x, %h) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = arith.subi %c, %c : tensor<?xi32>
    %go = arith.cmpi sgt, %c, %d : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%g) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %g, %m : tensor<f32>, tensor<?x6xf32>, tensor<?xi32>
}
train.step @train_after loss @after optimizer #train.optimizer<sgd>

// Keys and a mean from outside of the loop, of the same rows.
func.func @outer_keys(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 4 compact carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %a = nn.attention %x, %x0, %x heads 2 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
    %m = nn.mean %x0 over 0 : tensor<?x6xf32>
    %mr = nn.broadcast %m dims [1] like %x : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
    %am = arith.addf %a, %mr : tensor<?x6xf32>
    %y = math.tanh %am : tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_outer_keys loss @outer_keys optimizer #train.optimizer<sgd>

// Keys that are an argument.
func.func @argument_keys(%words: tensor<?xi32> {cambium.name = "words"}, %v: tensor<?x6xf32> {cambium.name = "v", cambium.rows = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 4 compact carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %a = nn.attention %x, %v, %x heads 2 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
    %y = math.tanh %a : tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_argument_keys loss @argument_keys optimizer #train.optimizer<sgd>

// What the loop begins with is a result too, behind that of the loop.
func.func @both(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x6xf32>, tensor<?x6xf32>) {
  %e = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %x0 = math.cos %e : tensor<?x6xf32>
  %c = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>) {
    %go = arith.cmpi sgt, %words, %c : tensor<?xi32>
    depth.yield %go, %e : tensor<?xi1>, tensor<?x6xf32>
  }
  return %h, %x0 : tensor<?x6xf32>, tensor<?x6xf32>
}
