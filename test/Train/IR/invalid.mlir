//===-- test/Train/IR/invalid.mlir - One case per error ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --verify-diagnostics

func.func @vector_loss(%x: tensor<3xf32>) {
  // [TRAIN-GRADIENT-C1]
  // expected-error @below {{expected a scalar loss, but got 'tensor<3xf32>'}}
  %g = train.gradient %x wrt %x : tensor<3xf32>, tensor<3xf32>
  return
}

// -----

// [TRAIN-STEP-C4]
// expected-error @below {{expected the name of a function, but got 'nothing'}}
train.step @s loss @nothing optimizer #train.optimizer<sgd>

// -----

// [TRAIN-STEP-C5]
// expected-error @below {{expected a function whose first result is a scalar loss}}
train.step @s loss @f optimizer #train.optimizer<sgd>
// expected-note @below {{the function is defined here}}
func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

// [TRAIN-STEP-C1]
// expected-error @below {{expected 'accumulate' to be positive, but got 0}}
train.step @s loss @f optimizer #train.optimizer<sgd> accumulate 0
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// [TRAIN-STEP-C2]
// expected-error @below {{expected 'clip_norm' to be positive}}
train.step @s loss @f optimizer #train.optimizer<sgd> clip_norm 0.0
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// [TRAIN-STEP-C3]
// expected-error @below {{expected an optimizer for group 'a', but got 1}}
train.step @s loss @f optimizer #train.optimizer<sgd> groups {a = 1 : i64}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// [TRAIN-STEP-C6]
// expected-error @below {{expected 'updates' to name a group}}
train.step @s loss @f updates [] optimizer #train.optimizer<sgd>
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// [TRAIN-OPTIMIZER-C1]
// expected-error @below {{expected an optimizer (sgd, adagrad, adam, adamw, lamb, adadelta, adafactor), but got 'rmsprop'}}
train.step @s loss @f optimizer #train.optimizer<rmsprop>

// -----

// [TRAIN-OPTIMIZER-C2]
// expected-error @below {{expected a constant of 'sgd' (momentum, weight_decay), but got 'beta1'}}
train.step @s loss @f optimizer #train.optimizer<sgd, beta1 = 0.5>

// -----

// [TRAIN-OPTIMIZER-C4]
// expected-error @below {{expected 'momentum' in [0, 1), but got 1}}
train.step @s loss @f optimizer #train.optimizer<sgd, momentum = 1.0>

// -----

// [TRAIN-OPTIMIZER-C4]
// expected-error @below {{expected 'rho' in [0, 1), but got 1.5}}
train.step @s loss @f optimizer #train.optimizer<adadelta, rho = 1.5>

// -----

// [TRAIN-OPTIMIZER-C5]
// expected-error @below {{expected 'eps' to be finite and not negative, but got -1.000000e+00}}
train.step @s loss @f optimizer #train.optimizer<adam, eps = -1.0>

// -----

// [TRAIN-OPTIMIZER-C5]
// expected-error @below {{expected 'weight_decay' to be finite and not negative, but got INF}}
train.step @s loss @f optimizer #train.optimizer<adamw, weight_decay = 0x7FF0000000000000>

// -----

// [TRAIN-OPTIMIZER-C5]
// expected-error @below {{expected 'least_scale' to be finite and not negative, but got -5.000000e-01}}
train.step @s loss @f optimizer #train.optimizer<adafactor, least_scale = -0.5>

// -----

// [TRAIN-OPTIMIZER-C4]
// expected-error @below {{expected 'decay_rate' in [0, 1), but got 1}}
train.step @s loss @f optimizer #train.optimizer<adafactor, decay_rate = 1.0>

// -----

// [TRAIN-OPTIMIZER-C6]
// expected-error @below {{expected 'clip' to be positive, but got 0}}
train.step @s loss @f optimizer #train.optimizer<adafactor, clip = 0.0>

// -----

// [TRAIN-OPTIMIZER-C2]
// expected-error @below {{expected a constant of 'adafactor' (decay_rate, eps, clip, least_scale, weight_decay, relative_step, scale_parameter), but got 'momentum'}}
train.step @s loss @f optimizer #train.optimizer<adafactor, momentum = 0.9>

// -----

// [TRAIN-OPTIMIZER-C3]
// expected-error @below {{expected true or false, but got 'yes'}}
train.step @s loss @f optimizer #train.optimizer<adafactor, relative_step = yes>

// -----

// [TRAIN-OPTIMIZER-C3]
// expected-error @below {{expected true or false, but got 'maybe'}}
train.step @s loss @f optimizer #train.optimizer<lamb, bias_correction = maybe>

// -----

// [TRAIN-OPTIMIZER-C2]
// expected-error @below {{expected a constant of 'sgd' (momentum, weight_decay), but got 'bias_correction'}}
train.step @s loss @f optimizer #train.optimizer<sgd, bias_correction = true>

// -----

func.func @f(%l: tensor<f32>) {
  // [TRAIN-GRADIENT-C2]
  // expected-error @below {{'train.gradient' op expected at least one value after 'wrt'}}
  // expected-error @below {{failed to infer returned types}}
  "train.gradient"(%l) : (tensor<f32>) -> ()
  return
}
