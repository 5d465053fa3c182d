//===-- test/Ragged/Batching/cambium-to-batched.mlir - The whole phase ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --cambium-to-batched | FileCheck %s
// RUN: cambium-opt %s --cambium-to-batched --remarks-filter='.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// The whole phase on a cell with gates: ids are permuted instead of embeddings, leaves
/// have a cell of their own, `W x` is one product over all inner nodes with all gates,
/// and so is `U h` in the loop; the state goes to the root in level order.
// CHECK-LABEL: func @encode
// CHECK-SAME: %[[F:[a-z0-9]*]]: !ragged.forest
// CHECK-SAME: %[[WORDS:[a-z0-9]*]]: tensor<?xi32>
// CHECK: %[[IDS:.*]] = ragged.permute %[[WORDS]], %[[F]] nodes_to_levels : tensor<?xi32>
// CHECK: %[[LEAF_IDS:.*]] = ragged.part %[[IDS]], %[[F]] leaves
// CHECK: %[[LEAVES:.*]] = nn.embed %[[LEAF_IDS]]
// CHECK: nn.linear %[[LEAVES]], %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<4x6xf32>, tensor<6xf32>
// CHECK: %[[INNER_IDS:.*]] = ragged.part %[[IDS]], %[[F]] inner
// CHECK: %[[INNER:.*]] = nn.embed %[[INNER_IDS]]
// CHECK: %[[WX:.*]] = nn.linear %[[INNER]], %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<4x6xf32>, tensor<6xf32>
// CHECK: %[[U:.*]] = nn.concat %{{.*}}, %{{.*}} over 1 : tensor<3x3xf32>, tensor<3x3xf32>
// CHECK: ragged.levels up inner %[[F]] nodes(%[[WX]] : tensor<?x6xf32>)
// CHECK: nn.split %{{.*}} over 1 sizes [3, 3]
// CHECK: nn.linear %{{.*}}, %[[U]] : tensor<?x3xf32>, tensor<3x6xf32>
// CHECK-NOT: nn.linear
// CHECK: ragged.yield
// CHECK: ragged.gather

// REMARK-DAG: tree-specialize-leaves{{.*}}OpsOfCell={{[0-9]+}}, OpsOfLeaf=
// REMARK-DAG: ragged-sink-permutes{{.*}}BytesPerRowAfter=4, BytesPerRowBefore=16
// REMARK-DAG: [Passed] ragged-hoist{{.*}}HoistedOps=2, HoistedProducts=2
// REMARK-DAG: [Missed] ragged-hoist{{.*}}Products=2, Reason="they depend on states of other nodes"
// REMARK-DAG: nn-merge-products{{.*}}Columns=6, Products=2
nn.param @E : tensor<10x4xf32>
nn.param @Wi : tensor<4x3xf32>
nn.param @Wu : tensor<4x3xf32>
nn.param @Ui : tensor<3x3xf32>
nn.param @Uu : tensor<3x3xf32>
nn.param @b : tensor<3xf32>
func.func private @gate(%x: tensor<4xf32>, %h: tensor<3xf32>, %W: tensor<4x3xf32>,
                        %U: tensor<3x3xf32>) -> tensor<3xf32> {
  %b = nn.use @b : tensor<3xf32>
  %wx = nn.linear %x, %W, %b : tensor<4xf32>, tensor<4x3xf32>, tensor<3xf32>
  %uh = nn.linear %h, %U : tensor<3xf32>, tensor<3x3xf32>
  %s = arith.addf %wx, %uh : tensor<3xf32>
  return %s : tensor<3xf32>
}
func.func @encode(%tree: !tree.tree, %words: tensor<?xi32>) -> tensor<3xf32> {
  %E = nn.use @E : tensor<10x4xf32>
  %Wi = nn.use @Wi : tensor<4x3xf32>
  %Wu = nn.use @Wu : tensor<4x3xf32>
  %Ui = nn.use @Ui : tensor<3x3xf32>
  %Uu = nn.use @Uu : tensor<3x3xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<10x4xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<4xf32>) children(%hk : tensor<?x3xf32>)
       -> (tensor<3xf32>) {
    %hs = nn.sum %hk over 0 : tensor<?x3xf32>
    %i0 = func.call @gate(%xj, %hs, %Wi, %Ui)
      : (tensor<4xf32>, tensor<3xf32>, tensor<4x3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
    %u0 = func.call @gate(%xj, %hs, %Wu, %Uu)
      : (tensor<4xf32>, tensor<3xf32>, tensor<4x3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
    %i = nn.sigmoid %i0 : tensor<3xf32>
    %u = math.tanh %u0 : tensor<3xf32>
    %y = arith.mulf %i, %u : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  %r = tree.root %tree, %h : tensor<?x3xf32>
  return %r : tensor<3xf32>
}
