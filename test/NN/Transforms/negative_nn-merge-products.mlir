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
