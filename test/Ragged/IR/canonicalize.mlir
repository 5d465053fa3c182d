//===-- test/Ragged/IR/canonicalize.mlir - Folds and canonical forms ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --canonicalize --split-input-file | FileCheck %s

/// A permutation and its inverse are none, equal rows need none, all nodes are no part.
// CHECK-LABEL: func @permutations
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest, %[[X:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK-NEXT: %[[B:.*]] = ragged.broadcast
// CHECK-NEXT: return %[[X]], %[[X]], %[[B]], %[[X]]
func.func @permutations(%f: !ragged.forest, %x: tensor<?x3xf32>, %v: tensor<3xf32>, %n: index)
    -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %0 = ragged.permute %x, %f nodes_to_user : tensor<?x3xf32>
  %1 = ragged.permute %0, %f nodes_to_levels : tensor<?x3xf32>
  %2 = ragged.permute %x, %f edges_to_levels : tensor<?x3xf32>
  %3 = ragged.permute %2, %f edges_to_user : tensor<?x3xf32>
  %4 = ragged.broadcast %v, %n : tensor<3xf32> -> tensor<?x3xf32>
  %5 = ragged.permute %4, %f nodes_to_levels : tensor<?x3xf32>
  %6 = ragged.part %x, %f all : tensor<?x3xf32>
  return %1, %3, %5, %6 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

/// Sides of cuts side by side and apart again.
// CHECK-LABEL: func @cuts
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x3xf32>, %[[Y:[a-z0-9]*]]: tensor<?x2x3xf32>
// CHECK-NEXT: return %[[X]], %[[Y]]
func.func @cuts(%x: tensor<?x3xf32>, %y: tensor<?x2x3xf32>) -> (tensor<?x3xf32>, tensor<?x2x3xf32>) {
  %0 = ragged.to_cuts %x : tensor<?x3xf32>
  %1 = ragged.from_cuts %0 : tensor<?x2x3xf32>
  %2 = ragged.from_cuts %y : tensor<?x2x3xf32>
  %3 = ragged.to_cuts %2 : tensor<?x3xf32>
  return %1, %3 : tensor<?x3xf32>, tensor<?x2x3xf32>
}

// -----

/// Of another forest, or twice the same way, it stays.
// CHECK-LABEL: func @negative
// CHECK-COUNT-4: ragged.permute
func.func @negative(%f: !ragged.forest, %g: !ragged.forest, %x: tensor<?x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %0 = ragged.permute %x, %f nodes_to_user : tensor<?x3xf32>
  %1 = ragged.permute %0, %g nodes_to_levels : tensor<?x3xf32>
  %2 = ragged.permute %x, %f nodes_to_levels : tensor<?x3xf32>
  %3 = ragged.permute %2, %f nodes_to_levels : tensor<?x3xf32>
  return %1, %3 : tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

/// The parts of a join are its operands; joins of one forest are added part by part.
// CHECK-LABEL: func @joins
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest, %[[A:[a-z0-9]*]]: tensor<?xf32>, %[[B:[a-z0-9]*]]: tensor<?xf32>
// CHECK: %[[L:.*]] = arith.addf %[[A]], %[[B]]
// CHECK: %[[I:.*]] = arith.addf %[[B]], %[[A]]
// CHECK: %[[J:.*]] = ragged.join %[[L]], %[[I]], %[[F]]
// CHECK: return %[[A]], %[[B]], %[[J]]
func.func @joins(%f: !ragged.forest, %a: tensor<?xf32>, %b: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %j = ragged.join %a, %b, %f : tensor<?xf32>
  %k = ragged.join %b, %a, %f : tensor<?xf32>
  %l = ragged.part %j, %f leaves : tensor<?xf32>
  %i = ragged.part %j, %f inner : tensor<?xf32>
  %s = arith.addf %j, %k : tensor<?xf32>
  return %l, %i, %s : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

/// What a loop does in vain goes: unread inputs and results, inputs given twice, results
/// that are inputs, and states that nobody reads.
// CHECK-LABEL: func @loop
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest, %[[X:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK: %[[H:.*]] = ragged.levels up all %[[F]] nodes(%[[X]] : tensor<?x3xf32>) num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>)
// CHECK: ^bb0(%[[E:.*]]: !ragged.rows, %[[XL:.*]]: tensor<?x3xf32>, %[[HK:.*]]: tensor<?x3xf32>):
// CHECK: %[[P:.*]] = arith.mulf %[[XL]], %[[XL]]
// CHECK: return %[[H]], %[[X]]
func.func @loop(%f: !ragged.forest, %x: tensor<?x3xf32>, %u: tensor<?xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %r:4 = ragged.levels up all %f nodes(%x, %x, %u : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?xf32>)
         num_recurrent 2 num_node_yields 2
         -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  ^bb0(%e: !ragged.rows, %a: tensor<?x3xf32>, %b: tensor<?x3xf32>, %c: tensor<?xf32>,
       %hk: tensor<?x3xf32>, %dead: tensor<?x3xf32>):
    %s = ragged.reduce sum %hk, %e : tensor<?x3xf32>
    %p = arith.mulf %a, %b : tensor<?x3xf32>
    %y = arith.addf %s, %p : tensor<?x3xf32>
    ragged.yield %y, %p, %a, %p : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
  }
  return %r#0, %r#2 : tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

/// Zeros with a slice in them are added where the slice is.
// CHECK-LABEL: func @inserted
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x3xf32>, %[[S:[a-z0-9]*]]: tensor<?x3xf32>, %[[AT:[a-z0-9]*]]: index, %[[N:[a-z0-9]*]]: index
// CHECK-NEXT: %[[OLD:.*]] = tensor.extract_slice %[[X]][%[[AT]], 0] [%[[N]], 3] [1, 1]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[OLD]], %[[S]]
// CHECK-NEXT: %[[Y:.*]] = tensor.insert_slice %[[SUM]] into %[[X]][%[[AT]], 0] [%[[N]], 3] [1, 1]
// CHECK-NEXT: return %[[Y]]
func.func @inserted(%x: tensor<?x3xf32>, %s: tensor<?x3xf32>, %at: index, %n: index) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %count = tensor.dim %x, %c0 : tensor<?x3xf32>
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %zeros = ragged.broadcast %zero, %count : tensor<3xf32> -> tensor<?x3xf32>
  %put = tensor.insert_slice %s into %zeros[%at, 0] [%n, 3] [1, 1] : tensor<?x3xf32> into tensor<?x3xf32>
  %y = arith.addf %x, %put : tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// -----

/// What is put into something else stays a term.
// CHECK-LABEL: func @negative_inserted
// CHECK: %[[PUT:.*]] = tensor.insert_slice
// CHECK: arith.addf %{{.*}}, %[[PUT]]
func.func @negative_inserted(%x: tensor<?x3xf32>, %s: tensor<?x3xf32>, %at: index, %n: index) -> tensor<?x3xf32> {
  %put = tensor.insert_slice %s into %x[%at, 0] [%n, 3] [1, 1] : tensor<?x3xf32> into tensor<?x3xf32>
  %y = arith.addf %x, %put : tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// -----

/// Rows of what all rows have need not be gathered; zeros among them must be.
// CHECK-LABEL: func @gathered_broadcast
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<3xf32>, %[[IDS:[a-z0-9]*]]: tensor<?xi32>
// CHECK: %[[N:.*]] = tensor.dim %[[IDS]], %{{.*}} : tensor<?xi32>
// CHECK: %[[Y:.*]] = ragged.broadcast %[[X]], %[[N]] : tensor<3xf32> -> tensor<?x3xf32>
// CHECK: %[[Z:.*]] = ragged.gather %{{.*}}, %[[IDS]] or_zero
// CHECK: return %[[Y]], %[[Z]]
func.func @gathered_broadcast(%x: tensor<3xf32>, %ids: tensor<?xi32>, %n: index) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %all = ragged.broadcast %x, %n : tensor<3xf32> -> tensor<?x3xf32>
  %y = ragged.gather %all, %ids : tensor<?x3xf32>, tensor<?xi32>
  %z = ragged.gather %all, %ids or_zero : tensor<?x3xf32>, tensor<?xi32>
  return %y, %z : tensor<?x3xf32>, tensor<?x3xf32>
}
