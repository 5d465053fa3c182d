//===-- test/Ragged/Batching/ragged-batch.mlir - Contexts and rows ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-batch --split-input-file | FileCheck %s

/// One value per example gets a leading dimension; an op on parameters alone stays
/// as it is, and is broadcast only next to an op that needs as many rows.
// CHECK-LABEL: func @rows_of_examples
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[W:.*]] = nn.use @W : tensor<3x3xf32>
// CHECK: %[[W2:.*]] = arith.addf %[[W]], %[[W]] : tensor<3x3xf32>
// CHECK: %[[C:.*]] = arith.constant dense<2.0{{.*}}> : tensor<3xf32>
// CHECK: %[[Y:.*]] = nn.linear %[[X]], %[[W2]] : tensor<?x3xf32>, tensor<3x3xf32>
// CHECK: %[[B:.*]] = ragged.broadcast %[[C]], %[[N]] : tensor<3xf32> -> tensor<?x3xf32>
// CHECK: arith.mulf %[[Y]], %[[B]] : tensor<?x3xf32>
nn.param @W : tensor<3x3xf32>
func.func @rows_of_examples(%x: tensor<3xf32>) -> tensor<3xf32> {
  %W = nn.use @W : tensor<3x3xf32>
  %W2 = arith.addf %W, %W : tensor<3x3xf32>
  %c = arith.constant dense<2.0> : tensor<3xf32>
  %y = nn.linear %x, %W2 : tensor<3xf32>, tensor<3x3xf32>
  %z = arith.mulf %y, %c : tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

/// Rows stay flat; what crosses them names the partition.
// CHECK-LABEL: func @rows
// CHECK-SAME: %[[R:[a-z0-9]*]]: !ragged.rows {rt.as = #rt.rows<name = "words">
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK-SAME: %[[Q:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK: %[[S:.*]] = ragged.reduce sum %[[X]], %[[R]]
// CHECK: %[[M:.*]] = ragged.reduce mean %[[X]], %[[R]]
// CHECK: ragged.reduce max %[[X]], %[[R]]
// CHECK: %[[E:.*]] = ragged.expand %[[Q]], %[[R]] : tensor<?x3xf32>
// CHECK: %[[D:.*]] = nn.matmul %[[X]], %[[E]] batch_dims 1
// CHECK: %[[A:.*]] = ragged.softmax %[[D]], %[[R]] : tensor<?xf32>
// CHECK: %[[AB:.*]] = nn.broadcast %[[A]] dims [0] : tensor<?xf32> -> tensor<?x3xf32>
// CHECK: %[[P:.*]] = arith.mulf %[[AB]], %[[X]]
// CHECK: ragged.reduce sum %[[P]], %[[R]]
/// Over another dimension they do not.
// CHECK: nn.sum %[[X]] over 1 : tensor<?x3xf32>
// CHECK: nn.sum %[[S]] over 1 : tensor<?x3xf32>
func.func @rows(%x: tensor<?x3xf32> {cambium.name = "words"}, %q: tensor<3xf32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<?xf32>, tensor<f32>) {
  %s = nn.sum %x over 0 : tensor<?x3xf32>
  %m = nn.mean %x over 0 : tensor<?x3xf32>
  %max = nn.max %x over 0 : tensor<?x3xf32>
  %d = nn.matmul %x, %q : tensor<?x3xf32>, tensor<3xf32>
  %a = nn.softmax %d over 0 : tensor<?xf32>
  %w = nn.matmul %a, %x : tensor<?xf32>, tensor<?x3xf32>
  %per = nn.sum %x over 1 : tensor<?x3xf32>
  %all = nn.sum %s over 0 : tensor<3xf32>
  return %m, %max, %w, %per, %all
    : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<?xf32>, tensor<f32>
}

// -----

/// Numbers as well.
// CHECK-LABEL: func @numbers
// CHECK: nn.slice %{{.*}} over 1 from 1 size 2 : tensor<?x4xi32>
// CHECK: nn.slice %{{.*}} over 1 from 0 size 1 : tensor<?x4xi32>
func.func @numbers(%x: tensor<4xi32>, %r: tensor<?x4xi32>) -> (tensor<2xi32>, tensor<?x1xi32>) {
  %s = nn.slice %x over 0 from 1 size 2 : tensor<4xi32>
  %t = nn.slice %r over 1 from 0 size 1 : tensor<?x4xi32>
  return %s, %t : tensor<2xi32>, tensor<?x1xi32>
}

// -----

/// Dimensions count the leading one, unless the value holds rows.
// CHECK-LABEL: func @dimensions
// CHECK: nn.slice %{{.*}} over 1 from 0 size 1 : tensor<?x2x3xf32>
// CHECK: nn.reshape %{{.*}} : tensor<?x1x3xf32> -> tensor<?x3xf32>
// CHECK: nn.transpose %{{.*}} perm [0, 2, 1] : tensor<?x2x3xf32>
// CHECK: nn.concat %{{.*}}, %{{.*}} over 1 : tensor<?x3xf32>, tensor<?x3xf32>
// CHECK: nn.broadcast %{{.*}} dims [0, 2] : tensor<?x3xf32> -> tensor<?x2x3xf32>
func.func @dimensions(%x: tensor<2x3xf32>, %r: tensor<?x3xf32>)
    -> (tensor<3x2xf32>, tensor<2x3xf32>) {
  %s = nn.slice %x over 0 from 0 size 1 : tensor<2x3xf32>
  %f = nn.reshape %s : tensor<1x3xf32> -> tensor<3xf32>
  %t = nn.transpose %x perm [1, 0] : tensor<2x3xf32>
  %c = nn.concat %r, %r over 1 : tensor<?x3xf32>, tensor<?x3xf32>
  %b = nn.broadcast %f dims [1] : tensor<3xf32> -> tensor<2x3xf32>
  return %t, %b : tensor<3x2xf32>, tensor<2x3xf32>
}

// -----

/// A matrix that is the same for all examples stands on the right, transposed.
// CHECK-LABEL: func @products
// CHECK-SAME: %[[M:[a-z0-9]*]]: tensor<?x4x4xf32>
// CHECK-SAME: %[[V:[a-z0-9]*]]: tensor<?x4xf32>
// CHECK: %[[W:.*]] = nn.use @W
// CHECK: %[[T:.*]] = nn.transpose %[[W]] perm [1, 0] : tensor<3x4xf32>
// CHECK: nn.linear %[[V]], %[[T]] : tensor<?x4xf32>, tensor<4x3xf32>
// CHECK: nn.matmul %[[M]], %[[V]] batch_dims 1 : tensor<?x4x4xf32>, tensor<?x4xf32>
func.func @products(%M: tensor<4x4xf32>, %v: tensor<4xf32>) -> (tensor<3xf32>, tensor<4xf32>) {
  %W = nn.use @W : tensor<3x4xf32>
  %a = nn.matmul %W, %v : tensor<3x4xf32>, tensor<4xf32>
  %b = nn.matmul %M, %v : tensor<4x4xf32>, tensor<4xf32>
  return %a, %b : tensor<3xf32>, tensor<4xf32>
}
nn.param @W : tensor<3x4xf32>

// -----

/// Keys of examples, and of their rows.
// CHECK-LABEL: func @dropout
// CHECK-SAME: %[[R:[a-z0-9]*]]: !ragged.rows
// CHECK: %[[K:.*]] = ragged.example_keys
// CHECK: %[[KR:.*]] = ragged.keys %[[K]], %[[R]]
// CHECK: nn.dropout %{{.*}} rate 5.0{{.*}} keys %[[KR]] id 3
// CHECK: nn.dropout %{{.*}} rate 5.0{{.*}} keys %[[K]] id 4
func.func @dropout(%x: tensor<?x3xf32>, %y: tensor<3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>) {
  %a = nn.dropout %x rate 0.5 id 3 : tensor<?x3xf32>
  %b = nn.dropout %y rate 0.5 id 4 : tensor<3xf32>
  return %a, %b : tensor<?x3xf32>, tensor<3xf32>
}

// -----

/// The square of scalars is not a mean over the examples.
// CHECK-LABEL: func @scalar_loss
// CHECK: %[[A:.*]] = nn.reshape %{{.*}} : tensor<?xf32> -> tensor<?x1xf32>
// CHECK: %[[B:.*]] = nn.reshape %{{.*}} : tensor<?xf32> -> tensor<?x1xf32>
// CHECK: nn.mse %[[A]], %[[B]]
func.func @scalar_loss(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %l = nn.mse %x, %y : tensor<f32>, tensor<f32>
  return %l : tensor<f32>
}

// -----

/// A value that a gradient asks for is one per example, even a parameter, and kept
/// apart; a private loss is batched too, other private functions go.
// CHECK-NOT: @unused
// CHECK-LABEL: func private @loss
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: %[[B:.*]] = nn.use @b
// CHECK: %[[E:.*]] = ragged.broadcast %[[B]], %[[N]]
// CHECK: %[[W:.*]] = train.watch %[[E]] id 0 : tensor<?x3xf32>
// CHECK: %[[S:.*]] = arith.addf %{{.*}}, %[[W]]
// CHECK: %[[L:.*]] = nn.sum %[[S]] over 1
// CHECK: train.gradient %[[L]] wrt %[[W]] : tensor<?xf32>, tensor<?x3xf32>
nn.param @b : tensor<3xf32>
train.step @train loss @loss optimizer #train.optimizer<sgd>
func.func private @loss(%x: tensor<3xf32>) -> tensor<f32> {
  %b = nn.use @b : tensor<3xf32>
  %s = arith.addf %x, %b : tensor<3xf32>
  %l = nn.sum %s over 0 : tensor<3xf32>
  %g = train.gradient %l wrt %b : tensor<f32>, tensor<3xf32>
  %n = nn.sum %g over 0 : tensor<3xf32>
  return %n : tensor<f32>
}
func.func private @unused(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

/// Queries and keys of two row spaces meet example by example.
// CHECK-LABEL: func @attention
// CHECK-SAME: %[[QS:[a-z0-9]*]]: !ragged.rows
// CHECK-SAME: %[[KS:[a-z0-9]*]]: !ragged.rows
// CHECK-SAME: %[[Q:[a-z0-9]*]]: tensor<?x4xf32>
// CHECK-SAME: %[[K:[a-z0-9]*]]: tensor<?x4xf32>
// CHECK: %[[Y:.*]], %{{.*}} = ragged.attention %[[Q]], %[[K]], %[[K]], %[[QS]], %[[KS]] heads 1 scale 5.000000e-01 :
// CHECK: return %[[Y]]
func.func @attention(%q: tensor<?x4xf32>, %k: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = nn.attention %q, %k, %k heads 1 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
