// slices.mlir - Layers with weights of their own in one loop
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `layers` and `unrolled` are one encoder of three layers, as a loop and as copies. A word's
// number says after which layer its row stops, where rows stop.

nn.param @E : tensor<11x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W : tensor<3x6x6xf32> init #nn.init<normal(0.0, 0.5)>
nn.param @b : tensor<3x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @Wq : tensor<3x6x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @Wk : tensor<3x6x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @Wv : tensor<3x6x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @tied : tensor<6x6xf32> init #nn.init<normal(0.0, 0.5)>
nn.param @U : tensor<3x6x6xf32> init #nn.init<normal(0.0, 0.5)>
nn.param @T : tensor<3x11x6xf32> init #nn.init<normal(0.0, 0.5)>

func.func private @layer(%x: tensor<?x6xf32>, %first: tensor<?x6xf32>, %W: tensor<6x6xf32>,
                         %b: tensor<6xf32>, %Wq: tensor<6x6xf32>, %Wk: tensor<6x6xf32>,
                         %Wv: tensor<6x6xf32>) -> tensor<?x6xf32> {
  %q = nn.linear %x, %Wq : tensor<?x6xf32>, tensor<6x6xf32>
  %k = nn.linear %x, %Wk : tensor<?x6xf32>, tensor<6x6xf32>
  %v = nn.linear %x, %Wv : tensor<?x6xf32>, tensor<6x6xf32>
  %a = nn.attention %q, %k, %v heads 2 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
  %s = arith.addf %a, %first : tensor<?x6xf32>
  %f = nn.linear %s, %W, %b : tensor<?x6xf32>, tensor<6x6xf32>, tensor<6xf32>
  %y = math.tanh %f : tensor<?x6xf32>
  %tied = nn.use @tied : tensor<6x6xf32>
  %t = nn.linear %y, %tied : tensor<?x6xf32>, tensor<6x6xf32>
  %z = arith.addf %t, %x : tensor<?x6xf32>
  return %z : tensor<?x6xf32>
}

