//===-- test/Linalg/linalg-sink-splits.mlir - Parts of elementwise values ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --linalg-sink-splits | FileCheck %s

// CHECK-LABEL: func @gates
// CHECK: %[[X:.*]]:2 = nn.split %arg0 over 1 sizes [2, 2]
// CHECK: %[[Y:.*]]:2 = nn.split %arg1 over 1 sizes [2, 2]
// CHECK-DAG: arith.mulf %[[X]]#0, %[[Y]]#0 : tensor<?x2xf32>
// CHECK-DAG: arith.mulf %[[X]]#1, %[[Y]]#1 : tensor<?x2xf32>
func.func @gates(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %z = arith.mulf %x, %y : tensor<?x4xf32>
  %a, %b = nn.split %z over 1 sizes [2, 2] : tensor<?x4xf32>
  return %a, %b : tensor<?x2xf32>, tensor<?x2xf32>
}

/// What is used as a whole too stays whole.
// CHECK-LABEL: func @negative_used
// CHECK: math.tanh %arg0 : tensor<?x4xf32>
// CHECK-NEXT: nn.split
func.func @negative_used(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x2xf32>, tensor<?x2xf32>) {
  %z = math.tanh %x : tensor<?x4xf32>
  %a, %b = nn.split %z over 1 sizes [2, 2] : tensor<?x4xf32>
  return %z, %a, %b : tensor<?x4xf32>, tensor<?x2xf32>, tensor<?x2xf32>
}
