//===-- test/NN/IR/constraints.mlir - Rules of several ops ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --verify-diagnostics

/// What docs/SemanticsNN.md demands besides the cases of invalid.mlir.
func.func @types(%a: tensor<3xi32>) {
  // [NN-TYPES-C1]
  // expected-error @below {{'nn.sigmoid' op operand #0 must be float scalar, vector or tensor, but got 'tensor<3xi32>'}}
  %0 = nn.sigmoid %a : tensor<3xi32>
  return
}

// -----

func.func @elementwise(%a: tensor<3xf32>) {
  // [NN-ELEMENTWISE-C1]
  // expected-error @below {{'nn.relu' op requires the same type for all operands and results}}
  %0 = "nn.relu"(%a) : (tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @result(%a: tensor<3x2xf32>) {
  // [NN-RESULT-C1]
  // expected-error @below {{'nn.sum' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "nn.sum"(%a) <{dim = 0 : i64}> : (tensor<3x2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @concat_nothing() {
  // [NN-CONCAT-C1]
  // expected-error @below {{'nn.concat' op expected at least one operand}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "nn.concat"() <{dim = 0 : i64}> : () -> tensor<3xf32>
  return
}

// -----

func.func @broadcast_element(%a: tensor<3xf32>) {
  // [NN-BROADCAST-C2]
  // expected-error @below {{expected element type 'f32', but got 'i32'}}
  %0 = nn.broadcast %a dims [1] : tensor<3xf32> -> tensor<2x3xi32>
  return
}

// -----

func.func @broadcast_like_rows(%a: tensor<3xf32>, %b: tensor<4x3xf32>) {
  // [NN-BROADCAST-C6]
  // expected-error @below {{expected 'like' to have the rows of 'tensor<2x3xf32>', but got 'tensor<4x3xf32>'}}
  %0 = nn.broadcast %a dims [1] like %b : tensor<3xf32>, tensor<4x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// [NN-INIT-C5]
// expected-error @below {{expected the path of a file and the name of a tensor}}
nn.param @v : tensor<3xf32> init #nn.init<file("", "tensor")>
