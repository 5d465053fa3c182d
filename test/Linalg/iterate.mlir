//===-- test/Linalg/iterate.mlir - The loop of ragged.iterate --- ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt --linalg-peel-yields --linalg-sink-splits --linalg-join-pads --linalg-lower --canonicalize --cse %s | FileCheck %s

/// The list of active rows begins with all; the loop ends without active rows or with
/// the last iteration. Rows are gathered, computed, and put back where they were; each
/// of them has done one iteration more; those whose flag is set move to the front.
// CHECK-LABEL: func @iterate
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x3xf32>, %[[K:[a-z0-9]*]]: tensor<?x3xf32>, %[[GO:[a-z0-9]*]]: tensor<?xi1>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[LIST:.*]] = rt.for_each
// CHECK: %[[NONE:.*]] = linalg.fill
// CHECK: %[[L:.*]]:7 = scf.while (%[[COUNT:.*]] = %[[N]], %[[T:.*]] = %[[C0]], %{{.*}} = %[[LIST]], %{{.*}} = %[[NONE]], %{{.*}} = %[[C0]], %{{.*}} = %[[X]], %{{.*}} = %[[K]])
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

/// What is read after the loop is not written by it: the loop has a copy.
// CHECK-LABEL: func @read_later
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?xf32>
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[X]] : tensor<?xf32>)
// CHECK: %[[L:.*]]:6 = scf.while ({{.*}} = %[[COPY]])
// CHECK: return %[[L]]#5, %[[X]]
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
// CHECK-LABEL: func @records
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[MOST:.*]] = arith.muli %[[N]], %{{.*}} : index
// CHECK: %[[H:.*]] = tensor.empty(%[[MOST]]) : tensor<?x3xf32>
// CHECK: %[[R:.*]] = tensor.empty(%[[MOST]]) : tensor<?xi32>
// CHECK: %[[L:.*]]:8 = scf.while
// CHECK: ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: tensor<?xi32>, %{{.*}}: tensor<?xi32>, %[[EXECUTED:.*]]: index, %{{.*}}: tensor<?x3xf32>, %[[STATES:.*]]: tensor<?x3xf32>, %[[RECORD:.*]]: tensor<?xi32>):
// CHECK: tensor.insert_slice %{{.*}} into %[[STATES]][%[[EXECUTED]], 0]
// CHECK: tensor.insert_slice %{{.*}} into %[[RECORD]][%[[EXECUTED]]]
// CHECK: tensor.extract_slice %[[L]]#6[0, 0] [%[[L]]#4, 3]
// CHECK: tensor.extract_slice %[[L]]#7[0] [%[[L]]#4]
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
