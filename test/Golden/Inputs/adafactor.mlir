// adafactor.mlir - A small regression: a table, a stack of matrices, a matrix, a vector
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

nn.param @words : tensor<7x6xf32> init #nn.init<normal(0.0, 0.5)>
nn.param @stack : tensor<2x3x4xf32> init #nn.init<normal(0.0, 0.5)>
nn.param @bias : tensor<4xf32> init #nn.init<normal(0.0, 0.5)> no_decay
nn.param @out : tensor<4x1xf32> init #nn.init<normal(0.0, 0.5)>

func.func @predict(%word: tensor<i32> {cambium.name = "word"}) -> tensor<f32> {
  %E = nn.use @words : tensor<7x6xf32>
  %S = nn.use @stack : tensor<2x3x4xf32>
  %b = nn.use @bias : tensor<4xf32>
  %V = nn.use @out : tensor<4x1xf32>
  %W = nn.reshape %S : tensor<2x3x4xf32> -> tensor<6x4xf32>
  %x = nn.embed %word, %E : tensor<i32>, tensor<7x6xf32>
  %a = nn.linear %x, %W, %b : tensor<6xf32>, tensor<6x4xf32>, tensor<4xf32>
  %h = math.tanh %a : tensor<4xf32>
  %y = nn.linear %h, %V : tensor<4xf32>, tensor<4x1xf32>
  %s = nn.reshape %y : tensor<1xf32> -> tensor<f32>
  return %s : tensor<f32>
}
func.func @loss(%word: tensor<i32> {cambium.name = "word"},
                %score: tensor<f32> {cambium.name = "score"}) -> tensor<f32> {
  %y = func.call @predict(%word) : (tensor<i32>) -> tensor<f32>
  %l = nn.mse %y, %score : tensor<f32>, tensor<f32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<adafactor, weight_decay = 0.01>
