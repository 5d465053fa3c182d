//===-- test/Ragged/Transforms/ragged-sink-permutes.mlir - Narrow permutations ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-sink-permutes --split-input-file | FileCheck %s
// RUN: cambium-opt %s --ragged-sink-permutes --split-input-file --remarks-filter=ragged-sink-permutes -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// Ids are narrower than embeddings, also behind a dropout, whose keys go along.
// REMARK: [Passed]{{.*}}BytesPerRowAfter=12, BytesPerRowBefore=400
// CHECK-LABEL: func @up
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest, %[[IDS:[a-z0-9]*]]: tensor<?xi32>, %[[K:[a-z0-9]*]]: tensor<?xi64>
// CHECK-DAG: %[[I:.*]] = ragged.permute %[[IDS]], %[[F]] nodes_to_levels : tensor<?xi32>
// CHECK-DAG: %[[KP:.*]] = ragged.permute %[[K]], %[[F]] nodes_to_levels : tensor<?xi64>
// CHECK: %[[X:.*]] = nn.embed %[[I]]
// CHECK: %[[D:.*]] = nn.dropout %[[X]] rate {{.*}} keys %[[KP]]
// CHECK-NOT: ragged.permute
// CHECK: return %[[D]]
func.func @up(%f: !ragged.forest, %ids: tensor<?xi32>, %k: tensor<?xi64>,
              %E: tensor<10x100xf32>) -> tensor<?x100xf32> {
  %x = nn.embed %ids, %E : tensor<?xi32>, tensor<10x100xf32>
  %d = nn.dropout %x rate 0.5 keys %k id 0 : tensor<?x100xf32>, tensor<?xi64>
  %p = ragged.permute %d, %f nodes_to_levels : tensor<?x100xf32>
  return %p : tensor<?x100xf32>
}

// -----

/// The forest may be made after what is permuted.
// CHECK-LABEL: func @late_forest
// CHECK: %[[F:.*]] = ragged.chain
// CHECK-NEXT: %[[I:.*]] = ragged.permute %{{.*}}, %[[F]]
// CHECK-NEXT: %[[X:.*]] = nn.embed %[[I]]
// CHECK-NEXT: %[[T:.*]] = math.tanh %[[X]]
// CHECK-NEXT: return %[[T]]
func.func @late_forest(%r: !ragged.rows, %ids: tensor<?xi32>, %E: tensor<10x100xf32>)
    -> tensor<?x100xf32> {
  %x = nn.embed %ids, %E : tensor<?xi32>, tensor<10x100xf32>
  %t = math.tanh %x : tensor<?x100xf32>
  %f = ragged.chain %r
  %p = ragged.permute %t, %f nodes_to_levels : tensor<?x100xf32>
  return %p : tensor<?x100xf32>
}

// -----

/// Losses are narrower than states: the classifier works in level order, on labels in
/// level order, although the dropout in front of it gains nothing by itself.
// REMARK: [Passed]{{.*}}permutes results instead of operands
// CHECK-LABEL: func @down
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest, %[[R:[a-z0-9]*]]: !ragged.rows, %[[H:[a-z0-9]*]]: tensor<?x100xf32>
// CHECK-SAME: %[[Y:[a-z0-9]*]]: tensor<?xi32>
// CHECK: %[[T:.*]] = math.tanh %[[H]]
// CHECK: %[[S:.*]] = nn.linear %[[T]]
// CHECK: %[[YL:.*]] = ragged.permute %[[Y]], %[[F]] nodes_to_levels : tensor<?xi32>
// CHECK: %[[L:.*]] = nn.cross_entropy %[[S]], %[[YL]]
// CHECK: %[[LU:.*]] = ragged.permute %[[L]], %[[F]] nodes_to_user : tensor<?xf32>
// CHECK: ragged.reduce sum %[[LU]], %[[R]]
func.func @down(%f: !ragged.forest, %r: !ragged.rows, %h: tensor<?x100xf32>, %y: tensor<?xi32>,
                %W: tensor<100x5xf32>) -> tensor<?xf32> {
  %u = ragged.permute %h, %f nodes_to_user : tensor<?x100xf32>
  %t = math.tanh %u : tensor<?x100xf32>
  %s = nn.linear %t, %W : tensor<?x100xf32>, tensor<100x5xf32>
  %l = nn.cross_entropy %s, %y : tensor<?x5xf32>, tensor<?xi32>
  %sum = ragged.reduce sum %l, %r : tensor<?xf32>
  return %sum : tensor<?xf32>
}
