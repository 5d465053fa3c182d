//===-- test/NN/Transforms/negative_nn-merge-products.mlir - What stays ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --nn-merge-products --split-input-file | FileCheck %s
// RUN: cambium-opt %s --nn-merge-products --split-input-file --remarks-filter=nn-merge-products -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// Other left operands.
// CHECK-LABEL: func @others
// CHECK-NOT: nn.concat
func.func @others(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %W: tensor<4x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %a = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x3xf32>
  %b = nn.linear %y, %W : tensor<?x4xf32>, tensor<4x3xf32>
  return %a, %b : tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

/// A weight that depends on the first product.
// REMARK: [Missed]{{.*}}Reason="its weight is not known before the first one"
// CHECK-LABEL: func @dependent
// CHECK-NOT: nn.concat
func.func @dependent(%x: tensor<3x3xf32>, %W: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %a = nn.linear %x, %W : tensor<3x3xf32>, tensor<3x3xf32>
  %b = nn.linear %x, %a : tensor<3x3xf32>, tensor<3x3xf32>
  return %b : tensor<3x3xf32>
}

// -----

/// Weights that are all wide are read where they are.
// REMARK: [Missed]{{.*}}Reason="every weight has at least 96 columns"
// CHECK-LABEL: func @wide
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x4xf32>, %[[V:[a-z0-9]*]]: tensor<4x96xf32>, %[[W:[a-z0-9]*]]: tensor<4x128xf32>
// CHECK-NOT: nn.concat
// CHECK: nn.linear %[[X]], %[[V]]
// CHECK: nn.linear %[[X]], %[[W]]
func.func @wide(%x: tensor<?x4xf32>, %v: tensor<4x96xf32>, %w: tensor<4x128xf32>)
    -> (tensor<?x96xf32>, tensor<?x128xf32>) {
  %a = nn.linear %x, %v : tensor<?x4xf32>, tensor<4x96xf32>
  %b = nn.linear %x, %w : tensor<?x4xf32>, tensor<4x128xf32>
  return %a, %b : tensor<?x96xf32>, tensor<?x128xf32>
}
