// loops_in_places.mlir - Loops where other things happen
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Over nodes, beside other sentences, within gradients, cells and other loops.

nn.param @E : tensor<11x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W : tensor<6x6xf32> init #nn.init<xavier_uniform>
nn.param @Wk : tensor<6x6xf32> init #nn.init<normal(0.0, 0.7)>

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

// Rows that are the nodes of a tree.
func.func @nodes(%tree: !tree.tree {cambium.name = "tree"}, %words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %W = nn.use @W : tensor<6x6xf32>
  %s = tree.fold %tree nodes(%xj = %x0 : tensor<6xf32>) children(%hk : tensor<?x6xf32>) -> (tensor<6xf32>) {
    %hs = nn.sum %hk over 0 : tensor<?x6xf32>
    %hw = nn.linear %hs, %W : tensor<6xf32>, tensor<6x6xf32>
    %hx = arith.addf %hw, %xj : tensor<6xf32>
    %hj = math.tanh %hx : tensor<6xf32>
    tree.yield %hj : tensor<6xf32>
  }
  %h = call @loop(%s, %words) : (tensor<?x6xf32>, tensor<?xi32>) -> tensor<?x6xf32>
  %r = tree.root %tree, %h : tensor<?x6xf32>
  %rr = arith.mulf %r, %r : tensor<6xf32>
  %l = nn.sum %rr over 0 : tensor<6xf32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_nodes loss @nodes optimizer #train.optimizer<sgd>

// Keys of another sentence, in both forms.
func.func @cross(%words: tensor<?xi32> {cambium.name = "words"}, %others: tensor<?xi32> {cambium.name = "others"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %y0 = call @embed(%others) : (tensor<?xi32>) -> tensor<?x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 4 compact carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %y1 = func.call @layer(%x, %y0) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y1, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_cross loss @cross optimizer #train.optimizer<sgd>

func.func @cross_masked(%words: tensor<?xi32> {cambium.name = "words"}, %others: tensor<?xi32> {cambium.name = "others"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %y0 = call @embed(%others) : (tensor<?xi32>) -> tensor<?x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 4 masked carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %y1 = func.call @layer(%x, %y0) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y1, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_cross_masked loss @cross_masked optimizer #train.optimizer<sgd>

// Keys without a gradient.
func.func @stopped(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %xs = train.stop_gradient %x : tensor<?x6xf32>
    %y = func.call @layer(%x, %xs) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_stopped loss @stopped optimizer #train.optimizer<sgd>

// Integers are not divided by the zeros behind the end of a row.
func.func @division(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %two = arith.constant dense<2> : tensor<i32>
  %twos = call @rows(%two, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 4 masked carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %r = arith.remsi %words, %twos : tensor<?xi32>
    %go = arith.cmpi eq, %r, %zeros : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_division loss @division optimizer #train.optimizer<sgd>

// The gradient of a loop within the function.
func.func @penalty(%words: tensor<?xi32> {cambium.name = "words"}, %v: tensor<6xf32> {cambium.name = "v"}) -> (tensor<f32>, tensor<6xf32>) {
  %e = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %vr = nn.broadcast %v dims [1] like %e : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
  %x0 = arith.addf %e, %vr : tensor<?x6xf32>
  %h = call @loop(%x0, %words) : (tensor<?x6xf32>, tensor<?xi32>) -> tensor<?x6xf32>
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  %g = train.gradient %l wrt %v : tensor<f32>, tensor<6xf32>
  return %l, %g : tensor<f32>, tensor<6xf32>
}

// A loss that holds the gradient of a loop.
func.func @second(%words: tensor<?xi32> {cambium.name = "words"}, %v: tensor<6xf32> {cambium.name = "v"}) -> (tensor<f32>, tensor<6xf32>) {
  %e = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %W = nn.use @W : tensor<6x6xf32>
  %vr = nn.broadcast %v dims [1] like %e : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
  %x0 = arith.addf %e, %vr : tensor<?x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %w = nn.linear %x, %W : tensor<?x6xf32>, tensor<6x6xf32>
    %y = math.tanh %w : tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  %g = train.gradient %l wrt %v : tensor<f32>, tensor<6xf32>
  %gg = arith.mulf %g, %g : tensor<6xf32>
  %p = nn.sum %gg over 0 : tensor<6xf32>
  %q = arith.addf %l, %p : tensor<f32>
  return %q, %g : tensor<f32>, tensor<6xf32>
}
train.step @train_second loss @second optimizer #train.optimizer<sgd>

// A loop in the cell of a node.
func.func @in_cell(%tree: !tree.tree {cambium.name = "tree"}, %words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %W = nn.use @W : tensor<6x6xf32>
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %s = tree.fold %tree nodes(%xj = %x0 : tensor<6xf32>, %wj = %words : tensor<i32>) children(%hk : tensor<?x6xf32>) -> (tensor<6xf32>) {
    %hs = nn.sum %hk over 0 : tensor<?x6xf32>
    %hj, %t, %n = depth.iterate max 3 carried(%x = %hs : tensor<6xf32>, %c = %zero : tensor<i32>) {
      %hw = nn.linear %x, %W : tensor<6xf32>, tensor<6x6xf32>
      %hx = arith.addf %hw, %xj : tensor<6xf32>
      %y = math.tanh %hx : tensor<6xf32>
      %d = arith.addi %c, %one : tensor<i32>
      %go = arith.cmpi slt, %d, %wj : tensor<i32>
      depth.yield %go, %y, %d : tensor<i1>, tensor<6xf32>, tensor<i32>
    }
    tree.yield %hj : tensor<6xf32>
  }
  %r = tree.root %tree, %s : tensor<?x6xf32>
  %rr = arith.mulf %r, %r : tensor<6xf32>
  %l = nn.sum %rr over 0 : tensor<6xf32>
  return %l, %s : tensor<f32>, tensor<?x6xf32>
}

// Loops in loops.
func.func @nested(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %s = func.call @loop(%x, %words) : (tensor<?x6xf32>, tensor<?xi32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %s, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}

func.func @nested_other(%words: tensor<?xi32> {cambium.name = "words"}, %others: tensor<?xi32> {cambium.name = "others"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %y0 = call @embed(%others) : (tensor<?xi32>) -> tensor<?x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %ozeros = call @zeros(%others) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %g, %u, %m = depth.iterate max 3 carried(%z = %y0 : tensor<?x6xf32>, %oc = %ozeros : tensor<?xi32>) {
      %zz = func.call @layer(%z, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
      %od = func.call @next(%oc) : (tensor<?xi32>) -> tensor<?xi32>
      %ogo = arith.cmpi slt, %od, %others : tensor<?xi32>
      depth.yield %ogo, %zz, %od : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
    }
    %s = func.call @layer(%x, %g) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %s, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}

func.func @nested_example(%words: tensor<?xi32> {cambium.name = "words"}, %n0: tensor<i32> {cambium.name = "n0"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %W = nn.use @W : tensor<6x6xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %m = nn.mean %x over 0 : tensor<?x6xf32>
    %g, %u, %k = depth.iterate max 3 carried(%z = %m : tensor<6xf32>, %oc = %n0 : tensor<i32>) {
      %zw = nn.linear %z, %W : tensor<6xf32>, tensor<6x6xf32>
      %zm = arith.addf %zw, %m : tensor<6xf32>
      %zz = math.tanh %zm : tensor<6xf32>
      %od = arith.subi %oc, %one : tensor<i32>
      %ogo = arith.cmpi sgt, %oc, %one : tensor<i32>
      depth.yield %ogo, %zz, %od : tensor<i1>, tensor<6xf32>, tensor<i32>
    }
    %gr = nn.broadcast %g dims [1] like %x : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
    %k0 = arith.addf %gr, %x : tensor<?x6xf32>
    %s = func.call @layer(%x, %k0) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %s, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_in_cell loss @in_cell optimizer #train.optimizer<sgd>
train.step @train_nested loss @nested optimizer #train.optimizer<sgd>
train.step @train_nested_other loss @nested_other optimizer #train.optimizer<sgd>
train.step @train_nested_example loss @nested_example optimizer #train.optimizer<sgd>

// What a row computes of its place among the others of its example, in each iteration.
func.func @places(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %zeros = call @zeros(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 4 carried(%x = %x0 : tensor<?x6xf32>, %c = %zeros : tensor<?xi32>) {
    %i = nn.positions %x limit 11 : tensor<?x6xf32>
    %p = nn.embed %i, %E : tensor<?xi32>, tensor<11x6xf32>
    %s = arith.addf %x, %p : tensor<?x6xf32>
    %y = math.tanh %s : tensor<?x6xf32>
    %d = func.call @next(%c) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %m = nn.sum %h over 0 : tensor<?x6xf32>
  %mm = arith.mulf %m, %m : tensor<6xf32>
  %l = nn.sum %mm over 0 : tensor<6xf32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train_places loss @places optimizer #train.optimizer<sgd>
