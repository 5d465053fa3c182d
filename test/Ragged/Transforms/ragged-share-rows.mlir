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

// -----

/// Two arrays of ids of which the same is computed are one, whichever is made first. Who
/// reads a result gathers it by the places of its own ids.
// REMARK: [Passed] ragged-share-rows{{.*}}Arrays=2{{.*}}MultiplyAdds=4096
// CHECK-LABEL: func @two_arrays
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<?xi32>, %[[LATER:[a-z0-9]*]]: tensor<?xi32>, %[[FOREST:[a-z0-9]*]]:
// CHECK: %[[B:.*]] = ragged.part %[[LATER]], %[[FOREST]] leaves
// CHECK: %[[D:.*]], %[[P:.*]]:2 = ragged.distinct %[[A]], %[[B]] limit 100
// CHECK: nn.embed %[[D]]
// CHECK: nn.linear
// CHECK-NOT: nn.linear
// CHECK: %[[T:.*]] = math.tanh
// CHECK: %[[G:.*]] = ragged.gather %[[T]], %[[P]]#0
// CHECK: %[[H:.*]] = ragged.gather %[[T]], %[[P]]#1
// CHECK: return %[[G]], %[[H]]
func.func @two_arrays(%a: tensor<?xi32>, %later: tensor<?xi32>, %f: !ragged.forest, %E: tensor<100x64xf32>,
                      %W: tensor<64x64xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %x = nn.embed %a, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x64xf32>
  %z = math.tanh %y : tensor<?x64xf32>
  %b = ragged.part %later, %f leaves : tensor<?xi32>
  %u = nn.embed %b, %E : tensor<?xi32>, tensor<100x64xf32>
  %v = nn.linear %u, %W : tensor<?x64xf32>, tensor<64x64xf32>
  %w = math.tanh %v : tensor<?x64xf32>
  return %z, %w : tensor<?x64xf32>, tensor<?x64xf32>
}

// -----

/// Arrays of which different weights make something stay apart.
// CHECK-LABEL: func @two_weights
// CHECK: ragged.distinct %{{[a-z0-9]*}} limit
// CHECK: ragged.distinct %{{[a-z0-9]*}} limit
func.func @two_weights(%a: tensor<?xi32>, %b: tensor<?xi32>, %E: tensor<100x64xf32>, %W: tensor<64x64xf32>,
                       %V: tensor<64x64xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %x = nn.embed %a, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x64xf32>
  %u = nn.embed %b, %E : tensor<?xi32>, tensor<100x64xf32>
  %v = nn.linear %u, %V : tensor<?x64xf32>, tensor<64x64xf32>
  return %y, %v : tensor<?x64xf32>, tensor<?x64xf32>
}

// -----

/// So do ids that are found with what is computed from the others.
// CHECK-LABEL: func @found
// CHECK: ragged.distinct %{{[a-z0-9]*}} limit
// CHECK: arith.fptosi
// CHECK: ragged.distinct %{{[a-z0-9]*}} limit
func.func @found(%a: tensor<?xi32>, %order: tensor<?xi32>, %E: tensor<100x64xf32>, %W: tensor<64x64xf32>)
    -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %x = nn.embed %a, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x64xf32>
  %g = ragged.gather %y, %order : tensor<?x64xf32>, tensor<?xi32>
  %s = nn.sum %g over 1 : tensor<?x64xf32>
  %b = arith.fptosi %s : tensor<?xf32> to tensor<?xi32>
  %u = nn.embed %b, %E : tensor<?xi32>, tensor<100x64xf32>
  %v = nn.linear %u, %W : tensor<?x64xf32>, tensor<64x64xf32>
  return %y, %v : tensor<?x64xf32>, tensor<?x64xf32>
}

// -----

/// Ids that rows of others give go with these.
// CHECK-LABEL: func @chained
// CHECK: %[[D:.*]], %{{.*}} = ragged.distinct
// CHECK: nn.embed %[[D]]
// CHECK: nn.linear
// CHECK: %[[B:.*]] = arith.fptosi
// CHECK: nn.embed %[[B]]
// CHECK: nn.linear
// CHECK-NOT: ragged.distinct
func.func @chained(%a: tensor<?xi32>, %E: tensor<100x64xf32>, %W: tensor<64x64xf32>) -> tensor<?x64xf32> {
  %x = nn.embed %a, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x64xf32>
  %s = nn.sum %y over 1 : tensor<?x64xf32>
  %b = arith.fptosi %s : tensor<?xf32> to tensor<?xi32>
  %u = nn.embed %b, %E : tensor<?xi32>, tensor<100x64xf32>
  %v = nn.linear %u, %W : tensor<?x64xf32>, tensor<64x64xf32>
  return %v : tensor<?x64xf32>
}
