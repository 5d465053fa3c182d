//===-- test/Depth/IR/search.mlir - Searches, printed as they are read ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s | cambium-opt | FileCheck %s
// RUN: cambium-opt %s --mlir-print-op-generic | cambium-opt | FileCheck %s

// CHECK-LABEL: @beam
func.func @beam(%b: tensor<i32>, %e: tensor<i32>, %h0: tensor<8xf32>, %k0: tensor<i64>, %T: tensor<9x9xf32>) -> tensor<5xf32> {
  // CHECK: %words, %lengths, %scores = depth.search beam 5 length_penalty 6.000000e-01 max 40 begin %arg0 end %arg1 carried(%[[H:.+]] = %arg2 : tensor<8xf32>, %[[K:.+]] = %arg3 : tensor<i64>) next(%[[W:.+]] : tensor<?xi32>) attributes {test.note} {
  %w, %n, %s = depth.search beam 5 length_penalty 0.6 max 40 begin %b end %e carried(%h = %h0 : tensor<8xf32>, %k = %k0 : tensor<i64>) next(%last : tensor<?xi32>) attributes {test.note} {
    // CHECK: nn.embed %[[W]]
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    // CHECK: depth.yield %{{.*}}, %[[H]], %[[K]] : tensor<?x9xf32>, tensor<?x8xf32>, tensor<?xi64>
    depth.yield %p, %h, %k : tensor<?x9xf32>, tensor<?x8xf32>, tensor<?xi64>
  }
  return %s : tensor<5xf32>
}

/// The scores have the type of what is yielded.
// CHECK-LABEL: @sample
func.func @sample(%b: tensor<i32>, %e: tensor<i32>, %T: tensor<9x9xf64>) -> (tensor<3x7xi32>, tensor<3xi32>, tensor<3xf64>) {
  // CHECK: depth.search sample 3 max 7 begin %arg0 end %arg1 next(%{{.*}} : tensor<?xi32>) {
  %v, %m, %t = depth.search sample 3 max 7 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf64>
    depth.yield %p : tensor<?x9xf64>
  }
  // CHECK: depth.search sample 3 among 4 max 7 id 2 begin %arg0 end %arg1 next(
  %w, %n, %s = depth.search sample 3 among 4 max 7 id 2 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf64>
    depth.yield %p : tensor<?x9xf64>
  }
  return %w, %n, %s : tensor<3x7xi32>, tensor<3xi32>, tensor<3xf64>
}

/// Rows of each hypothesis, with carried values and without.
// CHECK-LABEL: @grows
func.func @grows(%b: tensor<i32>, %e: tensor<i32>, %h0: tensor<f32>, %T: tensor<9x9xf32>) -> (tensor<5xf32>, tensor<2xf32>) {
  // CHECK: depth.search beam 5 max 40 begin %arg0 end %arg1 carried(%{{.*}} = %arg2 : tensor<f32>) grows(%[[G:.+]] : tensor<?x?x9xf32>, %[[I:.+]] : tensor<?x?xi32>) next(%[[W:.+]] : tensor<?xi32>) {
  %w, %n, %s = depth.search beam 5 max 40 begin %b end %e carried(%h = %h0 : tensor<f32>) grows(%g : tensor<?x?x9xf32>, %i : tensor<?x?xi32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    // CHECK: depth.append %[[G]], %{{.*}} : tensor<?x?x9xf32>, tensor<?x9xf32>
    %g1 = depth.append %g, %p : tensor<?x?x9xf32>, tensor<?x9xf32>
    // CHECK: depth.append %[[I]], %[[W]] {test.note} : tensor<?x?xi32>, tensor<?xi32>
    %i1 = depth.append %i, %last {test.note} : tensor<?x?xi32>, tensor<?xi32>
    depth.yield %p, %h, %g1, %i1 : tensor<?x9xf32>, tensor<?xf32>, tensor<?x?x9xf32>, tensor<?x?xi32>
  }
  // CHECK: depth.search sample 2 max 3 begin %arg0 end %arg1 grows(%{{.*}} : tensor<?x?x9xf32>) next(
  %v, %m, %t = depth.search sample 2 max 3 begin %b end %e grows(%g : tensor<?x?x9xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    %g1 = depth.append %g, %p : tensor<?x?x9xf32>, tensor<?x9xf32>
    depth.yield %p, %g1 : tensor<?x9xf32>, tensor<?x?x9xf32>
  }
  return %s, %t : tensor<5xf32>, tensor<2xf32>
}

/// Every search of a module has a number, by which it draws.
// RUN: cambium-opt %s --nn-number-dropouts | FileCheck %s --check-prefix=NUMBER
// NUMBER: depth.search sample 3 max 7 id 1 begin
