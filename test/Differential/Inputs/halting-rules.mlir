// halting-rules.mlir - The rules of models/halting/rules.mlir, executed
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

nn.param @E : tensor<11x8xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W : tensor<8x8xf32> init #nn.init<normal(0.0, 0.3)>
nn.param @V : tensor<8x5xf32> init #nn.init<normal(0.0, 2.0)>

func.func private @words(%words: tensor<?xi32>) -> tensor<?x8xf32> {
  %E = nn.use @E : tensor<11x8xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<11x8xf32>
  return %x : tensor<?x8xf32>
}

func.func private @layer(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x5xf32>) {
  %W = nn.use @W : tensor<8x8xf32>
  %V = nn.use @V : tensor<8x5xf32>
  %f = nn.linear %x, %W : tensor<?x8xf32>, tensor<8x8xf32>
  %s = arith.addf %f, %x : tensor<?x8xf32>
  %y = math.tanh %s : tensor<?x8xf32>
  %scores = nn.linear %y, %V : tensor<?x8xf32>, tensor<8x5xf32>
  return %y, %scores : tensor<?x8xf32>, tensor<?x5xf32>
}

func.func @fixed_point(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x8xf32>, tensor<?xi32>) {
  %W = nn.use @W : tensor<8x8xf32>
  %x0 = call @words(%words) : (tensor<?xi32>) -> tensor<?x8xf32>
  %tolerance = arith.constant dense<1.0e-3> : tensor<f32>
  %h, %n = depth.iterate max 50 carried(%x = %x0 : tensor<?x8xf32>) {
    %f = nn.linear %x, %W : tensor<?x8xf32>, tensor<8x8xf32>
    %y = math.tanh %f : tensor<?x8xf32>
    %go = func.call @unsettled(%y, %x, %tolerance) : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<f32>) -> tensor<?xi1>
    depth.yield %go, %y : tensor<?xi1>, tensor<?x8xf32>
  }
  return %h, %n : tensor<?x8xf32>, tensor<?xi32>
}

func.func @entropy(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x8xf32>, tensor<?xi32>) {
  %threshold = arith.constant dense<0.5> : tensor<f32>
  %x0 = call @words(%words) : (tensor<?xi32>) -> tensor<?x8xf32>
  %h, %n = depth.iterate max 9 carried(%x = %x0 : tensor<?x8xf32>) {
    %y, %scores = func.call @layer(%x) : (tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x5xf32>)
    %go = func.call @unsure(%scores, %threshold) : (tensor<?x5xf32>, tensor<f32>) -> tensor<?xi1>
    depth.yield %go, %y : tensor<?xi1>, tensor<?x8xf32>
  }
  return %h, %n : tensor<?x8xf32>, tensor<?xi32>
}

func.func @patience(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x8xf32>, tensor<?xi32>) {
  %V = nn.use @V : tensor<8x5xf32>
  %patience = arith.constant dense<3> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %x0 = call @words(%words) : (tensor<?xi32>) -> tensor<?x8xf32>
  %s0 = nn.linear %x0, %V : tensor<?x8xf32>, tensor<8x5xf32>
  %zeros = nn.broadcast %zero dims [] like %words : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %h, %s, %c, %n = depth.iterate max 9 carried(%x = %x0 : tensor<?x8xf32>, %before = %s0 : tensor<?x5xf32>,
                                               %same = %zeros : tensor<?xi32>) {
    %y, %scores = func.call @layer(%x) : (tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x5xf32>)
    %go, %count = func.call @patient(%scores, %before, %same, %patience)
      : (tensor<?x5xf32>, tensor<?x5xf32>, tensor<?xi32>, tensor<i32>) -> (tensor<?xi1>, tensor<?xi32>)
    depth.yield %go, %y, %scores, %count : tensor<?xi1>, tensor<?x8xf32>, tensor<?x5xf32>, tensor<?xi32>
  }
  return %h, %n : tensor<?x8xf32>, tensor<?xi32>
}

