//===-- test/Depth/Interpret/grown-errors.mlir - Rows that do not grow by one ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: not cambium-interpret %s %S/Inputs/grown-errors.json --function=same 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not cambium-interpret %s %S/Inputs/grown-errors.json --function=other 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not cambium-interpret %s %S/Inputs/grown-errors.json --function=unequal 2>&1 | FileCheck %s --check-prefix=UNEQUAL

// [DEPTH-SEARCH-C12]
// SAME: error: 'depth.search' op expected 1 rows of a hypothesis, one more than before, but got 0
func.func @same(%x: tensor<?xf32> {cambium.name = "x"}, %b: tensor<i32> {cambium.name = "b"}) -> tensor<2xf32> {
  %T = arith.constant dense<0.0> : tensor<9x9xf32>
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %b grows(%g : tensor<?x?x9xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p, %g : tensor<?x9xf32>, tensor<?x?x9xf32>
  }
  return %s : tensor<2xf32>
}

// [DEPTH-APPEND-C3]
// OTHER: error: 'depth.append' op expected a row for each of 1 hypotheses, but got 2
func.func @other(%x: tensor<?xf32> {cambium.name = "x"}, %b: tensor<i32> {cambium.name = "b"}) -> tensor<2xf32> {
  %T = arith.constant dense<0.0> : tensor<9x9xf32>
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %b grows(%g : tensor<?x?xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    %g1 = depth.append %g, %x : tensor<?x?xf32>, tensor<?xf32>
    depth.yield %p, %g1 : tensor<?x9xf32>, tensor<?x?xf32>
  }
  return %s : tensor<2xf32>
}

// [NN-ATTENTION-C12]
// UNEQUAL: error: 'nn.attention' op expected keys and values of each of 2 queries, but got 1 and 1
func.func @unequal(%x: tensor<?xf32> {cambium.name = "x"}, %b: tensor<i32> {cambium.name = "b"}) -> tensor<2xf32> {
  %T = arith.constant dense<0.0> : tensor<9x9xf32>
  %xs = nn.broadcast %x dims [0] : tensor<?xf32> -> tensor<?x9xf32>
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %b grows(%g : tensor<?x?x9xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    %g1 = depth.append %g, %p : tensor<?x?x9xf32>, tensor<?x9xf32>
    %a = nn.attention %xs, %g1, %g1 heads 3 : tensor<?x9xf32>, tensor<?x?x9xf32>, tensor<?x?x9xf32>
    depth.yield %p, %g1 : tensor<?x9xf32>, tensor<?x?x9xf32>
  }
  return %s : tensor<2xf32>
}
