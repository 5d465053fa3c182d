//===-- test/NN/IR/invalid-numbers.mlir - Numbers that a type does not hold ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --verify-diagnostics

func.func @eps_nan(%x: tensor<3xf32>) {
  // [NN-EPS-C1]
  // expected-error @below {{'nn.l2_normalize' op expected a finite 'eps' from 0 on, but got nan}}
  %0 = nn.l2_normalize %x over 0 eps 0x7FF8000000000000 : tensor<3xf32>
  return
}

// -----

func.func @eps_negative(%x: tensor<3xf32>) {
  // [NN-EPS-C1]
  // expected-error @below {{'nn.layer_norm' op expected a finite 'eps' from 0 on, but got -1.000000e-05}}
  %0 = nn.layer_norm %x, %x, %x eps -1.0e-5 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  return
}

// -----

func.func @eps_infinite(%x: tensor<3xf32>) {
  // [NN-EPS-C1]
  // expected-error @below {{'nn.cosine_similarity' op expected a finite 'eps' from 0 on, but got INF}}
  %0 = nn.cosine_similarity %x, %x over 0 eps 0x7FF0000000000000 : tensor<3xf32>, tensor<3xf32>
  return
}

// -----

/// The square of 1e-30 is 0 in f32: a zero vector would be no number.
func.func @eps_lost(%x: tensor<3xf32>) {
  // [NN-EPS-C2]
  // expected-error @below {{'nn.l2_normalize' op expected an 'eps' that is in 'f32' neither 0 nor infinite as a square, but got 1.000000e-30}}
  %0 = nn.l2_normalize %x over 0 eps 1.0e-30 : tensor<3xf32>
  return
}

// -----

/// In f64 it is not.
func.func @eps_held(%x: tensor<3xf64>) {
  %0 = nn.l2_normalize %x over 0 eps 1.0e-30 : tensor<3xf64>
  // [NN-EPS-C2]
  // expected-error @below {{'nn.cosine_similarity' op expected an 'eps' that is in 'f64' neither 0 nor infinite as a square, but got 1.000000e+200}}
  %1 = nn.cosine_similarity %x, %x over 0 eps 1.0e200 : tensor<3xf64>, tensor<3xf64>
  return
}

// -----

func.func @eps_lost_beside_variance(%x: tensor<3xf32>) {
  // [NN-EPS-C2]
  // expected-error @below {{'nn.layer_norm' op expected an 'eps' that is in 'f32' neither 0 nor infinite, but got 1.000000e-60}}
  %0 = nn.layer_norm %x, %x, %x eps 1.0e-60 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  return
}

// -----

func.func @drawn_nan() {
  // [NN-RANDOM-C6]
  // expected-error @below {{'nn.random' op expected finite numbers of 'f32', but got 0.000000e+00 and nan}}
  %0 = nn.random normal(0.0, 0x7FF8000000000000) : tensor<3xf32>
  return
}

// -----

/// In f32 6e38 is infinite, and 0 times it no number.
func.func @drawn_apart() {
  // [NN-RANDOM-C7]
  // expected-error @below {{'nn.random' op expected bounds whose difference is finite in 'f32', but got -3.000000e+38 and 3.000000e+38}}
  %0 = nn.random uniform(-3.0e38, 3.0e38) : tensor<3xf32>
  return
}

// -----

func.func @slope(%x: tensor<3xf32>) {
  // [NN-LEAKY_RELU-C1]
  // expected-error @below {{'nn.leaky_relu' op expected a finite 'slope' of 'f32', but got INF}}
  %0 = nn.leaky_relu %x slope 0x7FF0000000000000 : tensor<3xf32>
  return
}

// -----

/// In f32 a bound of 1e39 is infinite.
func.func @drawn_infinite() {
  %0 = nn.random uniform(-1.0e39, 1.0e39) : tensor<3xf64>
  // [NN-RANDOM-C6]
  // expected-error @below {{'nn.random' op expected finite numbers of 'f32', but got -1.000000e+39 and 1.000000e+39}}
  %1 = nn.random uniform(-1.0e39, 1.0e39) : tensor<3xf32>
  return
}

// -----

nn.param @held : tensor<3xf64> init #nn.init<constant(1.0e39)>
// [NN-PARAM-C14]
// expected-error @below {{'nn.param' op initializer 'constant' expected finite numbers of 'f32', but got 1.000000e+39}}
nn.param @W : tensor<3xf32> init #nn.init<constant(1.0e39)>

// -----

// [NN-INIT-C6]
// expected-error @below {{expected finite numbers for 'normal', but got nan and 1.000000e+00}}
nn.param @W : tensor<3xf32> init #nn.init<normal(0x7FF8000000000000, 1.0)>
