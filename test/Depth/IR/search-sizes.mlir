//===-- test/Depth/IR/search-sizes.mlir - A search at other sizes ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --nn-instantiate-modules=sizes=beam=3,steps=20 | FileCheck %s

/// Hypotheses and words are dimensions of the results, and change with them.
// CHECK: depth.search beam 3 max 20
// CHECK: tensor<3x20xi32>, tensor<3xf32>
nn.sizes {beam = 5, steps = 40, words = 60, width = 8}
func.func @write(%start: tensor<8xf32>) -> (tensor<5x40xi32>, tensor<5xf32>) {
  %E = nn.param "E" : tensor<60x8xf32>
  %begin = arith.constant dense<1> : tensor<i32>
  %end = arith.constant dense<2> : tensor<i32>
  %words, %lengths, %scores = depth.search beam 5 max 40 begin %begin end %end
      carried(%h = %start : tensor<8xf32>) next(%w : tensor<?xi32>) {
    %x = nn.embed %w, %E : tensor<?xi32>, tensor<60x8xf32>
    %xh = arith.addf %x, %h : tensor<?x8xf32>
    %h1 = math.tanh %xh : tensor<?x8xf32>
    %back = nn.transpose %E perm [1, 0] : tensor<60x8xf32>
    %y = nn.linear %h1, %back : tensor<?x8xf32>, tensor<8x60xf32>
    %p = nn.log_softmax %y over 1 : tensor<?x60xf32>
    depth.yield %p, %h1 : tensor<?x60xf32>, tensor<?x8xf32>
  }
  return %words, %scores : tensor<5x40xi32>, tensor<5xf32>
}
