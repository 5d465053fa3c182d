//===-- dialects/Depth/Transforms/Passes.td - Passes over the depth dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DEPTH_TRANSFORMS_PASSES_TD
#define CAMBIUM_DEPTH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandPonder : Pass<"depth-expand-ponder"> {
  let summary = "Make every depth.ponder a depth.iterate.";
  let description = [{
    With three more carried values per row: the sum of the probabilities, the
    remainder, and the number of iterations where the maximum forces a remainder.

    ```mlir
    func.func @f(%h0: tensor<?x2xf32>, %p: tensor<?xf32>) -> tensor<?x2xf32> {
      %h, %n, %r = depth.ponder max 3 combine convex remainder none carried(%x = %h0 : tensor<?x2xf32>) {
        %y = arith.addf %x, %x : tensor<?x2xf32>
        depth.yield %p, %y : tensor<?xf32>, tensor<?x2xf32>
      }
      return %h : tensor<?x2xf32>
    }
    ```
    becomes
    ```mlir
    %0:4 = depth.iterate max 3 carried(%x = %h0 : tensor<?x2xf32>, %a = {{.*}} : tensor<?xf32>, %r = {{.*}} : tensor<?xf32>) {
    ```
  }];
  let dependentDialects = ["::cambium::depth::DepthDialect", "::cambium::nn::NNDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif // CAMBIUM_DEPTH_TRANSFORMS_PASSES_TD
