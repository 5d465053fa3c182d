//===-- test/Ragged/Batching/ragged-batch-arguments.mlir - What arguments are ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-batch --split-input-file | FileCheck %s

/// Partitions, then forests, then tensors. Rows that meet share a space, which has the
/// name of its tree; ids have the smallest bound of their readers.
// CHECK-LABEL: func @all(
// CHECK-SAME: %{{[a-z0-9]*}}: !ragged.rows {rt.as = #rt.rows<name = "tree">}
// CHECK-SAME: %{{[a-z0-9]*}}: !ragged.rows {rt.as = #rt.rows<name = "labels">}
// CHECK-SAME: %{{[a-z0-9]*}}: !ragged.forest {rt.as = #rt.forest<name = "tree", space = 0, single_root = true>}
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<?xi32> {rt.as = #rt.input<name = "words", space = 0, limit = 7>}
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<?x3xf32> {rt.as = #rt.input<name = "arg2", space = 1>}
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<?xi32> {rt.as = #rt.input<name = "arg3", limit = 3>}
// CHECK-SAME: -> (tensor<?xf32> {rt.as = #rt.output<name = "out0">}
// CHECK-SAME: tensor<?x3xf32> {rt.as = #rt.output<name = "states", space = 0>}
// CHECK-SAME: tensor<7x3xf32> {rt.as = #rt.output<name = "out2", space = -2>})
nn.param @E : tensor<10x3xf32>
nn.param @S : tensor<7x3xf32>
func.func @all(%tree: !tree.tree {cambium.name = "tree"},
               %words: tensor<?xi32> {cambium.name = "words"},
               %l: tensor<?x3xf32> {cambium.rows = "labels"}, %class: tensor<i32>)
    -> (tensor<f32>, tensor<?x3xf32> {cambium.name = "states"}, tensor<7x3xf32>) {
  %E = nn.use @E : tensor<10x3xf32>
  %S = nn.use @S : tensor<7x3xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<10x3xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<3xf32>, %id = %words : tensor<i32>)
                 children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %y = nn.embed %id, %S : tensor<i32>, tensor<7x3xf32>
    tree.yield %y : tensor<3xf32>
  }
  %r = tree.root %tree, %h : tensor<?x3xf32>
  %m = nn.mean %l over 0 : tensor<?x3xf32>
  %s = arith.addf %r, %m : tensor<3xf32>
  %loss = nn.cross_entropy %s, %class : tensor<3xf32>, tensor<i32>
  return %loss, %h, %S : tensor<f32>, tensor<?x3xf32>, tensor<7x3xf32>
}

// -----

/// Ids that may be ignored have no bound; the arity is the least of all folds.
// CHECK-LABEL: func @ignored
// CHECK-SAME: #rt.forest<name = "arg0", space = 0, arity = 2>
// CHECK-SAME: tensor<?xi32> {rt.as = #rt.input<name = "arg1", space = 0>}
func.func @ignored(%t: !tree.tree, %class: tensor<?xi32>, %x: tensor<?x3xf32>) -> tensor<?xf32> {
  %a = tree.fold %t nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<3x3xf32>)
       -> (tensor<3xf32>) {
    tree.yield %xj : tensor<3xf32>
  }
  %b = tree.fold %t nodes(%xj = %a : tensor<3xf32>) children(%hk : tensor<2x3xf32>)
       -> (tensor<3xf32>) {
    tree.yield %xj : tensor<3xf32>
  }
  %l = nn.cross_entropy %b, %class ignore_id -1 : tensor<?x3xf32>, tensor<?xi32>
  return %l : tensor<?xf32>
}
