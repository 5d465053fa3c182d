// search.mlir - Searches of all kinds
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hypotheses read all rows of their example by attention, and a value of it. How soon word 2 ends
// one differs; word 5 is forbidden.

nn.param @E : tensor<7x6xf32> init #nn.init<normal(0.0, 0.9)>
nn.param @W : tensor<6x6xf32> init #nn.init<normal(0.0, 0.9)>
nn.param @U : tensor<2x6x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @O : tensor<6x7xf32> init #nn.init<normal(0.0, 1.5)>

func.func private @step(%w: tensor<?xi32>, %h: tensor<?x6xf32>, %x: tensor<?x6xf32>, %k: tensor<6xf32>)
    -> (tensor<?x7xf32>, tensor<?x6xf32>) {
  %E = nn.use @E : tensor<7x6xf32>
  %W = nn.use @W : tensor<6x6xf32>
  %O = nn.use @O : tensor<6x7xf32>
  %none = arith.constant dense<[0.0, 0.0, 0.5, 0.0, 0.0, 0xFF800000, 0.0]> : tensor<7xf32>
  %e = nn.embed %w, %E : tensor<?xi32>, tensor<7x6xf32>
  %keys = nn.linear %x, %W : tensor<?x6xf32>, tensor<6x6xf32>
  %a = nn.attention %h, %keys, %x heads 2 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
  %u = nn.linear %h, %W : tensor<?x6xf32>, tensor<6x6xf32>
  %ks = nn.broadcast %k dims [1] like %e : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
  %s = arith.addf %e, %u : tensor<?x6xf32>
  %t = arith.addf %s, %a : tensor<?x6xf32>
  %z = arith.addf %t, %ks : tensor<?x6xf32>
  %h1 = math.tanh %z : tensor<?x6xf32>
  %y = nn.linear %h1, %O : tensor<?x6xf32>, tensor<6x7xf32>
  %p = nn.log_softmax %y over 1 : tensor<?x7xf32>
  %nones = nn.broadcast %none dims [1] like %p : tensor<7xf32>, tensor<?x7xf32> -> tensor<?x7xf32>
  %q = arith.addf %p, %nones : tensor<?x7xf32>
  return %q, %h1 : tensor<?x7xf32>, tensor<?x6xf32>
}

func.func private @marks() -> (tensor<i32>, tensor<i32>) {
  %begin = arith.constant dense<1> : tensor<i32>
  %end = arith.constant dense<2> : tensor<i32>
  return %begin, %end : tensor<i32>, tensor<i32>
}

func.func private @source(%words: tensor<?xi32>) -> tensor<?x6xf32> {
  %E = nn.use @E : tensor<7x6xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<7x6xf32>
  return %x : tensor<?x6xf32>
}

