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
// CHECK-SAME: %{{[a-z0-9]*}}: !ragged.rows {ragged.kind = "rows", ragged.name = "tree", ragged.space = 0 : i64}
// CHECK-SAME: %{{[a-z0-9]*}}: !ragged.rows {ragged.kind = "rows", ragged.name = "labels", ragged.space = 1 : i64}
// CHECK-SAME: %{{[a-z0-9]*}}: !ragged.forest {ragged.arity = -1 : i64, ragged.kind = "forest", ragged.name = "tree", ragged.single_root = true, ragged.space = 0 : i64}
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<?xi32> {ragged.kind = "input", ragged.limit = 7 : i64, ragged.name = "words", ragged.space = 0 : i64}
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<?x3xf32> {ragged.kind = "input", ragged.name = "arg2", ragged.space = 1 : i64}
// CHECK-SAME: %{{[a-z0-9]*}}: tensor<?xi32> {ragged.kind = "input", ragged.limit = 3 : i64, ragged.name = "arg3", ragged.space = -1 : i64}
// CHECK-SAME: -> (tensor<?xf32> {ragged.name = "out0", ragged.space = -1 : i64}
// CHECK-SAME: tensor<?x3xf32> {ragged.name = "states", ragged.space = 0 : i64}
// CHECK-SAME: tensor<7x3xf32> {ragged.name = "out2", ragged.space = -2 : i64})
// CHECK-SAME: ragged.spaces = [{name = "tree", of = "nodes"}, {name = "labels", of = "rows"}]
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
// CHECK-SAME: ragged.arity = 2
// CHECK-SAME: ragged.single_root = false
// CHECK-SAME: tensor<?xi32> {ragged.kind = "input", ragged.name = "arg1", ragged.space = 0 : i64}
func.func @ignored(%t: !tree.tree, %class: tensor<?xi32>, %x: tensor<?x3xf32>) -> tensor<?xf32> {
  %a = tree.fold %t nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<3x3xf32>)
       -> (tensor<3xf32>) {
    tree.yield %xj : tensor<3xf32>
  }
  %b = tree.fold %t nodes(%xj = %a : tensor<3xf32>) children(%hk : tensor<2x3xf32>)
       -> (tensor<3xf32>) {
    tree.yield %xj : tensor<3xf32>
  }
  %l = nn.cross_entropy %b, %class {ignore_id = -1 : i64} : tensor<?x3xf32>, tensor<?xi32>
  return %l : tensor<?xf32>
}
