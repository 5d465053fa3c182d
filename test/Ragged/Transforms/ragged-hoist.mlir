//===-- test/Ragged/Transforms/ragged-hoist.mlir - Out of the loop ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-hoist --split-input-file | FileCheck %s
// RUN: cambium-opt %s --ragged-hoist --split-input-file --remarks-filter=ragged-hoist -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// A product of a node's input leaves the loop, with the bias and what follows it; the
/// loop reads the result. What depends on children stays.
// REMARK: [Passed] ragged-hoist{{.*}}HoistedOps=2, HoistedProducts=1, InvariantOps=0
// REMARK: [Missed] ragged-hoist{{.*}}Products=1, Reason="they depend on states of other nodes"
// CHECK-LABEL: func @node_input
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest, %[[X:[a-z0-9]*]]: tensor<?x4xf32>, %[[W:[a-z0-9]*]]: tensor<4x3xf32>
// CHECK: %[[A:.*]] = nn.linear %[[X]], %[[W]]
// CHECK: %[[S:.*]] = nn.sigmoid %[[A]]
// CHECK: ragged.levels up all %[[F]] nodes(%[[X]], %[[S]] : tensor<?x4xf32>, tensor<?x3xf32>)
// CHECK: ^bb0(%[[E:.*]]: !ragged.rows, %{{.*}}: tensor<?x4xf32>, %[[SL:.*]]: tensor<?x3xf32>, %[[H:.*]]: tensor<?x3xf32>):
// CHECK-NEXT: %[[HS:.*]] = ragged.reduce sum %[[H]], %[[E]]
// CHECK-NEXT: %[[U:.*]] = nn.linear %[[HS]]
// CHECK-NEXT: arith.mulf %[[SL]], %[[U]]
func.func @node_input(%f: !ragged.forest, %x: tensor<?x4xf32>, %W: tensor<4x3xf32>,
                      %U: tensor<3x3xf32>) -> tensor<?x3xf32> {
  %h = ragged.levels up all %f nodes(%x : tensor<?x4xf32>)
         num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%e: !ragged.rows, %xl: tensor<?x4xf32>, %hk: tensor<?x3xf32>):
    %a = nn.linear %xl, %W : tensor<?x4xf32>, tensor<4x3xf32>
    %s = nn.sigmoid %a : tensor<?x3xf32>
    %hs = ragged.reduce sum %hk, %e : tensor<?x3xf32>
    %u = nn.linear %hs, %U : tensor<?x3xf32>, tensor<3x3xf32>
    %y = arith.mulf %s, %u : tensor<?x3xf32>
    ragged.yield %y : tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Edge inputs likewise, on all edges; a broadcast that an op needs outside is made
/// there with the number of all edges.
// CHECK-LABEL: func @edge_input
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest, %[[W:[a-z0-9]*]]: tensor<?x3xf32>, %[[B:[a-z0-9]*]]: tensor<3xf32>
// CHECK: %[[E:.*]] = ragged.edges %[[F]] all
// CHECK: %[[N:.*]] = ragged.num_rows %[[E]]
// CHECK: %[[BE:.*]] = ragged.broadcast %[[B]], %[[N]]
// CHECK: %[[S:.*]] = arith.addf %[[W]], %[[BE]]
// CHECK: ragged.levels up all %[[F]] edges(%[[W]], %[[S]] : tensor<?x3xf32>, tensor<?x3xf32>)
// CHECK: ^bb0(%{{.*}}: !ragged.rows, %{{.*}}: tensor<?x3xf32>, %[[SE:.*]]: tensor<?x3xf32>, %[[H:.*]]: tensor<?x3xf32>):
// CHECK-NEXT: arith.mulf %[[H]], %[[SE]]
func.func @edge_input(%f: !ragged.forest, %w: tensor<?x3xf32>, %b: tensor<3xf32>)
    -> tensor<?x3xf32> {
  %h = ragged.levels up all %f edges(%w : tensor<?x3xf32>)
         num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%e: !ragged.rows, %we: tensor<?x3xf32>, %hk: tensor<?x3xf32>):
    %n = ragged.num_rows %e
    %be = ragged.broadcast %b, %n : tensor<3xf32> -> tensor<?x3xf32>
    %s = arith.addf %we, %be : tensor<?x3xf32>
    %m = arith.mulf %hk, %s : tensor<?x3xf32>
    %y = ragged.reduce sum %m, %e : tensor<?x3xf32>
    ragged.yield %y : tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// What a cell computes of outer values alone leaves the loop.