func.func @patience_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %h, %n = call @patience(%words) : (tensor<?xi32>) -> (tensor<?x8xf32>, tensor<?xi32>)
  %hh = arith.mulf %h, %h : tensor<?x8xf32>
  %rows = nn.sum %hh over 1 : tensor<?x8xf32>
  %l = nn.sum %rows over 0 : tensor<?xf32>
  return %l : tensor<f32>
}

/// PonderNet: the expected state, the divergence, and the expected number of iterations from 0. A row
/// goes on while a hundredth of its probability is left.
func.func @ponder_net(%words: tensor<?xi32> {cambium.name = "words"})
    -> (tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi32>) {
  %V = nn.use @V : tensor<8x5xf32>
  %prior = arith.constant dense<0.3> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %last = arith.constant dense<6.0> : tensor<f32>
  %little = arith.constant dense<0.01> : tensor<f32>
  %x0 = call @words(%words) : (tensor<?xi32>) -> tensor<?x8xf32>
  %like = nn.sum %x0 over 1 : tensor<?x8xf32>
  %ones = nn.broadcast %one dims [] like %like : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %zeros = nn.broadcast %zero dims [] like %like : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %lasts = nn.broadcast %last dims [] like %like : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %littles = nn.broadcast %little dims [] like %like : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %none = nn.broadcast %zeros dims [0] : tensor<?xf32> -> tensor<?x8xf32>
  %h, %left, %n, %mean, %kl, %steps, %count = depth.iterate max 7
      carried(%x = %x0 : tensor<?x8xf32>, %rest = %ones : tensor<?xf32>, %i = %zeros : tensor<?xf32>,
              %sum = %none : tensor<?x8xf32>, %d = %zeros : tensor<?xf32>, %e = %zeros : tensor<?xf32>) {
    %y, %scores = func.call @layer(%x) : (tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x5xf32>)
    %score = nn.sum %scores over 1 : tensor<?x5xf32>
    %lambda = nn.sigmoid %score : tensor<?xf32>
    %isLast = arith.cmpf oge, %i, %lasts : tensor<?xf32>
    %p, %rest2 = func.call @stop_now(%lambda, %rest, %isLast) : (tensor<?xf32>, tensor<?xf32>, tensor<?xi1>) -> (tensor<?xf32>, tensor<?xf32>)
    %part = func.call @geometric_part(%p, %i, %prior) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    %d2 = arith.addf %d, %part : tensor<?xf32>
    %ip = arith.mulf %i, %p : tensor<?xf32>
    %e2 = arith.addf %e, %ip : tensor<?xf32>
    %ps = nn.broadcast %p dims [0] : tensor<?xf32> -> tensor<?x8xf32>
    %py = arith.mulf %ps, %y : tensor<?x8xf32>
    %sum2 = arith.addf %sum, %py : tensor<?x8xf32>
    %i2 = arith.addf %i, %ones : tensor<?xf32>
    %go = arith.cmpf ogt, %rest2, %littles : tensor<?xf32>
    depth.yield %go, %y, %rest2, %i2, %sum2, %d2, %e2
      : tensor<?xi1>, tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>
  }
  return %mean, %kl, %steps, %count : tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi32>
}

/// Of the states expected, and beta = 0.01 times the divergence.
func.func @ponder_net_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %beta = arith.constant dense<0.01> : tensor<f32>
  %h, %kl, %e, %n = call @ponder_net(%words) : (tensor<?xi32>) -> (tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi32>)
  %hh = arith.mulf %h, %h : tensor<?x8xf32>
  %rows = nn.sum %hh over 1 : tensor<?x8xf32>
  %l = nn.sum %rows over 0 : tensor<?xf32>
  %divergence = nn.sum %kl over 0 : tensor<?xf32>
  %price = arith.mulf %beta, %divergence : tensor<f32>
  %loss = arith.addf %l, %price : tensor<f32>
  return %loss : tensor<f32>
}

train.step @train loss @patience_loss optimizer #train.optimizer<sgd>
train.step @ponder loss @ponder_net_loss optimizer #train.optimizer<sgd>
