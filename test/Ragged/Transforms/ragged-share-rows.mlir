//===-- test/Ragged/Transforms/ragged-share-rows.mlir - Equal rows once ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-share-rows --split-input-file | FileCheck %s
// RUN: cambium-opt %s --ragged-share-rows --split-input-file --remarks-filter=ragged-share-rows -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// A product of embedded words, and all that follows it, is computed once for each word.
/// Who reads the words themselves looks them up as before.
// REMARK: [Passed] ragged-share-rows{{.*}}MultiplyAdds=8192, Ops=3
// CHECK-LABEL: func @chain
// CHECK-SAME: %[[I:[a-z0-9]*]]: tensor<?xi32>, %[[E:[a-z0-9]*]]: tensor<100x64xf32>
// CHECK: %[[D:.*]], %[[P:.*]] = ragged.distinct %[[I]] limit 100
// CHECK-DAG: %[[X:.*]] = nn.embed %[[D]], %[[E]] padding_id 0
// CHECK-DAG: %[[ALL:.*]] = nn.embed %[[I]], %[[E]] padding_id 0
// CHECK: %[[Y:.*]] = nn.linear %[[X]]
// CHECK: %[[S:.*]] = nn.slice %[[Y]]
// CHECK: %[[T:.*]] = math.tanh %[[S]]
// CHECK: %[[Z:.*]] = arith.mulf %[[T]], %[[T]]
// CHECK: %[[G:.*]] = ragged.gather %[[Z]], %[[P]]
// CHECK: return %[[G]], %[[ALL]]
func.func @chain(%i: tensor<?xi32>, %E: tensor<100x64xf32>, %W: tensor<64x128xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %x = nn.embed %i, %E padding_id 0 : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x128xf32>
  %s = nn.slice %y over 1 from 0 size 64 : tensor<?x128xf32>
  %t = math.tanh %s : tensor<?x64xf32>
  %z = arith.mulf %t, %t : tensor<?x64xf32>
  return %z, %x : tensor<?x64xf32>, tensor<?x64xf32>
}

// -----

/// Two tables with the same ids; the bound is the larger one. What meets other rows
/// gathers.
// CHECK-LABEL: func @two_tables
// CHECK: ragged.distinct %{{.*}} limit 200
// CHECK-NOT: ragged.distinct
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: %[[G:.*]] = ragged.gather %[[SUM]]
// CHECK: arith.mulf %[[G]], %{{.*}}
func.func @two_tables(%i: tensor<?xi32>, %other: tensor<?x64xf32>, %E: tensor<100x64xf32>, %F: tensor<200x64xf32>,
                      %W: tensor<64x64xf32>) -> tensor<?x64xf32> {
  %x = nn.embed %i, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.embed %i, %F : tensor<?xi32>, tensor<200x64xf32>
  %wx = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x64xf32>
  %wy = nn.linear %y, %W : tensor<?x64xf32>, tensor<64x64xf32>
  %s = arith.addf %wx, %wy : tensor<?x64xf32>
  %z = arith.mulf %s, %other : tensor<?x64xf32>
  return %z : tensor<?x64xf32>
}
