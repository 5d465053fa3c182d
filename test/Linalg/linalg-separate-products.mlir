//===-- test/Linalg/linalg-separate-products.mlir - Products with wide weights ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --linalg-separate-products --canonicalize | FileCheck %s

// CHECK-LABEL: func @wide
// CHECK-DAG: nn.linear %arg0, %arg1 : tensor<?x4xf32>, tensor<4x96xf32>
// CHECK-DAG: nn.linear %arg0, %arg2 : tensor<?x4xf32>, tensor<4x96xf32>
func.func @wide(%x: tensor<?x4xf32>, %v: tensor<4x96xf32>, %w: tensor<4x96xf32>) -> (tensor<?x96xf32>, tensor<?x96xf32>) {
  %vw = nn.concat %v, %w over 1 : tensor<4x96xf32>, tensor<4x96xf32>
  %y = nn.linear %x, %vw : tensor<?x4xf32>, tensor<4x192xf32>
  %a, %b = nn.split %y over 1 sizes [96, 96] : tensor<?x192xf32>
  return %a, %b : tensor<?x96xf32>, tensor<?x96xf32>
}

// CHECK-LABEL: func @negative_narrow
// CHECK: nn.linear %arg0, %{{.*}} : tensor<?x4xf32>, tensor<4x191xf32>
func.func @negative_narrow(%x: tensor<?x4xf32>, %v: tensor<4x96xf32>, %w: tensor<4x95xf32>) -> tensor<?x191xf32> {
  %vw = nn.concat %v, %w over 1 : tensor<4x96xf32>, tensor<4x95xf32>
  %y = nn.linear %x, %vw : tensor<?x4xf32>, tensor<4x191xf32>
  return %y : tensor<?x191xf32>
}
