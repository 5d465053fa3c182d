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

// -----

/// What grows, without a new row.
func.func @same(%b: tensor<i32>) -> tensor<2xf32> {
  %T = arith.constant dense<0.0> : tensor<9x9xf32>
  // [DEPTH-SEARCH-C12]
  // expected-error @below {{'depth.search' op expected 'depth.append' of what grows, number 0, to be yielded for it}}
  // expected-note @below {{this is yielded}}
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %b grows(%g : tensor<?x?x9xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p, %g : tensor<?x9xf32>, tensor<?x?x9xf32>
  }
  return %s : tensor<2xf32>
}

// -----

/// That of the other one.
func.func @swapped(%b: tensor<i32>) -> tensor<2xf32> {
  %T = arith.constant dense<0.0> : tensor<9x9xf32>
  // [DEPTH-SEARCH-C12]
  // expected-error @below {{expected 'depth.append' of what grows, number 0, to be yielded for it}}
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %b grows(%g : tensor<?x?x9xf32>, %h : tensor<?x?x9xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    %g1 = depth.append %g, %p : tensor<?x?x9xf32>, tensor<?x9xf32>
    // expected-note @below {{this is yielded}}
    %h1 = depth.append %h, %p : tensor<?x?x9xf32>, tensor<?x9xf32>
    depth.yield %p, %h1, %g1 : tensor<?x9xf32>, tensor<?x?x9xf32>, tensor<?x?x9xf32>
  }
  return %s : tensor<2xf32>
}

// -----

/// Two more rows.
func.func @twice(%b: tensor<i32>) -> tensor<2xf32> {
  %T = arith.constant dense<0.0> : tensor<9x9xf32>
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %b grows(%g : tensor<?x?x9xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    %g1 = depth.append %g, %p : tensor<?x?x9xf32>, tensor<?x9xf32>
    // [DEPTH-APPEND-C2]
    // expected-error @below {{'depth.append' op expected to stand in the region of a search, and rows that grow in it}}
    %g2 = depth.append %g1, %p : tensor<?x?x9xf32>, tensor<?x9xf32>
    depth.yield %p, %g2 : tensor<?x9xf32>, tensor<?x?x9xf32>
  }
  return %s : tensor<2xf32>
}

// -----

/// In a loop in the region.
func.func @in_loop(%b: tensor<i32>) -> tensor<2xf32> {
  %T = arith.constant dense<0.0> : tensor<9x9xf32>
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %b grows(%g : tensor<?x?x9xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    %q = depth.iterate 2 carried(%x = %p : tensor<?x9xf32>) {
      // [DEPTH-APPEND-C2]
      // expected-error @below {{'depth.append' op expected to stand in the region of a search, and rows that grow in it}}
      %g2 = depth.append %g, %x : tensor<?x?x9xf32>, tensor<?x9xf32>
      depth.yield %x : tensor<?x9xf32>
    }
    %g1 = depth.append %g, %p : tensor<?x?x9xf32>, tensor<?x9xf32>
    depth.yield %q, %g1 : tensor<?x9xf32>, tensor<?x?x9xf32>
  }
  return %s : tensor<2xf32>
}

// -----

/// Rows of an argument.
func.func @of_argument(%x: tensor<?x?x9xf32> {cambium.rows = "x"}, %y: tensor<?x9xf32> {cambium.rows = "x"}) -> tensor<?x9xf32> {
  // [DEPTH-APPEND-C2]
  // expected-error @below {{'depth.append' op expected to stand in the region of a search, and rows that grow in it}}
  %z = depth.append %x, %y : tensor<?x?x9xf32>, tensor<?x9xf32>
  return %y : tensor<?x9xf32>
}

// -----

/// A row of other rows.
// expected-note @below {{the rows 'source' of argument 0 come from here}}
func.func @other_row(%x: tensor<?x9xf32> {cambium.rows = "source"}, %b: tensor<i32>) -> tensor<2xf32> {
  %T = arith.constant dense<0.0> : tensor<9x9xf32>
  // expected-note @below {{the hypotheses of a search come from here}}
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %b grows(%g : tensor<?x?x9xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    // [DEPTH-APPEND-C3]
    // expected-error @below {{'depth.append' op expected rows of one space, but got the hypotheses of a search and the rows 'source' of argument 0}}
    %g1 = depth.append %g, %x : tensor<?x?x9xf32>, tensor<?x9xf32>
    depth.yield %p, %g1 : tensor<?x9xf32>, tensor<?x?x9xf32>
  }
  return %s : tensor<2xf32>
}

// -----

/// Queries with keys of their own in a loop whose rows stop.
func.func @stopping(%b: tensor<i32>) -> tensor<2xf32> {
  %T = arith.constant dense<0.0> : tensor<9x9xf32>
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %b grows(%g : tensor<?x?x9xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    %g1 = depth.append %g, %p : tensor<?x?x9xf32>, tensor<?x9xf32>
    %q, %t = depth.iterate max 2 carried(%x = %p : tensor<?x9xf32>) {
      // [NN-ATTENTION-C13]
      // expected-error @below {{'nn.attention' op expected queries with keys of their own to stand outside of loops whose rows stop}}
      %y = nn.attention %x, %g1, %g1 heads 1 : tensor<?x9xf32>, tensor<?x?x9xf32>, tensor<?x?x9xf32>
      %sum = nn.sum %y over 1 : tensor<?x9xf32>
      %go = arith.cmpf ogt, %sum, %sum : tensor<?xf32>
      depth.yield %go, %y : tensor<?xi1>, tensor<?x9xf32>
    }
    depth.yield %q, %g1 : tensor<?x9xf32>, tensor<?x?x9xf32>
  }
  return %s : tensor<2xf32>
}
