//===-- test/Depth/IR/ops.mlir - Every op, printed as it is read -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s | cambium-opt | FileCheck %s
// RUN: cambium-opt %s --mlir-print-op-generic | cambium-opt | FileCheck %s

// CHECK-LABEL: @rows
func.func @rows(%xs: tensor<?x4xf32>, %k: tensor<?xi32>, %go: tensor<?xi1>)
    -> (tensor<?x4xf32>, tensor<?xi32>, tensor<?xi32>) {
  // CHECK: %{{.*}}:3 = depth.iterate max 24 carried(%[[X:.+]] = %{{.*}} : tensor<?x4xf32>, %[[C:.+]] = %{{.*}} : tensor<?xi32>) {
  %y, %c, %n = depth.iterate max 24 carried(%x = %xs : tensor<?x4xf32>, %i = %k : tensor<?xi32>) {
    // CHECK: depth.yield %{{.*}}, %[[X]], %[[C]] : tensor<?xi1>, tensor<?x4xf32>, tensor<?xi32>
    depth.yield %go, %x, %i : tensor<?xi1>, tensor<?x4xf32>, tensor<?xi32>
  }
  return %y, %c, %n : tensor<?x4xf32>, tensor<?xi32>, tensor<?xi32>
}

// CHECK-LABEL: @given
func.func @given(%xs: tensor<?xf64>, %p: tensor<?xf64>, %go: tensor<?xi1>) -> tensor<?xf64> {
  // CHECK: depth.iterate max (#nn.given<"layers" = 4 : i64>) stacked "layer" carried(
  %x, %n = depth.iterate max (#nn.given<"layers" = 4>) stacked "layer" carried(%a = %xs : tensor<?xf64>) {
    depth.yield %go, %a : tensor<?xi1>, tensor<?xf64>
  }
  // CHECK: depth.iterate (#nn.given<"layers" = 4 : i64>) carried(
  %y = depth.iterate (#nn.given<"layers" = 4>) carried(%a = %x : tensor<?xf64>) {
    depth.yield %a : tensor<?xf64>
  }
  // CHECK: depth.ponder max (#nn.given<"layers" = 4 : i64>) combine convex remainder none epsilon (#nn.given<"rest" = 5.000000e-02 : f64>) masked carried(
  %z, %m, %r = depth.ponder max (#nn.given<"layers" = 4>) combine convex remainder none epsilon (#nn.given<"rest" = 0.05>) masked carried(%a = %y : tensor<?xf64>) {
    depth.yield %p, %a : tensor<?xf64>, tensor<?xf64>
  }
  return %z : tensor<?xf64>
}

