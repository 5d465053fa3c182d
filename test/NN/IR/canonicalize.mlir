//===-- test/NN/IR/canonicalize.mlir - Folds and canonical form ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --canonicalize | FileCheck %s

/// Zeros go through products and shape changes: the cell of a leaf is cheap.
// CHECK-LABEL: @zeros
// CHECK: %[[Z:.+]] = arith.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK: return %[[Z]]
func.func @zeros(%U: tensor<6x2xf32>) -> tensor<2xf32> {
  %h = arith.constant dense<0.0> : tensor<2x3xf32>
  %f = nn.reshape %h : tensor<2x3xf32> -> tensor<6xf32>
  %y = nn.linear %f, %U : tensor<6xf32>, tensor<6x2xf32>
  return %y : tensor<2xf32>
}

/// A bias is not zero.
// CHECK-LABEL: @negative_bias
// CHECK: nn.linear
func.func @negative_bias(%U: tensor<6x2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %h = arith.constant dense<0.0> : tensor<6xf32>
  %y = nn.linear %h, %U, %b : tensor<6xf32>, tensor<6x2xf32>, tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: @identities
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0
func.func @identities(%x: tensor<2x3xf32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = nn.transpose %x perm [0, 1] : tensor<2x3xf32>
  %1 = nn.slice %x over 0 from 0 size 2 : tensor<2x3xf32>
  %2 = nn.concat %x over 0 : tensor<2x3xf32>
  %3 = nn.reshape %x : tensor<2x3xf32> -> tensor<6xf32>
  %4 = nn.reshape %3 : tensor<6xf32> -> tensor<2x3xf32>
  return %0, %1, %2, %4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: @integers
// CHECK: %[[C:.*]] = arith.constant dense<7> : tensor<2xi32>
// CHECK: return %arg0, %[[C]]
func.func @integers(%x: tensor<3xi32>) -> (tensor<3xi32>, tensor<2xi32>) {
  %sevens = arith.constant dense<7> : tensor<3xi32>
  %0 = nn.slice %x over 0 from 0 size 3 : tensor<3xi32>
  %1 = nn.slice %sevens over 0 from 1 size 2 : tensor<3xi32>
  return %0, %1 : tensor<3xi32>, tensor<2xi32>
}

/// A constant of every row is a broadcast scalar: x * 1 = x.
// CHECK-LABEL: @times_one
// CHECK: return %arg0
func.func @times_one(%x: tensor<?xf32>) -> tensor<?xf32> {
  %one = arith.constant dense<1.0> : tensor<f32>
  %ones = nn.broadcast %one dims [] like %x : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %y = arith.mulf %x, %ones : tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: @negative_times_two
// CHECK: arith.mulf
func.func @negative_times_two(%x: tensor<?xf32>) -> tensor<?xf32> {
  %two = arith.constant dense<2.0> : tensor<f32>
  %twos = nn.broadcast %two dims [] like %x : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %y = arith.mulf %x, %twos : tensor<?xf32>
  return %y : tensor<?xf32>
}
