//===-- test/NN/IR/invalid-operands.mlir - Operands that are no tensors ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --verify-diagnostics

/// [NN-OPERAND-C1]: types are inferred before operands are verified. Found by fuzzing.
func.func @scalar(%x: tensor<?x3xf32>, %W: f32) {
  // expected-error @below {{'nn.linear' op expected operand #1 to be a ranked tensor, but got 'f32'}}
  %0 = nn.linear %x, %W : tensor<?x3xf32>, f32
  return
}

// -----

func.func @unranked(%ids: tensor<*xi32>, %E: tensor<5x2xf32>) {
  // expected-error @below {{'nn.embed' op expected operand #0 to be a ranked tensor, but got 'tensor<*xi32>'}}
  %0 = nn.embed %ids, %E : tensor<*xi32>, tensor<5x2xf32>
  return
}
