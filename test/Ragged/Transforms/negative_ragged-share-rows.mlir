//===-- test/Ragged/Transforms/negative_ragged-share-rows.mlir - What is computed per row ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-share-rows --split-input-file | FileCheck %s --implicit-check-not=ragged.distinct
// RUN: cambium-opt %s --ragged-share-rows --split-input-file --remarks-filter=ragged-share-rows -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// A narrow product is not worth finding equal rows.
// REMARK: [Missed] ragged-share-rows{{.*}}Reason="a row has 12 multiply-adds, fewer than 4096"
// REMARK-NOT: ragged-share-rows
// CHECK-LABEL: func @narrow
// CHECK: nn.linear
func.func @narrow(%i: tensor<?xi32>, %E: tensor<100x4xf32>, %W: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %x = nn.embed %i, %E : tensor<?xi32>, tensor<100x4xf32>
  %y = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x3xf32>
  return %y : tensor<?x3xf32>
}

// -----

/// Rows that differ by their random keys.
// CHECK-LABEL: func @dropout
// CHECK: nn.linear
func.func @dropout(%i: tensor<?xi32>, %keys: tensor<?xi64>, %E: tensor<100x64xf32>, %W: tensor<64x64xf32>) -> tensor<?x64xf32> {
  %x = nn.embed %i, %E : tensor<?xi32>, tensor<100x64xf32>
  %d = nn.dropout %x rate 0.5 keys %keys id 0 : tensor<?x64xf32>, tensor<?xi64>
  %y = nn.linear %d, %W : tensor<?x64xf32>, tensor<64x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

/// Rows that differ by their position.
// CHECK-LABEL: func @positions
// CHECK: nn.linear
func.func @positions(%i: tensor<?xi32>, %p: tensor<?xi32>, %E: tensor<100x64xf32>, %F: tensor<10x64xf32>,
                     %W: tensor<64x64xf32>) -> tensor<?x64xf32> {
  %x = nn.embed %i, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.embed %p, %F : tensor<?xi32>, tensor<10x64xf32>
  %s = arith.addf %x, %y : tensor<?x64xf32>
  %z = nn.linear %s, %W : tensor<?x64xf32>, tensor<64x64xf32>
  return %z : tensor<?x64xf32>
}