// REMARK: HoistedOps=0, HoistedProducts=0, InvariantOps=1
// CHECK-LABEL: func @invariant
// CHECK: %[[T:.*]] = nn.transpose %{{.*}} perm [1, 0]
// CHECK: ragged.levels
// CHECK: nn.linear %{{.*}}, %[[T]]
func.func @invariant(%f: !ragged.forest, %U: tensor<3x3xf32>) -> tensor<?x3xf32> {
  %h = ragged.levels up all %f num_recurrent 1 num_node_yields 0
         -> (tensor<?x3xf32>) {
  ^bb0(%e: !ragged.rows, %hk: tensor<?x3xf32>):
    %T = nn.transpose %U perm [1, 0] : tensor<3x3xf32>
    %hs = ragged.reduce sum %hk, %e : tensor<?x3xf32>
    %u = nn.linear %hs, %T : tensor<?x3xf32>, tensor<3x3xf32>
    ragged.yield %u : tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// A product of an expanded value is computed once per segment.
// CHECK-LABEL: func @expanded
// CHECK-SAME: %[[R:[a-z0-9]*]]: !ragged.rows, %[[X:[a-z0-9]*]]: tensor<?x4xf32>, %[[W:[a-z0-9]*]]: tensor<4x3xf32>
// CHECK-NEXT: %[[Y:.*]] = nn.linear %[[X]], %[[W]]
// CHECK-NEXT: %[[T:.*]] = math.tanh %[[Y]]
// CHECK-NEXT: ragged.expand %[[T]], %[[R]]
func.func @expanded(%r: !ragged.rows, %x: tensor<?x4xf32>, %W: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %e = ragged.expand %x, %r : tensor<?x4xf32>
  %y = nn.linear %e, %W : tensor<?x4xf32>, tensor<4x3xf32>
  %t = math.tanh %y : tensor<?x3xf32>
  return %t : tensor<?x3xf32>
}

// -----

/// Leaves alone are read: only they are computed.
// CHECK-LABEL: func @part
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest, %[[IDS:[a-z0-9]*]]: tensor<?xi32>
// CHECK-NEXT: %[[P:.*]] = ragged.part %[[IDS]], %[[F]] leaves : tensor<?xi32>
// CHECK-NEXT: %[[X:.*]] = nn.embed %[[P]]
// CHECK-NEXT: return %[[X]]
func.func @part(%f: !ragged.forest, %ids: tensor<?xi32>, %E: tensor<10x4xf32>) -> tensor<?x4xf32> {
  %x = nn.embed %ids, %E : tensor<?xi32>, tensor<10x4xf32>
  %p = ragged.part %x, %f leaves : tensor<?x4xf32>
  return %p : tensor<?x4xf32>
}

// -----

/// Both parts of looked-up rows are read: each is looked up by its own ids.
// CHECK-LABEL: func @parts_of_lookup
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest, %[[I:[a-z0-9]*]]: tensor<?xi32>
// CHECK-DAG: %[[LEAF_IDS:.*]] = ragged.part %[[I]], %[[F]] leaves
// CHECK-DAG: %[[LEAVES:.*]] = nn.embed %[[LEAF_IDS]]
// CHECK-DAG: %[[INNER_IDS:.*]] = ragged.part %[[I]], %[[F]] inner
// CHECK-DAG: %[[INNER:.*]] = nn.embed %[[INNER_IDS]]
// CHECK: return %[[LEAVES]], %[[INNER]]
func.func @parts_of_lookup(%f: !ragged.forest, %i: tensor<?xi32>, %E: tensor<10x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %x = nn.embed %i, %E : tensor<?xi32>, tensor<10x4xf32>
  %leaves = ragged.part %x, %f leaves : tensor<?x4xf32>
  %inner = ragged.part %x, %f inner : tensor<?x4xf32>
  return %leaves, %inner : tensor<?x4xf32>, tensor<?x4xf32>
}
