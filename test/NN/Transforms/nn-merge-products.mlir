//===-- test/NN/Transforms/nn-merge-products.mlir - One product of several ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --nn-merge-products --split-input-file | FileCheck %s
// RUN: cambium-opt %s --nn-merge-products --split-input-file --remarks-filter=nn-merge-products -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// One product for all gates; a missing bias is zero.
// REMARK: [Passed]{{.*}}Columns=8, Products=2
// CHECK-LABEL: func @gates
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x4xf32>
// CHECK: %[[A:.*]] = nn.use @A
// CHECK: %[[B:.*]] = nn.use @B
// CHECK: %[[W:.*]] = nn.concat %[[A]], %[[B]] over 1
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.0{{.*}}> : tensor<5xf32>
// CHECK: %[[C:.*]] = nn.concat %{{.*}}, %[[ZERO]] over 0
// CHECK: %[[Y:.*]] = nn.linear %[[X]], %[[W]], %[[C]] : tensor<?x4xf32>, tensor<4x8xf32>, tensor<8xf32>
// CHECK: %[[P:.*]]:2 = nn.split %[[Y]] over 1 sizes [3, 5]
// CHECK: return %[[P]]#0, %[[P]]#1
nn.param @A : tensor<4x3xf32>
nn.param @B : tensor<4x5xf32>
func.func @gates(%x: tensor<?x4xf32>, %b: tensor<3xf32>) -> (tensor<?x3xf32>, tensor<?x5xf32>) {
  %A = nn.use @A : tensor<4x3xf32>
  %y = nn.linear %x, %A, %b : tensor<?x4xf32>, tensor<4x3xf32>, tensor<3xf32>
  %B = nn.use @B : tensor<4x5xf32>
  %z = nn.linear %x, %B : tensor<?x4xf32>, tensor<4x5xf32>
  return %y, %z : tensor<?x3xf32>, tensor<?x5xf32>
}

// -----

/// In a loop, the weights are put together in front of it; parts that the loop alone
/// reads are cut in it.
// CHECK-LABEL: func @loop
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x4xf32>
// CHECK: %[[WX:.*]] = nn.linear %[[X]], %{{.*}} : tensor<?x4xf32>, tensor<4x6xf32>
// CHECK: %[[U:.*]] = nn.concat %{{.*}}, %{{.*}} over 1 : tensor<3x3xf32>, tensor<3x3xf32>
// CHECK: ragged.levels up all %{{.*}} nodes(%[[WX]] : tensor<?x6xf32>)
// CHECK: ^bb0(%{{.*}}: !ragged.rows, %[[WL:.*]]: tensor<?x6xf32>, %{{.*}}: tensor<?x3xf32>):
// CHECK: nn.split %[[WL]] over 1 sizes [3, 3]
// CHECK: %[[P:.*]] = nn.linear %{{.*}}, %[[U]]
// CHECK: nn.split %[[P]] over 1 sizes [3, 3]
func.func @loop(%f: !ragged.forest, %x: tensor<?x4xf32>, %A: tensor<4x3xf32>, %B: tensor<4x3xf32>,
                %C: tensor<3x3xf32>, %D: tensor<3x3xf32>) -> tensor<?x3xf32> {
  %a = nn.linear %x, %A : tensor<?x4xf32>, tensor<4x3xf32>
  %b = nn.linear %x, %B : tensor<?x4xf32>, tensor<4x3xf32>
  %h = ragged.levels up all %f nodes(%a, %b : tensor<?x3xf32>, tensor<?x3xf32>)
         num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%e: !ragged.rows, %al: tensor<?x3xf32>, %bl: tensor<?x3xf32>, %hk: tensor<?x3xf32>):
    %s = ragged.reduce sum %hk, %e : tensor<?x3xf32>
    %c = nn.linear %s, %C : tensor<?x3xf32>, tensor<3x3xf32>
    %d = nn.linear %s, %D : tensor<?x3xf32>, tensor<3x3xf32>
    %ac = arith.addf %al, %c : tensor<?x3xf32>
    %bd = arith.addf %bl, %d : tensor<?x3xf32>
    %y = arith.mulf %ac, %bd : tensor<?x3xf32>
    ragged.yield %y : tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// A product without columns is no part of another.
// CHECK-LABEL: func @no_columns
// CHECK: nn.linear {{.*}}tensor<4x8xf32>
// CHECK: nn.split {{.*}} sizes [3, 5]
// CHECK: nn.linear {{.*}}tensor<4x0xf32>
func.func @no_columns(%x: tensor<?x4xf32>, %A: tensor<4x3xf32>, %B: tensor<4x0xf32>, %C: tensor<4x5xf32>)
    -> (tensor<?x3xf32>, tensor<?x0xf32>, tensor<?x5xf32>) {
  %y = nn.linear %x, %A : tensor<?x4xf32>, tensor<4x3xf32>
  %z = nn.linear %x, %B : tensor<?x4xf32>, tensor<4x0xf32>
  %u = nn.linear %x, %C : tensor<?x4xf32>, tensor<4x5xf32>
  return %y, %z, %u : tensor<?x3xf32>, tensor<?x0xf32>, tensor<?x5xf32>
}

// -----

/// One weight that is not wide: all products are one.
// CHECK-LABEL: func @one_narrow
// CHECK: %[[VW:.*]] = nn.concat %{{.*}}, %{{.*}} over 1 : tensor<4x96xf32>, tensor<4x95xf32>
// CHECK: nn.linear %{{.*}}, %[[VW]]
// CHECK-NOT: nn.linear
func.func @one_narrow(%x: tensor<?x4xf32>, %v: tensor<4x96xf32>, %w: tensor<4x95xf32>)
    -> (tensor<?x96xf32>, tensor<?x95xf32>) {
  %a = nn.linear %x, %v : tensor<?x4xf32>, tensor<4x96xf32>
  %b = nn.linear %x, %w : tensor<?x4xf32>, tensor<4x95xf32>
  return %a, %b : tensor<?x96xf32>, tensor<?x95xf32>
}
