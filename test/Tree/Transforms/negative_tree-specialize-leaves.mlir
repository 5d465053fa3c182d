//===-- test/Tree/Transforms/negative_tree-specialize-leaves.mlir - What stays ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --tree-specialize-leaves --split-input-file | FileCheck %s

/// The user's own cell for leaves stays, even if it does what it likes.
// CHECK-LABEL: func @has_leaf
// CHECK: } leaf {
// CHECK-NEXT: %[[Y:.*]] = math.exp
// CHECK-NEXT: tree.yield %[[Y]]
func.func @has_leaf(%t: !tree.tree, %xs: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %h = tree.fold %t nodes(%x = %xs : tensor<3xf32>) children(%hk : tensor<?x3xf32>)
       -> (tensor<3xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x3xf32>
    tree.yield %s : tensor<3xf32>
  } leaf {
    %y = math.exp %x : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// The body is not touched: there `0 * x` is what it is, and `x + 0` too.
// CHECK-LABEL: func @body
// CHECK: tree.fold
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.0
// CHECK: arith.mulf %{{.*}}, %[[ZERO]]
// CHECK: arith.addf %{{.*}}, %[[ZERO]]
// CHECK: } leaf {
// CHECK-NOT: arith.mulf
func.func @body(%t: !tree.tree, %xs: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %h = tree.fold %t nodes(%x = %xs : tensor<3xf32>) children(%hk : tensor<?x3xf32>)
       -> (tensor<3xf32>) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %p = arith.mulf %x, %zero : tensor<3xf32>
    %s = arith.addf %p, %zero : tensor<3xf32>
    tree.yield %s : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Zeros between other parts stay where they are.
// CHECK-LABEL: func @between
// CHECK: } leaf {
// CHECK: nn.concat
// CHECK: nn.linear %{{.*}}, %{{.*}} : tensor<7xf32>, tensor<7x3xf32>
func.func @between(%t: !tree.tree, %xs: tensor<?x2xf32>, %W: tensor<7x3xf32>) -> tensor<?x3xf32> {
  %h = tree.fold %t nodes(%x = %xs : tensor<2xf32>) children(%hk : tensor<?x3xf32>)
       -> (tensor<3xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x3xf32>
    %c = nn.concat %x, %s, %x over 0 : tensor<2xf32>, tensor<3xf32>, tensor<2xf32>
    %y = nn.linear %c, %W : tensor<7xf32>, tensor<7x3xf32>
    tree.yield %y : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}
