//===-- test/NN/Transforms/nn-instantiate-modules.mlir - Modules ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --nn-instantiate-modules --split-input-file | FileCheck %s

/// The name is the path of scopes; the same scope is the same parameter.
// CHECK-LABEL: module
// CHECK: nn.param @E : tensor<9x4xf32> init
// CHECK-NEXT: nn.param @left.W : tensor<4x4xf32>
// CHECK-NEXT: nn.param @right.W : tensor<4x4xf32>
// CHECK-NEXT: nn.param @W : tensor<4x4xf32>
// CHECK-NOT: @cell
// CHECK: func.func @predict
// CHECK-DAG: %[[LEFT:.*]] = nn.use @left.W
// CHECK-DAG: %[[RIGHT:.*]] = nn.use @right.W
// CHECK-DAG: %[[OWN:.*]] = nn.use @W
// CHECK: %[[A:.*]] = nn.linear %arg0, %[[LEFT]]
// CHECK: %[[B:.*]] = nn.linear %[[A]], %[[LEFT]]
// CHECK: %[[C:.*]] = nn.linear %[[B]], %[[RIGHT]]
// CHECK: %[[D:.*]] = nn.linear %[[C]], %[[OWN]]
// CHECK: return %[[D]]
/// A function of the surface that is called has the caller's parameters.
// CHECK: func.func @loss
// CHECK-DAG: nn.use @left.W
// CHECK-NOT: call
nn.param @E : tensor<9x4xf32> init #nn.init<normal(0.0, 1.0)>
func.func private @cell(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %W = nn.param "W" : tensor<4x4xf32>
  %y = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x4xf32>
  return %y : tensor<?x4xf32>
}
func.func @predict(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %a = nn.call @cell(%x) in "left" : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = nn.call @cell(%a) in "left" : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = nn.call @cell(%b) in "right" : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %d = nn.call @cell(%c) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %d : tensor<?x4xf32>
}
func.func @loss(%x: tensor<?x4xf32>) -> tensor<f32> {
  %y = nn.call @predict(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = nn.sum %y over 1 : tensor<?x4xf32>
  %l = nn.sum %s over 0 : tensor<?xf32>
  return %l : tensor<f32>
}

// -----

/// Stacked in a stacked loop: a leading dimension for each. Tied: none.
// CHECK: nn.param @outer.W : tensor<2x4x4xf32> slices 1
// CHECK: nn.param @outer.inner.W : tensor<2x3x4x4xf32> slices 2
// CHECK: nn.param @outer.same.W : tensor<2x4x4xf32> slices 1
// CHECK: depth.iterate 2 carried(%{{.*}} slices(%[[O:.*]] = %{{.*}} : tensor<2x4x4xf32>, %[[I:.*]] = %{{.*}} : tensor<2x3x4x4xf32>, %[[S:.*]] = %{{.*}} : tensor<2x4x4xf32>)
// CHECK: nn.linear %{{.*}}, %[[O]]
// CHECK: depth.iterate 3 carried(%{{.*}} slices(%[[J:.*]] = %[[I]] : tensor<3x4x4xf32>)
// CHECK: nn.linear %{{.*}}, %[[J]]
// CHECK: depth.iterate 5 carried(
// CHECK-NOT: slices
// CHECK: nn.linear %{{.*}}, %[[S]]
func.func private @cell(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %W = nn.param "W" : tensor<4x4xf32>
  %y = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x4xf32>
  return %y : tensor<?x4xf32>
}
func.func @predict(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = depth.iterate 2 stacked "outer" carried(%s = %x : tensor<?x4xf32>) {
    %a = nn.call @cell(%s) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %b = depth.iterate 3 stacked "inner" carried(%t = %a : tensor<?x4xf32>) {
      %c = nn.call @cell(%t) : (tensor<?x4xf32>) -> tensor<?x4xf32>
      depth.yield %c : tensor<?x4xf32>
    }
    %d = depth.iterate 5 tied "same" carried(%t = %b : tensor<?x4xf32>) {
      %c = nn.call @cell(%t) : (tensor<?x4xf32>) -> tensor<?x4xf32>
      depth.yield %c : tensor<?x4xf32>
    }
    depth.yield %d : tensor<?x4xf32>
  }
  return %y : tensor<?x4xf32>
}

// -----

/// In the cell of a node: the use stands outside of it.
// CHECK-LABEL: func.func @fold
// CHECK-NEXT: %[[U:.*]] = nn.use @U
// CHECK: tree.fold
// CHECK: nn.linear %{{.*}}, %[[U]]
func.func @fold(%tree: !tree.tree, %xs: tensor<?x4xf32>) -> tensor<4xf32> {
  %h = tree.fold %tree nodes(%x = %xs : tensor<4xf32>) children(%hk : tensor<?x4xf32>) -> (tensor<4xf32>) {
    %U = nn.param "U" : tensor<4x4xf32>
    %s = nn.sum %hk over 0 : tensor<?x4xf32>
    %y = nn.linear %s, %U : tensor<4xf32>, tensor<4x4xf32>
    %z = arith.addf %x, %y : tensor<4xf32>
    tree.yield %z : tensor<4xf32>
  }
  %r = tree.root %tree, %h : tensor<?x4xf32>
  return %r : tensor<4xf32>
}

// -----

/// Other sizes at a call, solved from its types and from what it gives.
// CHECK: nn.param @a.W : tensor<4x12xf32>
// CHECK: nn.param @b.W : tensor<10x30xf32>
// CHECK: func.func @predict
// CHECK: nn.split %{{.*}} over 1 sizes [4, 4, 4] : tensor<?x12xf32>
// CHECK: nn.attention %{{.*}} heads 1 :
// CHECK: nn.split %{{.*}} over 1 sizes [10, 10, 10] : tensor<?x30xf32>
// CHECK: nn.attention %{{.*}} heads 5 :
nn.sizes {width = 64, three = 3 * width}
#heads = #nn.given<"number" = 1>
func.func private @attend(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %W = nn.param "W" : tensor<64x192xf32>
  %p = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x192xf32>
  %q, %k, %v = nn.split %p over 1 sizes [64, 64, 64] : tensor<?x192xf32>
  %y = nn.attention %q, %k, %v heads #heads : tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
func.func @predict(%x: tensor<?x4xf32>, %z: tensor<?x10xf32>) -> (tensor<?x4xf32>, tensor<?x10xf32>) {
  %a = nn.call @attend(%x) in "a" : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = nn.call @attend(%z) in "b" with {number = 5} : (tensor<?x10xf32>) -> tensor<?x10xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x10xf32>
}

// -----

/// A number that a call gives is passed on.
// CHECK: func.func @predict
// CHECK: nn.attention {{.*}} heads 2 :
// CHECK: nn.attention {{.*}} heads 4 :
#heads = #nn.given<"heads" = 2>
func.func private @attend(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = nn.attention %x, %x, %x heads (#nn.given<"number" = 1>) : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
func.func private @layer(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = nn.call @attend(%x) with {number = #heads} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
func.func @predict(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = nn.call @layer(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %z = nn.call @layer(%y) with {heads = 4} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}

// -----

/// What a call gives holds below it: numbers, initializers, sizes that no type says. An inner call
/// decides; what it does not name is passed over.
// CHECK: nn.param @a.W : tensor<4x6xf32> init <orthogonal
// CHECK: nn.param @b.W : tensor<4x6xf32> init <xavier_uniform
// CHECK: nn.param @c.W : tensor<4x5xf32> init <xavier_normal
// CHECK: func.func @predict
// CHECK: nn.dropout {{.*}} rate 5.000000e-01
// CHECK: nn.dropout {{.*}} rate 2.500000e-01
// CHECK: nn.dropout {{.*}} rate 2.500000e-01
nn.sizes {width = 3, inner = 5}
func.func private @inner(%x: tensor<3xf32>) -> tensor<3xf32> {
  %W = nn.param "W" : tensor<3x5xf32> init #nn.given<"init" = #nn.init<xavier_normal>>
  %y = nn.linear %x, %W : tensor<3xf32>, tensor<3x5xf32>
  %d = nn.dropout %y rate (#nn.given<"rate" = 0.25>) : tensor<5xf32>
  %s = nn.sum %d over 0 : tensor<5xf32>
  %z = nn.broadcast %s dims [] : tensor<f32> -> tensor<3xf32>
  return %z : tensor<3xf32>
}
func.func private @outer(%x: tensor<3xf32>) -> tensor<3xf32> {
  %a = nn.call @inner(%x) in "a" with {rate = 0.5} : (tensor<3xf32>) -> tensor<3xf32>
  %b = nn.call @inner(%a) in "b" with {init = #nn.init<xavier_uniform>} : (tensor<3xf32>) -> tensor<3xf32>
  return %b : tensor<3xf32>
}
func.func @predict(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.call @outer(%x) with {inner = 6, rate = 0.25, init = #nn.init<orthogonal>} : (tensor<4xf32>) -> tensor<4xf32>
  %z = nn.call @inner(%y) in "c" : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

/// A call gives a group to the parameters below it that name none; an inner call decides.
// CHECK: nn.param @a.W : tensor<3xf32> group "slow"
// CHECK: nn.param @a.inner.W : tensor<3xf32> group "fast"
// CHECK: nn.param @a.own : tensor<3xf32> group "own"
// CHECK: nn.param @b.W : tensor<3xf32>{{$}}
func.func private @cell(%x: tensor<3xf32>) -> tensor<3xf32> {
  %W = nn.param "W" : tensor<3xf32>
  %y = arith.addf %x, %W : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func private @cells(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = nn.call @cell(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %z = nn.call @cell(%y) in "inner" with {group = "fast"} : (tensor<3xf32>) -> tensor<3xf32>
  %V = nn.param "own" : tensor<3xf32> group "own"
  %w = arith.addf %z, %V : tensor<3xf32>
  return %w : tensor<3xf32>
}
func.func @groups(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = nn.call @cells(%x) in "a" with {group = "slow"} : (tensor<3xf32>) -> tensor<3xf32>
  %z = nn.call @cell(%y) in "b" : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}
