//===-- test/Linalg/iterate.mlir - The loop of ragged.iterate --- ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt --linalg-peel-yields --linalg-sink-splits --linalg-join-pads --linalg-lower --canonicalize --cse %s | FileCheck %s

/// While all rows go on, the body works on the arrays: no row is gathered or put back, and
/// what others read is stored where it was. The flags are counted. Then those whose flag is
/// set are listed; the loop ends without active rows or with the last iteration. Rows are
/// gathered, computed, and put back where they were; each of them has done one iteration
/// more; those whose flag is set move to the front.
// CHECK-LABEL: func @iterate
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x3xf32>, %[[K:[a-z0-9]*]]: tensor<?x3xf32>, %[[GO:[a-z0-9]*]]: tensor<?xi1>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[LIST:.*]] = rt.for_each
// CHECK: %[[YES:.*]] = rt.for_each
// CHECK: %[[ALL:.*]]:5 = scf.while (%[[COUNT:.*]] = %[[N]], %[[T:.*]] = %[[C0]], %{{.*}} = %[[YES]], %{{.*}} = %[[X]], %{{.*}} = %[[K]])
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[COUNT]], %[[C0]]
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[T]], %[[C5]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[ANY]], %[[MORE]]
// CHECK: %[[EACH:.*]] = arith.cmpi eq, %[[COUNT]], %[[N]]
// CHECK: arith.andi %[[BOTH]], %[[EACH]]
// CHECK: ^bb0(%[[A:.*]]: index, %[[I:.*]]: index, %[[FLAGS:.*]]: tensor<?xi32>, %[[STATE:.*]]: tensor<?x3xf32>, %[[KEPT:.*]]: tensor<?x3xf32>):
// CHECK-NOT: rt.for_each
// CHECK: %[[ACTIVE:.*]] = rt.at_most %[[A]], %[[N]]
// CHECK: %[[XA:.*]] = tensor.extract_slice %[[STATE]][0, 0] [%[[ACTIVE]], 3]
// CHECK: %[[NEXT:.*]] = linalg.generic {{.*}} ins(%[[XA]], %[[XA]]
// CHECK: %[[PUT:.*]] = tensor.insert_slice %[[NEXT]] into %[[KEPT]][0, 0]
// CHECK: %[[GOING:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[C0]])
// CHECK: %[[DONE:.*]] = arith.addi %[[I]], %[[C1]]
// CHECK: %[[MARKED:.*]] = tensor.insert_slice %{{.*}} into %[[FLAGS]]
// CHECK: %[[STORED:.*]] = tensor.insert_slice %[[NEXT]] into %[[STATE]][0, 0]
// CHECK: scf.yield %[[GOING]], %[[DONE]], %[[MARKED]], %[[STORED]], %[[PUT]]
// CHECK: %[[LEFT:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[LIST]], %{{.*}} = %[[C0]])
// CHECK: %[[EQUAL:.*]] = rt.for_each
// CHECK: %[[WERE:.*]] = arith.muli %[[ALL]]#1, %[[N]]
// CHECK: %[[L:.*]]:7 = scf.while (%[[COUNT:.*]] = %[[ALL]]#0, %[[T:.*]] = %[[ALL]]#1, %{{.*}} = %[[LEFT]]#0, %{{.*}} = %[[EQUAL]], %{{.*}} = %[[WERE]], %{{.*}} = %[[ALL]]#3, %{{.*}} = %[[ALL]]#4)
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[COUNT]], %[[C0]]
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[T]], %[[C5]]
// CHECK: arith.andi %[[ANY]], %[[MORE]]
// CHECK: ^bb0(%[[A:.*]]: index, %[[I:.*]]: index, %[[IDS:.*]]: tensor<?xi32>, %[[STEPS:.*]]: tensor<?xi32>, %[[EXECUTED:.*]]: index, %[[STATE:.*]]: tensor<?x3xf32>, %[[KEPT:.*]]: tensor<?x3xf32>):
// CHECK: %[[ACTIVE:.*]] = rt.at_most %[[A]], %[[N]]
// CHECK: tensor.extract_slice %[[IDS]][0] [%[[ACTIVE]]]
// CHECK: %[[NEXT:.*]] = linalg.generic
// CHECK: %[[PUT:.*]] = rt.for_each {{.*}} into(%{{.*}} = %[[KEPT]] :
// CHECK: %[[DONE:.*]] = arith.addi %[[I]], %[[C1]]
// CHECK: %[[COUNTED:.*]] = rt.for_each {{.*}} into(%{{.*}} = %[[STEPS]] :
// CHECK: %[[STORED:.*]] = rt.for_each {{.*}} into(%{{.*}} = %[[STATE]] :
// CHECK: %[[MORE:.*]] = arith.addi %[[EXECUTED]], %[[ACTIVE]]
// CHECK: %[[ON:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[IDS]], %{{.*}} = %[[C0]])
// CHECK: scf.yield %[[ON]]#1, %[[DONE]], %[[ON]]#0, %[[COUNTED]], %[[MORE]], %[[STORED]], %[[PUT]]
// CHECK: return %[[L]]#5, %[[L]]#3
func.func @iterate(%x: tensor<?x3xf32>, %k: tensor<?x3xf32>, %go: tensor<?xi1>)
    -> (tensor<?x3xf32>, tensor<?xi32>) {
  %y, %n, %s = ragged.iterate max 5 init(%x : tensor<?x3xf32>) shared(%k : tensor<?x3xf32>)
      -> (tensor<?x3xf32>, tensor<?xi32>, tensor<?x3xf32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x3xf32>, %all: tensor<?x3xf32>):
    %g = ragged.gather %go, %ids : tensor<?xi1>, tensor<?xi32>
    %next = arith.addf %xa, %xa : tensor<?x3xf32>
    %put = ragged.put_rows %next, %all, %ids : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?xi32>
    ragged.yield %g, %next, %put : tensor<?xi1>, tensor<?x3xf32>, tensor<?x3xf32>
  }
  return %y, %n : tensor<?x3xf32>, tensor<?xi32>
}

