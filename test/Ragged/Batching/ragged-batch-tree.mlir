//===-- test/Ragged/Batching/ragged-batch-tree.mlir - Recursion ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-batch --split-input-file | FileCheck %s

/// Leaves are straight-line code and the base of the loop; the root is read in level
/// order, without a detour over the user's order.
// CHECK-LABEL: func @fold
// CHECK-SAME: %[[R:[a-z0-9]*]]: !ragged.rows
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK: %[[XL:.*]] = ragged.permute %[[X]], %[[F]] nodes_to_levels
// CHECK: %[[XB:.*]] = ragged.part %[[XL]], %[[F]] leaves
// CHECK: %[[B:.*]] = math.tanh %[[XB]]
// CHECK: %[[XI:.*]] = ragged.part %[[XL]], %[[F]] inner
// CHECK: %[[H:.*]] = ragged.levels up inner %[[F]] nodes(%[[XI]] : tensor<?x3xf32>) base(%[[B]] : tensor<?x3xf32>)
// CHECK-NEXT: ^bb0(%[[E:.*]]: !ragged.rows, %[[XJ:.*]]: tensor<?x3xf32>, %[[HK:.*]]: tensor<?x3xf32>):
// CHECK-NEXT: %[[S:.*]] = ragged.reduce sum %[[HK]], %[[E]]
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[XJ]], %[[S]]
// CHECK-NEXT: ragged.yield %[[Y]]
// CHECK: %[[I:.*]] = ragged.index %[[F]] roots
// CHECK: %[[G:.*]] = ragged.gather %[[H]], %[[I]]
// CHECK: return %[[G]]
func.func @fold(%t: !tree.tree, %x: tensor<?x3xf32>) -> tensor<3xf32> {
  %h = tree.fold %t nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<?x3xf32>)
       -> (tensor<3xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x3xf32>
    %y = arith.addf %xj, %s : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  } leaf {
    %y = math.tanh %xj : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  %r = tree.root %t, %h : tensor<?x3xf32>
  return %r : tensor<3xf32>
}

// -----

