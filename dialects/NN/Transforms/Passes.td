//===-- dialects/NN/Transforms/Passes.td - Passes over the nn dialect -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_NN_TRANSFORMS_PASSES_TD
#define CAMBIUM_NN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def NumberDropouts : Pass<"nn-number-dropouts", "::mlir::ModuleOp"> {
  let summary = "Give every nn.dropout the number that its mask depends on.";
  let description = [{
    The mask of `nn.dropout` is a function of the row's key and of the op's `id`
    (docs/Design.md). An op without one gets its number among all `nn.dropout` ops
    of the module, in the order of the text, which is the number that the
    interpreter uses. Runs before anything copies or moves ops.

    ```mlir
    %y = nn.dropout %x rate 0.2 : tensor<300xf32>
    %z = nn.dropout %y rate 0.5 : tensor<300xf32>
    ```
    becomes
    ```mlir
    %y = nn.dropout %x rate 2.000000e-01 {id = 0 : i64} : tensor<300xf32>
    %z = nn.dropout %y rate 5.000000e-01 {id = 1 : i64} : tensor<300xf32>
    ```
  }];
  let dependentDialects = ["::cambium::nn::NNDialect"];
}

def MergeProducts : Pass<"nn-merge-products"> {
  let summary = "Make one product of products with the same left operand.";
  let description = [{
    `nn.linear` ops of one block with the same input become one product with the
    weights side by side, and an `nn.split`. Weights are put together outside of
    loops. A split whose parts are inputs of one `ragged.levels` moves into the loop.

    ```mlir
    func.func @f(%x: tensor<?x4xf32>, %W_i: tensor<4x3xf32>,
                 %W_o: tensor<4x3xf32>) -> tensor<?x3xf32> {
      %i = nn.linear %x, %W_i : tensor<?x4xf32>, tensor<4x3xf32>
      %o = nn.linear %x, %W_o : tensor<?x4xf32>, tensor<4x3xf32>
      %y = arith.mulf %i, %o : tensor<?x3xf32>
      return %y : tensor<?x3xf32>
    }
    ```
    becomes
    ```mlir
    %W = nn.concat %W_i, %W_o over 1 : tensor<4x3xf32>, tensor<4x3xf32>
    %g = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x6xf32>
    %p:2 = nn.split %g over 1 sizes [3, 3] : tensor<?x6xf32>
    %y = arith.mulf %p#0, %p#1 : tensor<?x3xf32>
    ```
  }];
  let dependentDialects = ["::cambium::nn::NNDialect", "::cambium::ragged::RaggedDialect"];
}

#endif // CAMBIUM_NN_TRANSFORMS_PASSES_TD
