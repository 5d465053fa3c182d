//===-- test/Gradient/slices.mlir - Gradients of stacked parameters ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --gradient-lower-steps --canonicalize --cse | FileCheck %s

/// Reverse is a loop of as many iterations. Of the forward one, the rows that a product
/// reads are recorded, iteration by iteration. The gradient of a slice is made once, and
/// added where it belongs: the gradient of the stack has no other memory.
// CHECK-LABEL: func.func @step.accumulate
// CHECK-SAME: %[[X0:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK: %[[W:.*]] = nn.use @W
// CHECK: %[[N:.*]] = tensor.dim %[[X0]]
// CHECK: %[[ALL:.*]] = arith.muli %[[N]], %[[C3]]
// CHECK: %[[E:.*]] = tensor.empty(%[[ALL]]) : tensor<?x3xf32>
// CHECK: %[[L:.*]]:2 = ragged.repeat 3 init(%[[X0]], %[[E]] : tensor<?x3xf32>, tensor<?x3xf32>) {
// CHECK-NEXT: ^bb0(%[[T:.*]]: index, %[[X:.*]]: tensor<?x3xf32>, %[[RECORD:.*]]: tensor<?x3xf32>):
// CHECK: %[[AT:.*]] = arith.muli %[[T]], %[[N]]
// CHECK: %[[NEW:.*]] = tensor.insert_slice %[[X]] into %[[RECORD]][%[[AT]], 0] [%[[N]], 3] [1, 1]
// CHECK: ragged.yield %{{.*}}, %[[NEW]]
// CHECK: ragged.repeat 3 init(%{{.*}} : tensor<?x3xf32>) {
// CHECK-NEXT: ^bb0(%[[R:.*]]: index, %[[DY:.*]]: tensor<?x3xf32>):
// CHECK: %[[T:.*]] = arith.subi %[[C2]], %[[R]]
// CHECK-DAG: %[[WT:.*]] = ragged.slice %[[W]], %[[T]]
// CHECK-DAG: %[[AT:.*]] = arith.muli %[[T]], %[[N]]
// CHECK-DAG: %[[XT:.*]] = tensor.extract_slice %[[L]]#1[%[[AT]], 0] [%[[N]], 3] [1, 1]
// CHECK-DAG: %[[DW:.*]] = nn.outer_sum %[[XT]], %[[DY]]
// CHECK: ragged.accumulate @W slice %[[T]], %[[DW]] : tensor<3x3xf32>
// CHECK: ragged.yield %{{.*}} : tensor<?x3xf32>
nn.param @W : tensor<3x3x3xf32>
func.func @loss(%rows: !ragged.rows, %x0: tensor<?x3xf32>) -> tensor<?xf32> {
  %W = nn.use @W : tensor<3x3x3xf32>
  %y = ragged.repeat 3 init(%x0 : tensor<?x3xf32>) {
  ^bb0(%t: index, %x: tensor<?x3xf32>):
    %w = ragged.slice %W, %t : tensor<3x3x3xf32>
    %next = nn.linear %x, %w : tensor<?x3xf32>, tensor<3x3xf32>
    ragged.yield %next : tensor<?x3xf32>
  }
  %m = ragged.reduce sum %y, %rows : tensor<?x3xf32>
  %l = nn.sum %m over 1 : tensor<?x3xf32>
  return %l : tensor<?xf32>
}
train.step @step loss @loss optimizer #train.optimizer<sgd>

// -----

/// With less memory, only what an iteration begins with is recorded.
// CHECK-LABEL: func.func @step.accumulate
// CHECK: %[[L:.*]]:2 = ragged.repeat 3 {{.*}} rematerialize {
// CHECK: ragged.repeat 3
// CHECK: tensor.extract_slice %[[L]]#1
// CHECK-NOT: tensor.extract_slice
// CHECK: math.tanh
// CHECK: ragged.accumulate @W,
// CHECK: ragged.yield
nn.param @W : tensor<3x3xf32>
func.func @loss(%rows: !ragged.rows, %x0: tensor<?x3xf32>) -> tensor<?xf32> {
  %W = nn.use @W : tensor<3x3xf32>
  %y = ragged.repeat 3 init(%x0 : tensor<?x3xf32>) rematerialize {
  ^bb0(%t: index, %x: tensor<?x3xf32>):
    %f = nn.linear %x, %W : tensor<?x3xf32>, tensor<3x3xf32>
    %next = math.tanh %f : tensor<?x3xf32>
    ragged.yield %next : tensor<?x3xf32>
  }
  %m = ragged.reduce sum %y, %rows : tensor<?x3xf32>
  %l = nn.sum %m over 1 : tensor<?x3xf32>
  return %l : tensor<?xf32>
}
train.step @step loss @loss optimizer #train.optimizer<sgd>

// -----

/// Where rows stop, a level of the reverse recursion is an iteration: its rows are
/// consecutive on the tape, and one product makes the gradient of its slice.
// CHECK-LABEL: func.func @step.accumulate
// CHECK: %[[W:.*]] = nn.use @W
// CHECK: ragged.levels down inner
// CHECK-NEXT: ^bb0(%[[LEVEL:.*]]: !ragged.rows,
// CHECK-DAG: %[[T:.*]] = ragged.iteration %[[LEVEL]] : !ragged.rows
// CHECK-DAG: %[[WT:.*]] = ragged.slice %[[W]], %[[T]]
// CHECK-DAG: %[[DW:.*]] = nn.outer_sum
// CHECK: ragged.accumulate @W slice %[[T]], %[[DW]]
nn.param @W : tensor<3x3x3xf32>
func.func @loss(%rows: !ragged.rows, %x0: tensor<?x3xf32>, %limits: tensor<?xf32>) -> tensor<?xf32> {
  %W = nn.use @W : tensor<3x3x3xf32>
  %y, %n = ragged.iterate max 3 init(%x0 : tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %x: tensor<?x3xf32>):
    %t = ragged.iteration %ids : tensor<?xi32>
    %w = ragged.slice %W, %t : tensor<3x3x3xf32>
    %next = nn.linear %x, %w : tensor<?x3xf32>, tensor<3x3xf32>
    %s = nn.sum %next over 1 : tensor<?x3xf32>
    %few = ragged.gather %limits, %ids : tensor<?xf32>, tensor<?xi32>
    %go = arith.cmpf olt, %s, %few : tensor<?xf32>
    ragged.yield %go, %next : tensor<?xi1>, tensor<?x3xf32>
  }
  %m = ragged.reduce sum %y, %rows : tensor<?x3xf32>
  %l = nn.sum %m over 1 : tensor<?x3xf32>
  return %l : tensor<?xf32>
}
train.step @step loss @loss optimizer #train.optimizer<sgd>
