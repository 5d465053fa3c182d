//===-- test/Linalg/empty-columns.mlir - Rows without elements ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --empty-rows | FileCheck %s
// RUN: printf 'v:vector=2\n1 2\n' > %t.tsv
// RUN: cambium-run train %t.so --data table --train %t.tsv --dev %t.tsv --predict loss --metric loss --lr 0.125 --epochs 2 --out %t.run --overwrite | FileCheck --check-prefix=TRAIN %s
// TRAIN: epoch 1/2 {{.*}} dev loss 4.75
// TRAIN: epoch 2/2 {{.*}} dev loss 4.5
// CHECK: equal: products.out0
// CHECK: equal: products.out1
// CHECK: equal: rows.out0
// CHECK: equal: rows.out1
// CHECK: equal: children.out0
// CHECK: equal: parts.out0
// CHECK: equal: parts.out1
// CHECK: equal: parts.out2

/// Weights of each example: one product of the rows has no columns.
func.func @products(%x: tensor<?x3xf32> {cambium.name = "x"}, %w: tensor<3x4xf32> {cambium.name = "w"},
                    %v: tensor<3x0xf32> {cambium.name = "v"}) -> (tensor<?x4xf32>, tensor<?x0xf32>) {
  %a = nn.linear %x, %w : tensor<?x3xf32>, tensor<3x4xf32>
  %b = nn.linear %x, %v : tensor<?x3xf32>, tensor<3x0xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x0xf32>
}

/// Rows without elements are added up, and appended to others.
func.func @rows(%x: tensor<?x0xf32> {cambium.name = "x"}, %y: tensor<0xf32> {cambium.name = "y"})
    -> (tensor<0xf32>, tensor<?xf32>) {
  %s = nn.sum %x over 0 : tensor<?x0xf32>
  %t = arith.addf %s, %y : tensor<0xf32>
  %r = nn.sum %x over 1 : tensor<?x0xf32>
  return %t, %r : tensor<0xf32>, tensor<?xf32>
}

/// A state of nodes without elements.
func.func @children(%tree: !tree.tree {cambium.name = "t"}, %xs: tensor<?x0xf32> {cambium.name = "xs"})
    -> tensor<?x0xf32> {
  %h = tree.fold %tree nodes(%x = %xs : tensor<0xf32>)
                 children(%hk : tensor<?x0xf32>) -> (tensor<0xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x0xf32>
    %d = arith.addf %x, %s : tensor<0xf32>
    tree.yield %d : tensor<0xf32>
  }
  return %h : tensor<?x0xf32>
}

/// Parts without elements, between others and alone; padding of nothing.
func.func @parts(%x: tensor<?x0xf32> {cambium.name = "x", cambium.rows = "x"}, %y: tensor<?x2xf32> {cambium.name = "y", cambium.rows = "x"},
                 %z: tensor<0xf32> {cambium.name = "z"}) -> (tensor<?x4xf32>, tensor<?x0xf32>, tensor<3xf32>) {
  %a = nn.concat %x, %y, %x, %y over 1 : tensor<?x0xf32>, tensor<?x2xf32>, tensor<?x0xf32>, tensor<?x2xf32>
  %b = nn.concat %x, %x over 1 : tensor<?x0xf32>, tensor<?x0xf32>
  %c = nn.pad %z over 0 low 1 high 2 : tensor<0xf32>
  return %a, %b, %c : tensor<?x4xf32>, tensor<?x0xf32>, tensor<3xf32>
}

/// What has no elements has no gradient; what stands beside it has.
nn.param @nothing : tensor<0xf32>
nn.param @w : tensor<2xf32> init #nn.init<constant(1.0)>
func.func @loss(%x: tensor<2xf32> {cambium.name = "v"}) -> tensor<f32> {
  %n = nn.use @nothing : tensor<0xf32>
  %w = nn.use @w : tensor<2xf32>
  %a = nn.concat %n, %x, %n, %w over 0 : tensor<0xf32>, tensor<2xf32>, tensor<0xf32>, tensor<2xf32>
  %b = nn.concat %n, %n over 0 : tensor<0xf32>, tensor<0xf32>
  %p = nn.pad %b over 0 low 1 high 3 : tensor<0xf32>
  %c = arith.addf %a, %p : tensor<4xf32>
  %l = nn.sum %c over 0 : tensor<4xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
