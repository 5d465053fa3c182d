//===-- test/NN/ToLinalg/no-elements.mlir - Dimensions of size 0 ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=1 | FileCheck %s
// CHECK-DAG: equal: columns.out0
// CHECK-DAG: equal: mean.out0
// CHECK-DAG: equal: max.out0
// CHECK-DAG: equal: softmax.out0

func.func @columns(%x: tensor<?x0xf32> {cambium.name = "x"}) -> tensor<?xf32> {
  %y = nn.sum %x over 1 : tensor<?x0xf32>
  return %y : tensor<?xf32>
}
func.func @mean(%x: tensor<0xf32> {cambium.name = "x"}) -> tensor<f32> {
  %y = nn.mean %x over 0 : tensor<0xf32>
  return %y : tensor<f32>
}
/// The greatest of no elements is 0, as of no rows.
func.func @max(%x: tensor<0x3xf32> {cambium.name = "x"}) -> tensor<3xf32> {
  %y = nn.max %x over 0 : tensor<0x3xf32>
  return %y : tensor<3xf32>
}
func.func @softmax(%x: tensor<?x0xf32> {cambium.name = "x"}) -> tensor<?x0xf32> {
  %y = nn.softmax %x over 1 : tensor<?x0xf32>
  return %y : tensor<?x0xf32>
}