func.func @layers(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x6xf32> {
  %E = nn.use @E : tensor<11x6xf32>
  %W = nn.use @W : tensor<3x6x6xf32>
  %b = nn.use @b : tensor<3x6xf32>
  %Wq = nn.use @Wq : tensor<3x6x6xf32>
  %Wk = nn.use @Wk : tensor<3x6x6xf32>
  %Wv = nn.use @Wv : tensor<3x6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %y = depth.iterate 3 carried(%x = %x0 : tensor<?x6xf32>) slices(%w = %W : tensor<3x6x6xf32>, %c = %b : tensor<3x6xf32>, %wq = %Wq : tensor<3x6x6xf32>, %wk = %Wk : tensor<3x6x6xf32>, %wv = %Wv : tensor<3x6x6xf32>) {
    %next = func.call @layer(%x, %x0, %w, %c, %wq, %wk, %wv) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<6x6xf32>, tensor<6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
    depth.yield %next : tensor<?x6xf32>
  }
  return %y : tensor<?x6xf32>
}

func.func @unrolled(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x6xf32> {
  %E = nn.use @E : tensor<11x6xf32>
  %W = nn.use @W : tensor<3x6x6xf32>
  %b = nn.use @b : tensor<3x6xf32>
  %Wq = nn.use @Wq : tensor<3x6x6xf32>
  %Wk = nn.use @Wk : tensor<3x6x6xf32>
  %Wv = nn.use @Wv : tensor<3x6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %W0.s = nn.slice %W over 0 from 0 size 1 : tensor<3x6x6xf32>
  %W0 = nn.reshape %W0.s : tensor<1x6x6xf32> -> tensor<6x6xf32>
  %Wq0.s = nn.slice %Wq over 0 from 0 size 1 : tensor<3x6x6xf32>
  %Wq0 = nn.reshape %Wq0.s : tensor<1x6x6xf32> -> tensor<6x6xf32>
  %Wk0.s = nn.slice %Wk over 0 from 0 size 1 : tensor<3x6x6xf32>
  %Wk0 = nn.reshape %Wk0.s : tensor<1x6x6xf32> -> tensor<6x6xf32>
  %Wv0.s = nn.slice %Wv over 0 from 0 size 1 : tensor<3x6x6xf32>
  %Wv0 = nn.reshape %Wv0.s : tensor<1x6x6xf32> -> tensor<6x6xf32>
  %b0.s = nn.slice %b over 0 from 0 size 1 : tensor<3x6xf32>
  %b0 = nn.reshape %b0.s : tensor<1x6xf32> -> tensor<6xf32>
  %x1 = call @layer(%x0, %x0, %W0, %b0, %Wq0, %Wk0, %Wv0) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<6x6xf32>, tensor<6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
  %W1.s = nn.slice %W over 0 from 1 size 1 : tensor<3x6x6xf32>
  %W1 = nn.reshape %W1.s : tensor<1x6x6xf32> -> tensor<6x6xf32>
  %Wq1.s = nn.slice %Wq over 0 from 1 size 1 : tensor<3x6x6xf32>
  %Wq1 = nn.reshape %Wq1.s : tensor<1x6x6xf32> -> tensor<6x6xf32>
  %Wk1.s = nn.slice %Wk over 0 from 1 size 1 : tensor<3x6x6xf32>
  %Wk1 = nn.reshape %Wk1.s : tensor<1x6x6xf32> -> tensor<6x6xf32>
  %Wv1.s = nn.slice %Wv over 0 from 1 size 1 : tensor<3x6x6xf32>
  %Wv1 = nn.reshape %Wv1.s : tensor<1x6x6xf32> -> tensor<6x6xf32>
  %b1.s = nn.slice %b over 0 from 1 size 1 : tensor<3x6xf32>
  %b1 = nn.reshape %b1.s : tensor<1x6xf32> -> tensor<6xf32>
  %x2 = call @layer(%x1, %x0, %W1, %b1, %Wq1, %Wk1, %Wv1) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<6x6xf32>, tensor<6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
  %W2.s = nn.slice %W over 0 from 2 size 1 : tensor<3x6x6xf32>
  %W2 = nn.reshape %W2.s : tensor<1x6x6xf32> -> tensor<6x6xf32>
  %Wq2.s = nn.slice %Wq over 0 from 2 size 1 : tensor<3x6x6xf32>
  %Wq2 = nn.reshape %Wq2.s : tensor<1x6x6xf32> -> tensor<6x6xf32>
  %Wk2.s = nn.slice %Wk over 0 from 2 size 1 : tensor<3x6x6xf32>
  %Wk2 = nn.reshape %Wk2.s : tensor<1x6x6xf32> -> tensor<6x6xf32>
  %Wv2.s = nn.slice %Wv over 0 from 2 size 1 : tensor<3x6x6xf32>
  %Wv2 = nn.reshape %Wv2.s : tensor<1x6x6xf32> -> tensor<6x6xf32>
  %b2.s = nn.slice %b over 0 from 2 size 1 : tensor<3x6xf32>
  %b2 = nn.reshape %b2.s : tensor<1x6xf32> -> tensor<6xf32>
  %x3 = call @layer(%x2, %x0, %W2, %b2, %Wq2, %Wk2, %Wv2) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<6x6xf32>, tensor<6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
  return %x3 : tensor<?x6xf32>
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

func.func @compact(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x6xf32>, tensor<?xi32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W = nn.use @W : tensor<3x6x6xf32>
  %b = nn.use @b : tensor<3x6xf32>
  %Wq = nn.use @Wq : tensor<3x6x6xf32>
  %Wk = nn.use @Wk : tensor<3x6x6xf32>
  %Wv = nn.use @Wv : tensor<3x6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %zeros = call @start(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 3 compact carried(%x = %x0 : tensor<?x6xf32>, %i = %zeros : tensor<?xi32>) slices(%w = %W : tensor<3x6x6xf32>, %c = %b : tensor<3x6xf32>, %wq = %Wq : tensor<3x6x6xf32>, %wk = %Wk : tensor<3x6x6xf32>, %wv = %Wv : tensor<3x6x6xf32>) {
    %y = func.call @layer(%x, %x0, %w, %c, %wq, %wk, %wv) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<6x6xf32>, tensor<6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%i) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  return %h, %n : tensor<?x6xf32>, tensor<?xi32>
}

func.func @masked(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x6xf32>, tensor<?xi32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W = nn.use @W : tensor<3x6x6xf32>
  %b = nn.use @b : tensor<3x6xf32>
  %Wq = nn.use @Wq : tensor<3x6x6xf32>
  %Wk = nn.use @Wk : tensor<3x6x6xf32>
  %Wv = nn.use @Wv : tensor<3x6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %zeros = call @start(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 3 masked carried(%x = %x0 : tensor<?x6xf32>, %i = %zeros : tensor<?xi32>) slices(%w = %W : tensor<3x6x6xf32>, %c = %b : tensor<3x6xf32>, %wq = %Wq : tensor<3x6x6xf32>, %wk = %Wk : tensor<3x6x6xf32>, %wv = %Wv : tensor<3x6x6xf32>) {
    %y = func.call @layer(%x, %x0, %w, %c, %wq, %wk, %wv) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<6x6xf32>, tensor<6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
    %d = func.call @next(%i) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  return %h, %n : tensor<?x6xf32>, tensor<?xi32>
}

// Weights by halting probability; the array is read a second time, beside the loop.
func.func @ponder(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W = nn.use @W : tensor<3x6x6xf32>
  %b = nn.use @b : tensor<3x6xf32>
  %Wq = nn.use @Wq : tensor<3x6x6xf32>
  %Wk = nn.use @Wk : tensor<3x6x6xf32>
  %Wv = nn.use @Wv : tensor<3x6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %some = nn.slice %b over 0 from 1 size 1 : tensor<3x6xf32>
  %bias = nn.reshape %some : tensor<1x6xf32> -> tensor<6xf32>
  %h, %n, %r = depth.ponder max 3 combine convex remainder forced carried(%x = %x0 : tensor<?x6xf32>) slices(%w = %W : tensor<3x6x6xf32>, %c = %b : tensor<3x6xf32>, %wq = %Wq : tensor<3x6x6xf32>, %wk = %Wk : tensor<3x6x6xf32>, %wv = %Wv : tensor<3x6x6xf32>) {
    %y = func.call @layer(%x, %x0, %w, %c, %wq, %wk, %wv) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<6x6xf32>, tensor<6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
    %s = nn.sum %y over 1 : tensor<?x6xf32>
    %p = nn.sigmoid %s : tensor<?xf32>
    depth.yield %p, %y : tensor<?xf32>, tensor<?x6xf32>
  }
  %biases = nn.broadcast %bias dims [1] like %h : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
  %hb = arith.mulf %h, %biases : tensor<?x6xf32>
  return %hb, %n, %r : tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>
}

// The example stops; slices are used as they are, and scaled.
func.func @example(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<6xf32>, tensor<i32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W = nn.use @W : tensor<3x6x6xf32>
  %b = nn.use @b : tensor<3x6xf32>
  %Wq = nn.use @Wq : tensor<3x6x6xf32>
  %Wk = nn.use @Wk : tensor<3x6x6xf32>
  %Wv = nn.use @Wv : tensor<3x6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %near = arith.constant dense<1.0e-1> : tensor<f32>
  %first = nn.sum %x0 over 0 : tensor<?x6xf32>
  %h, %n = depth.iterate max 3 carried(%x = %first : tensor<6xf32>) slices(%w = %W : tensor<3x6x6xf32>, %c = %b : tensor<3x6xf32>) {
    %ww = arith.mulf %w, %w : tensor<6x6xf32>
    %f = nn.linear %x, %ww, %c : tensor<6xf32>, tensor<6x6xf32>, tensor<6xf32>
    %y = math.tanh %f : tensor<6xf32>
    %l = nn.sum %y over 0 : tensor<6xf32>
    %go = arith.cmpf ogt, %l, %near : tensor<f32>
    depth.yield %go, %y : tensor<i1>, tensor<6xf32>
  }
  return %h, %n : tensor<6xf32>, tensor<i32>
}

// Tables of which each layer has its own, and flags that compare with no number: every row
// stops after the first layer.
func.func @tables(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x6xf32>, tensor<?xi32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %T = nn.use @T : tensor<3x11x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %nan = arith.constant dense<0x7FC00000> : tensor<f32>
  %limits = nn.broadcast %nan dims [] like %words : tensor<f32>, tensor<?xi32> -> tensor<?xf32>
  %y = depth.iterate 3 carried(%x = %x0 : tensor<?x6xf32>) slices(%t = %T : tensor<3x11x6xf32>) {
    %e = nn.embed %words, %t : tensor<?xi32>, tensor<11x6xf32>
    %next = arith.addf %x, %e : tensor<?x6xf32>
    depth.yield %next : tensor<?x6xf32>
  }
  %z, %n = depth.iterate max 3 carried(%x = %y : tensor<?x6xf32>) slices(%t = %T : tensor<3x11x6xf32>) {
    %e = nn.embed %words, %t : tensor<?xi32>, tensor<11x6xf32>
    %next = arith.mulf %x, %e : tensor<?x6xf32>
    %s = nn.sum %next over 1 : tensor<?x6xf32>
    %go = arith.cmpf olt, %s, %limits : tensor<?xf32>
    depth.yield %go, %next : tensor<?xi1>, tensor<?x6xf32>
  }
  return %z, %n : tensor<?x6xf32>, tensor<?xi32>
}

// Of a fixed number, what is carried may be rows and a value of the example; loops in loops,
// of either kind.
func.func @nested(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x6xf32>, tensor<6xf32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W = nn.use @W : tensor<3x6x6xf32>
  %b = nn.use @b : tensor<3x6xf32>
  %Wq = nn.use @Wq : tensor<3x6x6xf32>
  %Wk = nn.use @Wk : tensor<3x6x6xf32>
  %Wv = nn.use @Wv : tensor<3x6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %U = nn.use @U : tensor<3x6x6xf32>
  %first = nn.max %x0 over 0 : tensor<?x6xf32>
  %zeros = call @start(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %y:2 = depth.iterate 3 carried(%x = %x0 : tensor<?x6xf32>, %e = %first : tensor<6xf32>) slices(%w = %W : tensor<3x6x6xf32>) {
    %in = depth.iterate 2 carried(%a = %x : tensor<?x6xf32>) {
      %wa = nn.linear %a, %w : tensor<?x6xf32>, tensor<6x6xf32>
      %ta = math.tanh %wa : tensor<?x6xf32>
      depth.yield %ta : tensor<?x6xf32>
    }
    %few, %i, %n = depth.iterate max 3 compact carried(%a = %in : tensor<?x6xf32>, %t = %zeros : tensor<?xi32>) slices(%u = %U : tensor<3x6x6xf32>) {
      %ua = nn.linear %a, %u : tensor<?x6xf32>, tensor<6x6xf32>
      %wa = nn.linear %ua, %w : tensor<?x6xf32>, tensor<6x6xf32>
      %ta = math.tanh %wa : tensor<?x6xf32>
      %d = func.call @next(%t) : (tensor<?xi32>) -> tensor<?xi32>
      %go = arith.cmpi slt, %d, %words : tensor<?xi32>
      depth.yield %go, %ta, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
    }
    %m = nn.sum %few over 0 : tensor<?x6xf32>
    %me = arith.addf %m, %e : tensor<6xf32>
    %te = math.tanh %me : tensor<6xf32>
    %rows = nn.broadcast %te dims [1] like %few : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
    %next = arith.addf %few, %rows : tensor<?x6xf32>
    depth.yield %next, %te : tensor<?x6xf32>, tensor<6xf32>
  }
  return %y#0, %y#1 : tensor<?x6xf32>, tensor<6xf32>
}

// A fixed loop where rows stop.
func.func @inside(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x6xf32> {
  %E = nn.use @E : tensor<11x6xf32>
  %W = nn.use @W : tensor<3x6x6xf32>
  %b = nn.use @b : tensor<3x6xf32>
  %Wq = nn.use @Wq : tensor<3x6x6xf32>
  %Wk = nn.use @Wk : tensor<3x6x6xf32>
  %Wv = nn.use @Wv : tensor<3x6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %zeros = call @start(%words) : (tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x6xf32>, %i = %zeros : tensor<?xi32>) slices(%w = %W : tensor<3x6x6xf32>) {
    %y = depth.iterate 3 carried(%a = %x : tensor<?x6xf32>) slices(%c = %b : tensor<3x6xf32>) {
      %wa = nn.linear %a, %w, %c : tensor<?x6xf32>, tensor<6x6xf32>, tensor<6xf32>
      %ta = math.tanh %wa : tensor<?x6xf32>
      depth.yield %ta : tensor<?x6xf32>
    }
    %d = func.call @next(%i) : (tensor<?xi32>) -> tensor<?xi32>
    %go = arith.cmpi slt, %d, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  return %h : tensor<?x6xf32>
}

// In the cell of a node, a fixed loop and one that stops; and recursions in a loop, each
// with weights of its own.
func.func @trees(%words: tensor<?xi32> {cambium.name = "words"}, %tree: !tree.tree {cambium.name = "tree"}) -> (tensor<?x6xf32>, tensor<?x6xf32>) {
  %E = nn.use @E : tensor<11x6xf32>
  %W = nn.use @W : tensor<3x6x6xf32>
  %b = nn.use @b : tensor<3x6xf32>
  %Wq = nn.use @Wq : tensor<3x6x6xf32>
  %Wk = nn.use @Wk : tensor<3x6x6xf32>
  %Wv = nn.use @Wv : tensor<3x6x6xf32>
  %x0 = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %U = nn.use @U : tensor<3x6x6xf32>
  %low = arith.constant dense<-0.5> : tensor<f32>
  %cells = tree.fold %tree nodes(%xj = %x0 : tensor<6xf32>) children(%hk : tensor<?x6xf32>) -> (tensor<6xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x6xf32>
    %xs = arith.addf %s, %xj : tensor<6xf32>
    %h = depth.iterate 3 carried(%x = %xs : tensor<6xf32>) slices(%w = %W : tensor<3x6x6xf32>) {
      %wx = nn.linear %x, %w : tensor<6xf32>, tensor<6x6xf32>
      %y = math.tanh %wx : tensor<6xf32>
      depth.yield %y : tensor<6xf32>
    }
    %g, %n = depth.iterate max 3 carried(%x = %h : tensor<6xf32>) slices(%u = %U : tensor<3x6x6xf32>) {
      %wx = nn.linear %x, %u : tensor<6xf32>, tensor<6x6xf32>
      %y = math.tanh %wx : tensor<6xf32>
      %l = nn.sum %y over 0 : tensor<6xf32>
      %go = arith.cmpf ogt, %l, %low : tensor<f32>
      depth.yield %go, %y : tensor<i1>, tensor<6xf32>
    }
    tree.yield %g : tensor<6xf32>
  }
  %y = depth.iterate 3 carried(%x = %x0 : tensor<?x6xf32>) slices(%w = %W : tensor<3x6x6xf32>, %u = %U : tensor<3x6x6xf32>) {
    %h = tree.fold %tree nodes(%xj = %x : tensor<6xf32>) children(%hk : tensor<?x6xf32>) -> (tensor<6xf32>) {
      %s = nn.sum %hk over 0 : tensor<?x6xf32>
      %ws = nn.linear %s, %w : tensor<6xf32>, tensor<6x6xf32>
      %us = nn.linear %xj, %u : tensor<6xf32>, tensor<6x6xf32>
      %sum = arith.addf %ws, %us : tensor<6xf32>
      %hj = math.tanh %sum : tensor<6xf32>
      tree.yield %hj : tensor<6xf32>
    }
    depth.yield %h : tensor<?x6xf32>
  }
  return %cells, %y : tensor<?x6xf32>, tensor<?x6xf32>
}

func.func private @energy(%h: tensor<?x6xf32>) -> tensor<f32> {
  %m = nn.sum %h over 0 : tensor<?x6xf32>
  %mm = arith.mulf %m, %m : tensor<6xf32>
  %l = nn.sum %mm over 0 : tensor<6xf32>
  return %l : tensor<f32>
}

func.func @layers_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %r0 = call @layers(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>)
  %l0 = call @energy(%r0) : (tensor<?x6xf32>) -> tensor<f32>
  return %l0 : tensor<f32>
}
train.step @train_layers loss @layers_loss optimizer #train.optimizer<sgd>

func.func @unrolled_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %r0 = call @unrolled(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>)
  %l0 = call @energy(%r0) : (tensor<?x6xf32>) -> tensor<f32>
  return %l0 : tensor<f32>
}
train.step @train_unrolled loss @unrolled_loss optimizer #train.optimizer<sgd>

func.func @compact_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %r0, %r1 = call @compact(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>, tensor<?xi32>)
  %l0 = call @energy(%r0) : (tensor<?x6xf32>) -> tensor<f32>
  return %l0 : tensor<f32>
}
train.step @train_compact loss @compact_loss optimizer #train.optimizer<sgd>

func.func @masked_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %r0, %r1 = call @masked(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>, tensor<?xi32>)
  %l0 = call @energy(%r0) : (tensor<?x6xf32>) -> tensor<f32>
  return %l0 : tensor<f32>
}
train.step @train_masked loss @masked_loss optimizer #train.optimizer<sgd>

func.func @ponder_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %r0, %r1, %r2 = call @ponder(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>, tensor<?xi32>, tensor<?xf32>)
  %l0 = call @energy(%r0) : (tensor<?x6xf32>) -> tensor<f32>
  %l2 = nn.sum %r2 over 0 : tensor<?xf32>
  %t0 = arith.addf %l0, %l2 : tensor<f32>
  return %t0 : tensor<f32>
}
train.step @train_ponder loss @ponder_loss optimizer #train.optimizer<sgd>

func.func @example_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %r0, %r1 = call @example(%words) : (tensor<?xi32>) -> (tensor<6xf32>, tensor<i32>)
  %s0 = arith.mulf %r0, %r0 : tensor<6xf32>
  %l0 = nn.sum %s0 over 0 : tensor<6xf32>
  return %l0 : tensor<f32>
}
train.step @train_example loss @example_loss optimizer #train.optimizer<sgd>

func.func @nested_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %r0, %r1 = call @nested(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>, tensor<6xf32>)
  %l0 = call @energy(%r0) : (tensor<?x6xf32>) -> tensor<f32>
  %s1 = arith.mulf %r1, %r1 : tensor<6xf32>
  %l1 = nn.sum %s1 over 0 : tensor<6xf32>
  %t0 = arith.addf %l0, %l1 : tensor<f32>
  return %t0 : tensor<f32>
}
train.step @train_nested loss @nested_loss optimizer #train.optimizer<sgd>

func.func @inside_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %r0 = call @inside(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>)
  %l0 = call @energy(%r0) : (tensor<?x6xf32>) -> tensor<f32>
  return %l0 : tensor<f32>
}
train.step @train_inside loss @inside_loss optimizer #train.optimizer<sgd>

func.func @trees_loss(%words: tensor<?xi32> {cambium.name = "words"}, %tree: !tree.tree {cambium.name = "tree"}) -> tensor<f32> {
  %r0, %r1 = call @trees(%words, %tree) : (tensor<?xi32>, !tree.tree) -> (tensor<?x6xf32>, tensor<?x6xf32>)
  %l0 = call @energy(%r0) : (tensor<?x6xf32>) -> tensor<f32>
  %l1 = call @energy(%r1) : (tensor<?x6xf32>) -> tensor<f32>
  %t0 = arith.addf %l0, %l1 : tensor<f32>
  return %t0 : tensor<f32>
}
train.step @train_trees loss @trees_loss optimizer #train.optimizer<sgd>

func.func @tables_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %r0, %r1 = call @tables(%words) : (tensor<?xi32>) -> (tensor<?x6xf32>, tensor<?xi32>)
  %l0 = call @energy(%r0) : (tensor<?x6xf32>) -> tensor<f32>
  return %l0 : tensor<f32>
}
train.step @train_tables loss @tables_loss optimizer #train.optimizer<sgd>
