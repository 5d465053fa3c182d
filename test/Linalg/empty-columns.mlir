//===-- test/Linalg/empty-columns.mlir - Rows without elements ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --empty-rows | FileCheck %s
// CHECK: equal: products.out0
// CHECK: equal: products.out1
// CHECK: equal: rows.out0
// CHECK: equal: rows.out1
// CHECK: equal: children.out0

/// Weights of each example: one product of the rows has no columns.
func.func @products(%x: tensor<?x3xf32> {cambium.name = "x"}, %w: tensor<3x4xf32> {cambium.name = "w"},
                    %v: tensor<3x0xf32> {cambium.name = "v"}) -> (tensor<?x4xf32>, tensor<?x0xf32>) {
  %a = nn.linear %x, %w : tensor<?x3xf32>, tensor<3x4xf32>
  %b = nn.linear %x, %v : tensor<?x3xf32>, tensor<3x0xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x0xf32>
}

/// Rows without elements are added up, and appended to others.
func.func @rows(%x: tensor<?x0xf32> {cambium.name = "x"}, %y: tensor<0xf32> {cambium.name = "y"})
    -> (tensor<0xf32>, tensor<?xf32>) {
  %s = nn.sum %x over 0 : tensor<?x0xf32>
  %t = arith.addf %s, %y : tensor<0xf32>
  %r = nn.sum %x over 1 : tensor<?x0xf32>
  return %t, %r : tensor<0xf32>, tensor<?xf32>
}

/// A state of nodes without elements.
func.func @children(%tree: !tree.tree {cambium.name = "t"}, %xs: tensor<?x0xf32> {cambium.name = "xs"})
    -> tensor<?x0xf32> {
  %h = tree.fold %tree nodes(%x = %xs : tensor<0xf32>)
                 children(%hk : tensor<?x0xf32>) -> (tensor<0xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x0xf32>
    %d = arith.addf %x, %s : tensor<0xf32>
    tree.yield %d : tensor<0xf32>
  }
  return %h : tensor<?x0xf32>
}