// CHECK-LABEL: @forms
func.func @forms(%xs: tensor<?xf64>, %go: tensor<?xi1>) -> (tensor<?xf64>, tensor<?xf64>) {
  // CHECK: depth.iterate max 1 compact rematerialize carried(%{{.*}} = %{{.*}} : tensor<?xf64>) attributes {test.note} {
  %y, %n = depth.iterate max 1 compact rematerialize carried(%x = %xs : tensor<?xf64>) attributes {test.note} {
    depth.yield %go, %x : tensor<?xi1>, tensor<?xf64>
  }
  // CHECK: depth.iterate max 1 masked carried(
  %z, %m = depth.iterate max 1 masked carried(%x = %xs : tensor<?xf64>) {
    depth.yield %go, %x : tensor<?xi1>, tensor<?xf64>
  }
  return %y, %z : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: @starting
func.func @starting(%xs: tensor<?xf64>, %go: tensor<?xi1>, %a: tensor<f32>, %on: tensor<i1>) -> (tensor<?xf64>, tensor<f32>) {
  // CHECK: depth.iterate max 1 masked rematerialize active(%{{.*}} : tensor<?xi1>) carried(%{{.*}} = %{{.*}} : tensor<?xf64>) attributes {test.note} {
  %y, %n = depth.iterate max 1 masked rematerialize active(%go : tensor<?xi1>) carried(%x = %xs : tensor<?xf64>) attributes {test.note} {
    depth.yield %go, %x : tensor<?xi1>, tensor<?xf64>
  }
  // CHECK: depth.iterate max 2 active(%{{.*}} : tensor<i1>) carried(
  %z, %m = depth.iterate max 2 active(%on : tensor<i1>) carried(%x = %a : tensor<f32>) {
    depth.yield %on, %x : tensor<i1>, tensor<f32>
  }
  return %y, %z : tensor<?xf64>, tensor<f32>
}

// CHECK-LABEL: @examples
func.func @examples(%a: tensor<4xf32>, %go: tensor<i1>) -> (tensor<4xf32>, tensor<i32>) {
  // CHECK: depth.iterate max 3 carried(%{{.*}} = %{{.*}} : tensor<4xf32>) {
  %y, %n = depth.iterate max 3 carried(%x = %a : tensor<4xf32>) {
    // CHECK: depth.yield %{{.*}}, %{{.*}} : tensor<i1>, tensor<4xf32>
    depth.yield %go, %x : tensor<i1>, tensor<4xf32>
  }
  return %y, %n : tensor<4xf32>, tensor<i32>
}

// CHECK-LABEL: @ponder
func.func @ponder(%xs: tensor<?x4xf32>, %p: tensor<?xf32>) -> (tensor<?x4xf32>, tensor<?xi32>, tensor<?xf32>) {
  // CHECK: depth.ponder max 24 combine convex remainder forced epsilon 1.000000e-02 carried(%[[X:.+]] = %{{.*}} : tensor<?x4xf32>) {
  %y, %n, %r = depth.ponder max 24 combine convex remainder forced carried(%x = %xs : tensor<?x4xf32>) {
    // CHECK: depth.yield %{{.*}}, %[[X]] : tensor<?xf32>, tensor<?x4xf32>
    depth.yield %p, %x : tensor<?xf32>, tensor<?x4xf32>
  }
  return %y, %n, %r : tensor<?x4xf32>, tensor<?xi32>, tensor<?xf32>
}

// CHECK-LABEL: @ponder_example
func.func @ponder_example(%a: tensor<4xf64>, %p: tensor<f64>) -> (tensor<4xf64>, tensor<i32>, tensor<f64>) {
  // CHECK: depth.ponder max 3 combine weighted_sum remainder none epsilon 0.000000e+00 masked carried(%{{.*}} = %{{.*}} : tensor<4xf64>) attributes {test.note} {
  %y, %n, %r = depth.ponder max 3 combine weighted_sum remainder none epsilon 0.0 masked carried(%x = %a : tensor<4xf64>) attributes {test.note} {
    depth.yield %p, %x : tensor<f64>, tensor<4xf64>
  }
  return %y, %n, %r : tensor<4xf64>, tensor<i32>, tensor<f64>
}

// CHECK-LABEL: @slices
func.func @slices(%xs: tensor<?x8xf32>, %W: tensor<12x8x8xf32>, %b: tensor<12x8xf32>, %k: tensor<12xi32>, %go: tensor<?xi1>) -> tensor<?x8xf32> {
  // CHECK: depth.iterate max 12 masked active(%{{.*}} : tensor<?xi1>) stacked "encoder.layer" carried(%{{.*}} = %{{.*}} : tensor<?x8xf32>) slices(%[[W:.+]] = %{{.*}} : tensor<12x8x8xf32>, %[[B:.+]] = %{{.*}} : tensor<12x8xf32>, %{{.*}} = %{{.*}} : tensor<12xi32>) attributes {test.note} {
  %y, %n = depth.iterate max 12 masked active(%go : tensor<?xi1>) stacked "encoder.layer" carried(%x = %xs : tensor<?x8xf32>) slices(%w = %W : tensor<12x8x8xf32>, %c = %b : tensor<12x8xf32>, %i = %k : tensor<12xi32>) attributes {test.note} {
    // CHECK: nn.linear %{{.*}}, %[[W]], %[[B]] : tensor<?x8xf32>, tensor<8x8xf32>, tensor<8xf32>
    %z = nn.linear %x, %w, %c : tensor<?x8xf32>, tensor<8x8xf32>, tensor<8xf32>
    depth.yield %go, %z : tensor<?xi1>, tensor<?x8xf32>
  }
  return %y : tensor<?x8xf32>
}

// CHECK-LABEL: @fixed
func.func @fixed(%xs: tensor<?x8xf32>, %a: tensor<4xf64>, %W: tensor<3x8x8xf32>) -> (tensor<?x8xf32>, tensor<4xf64>) {
  // CHECK: %{{.*}}:2 = depth.iterate 3 rematerialize tied "" carried(%[[X:.+]] = %{{.*}} : tensor<?x8xf32>, %[[A:.+]] = %{{.*}} : tensor<4xf64>) slices(%{{.*}} = %{{.*}} : tensor<3x8x8xf32>) {
  %y:2 = depth.iterate 3 rematerialize tied "" carried(%x = %xs : tensor<?x8xf32>, %s = %a : tensor<4xf64>) slices(%w = %W : tensor<3x8x8xf32>) {
    // CHECK: depth.yield %[[X]], %[[A]] : tensor<?x8xf32>, tensor<4xf64>
    depth.yield %x, %s : tensor<?x8xf32>, tensor<4xf64>
  }
  return %y#0, %y#1 : tensor<?x8xf32>, tensor<4xf64>
}

// CHECK-LABEL: @ponder_slices
func.func @ponder_slices(%xs: tensor<?x4xf32>, %p: tensor<?xf32>, %W: tensor<24x4x4xf32>) -> tensor<?x4xf32> {
  // CHECK: depth.ponder max 24 combine convex remainder forced epsilon 1.000000e-02 stacked "layer" carried(%[[X:.+]] = %{{.*}} : tensor<?x4xf32>) slices(%[[W:.+]] = %{{.*}} : tensor<24x4x4xf32>) {
  %y, %n, %r = depth.ponder max 24 combine convex remainder forced stacked "layer" carried(%x = %xs : tensor<?x4xf32>) slices(%w = %W : tensor<24x4x4xf32>) {
    // CHECK: nn.linear %[[X]], %[[W]]
    %z = nn.linear %x, %w : tensor<?x4xf32>, tensor<4x4xf32>
    depth.yield %p, %z : tensor<?xf32>, tensor<?x4xf32>
  }
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: @scope
func.func @scope(%xs: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: depth.iterate 2 tied "encoder" carried(
  %y = "depth.iterate"(%xs) <{max = 2, fixed, parameter_scope = #depth.parameter_scope<tied "encoder">, operandSegmentSizes = array<i32: 0, 1, 0>}> ({
  ^bb0(%x: tensor<?xf32>):
    depth.yield %x : tensor<?xf32>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
