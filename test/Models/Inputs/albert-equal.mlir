// albert-equal.mlir - What must be equal in the models of models/albert
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Appended to adaptive_albert.mlir with 8 columns and 4 iterations, and to @encode of
// albert.mlir as @encode_fixed.

/// lambda = 1 in every iteration: the state becomes what the layer gives, nothing of
/// what it was before is left.
func.func private @encode_replaced(%tokens: tensor<?xi32>, %segments: tensor<?xi32>) -> tensor<?x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %h0 = call @vectors(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x8xf32>
  %h, %n, %r = depth.ponder max 4 combine weighted_sum remainder forced
      carried(%x = %h0 : tensor<?x8xf32>) {
    %q, %y = func.call @iterate(%x) : (tensor<?x8xf32>) -> (tensor<?xf32>, tensor<?x8xf32>)
    %p = nn.broadcast %zero dims [] like %q : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
    depth.yield %p, %y : tensor<?xf32>, tensor<?x8xf32>
  }
  return %h : tensor<?x8xf32>
}
/// p = 1: everything stops after one layer.
func.func private @encode_at_once(%tokens: tensor<?xi32>, %segments: tensor<?xi32>) -> tensor<?x8xf32> {
  %one = arith.constant dense<1.0> : tensor<f32>
  %h0 = call @vectors(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x8xf32>
  %h, %n, %r = depth.ponder max 4 combine convex remainder none
      carried(%x = %h0 : tensor<?x8xf32>) {
    %y = func.call @layer(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
    %p = nn.broadcast %one dims [] like %tokens : tensor<f32>, tensor<?xi32> -> tensor<?xf32>
    depth.yield %p, %y : tensor<?xf32>, tensor<?x8xf32>
  }
  return %h : tensor<?x8xf32>
}
func.func private @encode_once(%tokens: tensor<?xi32>, %segments: tensor<?xi32>) -> tensor<?x8xf32> {
  %h0 = call @vectors(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x8xf32>
  %h = call @layer(%h0) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %h : tensor<?x8xf32>
}
func.func @fixed(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                 %segments: tensor<?xi32> {cambium.name = "segments"}) -> tensor<?x8xf32> {
  %h = call @encode_fixed(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x8xf32>
  return %h : tensor<?x8xf32>
}
func.func @replaced(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                    %segments: tensor<?xi32> {cambium.name = "segments"}) -> tensor<?x8xf32> {
  %h = call @encode_replaced(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x8xf32>
  return %h : tensor<?x8xf32>
}
func.func @at_once(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                   %segments: tensor<?xi32> {cambium.name = "segments"}) -> tensor<?x8xf32> {
  %h = call @encode_at_once(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x8xf32>
  return %h : tensor<?x8xf32>
}
func.func @once(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                %segments: tensor<?xi32> {cambium.name = "segments"}) -> tensor<?x8xf32> {
  %h = call @encode_once(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x8xf32>
  return %h : tensor<?x8xf32>
}
