//===-- test/Ragged/IR/iterate.mlir - Iterations of rows -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s | cambium-opt | FileCheck %s
// RUN: cambium-opt %s --canonicalize | FileCheck --check-prefix=CANONICAL %s

// CHECK-LABEL: @ops
func.func @ops(%rows: !ragged.rows, %ids: tensor<?xi32>, %x: tensor<?x4xf32>, %all: tensor<?x4xf32>)
    -> tensor<?x4xf32> {
  // CHECK: ragged.group %{{.*}}, %{{.*}} : tensor<?xi32>
  %g = ragged.group %ids, %rows : tensor<?xi32>
  // CHECK: ragged.positions %{{.*}} limit 9 : tensor<?xi32>
  %place = ragged.positions %rows limit 9 : tensor<?xi32>
  // CHECK: ragged.iterations %{{.*}} max 5 : tensor<?xi32>
  %f = ragged.iterations %ids max 5 : tensor<?xi32>
  // CHECK: ragged.index %{{.*}} rows : tensor<?xi32>
  %i = ragged.index %f rows : tensor<?xi32>
  // CHECK: ragged.put_rows %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi32>
  %y = ragged.put_rows %x, %all, %i : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi32>
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: @iterate
func.func @iterate(%rows: !ragged.rows, %x: tensor<?x4xf32>, %go: tensor<?xi1>, %k: tensor<?x2xf32>)
    -> (tensor<?x4xf32>, tensor<?xi32>) {
  // CHECK: ragged.iterate max 5 init(%{{.*}} : tensor<?x4xf32>) shared(%{{.*}} : tensor<?x2xf32>) -> (tensor<?x4xf32>, tensor<?xi32>, tensor<?x2xf32>, tensor<?xi32>) {
  %y, %n, %s, %record = ragged.iterate max 5 init(%x : tensor<?x4xf32>) shared(%k : tensor<?x2xf32>)
      -> (tensor<?x4xf32>, tensor<?xi32>, tensor<?x2xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x4xf32>, %all: tensor<?x2xf32>):
    // CHECK: ragged.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi1>, tensor<?x4xf32>, tensor<?x2xf32>, tensor<?xi32>
    ragged.yield %go, %xa, %all, %ids : tensor<?xi1>, tensor<?x4xf32>, tensor<?x2xf32>, tensor<?xi32>
  }
  // CHECK: ragged.iterate max 5 active(%{{.*}} : tensor<?xi1>) init(%{{.*}} : tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xi32>) {
  %z, %m = ragged.iterate max 5 active(%go : tensor<?xi1>) init(%y : tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x4xf32>):
    ragged.yield %go, %xa : tensor<?xi1>, tensor<?x4xf32>
  }
  return %z, %m : tensor<?x4xf32>, tensor<?xi32>
}

// CHECK-LABEL: @levels
func.func @levels(%f: !ragged.forest, %x: tensor<?x4xf32>, %w: tensor<4x4xf32>)
    -> (tensor<?x4xf32>, tensor<4x4xf32>) {
  // CHECK: ragged.levels up all %{{.*}} nodes(%{{.*}} : tensor<?x4xf32>) shared(%{{.*}} : tensor<4x4xf32>)
  %y, %s = ragged.levels up all %f nodes(%x : tensor<?x4xf32>) shared(%w : tensor<4x4xf32>)
      num_recurrent 0 num_node_yields 1 -> (tensor<?x4xf32>, tensor<4x4xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x4xf32>, %sl: tensor<4x4xf32>):
    %double = arith.addf %sl, %sl : tensor<4x4xf32>
    %twice = arith.addf %xl, %xl : tensor<?x4xf32>
    ragged.yield %twice, %double : tensor<?x4xf32>, tensor<4x4xf32>
  }
  return %y, %s : tensor<?x4xf32>, tensor<4x4xf32>
}

// CANONICAL-LABEL: @count
func.func @count(%rows: !ragged.rows, %ids: tensor<?xi32>) -> index {
  // CANONICAL-NOT: ragged.group
  // CANONICAL: tensor.dim %{{.*}}, %{{.*}} : tensor<?xi32>
  %g = ragged.group %ids, %rows : tensor<?xi32>
  %n = ragged.num_rows %g
  return %n : index
}
