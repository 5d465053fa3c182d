//===-- test/Ragged/Batching/same-for-all-rows.mlir - What no row changes ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-batch --canonicalize --split-input-file | FileCheck %s
// RUN: not cambium-opt %s --cambium-to-batched --split-input-file 2>&1 | FileCheck %s --check-prefix=ERROR

/// A number for all rows, with as many rows as what was compared.
// CHECK-LABEL: func @compared
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?xi32>
// CHECK: %[[ONE:.*]] = arith.constant dense<1> : tensor<i32>
// CHECK: %[[ONES:.*]] = nn.broadcast %[[ONE]] dims [] like %[[X]] : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
// CHECK: arith.trunci %[[ONES]] : tensor<?xi32> to tensor<?xi1>
func.func @compared(%x: tensor<?xi32>) -> tensor<f32> {
  %c = arith.cmpi eq, %x, %x : tensor<?xi32>
  %f = arith.uitofp %c : tensor<?xi1> to tensor<?xf32>
  %s = nn.sum %f over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

// -----

/// A comparison that the data decides stays.
// CHECK-LABEL: func @negative_compared
// CHECK: arith.cmpi eq, %{{.*}}, %{{.*}} : tensor<?xi32>
func.func @negative_compared(%x: tensor<?xi32>) -> tensor<f32> {
  %y = arith.addi %x, %x : tensor<?xi32>
  %c = arith.cmpi eq, %x, %y : tensor<?xi32>
  %f = arith.uitofp %c : tensor<?xi1> to tensor<?xf32>
  %s = nn.sum %f over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

// -----

/// Where equal operands are found only later, nobody knows the number of rows any more.
// ERROR: [[#@LINE+4]]:8: error: 'arith.constant' op expected a value that depends on data, but got one that is the same for all rows
func.func @later(%x: tensor<?xi32>) -> tensor<f32> {
  %a = arith.addi %x, %x : tensor<?xi32>
  %b = arith.addi %x, %x : tensor<?xi32>
  %c = arith.cmpi eq, %a, %b : tensor<?xi32>
  %f = arith.uitofp %c : tensor<?xi1> to tensor<?xf32>
  %s = nn.sum %f over 0 : tensor<?xf32>
  return %s : tensor<f32>
}
