//===-- test/Ragged/Transforms/negative_ragged-sink-permutes.mlir - What stays ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-sink-permutes --split-input-file | FileCheck %s
// RUN: cambium-opt %s --ragged-sink-permutes --split-input-file --remarks-filter=ragged-sink-permutes -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// The result is narrower than the operand.
// CHECK-LABEL: func @narrow_result
// CHECK: %[[Y:.*]] = nn.linear
// CHECK: ragged.permute %[[Y]]
func.func @narrow_result(%f: !ragged.forest, %x: tensor<?x100xf32>, %W: tensor<100x5xf32>)
    -> tensor<?x5xf32> {
  %y = nn.linear %x, %W : tensor<?x100xf32>, tensor<100x5xf32>
  %p = ragged.permute %y, %f nodes_to_levels : tensor<?x5xf32>
  return %p : tensor<?x5xf32>
}

// -----

/// The embedding is needed in the user's order too: it is not computed twice.
// REMARK: [Missed]{{.*}}BytesPerRow=400, Reason="it is needed in the user's order too"
// CHECK-LABEL: func @both_orders
// CHECK: %[[X:.*]] = nn.embed
// CHECK-NEXT: ragged.permute %[[X]]
func.func @both_orders(%f: !ragged.forest, %ids: tensor<?xi32>, %E: tensor<10x100xf32>)
    -> (tensor<?x100xf32>, tensor<?x100xf32>) {
  %x = nn.embed %ids, %E : tensor<?xi32>, tensor<10x100xf32>
  %p = ragged.permute %x, %f nodes_to_levels : tensor<?x100xf32>
  return %p, %x : tensor<?x100xf32>, tensor<?x100xf32>
}

// -----

/// Ops that cross rows need the user's order.
// CHECK-LABEL: func @crosses_rows
// CHECK: ragged.softmax
// CHECK-NEXT: ragged.permute
func.func @crosses_rows(%f: !ragged.forest, %r: !ragged.rows, %x: tensor<?xf32>) -> tensor<?xf32> {
  %s = ragged.softmax %x, %r : tensor<?xf32>
  %p = ragged.permute %s, %f nodes_to_levels : tensor<?xf32>
  return %p : tensor<?xf32>
}
