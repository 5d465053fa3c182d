//===-- test/NN/ToLinalg/elements.mlir - Single elements of rows ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --linalg-lower --canonicalize --cse --linalg-fuse-elementwise --canonicalize | FileCheck %s

/// Rows of one element are read where they are used.
// CHECK-LABEL: func @embedded
// CHECK-NOT: rt.for_each
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg2 : tensor<?xi32>, tensor<?xf32>)
// CHECK: %[[ID:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[X:.*]] = tensor.extract %arg1[%[[ID]], %{{.*}}] : tensor<9x1xf32>
// CHECK: %[[Z:.*]] = arith.select %{{.*}}, %{{.*}}, %[[X]] : f32
// CHECK: arith.addf %[[Z]], %{{.*}} : f32
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @embedded(%ids: tensor<?xi32>, %t: tensor<9x1xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %x = nn.embed %ids, %t padding_id 3 : tensor<?xi32>, tensor<9x1xf32>
  %r = nn.reshape %x : tensor<?x1xf32> -> tensor<?xf32>
  %s = arith.addf %r, %y : tensor<?xf32>
  return %s : tensor<?xf32>
}

// -----

/// One element of each row that is taken by number: no row is copied.
// CHECK-LABEL: func @picked
// CHECK-NOT: rt.for_each
// CHECK-DAG: tensor.extract %arg1[%{{.*}}, %{{.*}}] : tensor<9x4xf32>
// CHECK-DAG: tensor.extract %arg2[%{{.*}}, %{{.*}}] : tensor<?x4xf32>
// CHECK-NOT: rt.for_each
// CHECK: return
func.func @picked(%ids: tensor<?xi32>, %t: tensor<9x4xf32>, %x: tensor<?x4xf32>, %at: tensor<?xi32>) -> tensor<?xf32> {
  %e = nn.embed %ids, %t : tensor<?xi32>, tensor<9x4xf32>
  %p = nn.pick %e, %at : tensor<?x4xf32>, tensor<?xi32>
  %g = ragged.gather %x, %ids : tensor<?x4xf32>, tensor<?xi32>
  %q = nn.pick %g, %at : tensor<?x4xf32>, tensor<?xi32>
  %s = arith.addf %p, %q : tensor<?xf32>
  return %s : tensor<?xf32>
}

// -----

/// What has zeros among its rows is made.
// CHECK-LABEL: func @negative_picked
// CHECK-COUNT-2: rt.for_each
func.func @negative_picked(%ids: tensor<?xi32>, %t: tensor<9x4xf32>, %x: tensor<?x4xf32>, %at: tensor<?xi32>) -> tensor<?xf32> {
  %e = nn.embed %ids, %t padding_id 0 : tensor<?xi32>, tensor<9x4xf32>
  %p = nn.pick %e, %at : tensor<?x4xf32>, tensor<?xi32>
  %g = ragged.gather %x, %ids or_zero : tensor<?x4xf32>, tensor<?xi32>
  %q = nn.pick %g, %at : tensor<?x4xf32>, tensor<?xi32>
  %s = arith.addf %p, %q : tensor<?xf32>
  return %s : tensor<?xf32>
}

// -----

/// Gathered elements are read where they are used, but for those of an array that a loop
/// writes part by part: the loop would copy it.
// CHECK-LABEL: func @gathered
// CHECK-NOT: rt.for_each
// CHECK: linalg.generic
// CHECK: tensor.extract %arg0[%{{.*}}] : tensor<?xf32>
// CHECK: scf.for {{.*}} iter_args(%[[ALL:.*]] =
// CHECK: rt.for_each
// CHECK: tensor.extract_slice %[[ALL]]
func.func @gathered(%x: tensor<?xf32>, %ids: tensor<?xi32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %ids, %c0 : tensor<?xi32>
  %g = ragged.gather %x, %ids : tensor<?xf32>, tensor<?xi32>
  %s = arith.addf %g, %g : tensor<?xf32>
  %all = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %s) -> tensor<?xf32> {
    %h = ragged.gather %a, %ids : tensor<?xf32>, tensor<?xi32>
    %t = math.tanh %h : tensor<?xf32>
    %put = tensor.insert_slice %t into %a[%i] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %put : tensor<?xf32>
  }
  return %all : tensor<?xf32>
}
