//===-- test/Buffers/slices.mlir - A slice is read where the parameter stands ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --cambium-to-buffers | FileCheck %s
// RUN: cambium-opt %s --cambium-to-buffers | FileCheck --check-prefix=COPIES %s

/// Products read the memory of the parameter: forward, and transposed in the derivative.
/// The gradient of a slice is computed into that of the stack.
// CHECK-LABEL: func @fixed
// CHECK: %[[W:.*]] = rt.param @W : memref<4x6x5xf32>
// CHECK: scf.for %[[T:.*]] = %c0 to %c4
// CHECK: %[[S:.*]] = memref.subview %[[W]][%[[T]], 0, 0] [1, 6, 5] [1, 1, 1]
// CHECK: linalg.matmul ins(%{{.*}}, %[[S]] :
// CHECK-LABEL: func @stopping
// CHECK: %[[W:.*]] = rt.param @W : memref<4x6x5xf32>
// CHECK: scf.while
// CHECK: %[[S:.*]] = memref.subview %[[W]][%{{.*}}, 0, 0] [1, 6, 5] [1, 1, 1]
// CHECK: linalg.matmul ins(%{{.*}}, %[[S]] :
// CHECK-LABEL: func.func @train_fixed.accumulate
// CHECK: %[[W:.*]] = rt.param @W : memref<4x6x5xf32>
// CHECK: scf.for %[[T:.*]] = %c0 to %c4
// CHECK: %[[S:.*]] = memref.subview %[[W]][%[[T]], 0, 0] [1, 6, 5] [1, 1, 1]
// CHECK: linalg.matmul ins(%{{.*}}, %[[S]] :
// CHECK: %[[G:.*]] = rt.gradient @W : memref<4x6x5xf32>
// CHECK: scf.for
// CHECK: %[[D:.*]] = memref.subview %[[G]][%{{.*}}, 0, 0] [1, 6, 5] [1, 1, 1]
// CHECK: linalg.matmul indexing_maps = {{.*}} outs(%[[D]] :

// Nothing has the shape of a weight but views of it: a view has an offset.
// COPIES-LABEL: func @fixed
// COPIES-NOT: memref<6x5xf32>
// COPIES-NOT: memref<5x6xf32>
// COPIES-LABEL: func @stopping
// COPIES-NOT: memref<6x5xf32>
// COPIES-NOT: memref<5x6xf32>
// COPIES-LABEL: func @loss

nn.param @W : tensor<4x6x5xf32>
nn.param @V : tensor<4x5x6xf32>

func.func @fixed(%x0: tensor<?x6xf32> {cambium.name = "x"}) -> tensor<?x6xf32> {
  %W = nn.use @W : tensor<4x6x5xf32>
  %V = nn.use @V : tensor<4x5x6xf32>
  %y = depth.iterate 4 carried(%x = %x0 : tensor<?x6xf32>) slices(%w = %W : tensor<4x6x5xf32>, %v = %V : tensor<4x5x6xf32>) {
    %a = nn.linear %x, %w : tensor<?x6xf32>, tensor<6x5xf32>
    %b = math.tanh %a : tensor<?x5xf32>
    %next = nn.linear %b, %v : tensor<?x5xf32>, tensor<5x6xf32>
    depth.yield %next : tensor<?x6xf32>
  }
  return %y : tensor<?x6xf32>
}

func.func @stopping(%x0: tensor<?x6xf32> {cambium.name = "x"}) -> tensor<?x6xf32> {
  %W = nn.use @W : tensor<4x6x5xf32>
  %V = nn.use @V : tensor<4x5x6xf32>
  %y, %n = depth.iterate max 4 compact carried(%x = %x0 : tensor<?x6xf32>) slices(%w = %W : tensor<4x6x5xf32>, %v = %V : tensor<4x5x6xf32>) {
    %a = nn.linear %x, %w : tensor<?x6xf32>, tensor<6x5xf32>
    %k = math.tanh %a : tensor<?x5xf32>
    %r = nn.attention %a, %k, %k heads 1 : tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>
    %next = nn.linear %r, %v : tensor<?x5xf32>, tensor<5x6xf32>
    %s = nn.sum %r over 1 : tensor<?x5xf32>
    %t = nn.sum %next over 1 : tensor<?x6xf32>
    %go = arith.cmpf ogt, %s, %t : tensor<?xf32>
    depth.yield %go, %next : tensor<?xi1>, tensor<?x6xf32>
  }
  return %y : tensor<?x6xf32>
}

func.func @loss(%x0: tensor<?x6xf32> {cambium.name = "x"}) -> tensor<f32> {
  %y = call @fixed(%x0) : (tensor<?x6xf32>) -> tensor<?x6xf32>
  %s = nn.sum %y over 0 : tensor<?x6xf32>
  %l = nn.sum %s over 0 : tensor<6xf32>
  return %l : tensor<f32>
}
func.func @stopping_loss(%x0: tensor<?x6xf32> {cambium.name = "x"}) -> tensor<f32> {
  %y = call @stopping(%x0) : (tensor<?x6xf32>) -> tensor<?x6xf32>
  %s = nn.sum %y over 0 : tensor<?x6xf32>
  %l = nn.sum %s over 0 : tensor<6xf32>
  return %l : tensor<f32>
}
train.step @train_fixed loss @loss optimizer #train.optimizer<sgd>
train.step @train_stopping loss @stopping_loss optimizer #train.optimizer<sgd>