/// What is read after the loop is not written by it: the loop has a copy. Iterations that
/// nobody asks for are not counted.
// CHECK-LABEL: func @read_later
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?xf32>
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[X]] : tensor<?xf32>)
// CHECK: %[[ALL:.*]]:4 = scf.while ({{.*}} = %[[COPY]])
// CHECK: %[[L:.*]]:5 = scf.while ({{.*}} = %[[ALL]]#3)
// CHECK: return %[[L]]#4, %[[X]]
func.func @read_later(%x: tensor<?xf32>, %go: tensor<?xi1>) -> (tensor<?xf32>, tensor<?xf32>) {
  %y, %n = ragged.iterate max 5 init(%x : tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?xf32>):
    %g = ragged.gather %go, %ids : tensor<?xi1>, tensor<?xi32>
    %next = arith.addf %xa, %xa : tensor<?xf32>
    ragged.yield %g, %next : tensor<?xi1>, tensor<?xf32>
  }
  return %y, %x : tensor<?xf32>, tensor<?xf32>
}

/// A record has room for all iterations of all rows, and gets the rows of an iteration
/// behind those of the iterations before. What was executed is its result.
/// What an iteration begins with is recorded before it is overwritten.
// CHECK-LABEL: func @records
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[MOST:.*]] = arith.muli %[[N]], %{{.*}} : index
// CHECK: %[[H:.*]] = tensor.empty(%[[MOST]]) : tensor<?x3xf32>
// CHECK: %[[R:.*]] = tensor.empty(%[[MOST]]) : tensor<?xi32>
// CHECK: scf.while
// CHECK: ^bb0(%{{.*}}: index, %[[I:.*]]: index, %{{.*}}: tensor<?xi32>, %{{.*}}: tensor<?x3xf32>, %[[STATES:.*]]: tensor<?x3xf32>, %[[RECORD:.*]]: tensor<?xi32>):
// CHECK: %[[EXECUTED:.*]] = arith.muli %[[I]], %[[N]]
// CHECK-DAG: tensor.insert_slice %{{.*}} into %[[STATES]][%[[EXECUTED]], 0]
// CHECK-DAG: tensor.insert_slice %{{.*}} into %[[RECORD]][%[[EXECUTED]]]
// CHECK: linalg.generic
// CHECK: scf.yield
// CHECK: %[[L:.*]]:7 = scf.while
// CHECK: ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: tensor<?xi32>, %[[EXECUTED:.*]]: index, %{{.*}}: tensor<?x3xf32>, %[[STATES:.*]]: tensor<?x3xf32>, %[[RECORD:.*]]: tensor<?xi32>):
// CHECK: tensor.insert_slice %{{.*}} into %[[STATES]][%[[EXECUTED]], 0]
// CHECK: tensor.insert_slice %{{.*}} into %[[RECORD]][%[[EXECUTED]]]
// CHECK: tensor.extract_slice %[[L]]#5[0, 0] [%[[L]]#3, 3]
// CHECK: tensor.extract_slice %[[L]]#6[0] [%[[L]]#3]
func.func @records(%x: tensor<?x3xf32>, %go: tensor<?xi1>)
    -> (tensor<?x3xf32>, tensor<?xi32>) {
  %y, %n, %h, %r = ragged.iterate max 5 init(%x : tensor<?x3xf32>)
      -> (tensor<?x3xf32>, tensor<?xi32>, tensor<?x3xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x3xf32>):
    %g = ragged.gather %go, %ids : tensor<?xi1>, tensor<?xi32>
    %next = arith.addf %xa, %xa : tensor<?x3xf32>
    ragged.yield %g, %next, %xa, %ids : tensor<?xi1>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?xi32>
  }
  return %h, %r : tensor<?x3xf32>, tensor<?xi32>
}

