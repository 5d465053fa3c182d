//===-- test/Linalg/linalg-join-pads.mlir - Sums of parts that do not meet ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --linalg-join-pads --canonicalize | FileCheck %s

// CHECK-LABEL: func @fill
// CHECK: nn.concat %arg0, %arg1, %arg0 over 1
// CHECK-NOT: arith.addf
func.func @fill(%x: tensor<?x2xf32>, %y: tensor<?x3xf32>) -> tensor<?x7xf32> {
  %a = nn.pad %x over 1 low 0 high 5 : tensor<?x2xf32>
  %b = nn.pad %y over 1 low 2 high 2 : tensor<?x3xf32>
  %c = nn.pad %x over 1 low 5 high 0 : tensor<?x2xf32>
  %ab = arith.addf %b, %a : tensor<?x7xf32>
  %abc = arith.addf %ab, %c : tensor<?x7xf32>
  return %abc : tensor<?x7xf32>
}

/// A gap is zero.
// CHECK-LABEL: func @negative_gap
// CHECK: arith.addf
func.func @negative_gap(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> tensor<?x6xf32> {
  %a = nn.pad %x over 1 low 0 high 4 : tensor<?x2xf32>
  %b = nn.pad %y over 1 low 4 high 0 : tensor<?x2xf32>
  %s = arith.addf %a, %b : tensor<?x6xf32>
  return %s : tensor<?x6xf32>
}
