//===-- test/Ragged/Transforms/concurrent-keep-rows.mlir - Calls that share a table ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-compile %s -o %t.each.so
// RUN: cambium-compile %s --keep-rows=1 -o %t.kept.so
// RUN: python3 %S/Inputs/keep_rows.py %build/runtime/libcambium_runtime.so %t.each.so %t.kept.so | FileCheck %s

/// Four sessions at once, 14 calls each with the same words, in four rounds between
/// which a parameter changes.
// CHECK: 224 calls with the same bits, 0 others
nn.param @E : tensor<500x64xf32> init #nn.init<uniform(-1.0, 1.0)>
nn.param @W : tensor<64x66xf32> init #nn.init<uniform(-1.0, 1.0)>
nn.param @b : tensor<66xf32>

func.func @many(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x66xf32> {
  %E = nn.use @E : tensor<500x64xf32>
  %W = nn.use @W : tensor<64x66xf32>
  %b = nn.use @b : tensor<66xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<500x64xf32>
  %y = nn.linear %x, %W, %b : tensor<?x64xf32>, tensor<64x66xf32>, tensor<66xf32>
  %z = math.tanh %y : tensor<?x66xf32>
  return %z : tensor<?x66xf32>
}
