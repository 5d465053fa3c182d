//===-- test/Depth/Transforms/depth-expand-ponder.mlir - depth.ponder as a loop ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --depth-expand-ponder --split-input-file | FileCheck %s

// Without a forced remainder nothing counts iterations.
// CHECK-LABEL: @convex
func.func @convex(%xs: tensor<?x4xf32>, %p: tensor<?xf32>) -> (tensor<?x4xf32>, tensor<?xi32>, tensor<?xf32>) {
  // CHECK: %[[Y:.+]]:4 = depth.iterate max 24 compact rematerialize carried(%[[X:.+]] = %{{.*}} : tensor<?x4xf32>, %[[A:.+]] = %{{.*}} : tensor<?xf32>, %[[R:.+]] = %{{.*}} : tensor<?xf32>) {
  %y, %n, %r = depth.ponder max 24 combine convex remainder none compact rematerialize carried(%x = %xs : tensor<?x4xf32>) {
    // CHECK: %[[SUM:.+]] = arith.addf %[[A]], %{{.*}} : tensor<?xf32>
    // CHECK: %[[GO:.+]] = arith.cmpf olt, %[[SUM]], %{{.*}} : tensor<?xf32>
    // CHECK: %[[REST:.+]] = arith.subf %{{.*}}, %[[A]] : tensor<?xf32>
    // CHECK: arith.select %[[GO]], %{{.*}}, %[[REST]]
    // CHECK: %[[R2:.+]] = arith.select %[[GO]], %[[R]], %[[REST]]
    // CHECK: depth.yield %[[GO]], %{{.*}}, %[[SUM]], %[[R2]] : tensor<?xi1>, tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32>
    depth.yield %p, %x : tensor<?xf32>, tensor<?x4xf32>
  }
  // CHECK: return %[[Y]]#0, %[[Y]]#3, %[[Y]]#2
  return %y, %n, %r : tensor<?x4xf32>, tensor<?xi32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @example
func.func @example(%a: tensor<4xf64>, %p: tensor<f64>) -> tensor<4xf64> {
  // CHECK: %[[Y:.+]]:6 = depth.iterate max 3 carried(%{{.*}} : tensor<4xf64>, %{{.*}} : tensor<f64>, %{{.*}} : tensor<f64>, %{{.*}} : tensor<4xf64>, %{{.*}} : tensor<i32>) {
  %y, %n, %r = depth.ponder max 3 combine weighted_sum remainder forced carried(%x = %a : tensor<4xf64>) {
    // CHECK: arith.cmpi slt
    // CHECK: depth.yield
    depth.yield %p, %x : tensor<f64>, tensor<4xf64>
  }
  // CHECK: return %[[Y]]#3
  return %y : tensor<4xf64>
}

// -----

// Slices stay behind what is carried.
// CHECK-LABEL: @slices
func.func @slices(%xs: tensor<?x4xf32>, %p: tensor<?xf32>, %W: tensor<3x4x4xf32>) -> tensor<?x4xf32> {
  // CHECK: depth.iterate max 3 stacked "layer" carried(%[[X:.+]] = %{{.*}} : tensor<?x4xf32>, %{{.*}} = %{{.*}} : tensor<?xf32>, %{{.*}} = %{{.*}} : tensor<?xf32>) slices(%[[W:.+]] = %arg2 : tensor<3x4x4xf32>) {
  %y, %n, %r = depth.ponder max 3 combine convex remainder none stacked "layer" carried(%x = %xs : tensor<?x4xf32>) slices(%w = %W : tensor<3x4x4xf32>) {
    // CHECK: nn.linear %[[X]], %[[W]]
    %z = nn.linear %x, %w : tensor<?x4xf32>, tensor<4x4xf32>
    depth.yield %p, %z : tensor<?xf32>, tensor<?x4xf32>
  }
  return %y : tensor<?x4xf32>
}
