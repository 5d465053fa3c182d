// halting-rules.mlir - The rules of models/halting/rules.mlir, executed
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

nn.import "../../../models/halting/rules.mlir"

!words = tensor<?xi32>
!x = tensor<?x8xf32>
!scores = tensor<?x5xf32>
!one = tensor<?xf32>

nn.param @E : tensor<11x8xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W : tensor<8x8xf32> init #nn.init<normal(0.0, 0.3)>
nn.param @V : tensor<8x5xf32> init #nn.init<normal(0.0, 2.0)>

func.func private @words(%words: !words) -> !x {
  %E = nn.use @E : tensor<11x8xf32>
  %x = nn.embed %words, %E : !words, tensor<11x8xf32>
  return %x : !x
}

func.func private @layer(%x: !x) -> (!x, !scores) {
  %W = nn.use @W : tensor<8x8xf32>
  %V = nn.use @V : tensor<8x5xf32>
  %f = nn.linear %x, %W : !x, tensor<8x8xf32>
  %s = arith.addf %f, %x : !x
  %y = math.tanh %s : !x
  %scores = nn.linear %y, %V : !x, tensor<8x5xf32>
  return %y, %scores : !x, !scores
}

func.func @fixed_point(%words: !words {cambium.name = "words"}) -> (!x, !words) {
  %W = nn.use @W : tensor<8x8xf32>
  %x0 = call @words(%words) : (!words) -> !x
  %tolerance = arith.constant dense<1.0e-3> : tensor<f32>
  %h, %n = depth.iterate max 50 carried(%x = %x0 : !x) {
    %f = nn.linear %x, %W : !x, tensor<8x8xf32>
    %y = math.tanh %f : !x
    %go = nn.call @unsettled(%y, %x, %tolerance) : (!x, !x, tensor<f32>) -> tensor<?xi1>
    depth.yield %go, %y : tensor<?xi1>, !x
  }
  return %h, %n : !x, !words
}

func.func @entropy(%words: !words {cambium.name = "words"}) -> (!x, !words) {
  %threshold = arith.constant dense<0.5> : tensor<f32>
  %x0 = call @words(%words) : (!words) -> !x
  %h, %n = depth.iterate max 9 carried(%x = %x0 : !x) {
    %y, %scores = func.call @layer(%x) : (!x) -> (!x, !scores)
    %go = nn.call @unsure(%scores, %threshold) : (!scores, tensor<f32>) -> tensor<?xi1>
    depth.yield %go, %y : tensor<?xi1>, !x
  }
  return %h, %n : !x, !words
}

func.func @patience(%words: !words {cambium.name = "words"}) -> (!x, !words) {
  %V = nn.use @V : tensor<8x5xf32>
  %patience = arith.constant dense<3> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %x0 = call @words(%words) : (!words) -> !x
  %s0 = nn.linear %x0, %V : !x, tensor<8x5xf32>
  %zeros = nn.broadcast %zero dims [] like %words : tensor<i32>, !words -> !words
  %h, %s, %c, %n = depth.iterate max 9 carried(%x = %x0 : !x, %before = %s0 : !scores,
                                               %same = %zeros : !words) {
    %y, %scores = func.call @layer(%x) : (!x) -> (!x, !scores)
    %go, %count = nn.call @patient(%scores, %before, %same, %patience)
      : (!scores, !scores, !words, tensor<i32>) -> (tensor<?xi1>, !words)
    depth.yield %go, %y, %scores, %count : tensor<?xi1>, !x, !scores, !words
  }
  return %h, %n : !x, !words
}

func.func @patience_loss(%words: !words {cambium.name = "words"}) -> tensor<f32> {
  %h, %n = call @patience(%words) : (!words) -> (!x, !words)
  %hh = arith.mulf %h, %h : !x
  %rows = nn.sum %hh over 1 : !x
  %l = nn.sum %rows over 0 : !one
  return %l : tensor<f32>
}

/// PonderNet: the expected state, the divergence, and the expected number of iterations from 0. A row
/// goes on while a hundredth of its probability is left.
func.func @ponder_net(%words: !words {cambium.name = "words"})
    -> (!x, !one, !one, !words) {
  %V = nn.use @V : tensor<8x5xf32>
  %prior = arith.constant dense<0.3> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %last = arith.constant dense<6.0> : tensor<f32>
  %little = arith.constant dense<0.01> : tensor<f32>
  %x0 = call @words(%words) : (!words) -> !x
  %like = nn.sum %x0 over 1 : !x
  %ones = nn.broadcast %one dims [] like %like : tensor<f32>, !one -> !one
  %zeros = nn.broadcast %zero dims [] like %like : tensor<f32>, !one -> !one
  %lasts = nn.broadcast %last dims [] like %like : tensor<f32>, !one -> !one
  %littles = nn.broadcast %little dims [] like %like : tensor<f32>, !one -> !one
  %none = nn.broadcast %zeros dims [0] : !one -> !x
  %h, %left, %n, %mean, %kl, %steps, %count = depth.iterate max 7
      carried(%x = %x0 : !x, %rest = %ones : !one, %i = %zeros : !one,
              %sum = %none : !x, %d = %zeros : !one, %e = %zeros : !one) {
    %y, %scores = func.call @layer(%x) : (!x) -> (!x, !scores)
    %score = nn.sum %scores over 1 : !scores
    %lambda = nn.sigmoid %score : !one
    %isLast = arith.cmpf oge, %i, %lasts : !one
    %p, %rest2 = nn.call @stop_now(%lambda, %rest, %isLast)
      : (!one, !one, tensor<?xi1>) -> (!one, !one)
    %part = nn.call @geometric_part(%p, %i, %prior) : (!one, !one, tensor<f32>) -> !one
    %d2 = arith.addf %d, %part : !one
    %ip = arith.mulf %i, %p : !one
    %e2 = arith.addf %e, %ip : !one
    %ps = nn.broadcast %p dims [0] : !one -> !x
    %py = arith.mulf %ps, %y : !x
    %sum2 = arith.addf %sum, %py : !x
    %i2 = arith.addf %i, %ones : !one
    %go = arith.cmpf ogt, %rest2, %littles : !one
    depth.yield %go, %y, %rest2, %i2, %sum2, %d2, %e2
      : tensor<?xi1>, !x, !one, !one, !x, !one, !one
  }
  return %mean, %kl, %steps, %count : !x, !one, !one, !words
}

/// Of the states expected, and beta = 0.01 times the divergence.
func.func @ponder_net_loss(%words: !words {cambium.name = "words"}) -> tensor<f32> {
  %beta = arith.constant dense<0.01> : tensor<f32>
  %h, %kl, %e, %n = call @ponder_net(%words) : (!words) -> (!x, !one, !one, !words)
  %hh = arith.mulf %h, %h : !x
  %rows = nn.sum %hh over 1 : !x
  %l = nn.sum %rows over 0 : !one
  %divergence = nn.sum %kl over 0 : !one
  %price = arith.mulf %beta, %divergence : tensor<f32>
  %loss = arith.addf %l, %price : tensor<f32>
  return %loss : tensor<f32>
}

train.step @train loss @patience_loss optimizer #train.optimizer<sgd>
train.step @ponder loss @ponder_net_loss optimizer #train.optimizer<sgd>
