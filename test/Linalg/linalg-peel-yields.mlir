//===-- test/Linalg/linalg-peel-yields.mlir - What yields of recursions are views of ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --linalg-peel-yields | FileCheck %s

// CHECK-LABEL: func @view
// CHECK: %[[T:.*]] = ragged.levels
// CHECK-SAME: -> (tensor<?x4xf32>)
// CHECK: ragged.yield %{{.*}} : tensor<?x4xf32>
// CHECK: nn.slice %[[T]]
func.func @view(%f: !ragged.forest, %x: tensor<?x4xf32>) -> tensor<?x2xf32> {
  %y = ragged.levels up all %f nodes(%x : tensor<?x4xf32>)
      num_recurrent 0 num_node_yields 1 -> (tensor<?x2xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x4xf32>):
    %t = math.tanh %xl : tensor<?x4xf32>
    %s = nn.slice %t over 1 from 0 size 2 : tensor<?x4xf32>
    ragged.yield %s : tensor<?x2xf32>
  }
  return %y : tensor<?x2xf32>
}

/// A value is stored as it is.
// CHECK-LABEL: func @negative_value
// CHECK: ragged.levels
// CHECK-SAME: -> (tensor<?x4xf32>)
// CHECK-NOT: nn.slice
func.func @negative_value(%f: !ragged.forest, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = ragged.levels up all %f nodes(%x : tensor<?x4xf32>)
      num_recurrent 0 num_node_yields 1 -> (tensor<?x4xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x4xf32>):
    %t = math.tanh %xl : tensor<?x4xf32>
    ragged.yield %t : tensor<?x4xf32>
  }
  return %y : tensor<?x4xf32>
}
