//===-- test/Ragged/Batching/ragged-verify-input.mlir - The contract of phase input ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-verify-input --split-input-file --verify-diagnostics

/// The check needs no batching: it runs on any function.
// expected-note @below {{the rows 'words' of argument 0 come from here}}
// expected-note @below {{the rows 'labels' of argument 1 come from here}}
func.func private @mixed(%x: tensor<?x3xf32> {cambium.rows = "words"}, %y: tensor<?x3xf32> {cambium.rows = "labels"}) -> tensor<?x3xf32> {
  // expected-error @below {{'arith.addf' op expected rows of one space, but got the rows 'words' of argument 0 and the rows 'labels' of argument 1}}
  %z = arith.addf %x, %y : tensor<?x3xf32>
  return %z : tensor<?x3xf32>
}

// -----

/// Rows of one name, and rows that join by use alone, may meet.
func.func @agree(%x: tensor<?x3xf32> {cambium.rows = "words"}, %y: tensor<?x3xf32> {cambium.rows = "words"}, %z: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %a = arith.addf %x, %y : tensor<?x3xf32>
  %b = arith.addf %a, %z : tensor<?x3xf32>
  return %b : tensor<?x3xf32>
}
