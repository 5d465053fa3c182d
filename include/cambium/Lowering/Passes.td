//===-- include/cambium/Lowering/Passes.td - Passes of the linalg phase ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LOWERING_PASSES_TD
#define CAMBIUM_LOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

def Decompose : Pass<"cambium-decompose"> {
  let summary = "Expand ops that only abbreviate others.";
  let description = [{
    Replaces every op with `DecomposableOpInterface` by its expansion, until none
    is left: what remains has a derivative and a lowering of its own.

    ```mlir
    %y = nn.leaky_relu %x {slope = 0.1 : f64} : tensor<3xf32>
    ```
    becomes
    ```mlir
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %slope = arith.constant dense<0.1> : tensor<3xf32>
    %positive = arith.cmpf ogt, %x, %zero : tensor<3xf32>
    %below = arith.mulf %x, %slope : tensor<3xf32>
    %y = arith.select %positive, %x, %below : tensor<3xi1>, tensor<3xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::cambium::nn::NNDialect"];
}

#endif // CAMBIUM_LOWERING_PASSES_TD