func.func @beam(%words: tensor<?xi32> {cambium.name = "words"}, %k: tensor<6xf32> {cambium.name = "k"})
    -> (tensor<3x6xi32>, tensor<3xi32>, tensor<3xf32>) {
  %b, %e = call @marks() : () -> (tensor<i32>, tensor<i32>)
  %x = call @source(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %o, %n, %s = depth.search beam 3 max 6 begin %b end %e carried(%h = %k : tensor<6xf32>) next(%w : tensor<?xi32>) {
    %p, %h1 = func.call @step(%w, %h, %x, %k) : (tensor<?xi32>, tensor<?x6xf32>, tensor<?x6xf32>, tensor<6xf32>) -> (tensor<?x7xf32>, tensor<?x6xf32>)
    depth.yield %p, %h1 : tensor<?x7xf32>, tensor<?x6xf32>
  }
  return %o, %n, %s : tensor<3x6xi32>, tensor<3xi32>, tensor<3xf32>
}

// The best of one is the first word of what a loop would write.
func.func @greedy(%words: tensor<?xi32> {cambium.name = "words"}, %k: tensor<6xf32> {cambium.name = "k"})
    -> (tensor<1x9xi32>, tensor<1xf32>) {
  %b, %e = call @marks() : () -> (tensor<i32>, tensor<i32>)
  %x = call @source(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %o, %n, %s = depth.search beam 1 max 9 begin %b end %e carried(%h = %k : tensor<6xf32>) next(%w : tensor<?xi32>) {
    %p, %h1 = func.call @step(%w, %h, %x, %k) : (tensor<?xi32>, tensor<?x6xf32>, tensor<?x6xf32>, tensor<6xf32>) -> (tensor<?x7xf32>, tensor<?x6xf32>)
    depth.yield %p, %h1 : tensor<?x7xf32>, tensor<?x6xf32>
  }
  return %o, %s : tensor<1x9xi32>, tensor<1xf32>
}

// More hypotheses than words; by length.
func.func @wide(%words: tensor<?xi32> {cambium.name = "words"}, %k: tensor<6xf32> {cambium.name = "k"})
    -> (tensor<10x4xi32>, tensor<10xi32>, tensor<10xf32>) {
  %b, %e = call @marks() : () -> (tensor<i32>, tensor<i32>)
  %x = call @source(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %o, %n, %s = depth.search beam 10 length_penalty 0.7 max 4 begin %b end %e carried(%h = %k : tensor<6xf32>) next(%w : tensor<?xi32>) {
    %p, %h1 = func.call @step(%w, %h, %x, %k) : (tensor<?xi32>, tensor<?x6xf32>, tensor<?x6xf32>, tensor<6xf32>) -> (tensor<?x7xf32>, tensor<?x6xf32>)
    depth.yield %p, %h1 : tensor<?x7xf32>, tensor<?x6xf32>
  }
  return %o, %n, %s : tensor<10x4xi32>, tensor<10xi32>, tensor<10xf32>
}

// Of the example: where it begins and ends, and a score below which nothing is found.
func.func @own_marks(%first: tensor<i32> {cambium.name = "first"}, %k: tensor<6xf32> {cambium.name = "k"})
    -> (tensor<2x5xi32>, tensor<2xi32>, tensor<2xf32>) {
  %E = nn.use @E : tensor<7x6xf32>
  %O = nn.use @O : tensor<6x7xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %o, %n, %s = depth.search beam 2 max 5 begin %first end %first carried(%sum = %zero : tensor<f32>, %i = %first : tensor<i32>, %m = %O : tensor<6x7xf32>) next(%w : tensor<?xi32>) {
    %e = nn.embed %w, %E : tensor<?xi32>, tensor<7x6xf32>
    %f = nn.embed %i, %E : tensor<?xi32>, tensor<7x6xf32>
    %ef = arith.addf %e, %f : tensor<?x6xf32>
    %y = nn.linear %ef, %O : tensor<?x6xf32>, tensor<6x7xf32>
    %sums = nn.broadcast %sum dims [0] : tensor<?xf32> -> tensor<?x7xf32>
    %p = arith.addf %y, %sums : tensor<?x7xf32>
    %t = nn.sum %e over 1 : tensor<?x6xf32>
    %all = nn.sum %m over 1 : tensor<?x6x7xf32>
    %part = nn.sum %all over 1 : tensor<?x7xf32>
    %next = arith.subf %t, %part : tensor<?xf32>
    %half = math.tanh %next : tensor<?xf32>
    %m1 = math.tanh %m : tensor<?x6x7xf32>
    depth.yield %p, %half, %w, %m1 : tensor<?x7xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?x6x7xf32>
  }
  return %o, %n, %s : tensor<2x5xi32>, tensor<2xi32>, tensor<2xf32>
}

func.func @sample(%words: tensor<?xi32> {cambium.name = "words"}, %k: tensor<6xf32> {cambium.name = "k"})
    -> (tensor<4x5xi32>, tensor<4xi32>, tensor<4xf32>, tensor<3x5xi32>, tensor<3xf32>) {
  %b, %e = call @marks() : () -> (tensor<i32>, tensor<i32>)
  %x = call @source(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %o, %n, %s = depth.search sample 4 max 5 begin %b end %e carried(%h = %k : tensor<6xf32>) next(%w : tensor<?xi32>) {
    %p, %h1 = func.call @step(%w, %h, %x, %k) : (tensor<?xi32>, tensor<?x6xf32>, tensor<?x6xf32>, tensor<6xf32>) -> (tensor<?x7xf32>, tensor<?x6xf32>)
    depth.yield %p, %h1 : tensor<?x7xf32>, tensor<?x6xf32>
  }
  %v, %m, %t = depth.search sample 3 among 3 max 5 begin %b end %e carried(%h = %k : tensor<6xf32>) next(%w : tensor<?xi32>) {
    %p, %h1 = func.call @step(%w, %h, %x, %k) : (tensor<?xi32>, tensor<?x6xf32>, tensor<?x6xf32>, tensor<6xf32>) -> (tensor<?x7xf32>, tensor<?x6xf32>)
    // Rows draw by their place among the hypotheses that go on.
    %noise = nn.random normal(0.0, 0.3) like %h1 : tensor<?x6xf32> -> tensor<?x6xf32>
    %moved = arith.addf %h1, %noise : tensor<?x6xf32>
    depth.yield %p, %moved : tensor<?x7xf32>, tensor<?x6xf32>
  }
  return %o, %n, %s, %v, %t : tensor<4x5xi32>, tensor<4xi32>, tensor<4xf32>, tensor<3x5xi32>, tensor<3xf32>
}

// Layers in a loop, and the other hypotheses: of equal lengths are those that go on.
func.func @layers(%words: tensor<?xi32> {cambium.name = "words"}, %k: tensor<6xf32> {cambium.name = "k"})
    -> (tensor<3x5xi32>, tensor<3xf32>) {
  %b, %e = call @marks() : () -> (tensor<i32>, tensor<i32>)
  %U = nn.use @U : tensor<2x6x6xf32>
  %x = call @source(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %o, %n, %s = depth.search beam 3 max 5 begin %b end %e carried(%h = %k : tensor<6xf32>) next(%w : tensor<?xi32>) {
    %p, %h1 = func.call @step(%w, %h, %x, %k) : (tensor<?xi32>, tensor<?x6xf32>, tensor<?x6xf32>, tensor<6xf32>) -> (tensor<?x7xf32>, tensor<?x6xf32>)
    %h2 = depth.iterate 2 carried(%y = %h1 : tensor<?x6xf32>) slices(%u = %U : tensor<2x6x6xf32>) {
      %a = nn.linear %y, %u : tensor<?x6xf32>, tensor<6x6xf32>
      %c = nn.attention %a, %x, %x heads 1 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
      %d = math.tanh %c : tensor<?x6xf32>
      depth.yield %d : tensor<?x6xf32>
    }
    %mean = nn.mean %h2 over 0 : tensor<?x6xf32>
    %means = nn.broadcast %mean dims [1] like %h2 : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
    %h3 = arith.addf %h2, %means : tensor<?x6xf32>
    depth.yield %p, %h3 : tensor<?x7xf32>, tensor<?x6xf32>
  }
  return %o, %s : tensor<3x5xi32>, tensor<3xf32>
}

// To gradients what is found is constant.
func.func @loss(%words: tensor<?xi32> {cambium.name = "words"}, %k: tensor<6xf32> {cambium.name = "k"})
    -> tensor<f32> {
  %E = nn.use @E : tensor<7x6xf32>
  %o, %n, %s = call @beam(%words, %k) : (tensor<?xi32>, tensor<6xf32>) -> (tensor<3x6xi32>, tensor<3xi32>, tensor<3xf32>)
  %e = nn.embed %n, %E : tensor<3xi32>, tensor<7x6xf32>
  %a = nn.sum %e over 1 : tensor<3x6xf32>
  %b = arith.mulf %a, %s : tensor<3xf32>
  %l = nn.sum %b over 0 : tensor<3xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
