//===-- test/Ragged/Batching/search-errors.mlir - Searches that cannot be batched ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-batch --split-input-file --verify-diagnostics

/// Rows of the source where those of hypotheses are.
// expected-note @below {{the rows 'source' of argument 0 come from here}}
func.func @other_rows(%x: tensor<?x9xf32> {cambium.rows = "source"}, %b: tensor<i32>) -> tensor<2xf32> {
  // [DEPTH-SEARCH-C10]
  // expected-error @below {{'depth.search' op expected rows of one space, but got the hypotheses of a search and the rows 'source' of argument 0}}
  // expected-note @below {{the hypotheses of a search come from here}}
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %b next(%last : tensor<?xi32>) {
    depth.yield %x : tensor<?x9xf32>
  }
  return %s : tensor<2xf32>
}

// -----

/// A sum of both.
// expected-note @below {{the rows of argument 0 come from here}}
func.func @mixed(%x: tensor<?x9xf32>, %b: tensor<i32>, %h0: tensor<9xf32>) -> tensor<2xf32> {
  // expected-note @below {{the hypotheses of a search come from here}}
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %b carried(%h = %h0 : tensor<9xf32>) next(%last : tensor<?xi32>) {
    // expected-error @below {{'arith.addf' op expected rows of one space, but got the rows of argument 0 and the hypotheses of a search}}
    %p = arith.addf %x, %h : tensor<?x9xf32>
    depth.yield %p, %h : tensor<?x9xf32>, tensor<?x9xf32>
  }
  return %s : tensor<2xf32>
}

// -----

/// Hypotheses of two searches.
func.func @two(%b: tensor<i32>, %h0: tensor<9xf32>) -> tensor<2xf32> {
  // expected-note @below {{the hypotheses of a search come from here}}
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %b carried(%h = %h0 : tensor<9xf32>) next(%last : tensor<?xi32>) {
    // expected-note @below {{the hypotheses of a search come from here}}
    %v, %m, %t = depth.search beam 2 max 3 begin %b end %b carried(%g = %h0 : tensor<9xf32>) next(%inner : tensor<?xi32>) {
      // expected-error @below {{'arith.addf' op expected rows of one space, but got the hypotheses of a search and the hypotheses of a search}}
      %p = arith.addf %g, %h : tensor<?x9xf32>
      depth.yield %p, %g : tensor<?x9xf32>, tensor<?x9xf32>
    }
    depth.yield %h, %h : tensor<?x9xf32>, tensor<?x9xf32>
  }
  return %s : tensor<2xf32>
}
