//===-- test/Train/IR/ops.mlir - Every op, printed as it is read ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s | cambium-opt | FileCheck %s

nn.param @W : tensor<3xf32>

// CHECK: train.step @plain loss @loss optimizer <sgd>
train.step @plain loss @loss optimizer #train.optimizer<sgd>
// CHECK: train.step @train loss @loss optimizer <adam, beta1 = 8.000000e-01> groups {slow = #train.optimizer<sgd, momentum = 9.000000e-01>} clip_norm 5.000000e+00 accumulate 4
train.step @train loss @loss optimizer #train.optimizer<adam, beta1 = 0.8>
  groups {slow = #train.optimizer<sgd, momentum = 0.9>} clip_norm 5.0 accumulate 4
// CHECK: train.step @critic loss @loss updates ["critic", "slow"] optimizer <sgd>
train.step @critic loss @loss updates ["critic", "slow"] optimizer #train.optimizer<sgd>

// CHECK-LABEL: func.func @loss
func.func @loss(%x: tensor<3xf32>) -> tensor<f32> {
  %W = nn.use @W : tensor<3xf32>
  %l = nn.matmul %x, %W : tensor<3xf32>, tensor<3xf32>
  // CHECK: train.gradient %{{.*}} wrt %{{.*}} : tensor<f32>, tensor<3xf32>
  %g = train.gradient %l wrt %x : tensor<f32>, tensor<3xf32>
  // CHECK: train.stop_gradient %{{.*}} : tensor<3xf32>
  %s = train.stop_gradient %g : tensor<3xf32>
  // CHECK: train.watch %{{.*}} id 0 : tensor<3xf32>
  %w = train.watch %s id 0 : tensor<3xf32>
  %m = nn.matmul %w, %W : tensor<3xf32>, tensor<3xf32>
  return %m : tensor<f32>
}

// CHECK-LABEL: func.func @apply
func.func @apply() {
  // CHECK: train.gradient_scale [@W] scalar 1 clip_norm 5.000000e+00
  %s = train.gradient_scale [@W] scalar 1 clip_norm 5.0
  // CHECK: train.update @W scale %{{.*}} rate 0 with <adagrad> decay
  train.update @W scale %s rate 0 with #train.optimizer<adagrad> decay
  // CHECK: train.update @W scale %{{.*}} rate 0 with <adadelta, rho = 9.000000e-01>
  train.update @W scale %s rate 0 with #train.optimizer<adadelta, rho = 0.9, eps = 1.0e-6>
  // CHECK: train.update @W scale %{{.*}} rate 0 with <adafactor, clip = 5.000000e-01, relative_step = false>
  train.update @W scale %s rate 0 with #train.optimizer<adafactor, clip = 0.5, least_scale = 1.0e-3, relative_step = false, scale_parameter = true>
  return
}
