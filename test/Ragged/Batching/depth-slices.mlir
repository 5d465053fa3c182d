//===-- test/Ragged/Batching/depth-slices.mlir - Loops over slices ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-batch --canonicalize --split-input-file | FileCheck %s

/// Keys depend on the slice: of all rows, they are computed in every iteration, from the
/// rows as each was left. The scaled row does not: it is computed when a row iterates.
// CHECK-LABEL: func @compact
// CHECK-SAME: %[[ROWS:[a-z0-9]*]]: !ragged.rows
// CHECK-SAME: %[[X0:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK-SAME: %[[GO:[a-z0-9]*]]: tensor<?xi1>
// CHECK: %[[W:.*]] = nn.use @W
// CHECK: %[[S0:.*]] = arith.addf %[[X0]], %[[X0]]
// CHECK: ragged.iterate max 4 init(%[[X0]] : tensor<?x3xf32>) shared(%[[S0]] : tensor<?x3xf32>)
// CHECK-NEXT: ^bb0(%[[IDS:.*]]: tensor<?xi32>, %[[X:.*]]: tensor<?x3xf32>, %[[ALL:.*]]: tensor<?x3xf32>):
// CHECK: %[[ACTIVE:.*]] = ragged.group %[[IDS]], %[[ROWS]]
// CHECK: %[[T:.*]] = ragged.iteration %[[IDS]]
// CHECK: %[[WT:.*]] = ragged.slice %[[W]], %[[T]] : tensor<4x3x3xf32>
// CHECK: %[[K:.*]] = nn.linear %[[ALL]], %[[WT]] : tensor<?x3xf32>, tensor<3x3xf32>
// CHECK: %[[A:.*]], %{{.*}} = ragged.attention %[[X]], %[[K]], %[[K]], %[[ACTIVE]], %[[ROWS]]
// CHECK-NOT: nn.linear
// CHECK: %[[NEXT:.*]] = arith.addf %[[A]], %[[A]]
// CHECK: %[[PUT:.*]] = ragged.put_rows %[[NEXT]], %[[ALL]], %[[IDS]]
// CHECK: ragged.yield %{{.*}}, %[[A]], %[[PUT]]
nn.param @W : tensor<4x3x3xf32>
func.func @compact(%x0: tensor<?x3xf32> {cambium.name = "words"}, %go: tensor<?xi1>) -> tensor<?x3xf32> {
  %W = nn.use @W : tensor<4x3x3xf32>
  %h, %n = depth.iterate max 4 compact carried(%x = %x0 : tensor<?x3xf32>) slices(%w = %W : tensor<4x3x3xf32>) {
    %s = arith.addf %x, %x : tensor<?x3xf32>
    %k = nn.linear %s, %w : tensor<?x3xf32>, tensor<3x3xf32>
    %a = nn.attention %x, %k, %k heads 1 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
    depth.yield %go, %a : tensor<?xi1>, tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// A fixed number: no list of rows, no gather, no selection, nothing that counts.
// CHECK-LABEL: func @fixed
// CHECK-SAME: %[[ROWS:[a-z0-9]*]]: !ragged.rows
// CHECK-SAME: %[[X0:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK: %[[W:.*]] = nn.use @W
// CHECK: %[[M0:.*]] = ragged.reduce max %[[X0]], %[[ROWS]]
// CHECK-NEXT: %[[Y:.*]]:2 = ragged.repeat 12 init(%[[X0]], %[[M0]] : tensor<?x3xf32>, tensor<?x3xf32>) {
// CHECK-NEXT: ^bb0(%[[T:.*]]: index, %[[X:.*]]: tensor<?x3xf32>, %[[M:.*]]: tensor<?x3xf32>):
// CHECK-NEXT: %[[WT:.*]] = ragged.slice %[[W]], %[[T]]
// CHECK-NEXT: %[[F:.*]] = nn.linear %[[X]], %[[WT]]
// CHECK-NEXT: %[[S:.*]] = ragged.reduce max %[[F]], %[[ROWS]]
// CHECK-NEXT: ragged.yield %[[F]], %[[S]]
// CHECK: return %[[Y]]#0, %[[Y]]#1
nn.param @W : tensor<12x3x3xf32>
func.func @fixed(%x0: tensor<?x3xf32> {cambium.name = "words"}) -> (tensor<?x3xf32>, tensor<3xf32>) {
  %W = nn.use @W : tensor<12x3x3xf32>
  %m0 = nn.max %x0 over 0 : tensor<?x3xf32>
  %y:2 = depth.iterate 12 carried(%x = %x0 : tensor<?x3xf32>, %m = %m0 : tensor<3xf32>) slices(%w = %W : tensor<12x3x3xf32>) {
    %f = nn.linear %x, %w : tensor<?x3xf32>, tensor<3x3xf32>
    %s = nn.max %f over 0 : tensor<?x3xf32>
    depth.yield %f, %s : tensor<?x3xf32>, tensor<3xf32>
  }
  return %y#0, %y#1 : tensor<?x3xf32>, tensor<3xf32>
}

// -----

/// What is drawn differs from iteration to iteration.
// CHECK-LABEL: func @drawn
// CHECK: %[[KEYS:.*]] = ragged.example_keys
// CHECK: ragged.repeat 2
// CHECK-NEXT: ^bb0(%[[T:.*]]: index,
// CHECK: %[[I:.*]] = arith.index_cast %[[T]] : index to i32
// CHECK: %[[S:.*]] = tensor.from_elements %[[I]]
// CHECK: %[[N:.*]] = ragged.broadcast %[[S]]
// CHECK: %[[MIXED:.*]] = ragged.mix_keys %[[KEYS]], %[[N]]
// CHECK: ragged.keys %[[MIXED]]
func.func @drawn(%x0: tensor<?x3xf32> {cambium.name = "words"}) -> tensor<?x3xf32> {
  %y = depth.iterate 2 carried(%x = %x0 : tensor<?x3xf32>) {
    %f = nn.dropout %x rate 0.5 id 0 : tensor<?x3xf32>
    depth.yield %f : tensor<?x3xf32>
  }
  return %y : tensor<?x3xf32>
}
