//===-- test/Ragged/Batching/verify-errors.mlir - The contract of phase batched ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-verify-batched --split-input-file --verify-diagnostics

// expected-error @below {{expected a batched function, with 'ragged.spaces', in phase 'batched'}}
func.func @not_batched(%x: tensor<3xf32>) {
  return
}

// -----

// expected-error @below {{expected argument 0 to have the attributes 'ragged.kind', 'ragged.name' and 'ragged.space'}}
func.func @no_kind(%x: tensor<?x3xf32>) attributes {ragged.spaces = []} {
  return
}

// -----

func.func @tree_left(%x: tensor<?x3xf32> {ragged.kind = "input", ragged.name = "x",
                                          ragged.space = 0 : i64})
    attributes {ragged.spaces = [{name = "x", of = "rows"}]} {
  // expected-error @below {{expected no 'tree' or 'depth' operation and no call in phase 'batched'}}
  %t = tree.chain %x : tensor<?x3xf32>
  return
}

// -----

func.func @call_left() attributes {ragged.spaces = []} {
  // expected-error @below {{expected no 'tree' or 'depth' operation and no call in phase 'batched'}}
  func.call @call_left() : () -> ()
  return
}