/// A fixed arity puts the children in slots; edge inputs come in level order; without
/// a leaf region the loop starts at the leaves.
// CHECK-LABEL: func @slots
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest {rt.as = #rt.forest<{{.*}}arity = 2
// CHECK-SAME: %[[W:[a-z0-9]*]]: tensor<?x3xf32> {rt.as = #rt.input<{{.*}}edges_of = 0
// CHECK: %[[WL:.*]] = ragged.permute %[[W]], %[[F]] edges_to_levels
// CHECK: ragged.levels up all %[[F]] edges(%[[WL]] : tensor<?x3xf32>)
// CHECK: ^bb0(%[[E:.*]]: !ragged.rows, %[[WE:.*]]: tensor<?x3xf32>, %[[H:.*]]: tensor<?x3xf32>):
// CHECK: %[[WS:.*]] = ragged.to_slots %[[WE]], %[[E]] arity 2
// CHECK: %[[HS:.*]] = ragged.to_slots %[[H]], %[[E]] arity 2
// CHECK: %[[M:.*]] = arith.mulf %[[HS]], %[[WS]] : tensor<?x2x3xf32>
// CHECK: nn.sum %[[M]] over 1 : tensor<?x2x3xf32>
func.func @slots(%t: !tree.tree, %w: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %h = tree.fold %t edges(%wk = %w : tensor<2x3xf32>) children(%hk : tensor<2x3xf32>)
       -> (tensor<3xf32>) {
    %m = arith.mulf %hk, %wk : tensor<2x3xf32>
    %s = nn.sum %m over 0 : tensor<2x3xf32>
    tree.yield %s : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// What a cell uses of the example becomes one more input of the nodes, as do the
/// random keys; children have keys of their own.
// CHECK-LABEL: func @captured
// CHECK-SAME: %[[R:[a-z0-9]*]]: !ragged.rows
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest
// CHECK-SAME: %[[Q:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK: %[[K:.*]] = ragged.example_keys
// CHECK: %[[QE:.*]] = ragged.expand %[[Q]], %[[R]]
// CHECK: %[[QL:.*]] = ragged.permute %[[QE]], %[[F]] nodes_to_levels
// CHECK: %[[KN:.*]] = ragged.keys %[[K]], %[[R]]
// CHECK: %[[KL:.*]] = ragged.permute %[[KN]], %[[F]] nodes_to_levels
// CHECK: ragged.levels up all %[[F]] nodes(%[[QL]], %[[KL]] : tensor<?x3xf32>, tensor<?xi64>)
// CHECK: ^bb0(%[[E:.*]]: !ragged.rows, %[[QJ:.*]]: tensor<?x3xf32>, %[[KJ:.*]]: tensor<?xi64>, %[[H:.*]]: tensor<?x3xf32>):
// CHECK: %[[KE:.*]] = ragged.keys %[[KJ]], %[[E]]
// CHECK: nn.dropout %[[H]] rate 5.0{{.*}} keys %[[KE]]
// CHECK: %[[A:.*]] = arith.addf %{{.*}}, %[[QJ]]
// CHECK: nn.dropout %[[A]] rate 2.5{{.*}} keys %[[KJ]]
func.func @captured(%t: !tree.tree, %q: tensor<3xf32>) -> tensor<?x3xf32> {
  %h = tree.fold %t children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %d = nn.dropout %hk rate 0.5 id 0 : tensor<?x3xf32>
    %s = nn.sum %d over 0 : tensor<?x3xf32>
    %a = arith.addf %s, %q : tensor<3xf32>
    %b = nn.dropout %a rate 0.25 id 1 : tensor<3xf32>
    tree.yield %b : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Top-down, a node sends its state along its edges; a fold and an unfold over one
/// tree meet in level order.
// CHECK-LABEL: func @unfold
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest
// CHECK: %[[U:.*]] = ragged.levels up all %[[F]]
// CHECK: %[[D:.*]]:2 = ragged.levels down all %[[F]] nodes(%[[U]] : tensor<?x3xf32>) num_recurrent 1 num_node_yields 1
// CHECK: ^bb0(%[[E:.*]]: !ragged.rows, %[[X:.*]]: tensor<?x3xf32>, %[[P:.*]]: tensor<?x3xf32>):
// CHECK: %[[S:.*]] = arith.addf %[[X]], %[[P]]
// CHECK: %[[M:.*]] = ragged.expand %[[S]], %[[E]]
// CHECK: ragged.yield %[[M]], %[[S]]
// CHECK: ragged.permute %[[D]]#1, %[[F]] nodes_to_user
func.func @unfold(%t: !tree.tree) -> tensor<?x3xf32> {
  %h = tree.fold %t children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x3xf32>
    tree.yield %s : tensor<3xf32>
  }
  %d = tree.unfold %t nodes(%x = %h : tensor<3xf32>) parent(%p : tensor<3xf32>)
       -> (tensor<3xf32>) {
    %s = arith.addf %x, %p : tensor<3xf32>
    tree.yield %s : tensor<3xf32>
  }
  return %d : tensor<?x3xf32>
}

// -----

/// Trees that the model makes.
// CHECK-LABEL: func @structure
// CHECK-SAME: %[[R:[a-z0-9]*]]: !ragged.rows
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK-SAME: %[[P:[a-z0-9]*]]: tensor<?xi32>
// CHECK: ragged.chain %[[R]]
// CHECK: ragged.chain %[[R]] reversed
// CHECK: %[[F:.*]] = ragged.from_parents %[[R]], %[[P]]
// CHECK: %[[XL:.*]] = ragged.permute %[[X]], %[[F]] nodes_to_levels
// CHECK: %[[C:.*]] = ragged.index %[[F]] children
// CHECK: %[[G:.*]] = ragged.gather %[[XL]], %[[C]]
// CHECK: ragged.permute %[[G]], %[[F]] edges_to_user
func.func @structure(%x: tensor<?x3xf32>, %p: tensor<?xi32>) -> tensor<3xf32> {
  %a = tree.chain %x : tensor<?x3xf32>
  %b = tree.chain %p reversed : tensor<?xi32>
  %c = tree.from_parents %p : tensor<?xi32>
  %e = tree.child_rows %c, %x : tensor<?x3xf32>
  %r1 = tree.root %a, %x : tensor<?x3xf32>
  %r2 = tree.root %b, %x : tensor<?x3xf32>
  %s = arith.addf %r1, %r2 : tensor<3xf32>
  return %s : tensor<3xf32>
}

// -----

/// Two children at most, because a fold takes no more; the runtime checks it.
// CHECK-LABEL: func @binary
// CHECK: ragged.from_parents %{{.*}}, %{{.*}} arity 2 : tensor<?xi32>
func.func @binary(%x: tensor<?x3xf32>, %p: tensor<?xi32>) -> tensor<3xf32> {
  %t = tree.from_parents %p : tensor<?xi32>
  %h = tree.fold %t nodes(%n = %x : tensor<3xf32>) children(%hk : tensor<2x3xf32>)
       -> (tensor<3xf32>) {
    %s = nn.sum %hk over 0 : tensor<2x3xf32>
    %y = arith.addf %s, %n : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  %r = tree.root %t, %h : tensor<?x3xf32>
  return %r : tensor<3xf32>
}
