//===-- test/Ragged/Transforms/negative_ragged-hoist.mlir - What stays ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-hoist --split-input-file | FileCheck %s

/// Ops that only arrange elements stay: an array for them would be traffic for nothing.
// CHECK-LABEL: func @arrangement
// CHECK: ragged.levels up all %{{.*}} nodes(%{{.*}} : tensor<?x6xf32>)
// CHECK: nn.slice
// CHECK: nn.slice
func.func @arrangement(%f: !ragged.forest, %x: tensor<?x6xf32>) -> tensor<?x3xf32> {
  %h = ragged.levels up all %f nodes(%x : tensor<?x6xf32>)
         num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%e: !ragged.rows, %xl: tensor<?x6xf32>, %hk: tensor<?x3xf32>):
    %a = nn.slice %xl over 1 from 0 size 3 : tensor<?x6xf32>
    %b = nn.slice %xl over 1 from 3 size 3 : tensor<?x6xf32>
    %s = ragged.reduce sum %hk, %e : tensor<?x3xf32>
    %p = arith.mulf %s, %a : tensor<?x3xf32>
    %y = arith.addf %p, %b : tensor<?x3xf32>
    ragged.yield %y : tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Nodes and edges do not mix: an expansion to the level's edges stays in the loop.
// CHECK-LABEL: func @expansion
// CHECK: ragged.levels up all %{{.*}} nodes(%{{.*}} : tensor<?x3xf32>)
// CHECK: ragged.expand
// CHECK: arith.mulf
func.func @expansion(%f: !ragged.forest, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %h = ragged.levels up all %f nodes(%x : tensor<?x3xf32>)
         num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%e: !ragged.rows, %xl: tensor<?x3xf32>, %hk: tensor<?x3xf32>):
    %xe = ragged.expand %xl, %e : tensor<?x3xf32>
    %p = arith.mulf %hk, %xe : tensor<?x3xf32>
    %y = ragged.reduce sum %p, %e : tensor<?x3xf32>
    ragged.yield %y : tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// All nodes are read as well: nothing is narrowed.
// CHECK-LABEL: func @both
// CHECK: %[[X:.*]] = nn.embed
// CHECK: ragged.part %[[X]]
func.func @both(%f: !ragged.forest, %ids: tensor<?xi32>, %E: tensor<10x4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %x = nn.embed %ids, %E : tensor<?xi32>, tensor<10x4xf32>
  %p = ragged.part %x, %f leaves : tensor<?x4xf32>
  return %p, %x : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

/// A gradient asks for the value: no rewrite reads past it.
// CHECK-LABEL: func @watched
// CHECK: %[[E:.*]] = ragged.expand
// CHECK: %[[W:.*]] = train.watch %[[E]]
// CHECK: nn.linear %[[W]]
func.func @watched(%r: !ragged.rows, %x: tensor<?x4xf32>, %W: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %e = ragged.expand %x, %r : tensor<?x4xf32>
  %w = train.watch %e id 0 : tensor<?x4xf32>
  %y = nn.linear %w, %W : tensor<?x4xf32>, tensor<4x3xf32>
  return %y : tensor<?x3xf32>
}
