//===-- test/Ragged/IR/slices.mlir - Slices by iteration ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s | cambium-opt | FileCheck %s
// RUN: cambium-opt %s --canonicalize | FileCheck --check-prefix=CANONICAL %s

// CHECK-LABEL: @repeat
func.func @repeat(%x: tensor<?x4xf32>, %W: tensor<3x4x4xf32>) -> tensor<?x4xf32> {
  // CHECK: ragged.repeat 3 init(%{{.*}} : tensor<?x4xf32>) rematerialize attributes {test.note} {
  // CHECK-NEXT: ^bb0(%[[T:.*]]: index, %{{.*}}: tensor<?x4xf32>):
  %y = ragged.repeat 3 init(%x : tensor<?x4xf32>) rematerialize attributes {test.note} {
  ^bb0(%t: index, %xt: tensor<?x4xf32>):
    // CHECK: ragged.slice %{{.*}}, %[[T]] : tensor<3x4x4xf32>
    %w = ragged.slice %W, %t : tensor<3x4x4xf32>
    %next = nn.linear %xt, %w : tensor<?x4xf32>, tensor<4x4xf32>
    ragged.yield %next : tensor<?x4xf32>
  }
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: @iteration
func.func @iteration(%x: tensor<?x4xf32>, %W: tensor<5x4xf32>, %go: tensor<?xi1>) -> tensor<?x4xf32> {
  %y, %n = ragged.iterate max 5 init(%x : tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xi32>) {
  // CHECK: ^bb0(%[[IDS:.*]]: tensor<?xi32>, %{{.*}}: tensor<?x4xf32>):
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x4xf32>):
    // CHECK: %[[T:.*]] = ragged.iteration %[[IDS]] : tensor<?xi32>
    %t = ragged.iteration %ids : tensor<?xi32>
    // CHECK: ragged.slice %{{.*}}, %[[T]] : tensor<5x4xf32>
    %w = ragged.slice %W, %t : tensor<5x4xf32>
    %next = nn.broadcast %w dims [1] like %xa : tensor<4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
    ragged.yield %go, %next : tensor<?xi1>, tensor<?x4xf32>
  }
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: @accumulate
func.func @accumulate(%dW: tensor<4xf32>, %t: index) {
  // CHECK: ragged.accumulate @W slice %{{.*}}, %{{.*}} : tensor<4xf32>
  ragged.accumulate @W slice %t, %dW : tensor<4xf32>
  return
}
nn.param @W : tensor<3x4xf32>

/// What is added to a slice of zeros is added to that of the other term.
// CANONICAL-LABEL: @add_slice
// CANONICAL-SAME: %[[S:.*]]: tensor<4xf32>, %[[X:.*]]: tensor<3x4xf32>, %[[T:.*]]: index
func.func @add_slice(%s: tensor<4xf32>, %x: tensor<3x4xf32>, %t: index) -> tensor<3x4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<3x4xf32>
  // CHECK: ragged.add_slice %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<3x4xf32>
  %a = ragged.add_slice %s, %zeros, %t : tensor<4xf32>, tensor<3x4xf32>
  %y = arith.addf %x, %a : tensor<3x4xf32>
  // CANONICAL-NEXT: %[[Y:.*]] = ragged.add_slice %[[S]], %[[X]], %[[T]]
  // CANONICAL-NEXT: return %[[Y]]
  return %y : tensor<3x4xf32>
}

/// What does not change is not carried.
// CANONICAL-LABEL: @unchanged
// CANONICAL-SAME: %[[X:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<?x4xf32>
func.func @unchanged(%x: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  // CANONICAL-NEXT: %[[Y:.*]] = ragged.repeat 3 init(%[[X]] : tensor<?x4xf32>) {
  // CANONICAL-NEXT: ^bb0(%{{.*}}: index, %[[XT:.*]]: tensor<?x4xf32>):
  // CANONICAL-NEXT: %[[NEXT:.*]] = arith.addf %[[XT]], %[[B]]
  // CANONICAL-NEXT: ragged.yield %[[NEXT]]
  %y:2 = ragged.repeat 3 init(%b, %x : tensor<?x4xf32>, tensor<?x4xf32>) {
  ^bb0(%t: index, %bt: tensor<?x4xf32>, %xt: tensor<?x4xf32>):
    %next = arith.addf %xt, %bt : tensor<?x4xf32>
    ragged.yield %bt, %next : tensor<?x4xf32>, tensor<?x4xf32>
  }
  // CANONICAL: return %[[B]], %[[Y]]
  return %y#0, %y#1 : tensor<?x4xf32>, tensor<?x4xf32>
}

/// Nor what levels pass on as they got it.
// CANONICAL-LABEL: @shared
// CANONICAL-SAME: %{{.*}}: !ragged.forest, %{{.*}}: tensor<?x4xf32>, %[[S:.*]]: tensor<4xf32>
func.func @shared(%f: !ragged.forest, %x: tensor<?x4xf32>, %s: tensor<4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>) {
  // CANONICAL: %[[H:.*]] = ragged.levels up all %{{.*}} nodes({{.*}}) num_recurrent 1 num_node_yields 0 -> (tensor<?x4xf32>) {
  // CANONICAL: nn.broadcast %[[S]]
  %h, %t = ragged.levels up all %f nodes(%x : tensor<?x4xf32>) shared(%s : tensor<4xf32>)
      num_recurrent 1 num_node_yields 0 -> (tensor<?x4xf32>, tensor<4xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x4xf32>, %hk: tensor<?x4xf32>, %sl: tensor<4xf32>):
    %a = ragged.reduce sum %hk, %edges : tensor<?x4xf32>
    %b = nn.broadcast %sl dims [1] like %xl : tensor<4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
    %y = arith.addf %a, %b : tensor<?x4xf32>
    ragged.yield %y, %sl : tensor<?x4xf32>, tensor<4xf32>
  }
  // CANONICAL: return %[[H]], %[[S]]
  return %h, %t : tensor<?x4xf32>, tensor<4xf32>
}
