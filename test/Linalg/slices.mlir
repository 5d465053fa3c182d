//===-- test/Linalg/slices.mlir - Loops over slices ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt --linalg-lower --canonicalize --cse %s | FileCheck %s

/// A slice is a view by the number of the iteration; what an iteration leaves is computed
/// where it found it.
// CHECK-LABEL: func @repeat
// CHECK-SAME: %[[X0:[a-z0-9]*]]: tensor<?x3xf32>, %[[W:[a-z0-9]*]]: tensor<4x3xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X0]]
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %c4 step %{{.*}} iter_args(%[[X:.*]] = %[[X0]])
// CHECK: tensor.extract_slice %[[W]][%[[T]], 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<3xf32>
// CHECK: %[[NEXT:.*]] = linalg.generic
// CHECK-NOT: linalg.copy
// CHECK: %[[PUT:.*]] = tensor.insert_slice %{{.*}} into %[[X]][0, 0] [%[[N]], 3] [1, 1]
// CHECK: scf.yield %[[PUT]]
func.func @repeat(%x: tensor<?x3xf32>, %W: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %y = ragged.repeat 4 init(%x : tensor<?x3xf32>) {
  ^bb0(%t: index, %xt: tensor<?x3xf32>):
    %w = ragged.slice %W, %t : tensor<4x3xf32>
    %ws = nn.broadcast %w dims [1] like %xt : tensor<3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
    %next = arith.mulf %xt, %ws : tensor<?x3xf32>
    ragged.yield %next : tensor<?x3xf32>
  }
  return %y : tensor<?x3xf32>
}

/// Values that change places are put aside first.
// CHECK-LABEL: func @swap
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: %[[OLD_B:.*]] = linalg.copy ins(%[[B]] : tensor<?x3xf32>)
// CHECK: %[[OLD_A:.*]] = linalg.copy ins(%[[A]] : tensor<?x3xf32>)
// CHECK-DAG: tensor.insert_slice %{{.*}} into %[[A]]
// CHECK-DAG: tensor.insert_slice %{{.*}} into %[[B]]
func.func @swap(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %y:2 = ragged.repeat 3 init(%a, %b : tensor<?x3xf32>, tensor<?x3xf32>) {
  ^bb0(%t: index, %at: tensor<?x3xf32>, %bt: tensor<?x3xf32>):
    ragged.yield %bt, %at : tensor<?x3xf32>, tensor<?x3xf32>
  }
  return %y#0, %y#1 : tensor<?x3xf32>, tensor<?x3xf32>
}

/// Where rows stop, the number of the iteration is that of the loop.
// CHECK-LABEL: func @iterate
// CHECK-SAME: tensor<?x3xf32>, %[[W:[a-z0-9]*]]: tensor<4x3xf32>
// CHECK: ^bb0(%{{[a-z0-9]*}}: index, %[[T:[a-z0-9]*]]: index,
// CHECK: tensor.extract_slice %[[W]][%[[T]], 0] [1, 3] [1, 1]
func.func @iterate(%x: tensor<?x3xf32>, %W: tensor<4x3xf32>, %go: tensor<?xi1>) -> tensor<?x3xf32> {
  %y, %n = ragged.iterate max 4 init(%x : tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x3xf32>):
    %t = ragged.iteration %ids : tensor<?xi32>
    %w = ragged.slice %W, %t : tensor<4x3xf32>
    %ws = nn.broadcast %w dims [1] like %xa : tensor<3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
    %next = arith.mulf %xa, %ws : tensor<?x3xf32>
    %g = ragged.gather %go, %ids : tensor<?xi1>, tensor<?xi32>
    ragged.yield %g, %next : tensor<?xi1>, tensor<?x3xf32>
  }
  return %y : tensor<?x3xf32>
}
