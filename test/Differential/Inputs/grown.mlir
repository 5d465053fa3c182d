// grown.mlir - Searches whose hypotheses have rows
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How soon word 2 ends one differs; word 5 is forbidden.

nn.param @E : tensor<7x6xf32> init #nn.init<normal(0.0, 0.9)>
nn.param @W : tensor<6x6xf32> init #nn.init<normal(0.0, 0.9)>
nn.param @O : tensor<6x7xf32> init #nn.init<normal(0.0, 1.5)>
nn.param @R : tensor<5x3xf32> init #nn.init<normal(0.0, 0.9)>

func.func private @marks() -> (tensor<i32>, tensor<i32>) {
  %begin = arith.constant dense<1> : tensor<i32>
  %end = arith.constant dense<2> : tensor<i32>
  return %begin, %end : tensor<i32>, tensor<i32>
}

func.func private @read(%w: tensor<?xi32>, %k: tensor<6xf32>) -> tensor<?x6xf32> {
  %E = nn.use @E : tensor<7x6xf32>
  %e = nn.embed %w, %E : tensor<?xi32>, tensor<7x6xf32>
  %ks = nn.broadcast %k dims [1] like %e : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
  %x = arith.addf %e, %ks : tensor<?x6xf32>
  return %x : tensor<?x6xf32>
}

// Attention to all words of the hypothesis, with those of the source.
func.func private @layer(%x: tensor<?x6xf32>, %seen: tensor<?x?x6xf32>, %source: tensor<?x6xf32>)
    -> (tensor<?x6xf32>, tensor<?x?x6xf32>) {
  %W = nn.use @W : tensor<6x6xf32>
  %R = nn.use @R : tensor<5x3xf32>
  %k = nn.linear %x, %W : tensor<?x6xf32>, tensor<6x6xf32>
  %all = depth.append %seen, %k : tensor<?x?x6xf32>, tensor<?x6xf32>
  %a = nn.attention %x, %all, %all heads 2 relative_keys(%R : tensor<5x3xf32>) : tensor<?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x6xf32>
  %b = nn.attention %a, %source, %source heads 1 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
  %ab = arith.addf %a, %b : tensor<?x6xf32>
  %t = math.tanh %ab : tensor<?x6xf32>
  %y = arith.addf %x, %t : tensor<?x6xf32>
  return %y, %all : tensor<?x6xf32>, tensor<?x?x6xf32>
}

func.func private @score(%y: tensor<?x6xf32>) -> tensor<?x7xf32> {
  %O = nn.use @O : tensor<6x7xf32>
  %none = arith.constant dense<[0.0, 0.0, 0.5, 0.0, 0.0, 0xFF800000, 0.0]> : tensor<7xf32>
  %z = nn.linear %y, %O : tensor<?x6xf32>, tensor<6x7xf32>
  %p = nn.log_softmax %z over 1 : tensor<?x7xf32>
  %nones = nn.broadcast %none dims [1] like %p : tensor<7xf32>, tensor<?x7xf32> -> tensor<?x7xf32>
  %q = arith.addf %p, %nones : tensor<?x7xf32>
  return %q : tensor<?x7xf32>
}

// Two layers, of which each has rows.
func.func @beam(%words: tensor<?xi32> {cambium.name = "words"}, %k: tensor<6xf32> {cambium.name = "k"})
    -> (tensor<3x6xi32>, tensor<3xi32>, tensor<3xf32>) {
  %b, %e = call @marks() : () -> (tensor<i32>, tensor<i32>)
  %x = call @read(%words, %k) : (tensor<?xi32>, tensor<6xf32>) -> tensor<?x6xf32>
  %o, %n, %s = depth.search beam 3 max 6 begin %b end %e carried(%h = %k : tensor<6xf32>) grows(%g0 : tensor<?x?x6xf32>, %g1 : tensor<?x?x6xf32>) next(%w : tensor<?xi32>) {
    %y0 = func.call @read(%w, %k) : (tensor<?xi32>, tensor<6xf32>) -> tensor<?x6xf32>
    %y1 = arith.addf %y0, %h : tensor<?x6xf32>
    %y2, %a0 = func.call @layer(%y1, %g0, %x) : (tensor<?x6xf32>, tensor<?x?x6xf32>, tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<?x?x6xf32>)
    %y3, %a1 = func.call @layer(%y2, %g1, %x) : (tensor<?x6xf32>, tensor<?x?x6xf32>, tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<?x?x6xf32>)
    %p = func.call @score(%y3) : (tensor<?x6xf32>) -> tensor<?x7xf32>
    %h1 = math.tanh %y3 : tensor<?x6xf32>
    depth.yield %p, %h1, %a0, %a1 : tensor<?x7xf32>, tensor<?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x6xf32>
  }
  return %o, %n, %s : tensor<3x6xi32>, tensor<3xi32>, tensor<3xf32>
}

