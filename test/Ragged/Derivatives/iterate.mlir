//===-- test/Ragged/Derivatives/iterate.mlir - Loops whose rows stop --- ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --gradient-lower-gradients --canonicalize --cse | FileCheck %s

/// The loop records what the derivative reads. Reverse is a recursion downwards, over the
/// chains of the iterations that were executed: what an array that the levels pass on gets
/// is zero in the rows that a level has put there (the level that follows reads them), and
/// given to those.
// CHECK-LABEL: func @shared
// CHECK-SAME: %[[ROWS:[a-z0-9]*]]: !ragged.rows, %[[X:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK: %[[L:.*]]:5 = ragged.iterate max 5 init(%[[X]] : tensor<?x3xf32>) shared(%[[X]] : tensor<?x3xf32>) ->
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<?xi32>, %[[STATE:.*]]: tensor<?x3xf32>, %{{.*}}: tensor<?x3xf32>):
// CHECK: %[[E:.*]] = ragged.expand
// CHECK: %[[NEXT:.*]] = arith.mulf
// CHECK: %[[PUT:.*]] = ragged.put_rows
// CHECK: ragged.yield %{{.*}}, %[[NEXT]], %[[PUT]], %[[STATE]], %[[E]]
// CHECK: %[[F:.*]] = ragged.iterations %[[L]]#1 max 5
// CHECK-NOT: ragged.levels up
// CHECK: %[[IDS:.*]] = ragged.index %[[F]] rows
// CHECK: %[[INNER:.*]] = ragged.part %[[IDS]], %[[F]] inner
// CHECK: ragged.index %[[F]] roots
// CHECK: %[[DOWN:.*]]:2 = ragged.levels down inner %[[F]] nodes({{.*}}, %[[INNER]], %[[L]]#4, %[[L]]#3 {{.*}}) shared(
// CHECK-NEXT: ^bb0(%{{.*}}: !ragged.rows, %[[GIVEN:.*]]: tensor<?x3xf32>, %[[NODES:.*]]: tensor<?xi32>, %{{.*}}, %{{.*}}, %[[LATER:.*]]: tensor<?x3xf32>, %[[ALL:.*]]: tensor<?x3xf32>):
// CHECK: %[[READ:.*]] = ragged.gather %[[ALL]], %[[NODES]]
// CHECK: %[[ZEROS:.*]] = nn.broadcast %{{.*}} dims [] like %[[READ]]
// CHECK: %[[REST:.*]] = ragged.put_rows %[[ZEROS]], %[[ALL]], %[[NODES]]
// CHECK: %[[OWN:.*]] = arith.addf %[[GIVEN]], %[[READ]]
// CHECK: arith.addf %[[LATER]], %[[OWN]]
// CHECK: ragged.reduce sum
// CHECK: %[[TERMS:.*]] = ragged.expand %{{.*}}, %[[ROWS]]
// CHECK: %[[BEFORE:.*]] = arith.addf %[[REST]], %[[TERMS]]
// CHECK: ragged.yield %{{.*}}, %[[BEFORE]]
// CHECK: ragged.sum_parents %[[DOWN]]#0, %[[F]] leaves
func.func @shared(%rows: !ragged.rows, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y, %n, %s = ragged.iterate max 5 init(%x : tensor<?x3xf32>) shared(%x : tensor<?x3xf32>)
      -> (tensor<?x3xf32>, tensor<?xi32>, tensor<?x3xf32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x3xf32>, %all: tensor<?x3xf32>):
    %a = ragged.group %ids, %rows : tensor<?xi32>
    %m = ragged.reduce sum %all, %rows : tensor<?x3xf32>
    %e = ragged.expand %m, %a : tensor<?x3xf32>
    %next = arith.mulf %xa, %e : tensor<?x3xf32>
    %go = arith.constant dense<true> : tensor<1xi1>
    %gos = tensor.cast %go : tensor<1xi1> to tensor<?xi1>
    %put = ragged.put_rows %next, %all, %ids : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?xi32>
    ragged.yield %gos, %next, %put : tensor<?xi1>, tensor<?x3xf32>, tensor<?x3xf32>
  }
  %l = nn.sum %y over 1 : tensor<?x3xf32>
  %g = train.gradient %l wrt %x : tensor<?xf32>, tensor<?x3xf32>
  return %g : tensor<?x3xf32>
}

