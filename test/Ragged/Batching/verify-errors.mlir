//===-- test/Ragged/Batching/verify-errors.mlir - The contract of phase batched ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-verify-batched --split-input-file --verify-diagnostics

// expected-error @below {{expected argument 0 to say by 'rt.as' what it is}}
func.func @not_batched(%x: tensor<3xf32>) {
  return
}

// -----

// expected-error @below {{expected result 0 to say by 'rt.as' what it is}}
func.func @no_role(%x: tensor<?x3xf32> {rt.as = #rt.input<name = "x">}) -> tensor<?x3xf32> {
  return %x : tensor<?x3xf32>
}

// -----

func.func @tree_left(%r: !ragged.rows {rt.as = #rt.rows<name = "x">},
                     %x: tensor<?x3xf32> {rt.as = #rt.input<name = "x", space = 0>}) {
  // expected-error @below {{expected no 'tree' or 'depth' operation and no call in phase 'batched'}}
  %t = tree.chain %x : tensor<?x3xf32>
  return
}

// -----

func.func @call_left() {
  // expected-error @below {{expected no 'tree' or 'depth' operation and no call in phase 'batched'}}
  func.call @call_left() : () -> ()
  return
}
