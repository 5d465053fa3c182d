//===-- test/NN/IR/spelling.mlir - Words that are close to others ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --verify-diagnostics

func.func @op(%a: tensor<3xf32>) {
  // expected-error @below {{custom op 'nn.rleu' is unknown: did you mean 'nn.relu'?}}
  %0 = nn.rleu %a : tensor<3xf32>
  return
}

// -----

/// Nothing is close.
func.func @no_op(%a: tensor<3xf32>) {
  // expected-error @below {{custom op 'nn.photosynthesis' is unknown}}
  %0 = nn.photosynthesis %a : tensor<3xf32>
  return
}

// -----

func.func @keyword(%a: tensor<?x2x3xf32>, %b: tensor<?x3xf32>) {
  // expected-error @below {{expected ':'}}
  // expected-note @below {{did you mean 'batch_dims'?}}
  %0 = nn.matmul %a, %b batch_dim 1 : tensor<?x2x3xf32>, tensor<?x3xf32>
  return
}

// -----

/// Of an op in the region of another, the inner one knows.
func.func @inner(%x0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %y = depth.iterate 12 carried(%x = %x0 : tensor<?x8xf32>) {
    // expected-error @below {{expected ':'}}
    // expected-note @below {{did you mean 'slope'?}}
    %next = nn.leaky_relu %x slop 0.1 : tensor<?x8xf32>
    depth.yield %next : tensor<?x8xf32>
  }
  return %y : tensor<?x8xf32>
}

// -----

func.func @enumeration(%h0: tensor<?x8xf32>, %p: tensor<?xf32>) {
  // expected-error @below {{expected 'convex' or 'weighted_sum' after 'combine'}}
  // expected-note @below {{did you mean 'convex'?}}
  %h, %n, %r = depth.ponder max 6 combine convx remainder none carried(%x = %h0 : tensor<?x8xf32>) {
    depth.yield %p, %x : tensor<?xf32>, tensor<?x8xf32>
  }
  return
}

// -----

// expected-error @below {{but got 'xavier_unifrom': did you mean 'xavier_uniform'?}}
nn.param @W : tensor<3x4xf32> init #nn.init<xavier_unifrom>

// -----

func.func private @loss() -> tensor<f32>
// expected-error @below {{but got 'adamm': did you mean 'adam'?}}
train.step @train loss @loss optimizer #train.optimizer<adamm>

// -----

func.func private @loss() -> tensor<f32>
// expected-error @below {{but got 'beta': did you mean 'beta1'?}}
train.step @train loss @loss optimizer #train.optimizer<adam, beta = 0.5>

// -----

nn.param @weights : tensor<3xf32>
func.func @parameter() -> tensor<3xf32> {
  // expected-error @below {{expected the name of an 'nn.param', but got 'weigths': did you mean 'weights'?}}
  %W = nn.use @weigths : tensor<3xf32>
  return %W : tensor<3xf32>
}

// -----

func.func private @dense(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func @function(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected the name of a function, but got 'dens': did you mean 'dense'?}}
  %y = nn.call @dens(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func private @losses() -> tensor<f32>
// expected-error @below {{expected the name of a function, but got 'loses': did you mean 'losses'?}}
train.step @train loss @loses optimizer #train.optimizer<sgd>

// -----

/// What changes the meaning of an op does not stand in braces.
func.func @braces(%a: tensor<?x2x3xf32>, %b: tensor<?x3xf32>) {
  // expected-error @below {{expected vectors or matrices after 0 common dimensions}}
  // expected-error @below {{expected 'batch_dims' to be a keyword, but got it in braces}}
  %0 = nn.matmul %a, %b {batch_dims = 1 : i64} : tensor<?x2x3xf32>, tensor<?x3xf32>
  return
}

// -----

// expected-error @below {{expected 'frozen' to be a keyword, but got it in braces}}
nn.param @W : tensor<3xf32> {frozen}

// -----

/// Anything else may.
func.func @discardable(%a: tensor<3xf32>) {
  %0 = nn.relu %a {test.note} : tensor<3xf32>
  return
}
