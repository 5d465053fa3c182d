//===-- test/Ragged/Batching/computed-ids.mlir - Ids that nobody has checked -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-compile %s --compile-to=batched -o - | FileCheck %s
// RUN: %limit cambium-compile %s -o %t.so
// RUN: %limit cambium-run inspect %t.so | FileCheck --check-prefix=MANIFEST %s

nn.param @E : tensor<11x4xf32> init #nn.init<normal(0.0, 0.7)>

// The host checks the ids of an input, also where a cell reads them.
// CHECK-LABEL: @input
// CHECK-SAME: limit = 11
// CHECK-NOT: arith.maxsi
func.func @input(%tree: !tree.tree {cambium.name = "tree"}, %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x4xf32> {
  %E = nn.use @E : tensor<11x4xf32>
  %h = tree.fold %tree nodes(%w = %words : tensor<i32>) children(%hk : tensor<?x4xf32>) -> (tensor<4xf32>) {
    %x = nn.embed %w, %E : tensor<i32>, tensor<11x4xf32>
    tree.yield %x : tensor<4xf32>
  }
  return %h : tensor<?x4xf32>
}

// Those that are computed are brought into the table, where they are read only.
// CHECK-LABEL: @computed
// MANIFEST: computed
func.func @computed(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x4xf32>, tensor<?xi32>) {
  %E = nn.use @E : tensor<11x4xf32>
  // CHECK: %[[IDS:.+]] = arith.addi
  %w = arith.addi %words, %words : tensor<?xi32>
  // CHECK: %[[LOW:.+]] = arith.maxsi %[[IDS]], %{{.*}} : tensor<?xi32>
  // CHECK: %[[HIGH:.+]] = arith.minsi %[[LOW]], %{{.*}} : tensor<?xi32>
  // CHECK: nn.embed %[[HIGH]]
  %x = nn.embed %w, %E : tensor<?xi32>, tensor<11x4xf32>
  // CHECK: return %{{.*}}, %[[IDS]]
  return %x, %w : tensor<?x4xf32>, tensor<?xi32>
}
