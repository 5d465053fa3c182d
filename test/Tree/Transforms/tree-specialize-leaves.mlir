//===-- test/Tree/Transforms/tree-specialize-leaves.mlir - Cells for leaves ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --tree-specialize-leaves --split-input-file | FileCheck %s

/// A sum of no rows is zero, a product with zero is zero, a sum with zero is the rest:
/// of a Child-Sum cell, only what depends on the node's input remains.
// CHECK-LABEL: func @child_sum
// CHECK: } leaf {
// CHECK-NEXT: %[[I:.*]] = nn.linear %[[X:.*]], %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK-NEXT: %[[Y:.*]] = math.tanh %[[I]]
// CHECK-NEXT: tree.yield %[[Y]]
func.func @child_sum(%t: !tree.tree, %xs: tensor<?x4xf32>, %W: tensor<4x3xf32>,
                     %U: tensor<3x3xf32>, %b: tensor<3xf32>) -> tensor<?x3xf32> {
  %h = tree.fold %t nodes(%x = %xs : tensor<4xf32>) children(%hk : tensor<?x3xf32>)
       -> (tensor<3xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x3xf32>
    %u = nn.linear %s, %U : tensor<3xf32>, tensor<3x3xf32>
    %w = nn.linear %x, %W, %b : tensor<4xf32>, tensor<4x3xf32>, tensor<3xf32>
    %i = arith.addf %w, %u : tensor<3xf32>
    %f = nn.linear %hk, %U : tensor<?x3xf32>, tensor<3x3xf32>
    %g = nn.sigmoid %f : tensor<?x3xf32>
    %p = arith.mulf %g, %hk : tensor<?x3xf32>
    %ps = nn.sum %p over 0 : tensor<?x3xf32>
    %c = arith.addf %i, %ps : tensor<3xf32>
    %y = math.tanh %c : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Every op says by its interface what it is without children: sums are zero, and so
/// are ops that keep zeros. The sigmoid of zero is not.
// CHECK-LABEL: func @interfaces
// CHECK: } leaf {
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.0{{.*}}> : tensor<3xf32>
// CHECK-NEXT: %[[Y:.*]] = nn.sigmoid %[[ZERO]] : tensor<3xf32>
// CHECK-NEXT: tree.yield %[[Y]]
func.func @interfaces(%t: !tree.tree, %xs: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %h = tree.fold %t nodes(%x = %xs : tensor<3xf32>) children(%hk : tensor<?x3xf32>)
       -> (tensor<3xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x3xf32>
    %m = nn.max %hk over 0 : tensor<?x3xf32>
    %r = nn.relu %s : tensor<3xf32>
    %g = nn.gelu %m : tensor<3xf32>
    %xg = arith.mulf %x, %g : tensor<3xf32>
    %z = arith.addf %r, %xg : tensor<3xf32>
    %y = nn.sigmoid %z : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Attention over no children.
// CHECK-LABEL: func @attention
// CHECK: } leaf {
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.0{{.*}}> : tensor<3xf32>
// CHECK-NEXT: tree.yield %[[ZERO]]
func.func @attention(%t: !tree.tree, %q: tensor<3xf32>) -> tensor<?x3xf32> {
  %h = tree.fold %t children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %s = nn.matmul %hk, %q : tensor<?x3xf32>, tensor<3xf32>
    %a = nn.softmax %s over 0 : tensor<?xf32>
    %y = nn.matmul %a, %hk : tensor<?xf32>, tensor<?x3xf32>
    tree.yield %y : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Missing children of a fixed arity are zeros; a product of `[x; 0; 0]` needs a slice of
/// its weight; a product of zeros leaves the bias.
// CHECK-LABEL: func @slots
// CHECK: } leaf {
// CHECK-DAG: %[[W:.*]] = nn.slice %[[FULL:.*]] over 0 from 0 size 4 : tensor<10x3xf32>
// CHECK-DAG: %[[Y:.*]] = nn.linear %{{.*}}, %[[W]], %[[B:.*]] : tensor<4xf32>, tensor<4x3xf32>, tensor<3xf32>
// CHECK: %[[Z:.*]] = arith.addf %[[Y]], %[[B]]
// CHECK-NEXT: tree.yield %[[Z]]
func.func @slots(%t: !tree.tree, %xs: tensor<?x4xf32>, %W: tensor<10x3xf32>,
                 %U: tensor<6x3xf32>, %b: tensor<3xf32>) -> tensor<?x3xf32> {
  %h = tree.fold %t nodes(%x = %xs : tensor<4xf32>) children(%hk : tensor<2x3xf32>)
       -> (tensor<3xf32>) {
    %flat = nn.reshape %hk : tensor<2x3xf32> -> tensor<6xf32>
    %xh = nn.concat %x, %flat over 0 : tensor<4xf32>, tensor<6xf32>
    %y = nn.linear %xh, %W, %b : tensor<10xf32>, tensor<10x3xf32>, tensor<3xf32>
    %u = nn.linear %flat, %U, %b : tensor<6xf32>, tensor<6x3xf32>, tensor<3xf32>
    %z = arith.addf %y, %u : tensor<3xf32>
    tree.yield %z : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}