// What grows without being carried; the words before alone, of which there are none at first.
func.func @before(%k: tensor<6xf32> {cambium.name = "k"}) -> (tensor<4x5xi32>, tensor<4xf32>) {
  %b, %e = call @marks() : () -> (tensor<i32>, tensor<i32>)
  %o, %n, %s = depth.search beam 4 length_penalty 0.7 max 5 begin %b end %e grows(%g : tensor<?x?x6xf32>, %i : tensor<?x?xf32>) next(%w : tensor<?xi32>) {
    %y = func.call @read(%w, %k) : (tensor<?xi32>, tensor<6xf32>) -> tensor<?x6xf32>
    %all = depth.append %g, %y : tensor<?x?x6xf32>, tensor<?x6xf32>
    %one = nn.sum %y over 1 : tensor<?x6xf32>
    %is = depth.append %i, %one : tensor<?x?xf32>, tensor<?xf32>
    %a = nn.attention %y, %g, %g heads 3 : tensor<?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x6xf32>
    %m, %t = nn.each rows(%own = %all : tensor<?x6xf32>, %ti = %is : tensor<?xf32>) -> (tensor<6xf32>, tensor<f32>) {
      %mean = nn.mean %own over 0 : tensor<?x6xf32>
      %sum = nn.sum %ti over 0 : tensor<?xf32>
      %half = math.tanh %sum : tensor<f32>
      nn.yield %mean, %half : tensor<6xf32>, tensor<f32>
    }
    %am = arith.addf %a, %m : tensor<?x6xf32>
    %ts = nn.broadcast %t dims [0] : tensor<?xf32> -> tensor<?x6xf32>
    %amt = arith.addf %am, %ts : tensor<?x6xf32>
    %p = func.call @score(%amt) : (tensor<?x6xf32>) -> tensor<?x7xf32>
    depth.yield %p, %all, %is : tensor<?x7xf32>, tensor<?x?x6xf32>, tensor<?x?xf32>
  }
  return %o, %s : tensor<4x5xi32>, tensor<4xf32>
}

func.func @sample(%words: tensor<?xi32> {cambium.name = "words"}, %k: tensor<6xf32> {cambium.name = "k"})
    -> (tensor<4x5xi32>, tensor<4xi32>, tensor<4xf32>) {
  %b, %e = call @marks() : () -> (tensor<i32>, tensor<i32>)
  %x = call @read(%words, %k) : (tensor<?xi32>, tensor<6xf32>) -> tensor<?x6xf32>
  %o, %n, %s = depth.search sample 4 among 3 max 5 begin %b end %e grows(%g : tensor<?x?x6xf32>) next(%w : tensor<?xi32>) {
    %y0 = func.call @read(%w, %k) : (tensor<?xi32>, tensor<6xf32>) -> tensor<?x6xf32>
    %y, %a = func.call @layer(%y0, %g, %x) : (tensor<?x6xf32>, tensor<?x?x6xf32>, tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<?x?x6xf32>)
    %p = func.call @score(%y) : (tensor<?x6xf32>) -> tensor<?x7xf32>
    depth.yield %p, %a : tensor<?x7xf32>, tensor<?x?x6xf32>
  }
  return %o, %n, %s : tensor<4x5xi32>, tensor<4xi32>, tensor<4xf32>
}

// Every word is forbidden behind the second one, and with less than zero behind the first: of
// some examples there is nothing at all.
func.func @none(%k: tensor<6xf32> {cambium.name = "k"}) -> (tensor<3x4xi32>, tensor<3xi32>, tensor<3xf32>) {
  %b, %e = call @marks() : () -> (tensor<i32>, tensor<i32>)
  %o, %n, %s = depth.search beam 3 max 4 begin %b end %e grows(%g : tensor<?x?x6xf32>) next(%w : tensor<?xi32>) {
    %y = func.call @read(%w, %k) : (tensor<?xi32>, tensor<6xf32>) -> tensor<?x6xf32>
    %all = depth.append %g, %y : tensor<?x?x6xf32>, tensor<?x6xf32>
    %a = nn.attention %y, %all, %all heads 2 : tensor<?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x6xf32>
    %p = func.call @score(%a) : (tensor<?x6xf32>) -> tensor<?x7xf32>
    %count = nn.each rows(%own = %all : tensor<?x6xf32>) -> (tensor<f32>) {
      %zero = arith.constant dense<0.0> : tensor<f32>
      %i = nn.positions %own limit 9 : tensor<?x6xf32>
      %f = arith.sitofp %i : tensor<?xi32> to tensor<?xf32>
      %most = nn.sum %f over 0 : tensor<?xf32>
      %sum = nn.sum %own over 1 : tensor<?x6xf32>
      %all_sum = nn.mean %sum over 0 : tensor<?xf32>
      %sign = arith.minimumf %all_sum, %zero : tensor<f32>
      %d = arith.subf %sign, %most : tensor<f32>
      nn.yield %d : tensor<f32>
    }
    %zero = arith.constant dense<0.0> : tensor<f32>
    %zeros = nn.broadcast %zero dims [] like %count : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
    %bad = arith.cmpf olt, %count, %zeros : tensor<?xf32>
    %never = arith.constant dense<0xFF800000> : tensor<f32>
    %nevers = nn.broadcast %never dims [] like %count : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
    %m = arith.select %bad, %nevers, %zeros : tensor<?xi1>, tensor<?xf32>
    %ms = nn.broadcast %m dims [0] : tensor<?xf32> -> tensor<?x7xf32>
    %q = arith.addf %p, %ms : tensor<?x7xf32>
    depth.yield %q, %all : tensor<?x7xf32>, tensor<?x?x6xf32>
  }
  return %o, %n, %s : tensor<3x4xi32>, tensor<3xi32>, tensor<3xf32>
}

// To gradients what is found is constant.
func.func @loss(%words: tensor<?xi32> {cambium.name = "words"}, %k: tensor<6xf32> {cambium.name = "k"})
    -> tensor<f32> {
  %o, %n, %s = call @beam(%words, %k) : (tensor<?xi32>, tensor<6xf32>) -> (tensor<3x6xi32>, tensor<3xi32>, tensor<3xf32>)
  %E = nn.use @E : tensor<7x6xf32>
  %y = nn.embed %n, %E : tensor<3xi32>, tensor<7x6xf32>
  %a = nn.sum %y over 1 : tensor<3x6xf32>
  %as = arith.mulf %a, %s : tensor<3xf32>
  %l = nn.sum %as over 0 : tensor<3xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