/// A row whose products take 100 times as long as it takes to move it has one body.
// CHECK-LABEL: func @much_work
// CHECK-COUNT-1: scf.while
// CHECK-NOT: scf.while
func.func @much_work(%x: tensor<?x4096xf32>, %go: tensor<?xi1>, %W: tensor<4096x8192xf32>,
                     %V: tensor<8192x4096xf32>) -> tensor<?x4096xf32> {
  %y, %n = ragged.iterate max 5 init(%x : tensor<?x4096xf32>) -> (tensor<?x4096xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x4096xf32>):
    %g = ragged.gather %go, %ids : tensor<?xi1>, tensor<?xi32>
    %wide = nn.linear %xa, %W : tensor<?x4096xf32>, tensor<4096x8192xf32>
    %next = nn.linear %wide, %V : tensor<?x8192xf32>, tensor<8192x4096xf32>
    ragged.yield %g, %next : tensor<?xi1>, tensor<?x4096xf32>
  }
  return %y : tensor<?x4096xf32>
}

/// Rows that do not begin: the flags are counted first.
// CHECK-LABEL: func @some_begin
// CHECK-SAME: %[[GO:[a-z0-9]*]]: tensor<?xi1>
// CHECK: %[[FLAGS:.*]] = linalg.generic {{.*}} ins(%[[GO]] : tensor<?xi1>) outs(%{{.*}} : tensor<?xi32>)
// CHECK: %[[COUNT:.*]] = scf.for
// CHECK: scf.while (%{{.*}} = %[[COUNT]], {{.*}} = %[[FLAGS]],
func.func @some_begin(%x: tensor<?xf32>, %go: tensor<?xi1>) -> tensor<?xf32> {
  %y, %n = ragged.iterate max 5 active(%go : tensor<?xi1>) init(%x : tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?xf32>):
    %g = ragged.gather %go, %ids : tensor<?xi1>, tensor<?xi32>
    %next = arith.addf %xa, %xa : tensor<?xf32>
    ragged.yield %g, %next : tensor<?xi1>, tensor<?xf32>
  }
  return %y : tensor<?xf32>
}

/// Code for a GPU has one body.
module {
  rt.target <triple = "nvptx64-nvidia-cuda", cpu = "sm_80", features = "+ptx78", flags = []>
  // CHECK-LABEL: func @on_gpu
  // CHECK-COUNT-1: scf.while
  // CHECK-NOT: scf.while
  func.func @on_gpu(%x: tensor<?xf32>, %go: tensor<?xi1>) -> tensor<?xf32> {
    %y, %n = ragged.iterate max 5 init(%x : tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
    ^bb0(%ids: tensor<?xi32>, %xa: tensor<?xf32>):
      %g = ragged.gather %go, %ids : tensor<?xi1>, tensor<?xi32>
      %next = arith.addf %xa, %xa : tensor<?xf32>
      ragged.yield %g, %next : tensor<?xi1>, tensor<?xf32>
    }
    return %y : tensor<?xf32>
  }
}