// -----

/// Rows that an iteration begins with, and what it overwrites: the rest is computed again.
// CHECK-LABEL: func @again
// CHECK: %[[L:.*]]:5 = ragged.iterate max 5 {{.*}} rematerialize ->
// CHECK-NEXT: ^bb0(%[[IDS:.*]]: tensor<?xi32>, %[[STATE:.*]]: tensor<?x3xf32>, %[[ALL:.*]]: tensor<?x3xf32>):
// CHECK: %[[OLD:.*]] = ragged.gather %[[ALL]], %[[IDS]]
// CHECK: ragged.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[STATE]], %[[OLD]] : tensor<?xi1>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
// CHECK: ragged.levels down inner %{{.*}} nodes({{.*}}, %[[L]]#4, %[[L]]#3 {{.*}}) shared({{.*}}, %[[L]]#2
// CHECK: ragged.reduce sum
// CHECK: ragged.expand
func.func @again(%rows: !ragged.rows, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y, %n, %s = ragged.iterate max 5 init(%x : tensor<?x3xf32>) shared(%x : tensor<?x3xf32>) rematerialize
      -> (tensor<?x3xf32>, tensor<?xi32>, tensor<?x3xf32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x3xf32>, %all: tensor<?x3xf32>):
    %a = ragged.group %ids, %rows : tensor<?xi32>
    %m = ragged.reduce sum %all, %rows : tensor<?x3xf32>
    %e = ragged.expand %m, %a : tensor<?x3xf32>
    %next = arith.mulf %xa, %e : tensor<?x3xf32>
    %go = arith.constant dense<true> : tensor<1xi1>
    %gos = tensor.cast %go : tensor<1xi1> to tensor<?xi1>
    %put = ragged.put_rows %next, %all, %ids : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?xi32>
    ragged.yield %gos, %next, %put : tensor<?xi1>, tensor<?x3xf32>, tensor<?x3xf32>
  }
  %l = nn.sum %y over 1 : tensor<?x3xf32>
  %g = train.gradient %l wrt %x : tensor<?xf32>, tensor<?x3xf32>
  return %g : tensor<?x3xf32>
}


// -----

/// Without a derivative nothing is recorded.
// CHECK-LABEL: func @negative_stopped
// CHECK: ragged.iterate max 5 init(%{{.*}} : tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?xi32>) {
// CHECK-NOT: ragged.levels
func.func @negative_stopped(%rows: !ragged.rows, %x: tensor<?x3xf32>, %go: tensor<?xi1>) -> tensor<?x3xf32> {
  %y, %n = ragged.iterate max 5 init(%x : tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x3xf32>):
    %next = arith.addf %xa, %xa : tensor<?x3xf32>
    %goes = ragged.gather %go, %ids : tensor<?xi1>, tensor<?xi32>
    ragged.yield %goes, %next : tensor<?xi1>, tensor<?x3xf32>
  }
  return %y : tensor<?x3xf32>
}

// -----

