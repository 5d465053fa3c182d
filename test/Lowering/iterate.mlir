//===-- test/Lowering/iterate.mlir - The loop of ragged.iterate --- ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt --lower-to-linalg --canonicalize --cse %s | FileCheck %s

/// The list of active rows begins with all; the loop ends without active rows or with
/// the last iteration. Rows are gathered, computed, and put back where they were; each
/// of them has done one iteration more; those whose flag is set move to the front.
// CHECK-LABEL: func @iterate
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x3xf32>, %[[K:[a-z0-9]*]]: tensor<?x3xf32>, %[[GO:[a-z0-9]*]]: tensor<?xi1>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[LIST:.*]] = scf.for
// CHECK: %[[NONE:.*]] = linalg.fill
// CHECK: %[[L:.*]]:6 = scf.while (%[[COUNT:.*]] = %[[N]], %[[T:.*]] = %[[C0]], %{{.*}} = %[[LIST]], %{{.*}} = %[[NONE]], %{{.*}} = %[[X]], %{{.*}} = %[[K]])
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[COUNT]], %[[C0]]
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[T]], %[[C5]]
// CHECK: arith.andi %[[ANY]], %[[MORE]]
// CHECK: ^bb0(%[[A:.*]]: index, %[[I:.*]]: index, %[[IDS:.*]]: tensor<?xi32>, %[[STEPS:.*]]: tensor<?xi32>, %[[STATE:.*]]: tensor<?x3xf32>, %[[KEPT:.*]]: tensor<?x3xf32>):
// CHECK: %[[ACTIVE:.*]] = arith.minsi %[[A]], %[[N]]
// CHECK: tensor.extract_slice %[[IDS]][0] [%[[ACTIVE]]]
// CHECK: %[[NEXT:.*]] = linalg.generic
// CHECK: %[[PUT:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[KEPT]])
// CHECK: %[[DONE:.*]] = arith.addi %[[I]], %[[C1]]
// CHECK: %[[COUNTED:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[STEPS]])
// CHECK: %[[STORED:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[STATE]])
// CHECK: %[[ON:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[IDS]], %{{.*}} = %[[C0]])
// CHECK: scf.yield %[[ON]]#1, %[[DONE]], %[[ON]]#0, %[[COUNTED]], %[[STORED]], %[[PUT]]
// CHECK: return %[[L]]#4, %[[L]]#3
func.func @iterate(%x: tensor<?x3xf32>, %k: tensor<?x3xf32>, %go: tensor<?xi1>)
    -> (tensor<?x3xf32>, tensor<?xi32>) {
  %y, %n = ragged.iterate max 5 init(%x : tensor<?x3xf32>) shared(%k : tensor<?x3xf32>)
      -> (tensor<?x3xf32>, tensor<?xi32>) {
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
// CHECK: %[[L:.*]]:5 = scf.while ({{.*}} = %[[COPY]])
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
