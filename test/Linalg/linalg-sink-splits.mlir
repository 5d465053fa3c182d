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

/// A condition that is computed for one select has parts, as its operands have.
// CHECK-LABEL: func @condition
// CHECK: arith.cmpf ogt, %{{.*}}, %{{.*}} : tensor<?x1xf32>
// CHECK: arith.select {{.*}} : tensor<?x1xi1>, tensor<?x1xf32>
func.func @condition(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> (tensor<?x1xf32>, tensor<?x3xf32>) {
  %c = arith.cmpf ogt, %x, %y : tensor<?x4xf32>
  %z = arith.select %c, %x, %y : tensor<?x4xi1>, tensor<?x4xf32>
  %a, %b = nn.split %z over 1 sizes [1, 3] : tensor<?x4xf32>
  return %a, %b : tensor<?x1xf32>, tensor<?x3xf32>
}

/// One that is read elsewhere too (by a derivative, say), or that comes from
/// elsewhere, has none.
// CHECK-LABEL: func @negative_condition
// CHECK: %[[Z:.*]] = arith.select {{.*}} : tensor<?x4xi1>, tensor<?x4xf32>
// CHECK: nn.split %[[Z]]
// CHECK: %[[W:.*]] = arith.select %arg2, {{.*}} : tensor<?x4xi1>, tensor<?x4xf32>
// CHECK: nn.split %[[W]]
func.func @negative_condition(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %d: tensor<?x4xi1>)
    -> (tensor<?x1xf32>, tensor<?x3xf32>, tensor<?x4xf32>, tensor<?x1xf32>, tensor<?x3xf32>) {
  %c = arith.cmpf ogt, %x, %y : tensor<?x4xf32>
  %z = arith.select %c, %x, %y : tensor<?x4xi1>, tensor<?x4xf32>
  %a, %b = nn.split %z over 1 sizes [1, 3] : tensor<?x4xf32>
  %v = arith.select %c, %y, %x : tensor<?x4xi1>, tensor<?x4xf32>
  %w = arith.select %d, %x, %y : tensor<?x4xi1>, tensor<?x4xf32>
  %e, %f = nn.split %w over 1 sizes [1, 3] : tensor<?x4xf32>
  return %a, %b, %v, %e, %f : tensor<?x1xf32>, tensor<?x3xf32>, tensor<?x4xf32>, tensor<?x1xf32>, tensor<?x3xf32>
}

/// Columns of a table that are used one by one are embedded one by one.
// CHECK-LABEL: func @columns
// CHECK: %[[T:.*]]:3 = nn.split %arg1 over 1 sizes [1, 1, 2] : tensor<9x4xf32>
// CHECK: nn.embed %arg0, %[[T]]#0 padding_id 0 : tensor<?xi32>, tensor<9x1xf32>
// CHECK: nn.embed %arg0, %[[T]]#1 padding_id 0 : tensor<?xi32>, tensor<9x1xf32>
// CHECK-NOT: tensor<9x4xf32>
// CHECK: return
func.func @columns(%ids: tensor<?xi32>, %t: tensor<9x4xf32>) -> (tensor<?x1xf32>, tensor<?x1xf32>) {
  %x = nn.embed %ids, %t padding_id 0 : tensor<?xi32>, tensor<9x4xf32>
  %a, %b, %c = nn.split %x over 1 sizes [1, 1, 2] : tensor<?x4xf32>
  return %a, %b : tensor<?x1xf32>, tensor<?x1xf32>
}

/// Several columns together are a part of a row, which is copied as a whole.
// CHECK-LABEL: func @negative_columns
// CHECK: %[[X:.*]] = nn.embed %arg0, %arg1 : tensor<?xi32>, tensor<9x4xf32>
// CHECK: nn.split %[[X]]
func.func @negative_columns(%ids: tensor<?xi32>, %t: tensor<9x4xf32>) -> (tensor<?x1xf32>, tensor<?x3xf32>) {
  %x = nn.embed %ids, %t : tensor<?xi32>, tensor<9x4xf32>
  %a, %b = nn.split %x over 1 sizes [1, 3] : tensor<?x4xf32>
  return %a, %b : tensor<?x1xf32>, tensor<?x3xf32>
}