/// A loop in the cell of a node is executed again where its derivative is, and records there.
// CHECK-LABEL: func @loop_in_cell
// CHECK: ragged.levels up
// CHECK: ragged.iterate max 5
// CHECK: ragged.levels down
// CHECK: %[[L:.*]]:3 = ragged.iterate max 5
// CHECK: %[[F:.*]] = ragged.iterations %[[L]]#1 max 5
// CHECK: ragged.levels down inner %[[F]] nodes({{.*}}%[[L]]#2
func.func @loop_in_cell(%f: !ragged.forest, %x: tensor<?x3xf32>, %h0: tensor<?x3xf32>, %go: tensor<?xi1>) -> tensor<?x3xf32> {
  %h = ragged.levels up inner %f nodes(%x : tensor<?x3xf32>) base(%h0 : tensor<?x3xf32>)
         num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x3xf32>, %hk: tensor<?x3xf32>):
    %hs = ragged.reduce sum %hk, %edges : tensor<?x3xf32>
    %s = arith.addf %hs, %xl : tensor<?x3xf32>
    %y, %n = ragged.iterate max 5 init(%s : tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?xi32>) {
    ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x3xf32>):
      %next = arith.mulf %xa, %xa : tensor<?x3xf32>
      %goes = ragged.gather %go, %ids : tensor<?xi1>, tensor<?xi32>
      ragged.yield %goes, %next : tensor<?xi1>, tensor<?x3xf32>
    }
    ragged.yield %y : tensor<?x3xf32>
  }
  %roots = ragged.index %f roots : tensor<?xi32>
  %r = ragged.gather %h, %roots : tensor<?x3xf32>, tensor<?xi32>
  %l = nn.sum %r over 1 : tensor<?x3xf32>
  %g = train.gradient %l wrt %x : tensor<?xf32>, tensor<?x3xf32>
  return %g : tensor<?x3xf32>
}

// -----

/// A copy is made again where the derivative reads it: the record is of what it copies, and
/// of no constant. How many rows there are is asked of the rows' numbers. A multiplication
/// by a copy, a second one behind it, and a maximum are done again too; what is computed from
/// two arrays, what a product reads, and functions are recorded.
// CHECK-LABEL: func @cheap
// CHECK: %[[L:.*]]:5 = ragged.iterate max 5
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<?xi32>, %[[STATE:.*]]: tensor<?x3xf32>):
// CHECK: %[[SUM:.*]] = nn.sum
// CHECK: %[[EXP:.*]] = math.exp
// CHECK: %[[NEXT:.*]] = nn.linear
// CHECK: ragged.yield %{{.*}}, %[[NEXT]], %[[STATE]], %[[SUM]], %[[EXP]] :
// CHECK: ragged.levels down inner %{{.*}} nodes(
// CHECK-NEXT: ^bb0(%{{.*}}: !ragged.rows, %{{.*}}: tensor<?xi32>, %[[X:.*]]: tensor<?x3xf32>
// CHECK: nn.broadcast %{{.*}} dims [] like %{{.*}} : tensor<f32>, tensor<?xi32> -> tensor<?x3xf32>
func.func @cheap(%rows: !ragged.rows, %x: tensor<?x3xf32>, %W: tensor<3x3xf32>) -> tensor<?x3xf32> {
  %half = arith.constant dense<0.5> : tensor<f32>
  %y, %n = ragged.iterate max 5 init(%x : tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x3xf32>):
    %halves = nn.broadcast %half dims [] like %xa : tensor<f32>, tensor<?x3xf32> -> tensor<?x3xf32>
    %h = arith.mulf %xa, %halves : tensor<?x3xf32>
    %s = nn.sum %xa over 1 : tensor<?x3xf32>
    %ss = nn.broadcast %s dims [0] like %xa : tensor<?xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
    %m = arith.mulf %h, %ss : tensor<?x3xf32>
    %r = arith.maximumf %m, %halves : tensor<?x3xf32>
    %q = arith.mulf %r, %r : tensor<?x3xf32>
    %e = math.exp %q : tensor<?x3xf32>
    %next = nn.linear %e, %W : tensor<?x3xf32>, tensor<3x3xf32>
    %go = arith.constant dense<true> : tensor<1xi1>
    %gos = tensor.cast %go : tensor<1xi1> to tensor<?xi1>
    ragged.yield %gos, %next : tensor<?xi1>, tensor<?x3xf32>
  }
  %l = nn.sum %y over 1 : tensor<?x3xf32>
  %g = train.gradient %l wrt %x : tensor<?xf32>, tensor<?x3xf32>
  return %g : tensor<?x3xf32>
}
