// halting.mlir - Loops that stop in every way
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All rows at once, none, one never, every second one, each at its own time: compacted
// and masked.

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


func.func @all_stop_compact(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?xi32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %ten = arith.constant dense<10> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %ones = call @rows(%one, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %twos = call @rows(%two, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %tens = call @rows(%ten, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %zeros = call @rows(%zero, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 compact carried(%x = %x0 : tensor<?x6xf32>, %c = %ones : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = arith.addi %c, %ones : tensor<?xi32>
    %go = arith.cmpi slt, %c, %zeros : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %n, %h : tensor<f32>, tensor<?xi32>, tensor<?x6xf32>
}
train.step @train_all_stop_compact loss @all_stop_compact optimizer #train.optimizer<sgd>

func.func @all_stop_masked(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?xi32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %ten = arith.constant dense<10> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %ones = call @rows(%one, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %twos = call @rows(%two, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %tens = call @rows(%ten, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %zeros = call @rows(%zero, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 masked carried(%x = %x0 : tensor<?x6xf32>, %c = %ones : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = arith.addi %c, %ones : tensor<?xi32>
    %go = arith.cmpi slt, %c, %zeros : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %n, %h : tensor<f32>, tensor<?xi32>, tensor<?x6xf32>
}
train.step @train_all_stop_masked loss @all_stop_masked optimizer #train.optimizer<sgd>

func.func @none_stops_compact(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?xi32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %ten = arith.constant dense<10> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %ones = call @rows(%one, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %twos = call @rows(%two, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %tens = call @rows(%ten, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %zeros = call @rows(%zero, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 compact carried(%x = %x0 : tensor<?x6xf32>, %c = %ones : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = arith.addi %c, %ones : tensor<?xi32>
    %go = arith.cmpi sgt, %c, %zeros : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %n, %h : tensor<f32>, tensor<?xi32>, tensor<?x6xf32>
}
train.step @train_none_stops_compact loss @none_stops_compact optimizer #train.optimizer<sgd>

func.func @none_stops_masked(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?xi32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %ten = arith.constant dense<10> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %ones = call @rows(%one, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %twos = call @rows(%two, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %tens = call @rows(%ten, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %zeros = call @rows(%zero, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 masked carried(%x = %x0 : tensor<?x6xf32>, %c = %ones : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = arith.addi %c, %ones : tensor<?xi32>
    %go = arith.cmpi sgt, %c, %zeros : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %n, %h : tensor<f32>, tensor<?xi32>, tensor<?x6xf32>
}
train.step @train_none_stops_masked loss @none_stops_masked optimizer #train.optimizer<sgd>

func.func @one_never_compact(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?xi32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %ten = arith.constant dense<10> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %ones = call @rows(%one, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %twos = call @rows(%two, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %tens = call @rows(%ten, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %zeros = call @rows(%zero, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 compact carried(%x = %x0 : tensor<?x6xf32>, %c = %ones : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = arith.addi %c, %ones : tensor<?xi32>
    %go = arith.cmpi eq, %words, %twos : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %n, %h : tensor<f32>, tensor<?xi32>, tensor<?x6xf32>
}
train.step @train_one_never_compact loss @one_never_compact optimizer #train.optimizer<sgd>

func.func @one_never_masked(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?xi32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %ten = arith.constant dense<10> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %ones = call @rows(%one, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %twos = call @rows(%two, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %tens = call @rows(%ten, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %zeros = call @rows(%zero, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 masked carried(%x = %x0 : tensor<?x6xf32>, %c = %ones : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = arith.addi %c, %ones : tensor<?xi32>
    %go = arith.cmpi eq, %words, %twos : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %n, %h : tensor<f32>, tensor<?xi32>, tensor<?x6xf32>
}
train.step @train_one_never_masked loss @one_never_masked optimizer #train.optimizer<sgd>

func.func @alternating_compact(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?xi32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %ten = arith.constant dense<10> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %ones = call @rows(%one, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %twos = call @rows(%two, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %tens = call @rows(%ten, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %zeros = call @rows(%zero, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 compact carried(%x = %x0 : tensor<?x6xf32>, %c = %ones : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = arith.addi %c, %ones : tensor<?xi32>
    %r = arith.remsi %words, %twos : tensor<?xi32>
    %go = arith.cmpi eq, %r, %zeros : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %n, %h : tensor<f32>, tensor<?xi32>, tensor<?x6xf32>
}
train.step @train_alternating_compact loss @alternating_compact optimizer #train.optimizer<sgd>

func.func @alternating_masked(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?xi32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %ten = arith.constant dense<10> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %ones = call @rows(%one, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %twos = call @rows(%two, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %tens = call @rows(%ten, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %zeros = call @rows(%zero, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 masked carried(%x = %x0 : tensor<?x6xf32>, %c = %ones : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = arith.addi %c, %ones : tensor<?xi32>
    %r = arith.remsi %words, %twos : tensor<?xi32>
    %go = arith.cmpi eq, %r, %zeros : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %n, %h : tensor<f32>, tensor<?xi32>, tensor<?x6xf32>
}
train.step @train_alternating_masked loss @alternating_masked optimizer #train.optimizer<sgd>

func.func @staircase_compact(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?xi32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %ten = arith.constant dense<10> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %ones = call @rows(%one, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %twos = call @rows(%two, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %tens = call @rows(%ten, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %zeros = call @rows(%zero, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 compact carried(%x = %x0 : tensor<?x6xf32>, %c = %ones : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = arith.addi %c, %ones : tensor<?xi32>
    %go = arith.cmpi sle, %c, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %n, %h : tensor<f32>, tensor<?xi32>, tensor<?x6xf32>
}
train.step @train_staircase_compact loss @staircase_compact optimizer #train.optimizer<sgd>

func.func @staircase_masked(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?xi32>, tensor<?x6xf32>) {
  %x0 = call @embed(%words) : (tensor<?xi32>) -> tensor<?x6xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %ten = arith.constant dense<10> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %ones = call @rows(%one, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %twos = call @rows(%two, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %tens = call @rows(%ten, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %zeros = call @rows(%zero, %words) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %h, %t, %n = depth.iterate max 5 masked carried(%x = %x0 : tensor<?x6xf32>, %c = %ones : tensor<?xi32>) {
    %y = func.call @layer(%x, %x) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %d = arith.addi %c, %ones : tensor<?xi32>
    %go = arith.cmpi sle, %c, %words : tensor<?xi32>
    depth.yield %go, %y, %d : tensor<?xi1>, tensor<?x6xf32>, tensor<?xi32>
  }
  %l = call @energy(%h) : (tensor<?x6xf32>) -> tensor<f32>
  return %l, %n, %h : tensor<f32>, tensor<?xi32>, tensor<?x6xf32>
}
train.step @train_staircase_masked loss @staircase_masked optimizer #train.optimizer<sgd>
