//===-- test/Tree/IR/ops.mlir - Every op, printed as it is read ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s | cambium-opt | FileCheck %s
// RUN: cambium-opt %s --mlir-print-op-generic | cambium-opt | FileCheck %s

// CHECK-LABEL: @fold
// CHECK-SAME: !tree.tree
func.func @fold(%tree: !tree.tree, %xs: tensor<?x4xf32>, %w: tensor<?xf32>) -> tensor<4xf32> {
  // CHECK: tree.child_rows %{{.*}}, %{{.*}} : tensor<?xf32>
  %e = tree.child_rows %tree, %w : tensor<?xf32>
  // CHECK: tree.fold %{{.*}} nodes(%[[X:.+]] = %{{.*}} : tensor<4xf32>) edges(%{{.*}} = %{{.*}} : tensor<?xf32>) children(%{{.*}}: tensor<?x4xf32>) -> (tensor<4xf32>) {
  %h = tree.fold %tree nodes(%x = %xs : tensor<4xf32>) edges(%ew = %e : tensor<?xf32>)
                 children(%hk : tensor<?x4xf32>) -> (tensor<4xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x4xf32>
    %y = arith.addf %s, %x : tensor<4xf32>
    // CHECK: tree.yield %{{.*}} : tensor<4xf32>
    tree.yield %y : tensor<4xf32>
  // CHECK: } leaf {
  } leaf {
    // CHECK: tree.yield %[[X]] : tensor<4xf32>
    tree.yield %x : tensor<4xf32>
  }
  // CHECK: tree.root %{{.*}}, %{{.*}} : tensor<?x4xf32>
  %r = tree.root %tree, %h : tensor<?x4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: @unfold
func.func @unfold(%tree: !tree.tree, %xs: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // CHECK: tree.unfold %{{.*}} nodes(%{{.*}} = %{{.*}} : tensor<4xf32>) parent(%{{.*}}: tensor<4xf32>) -> (tensor<4xf32>) {
  %s = tree.unfold %tree nodes(%x = %xs : tensor<4xf32>) parent(%p : tensor<4xf32>)
                   -> (tensor<4xf32>) {
    %y = arith.addf %x, %p : tensor<4xf32>
    tree.yield %y : tensor<4xf32>
  }
  return %s : tensor<?x4xf32>
}

// CHECK-LABEL: @structure
func.func @structure(%words: tensor<?xi32>, %heads: tensor<?xi32>, %scores: tensor<?x?xf32>) {
  // CHECK: tree.chain %{{.*}} : tensor<?xi32>
  %0 = tree.chain %words : tensor<?xi32>
  // CHECK: tree.chain %{{.*}} reversed : tensor<?xi32>
  %1 = tree.chain %words reversed : tensor<?xi32>
  // CHECK: %{{.*}}, %{{.*}}, %{{.*}} = tree.chart %{{.*}} : tensor<?xi32>
  %c, %first, %last = tree.chart %words : tensor<?xi32>
  // CHECK: tree.fold %{{.*}} children(%{{.*}}: tensor<?x2x4xf32>) -> (tensor<4xf32>) {
  %h = tree.fold %c children(%hk : tensor<?x2x4xf32>) -> (tensor<4xf32>) {
    %both = nn.sum %hk over 1 : tensor<?x2x4xf32>
    %sum = nn.sum %both over 0 : tensor<?x4xf32>
    tree.yield %sum : tensor<4xf32>
  }
  // CHECK: tree.from_parents %{{.*}} : tensor<?xi32>
  %2 = tree.from_parents %heads : tensor<?xi32>
  // CHECK: tree.max_spanning %{{.*}} : tensor<?x?xf32>
  %p = tree.max_spanning %scores : tensor<?x?xf32>
  // CHECK: tree.no_rows : tensor<?x4xf32>
  %3 = tree.no_rows : tensor<?x4xf32>
  return
}
