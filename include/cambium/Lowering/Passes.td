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

def ToLinalg : Pass<"lower-to-linalg"> {
  let summary = "Lower nn and ragged ops to linalg on tensors.";
  let description = [{
    Every op with `LowerToLinalgOpInterface` is lowered by it, elementwise ops on
    tensors become `linalg.generic`. `ragged.levels` comes first; then users come
    before what they use, so that an op may take a gather or a contraction into
    itself. Row counts and structure come from `rt` ops.

    ```mlir
    %y = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x3xf32>
    ```
    becomes
    ```mlir
    %n = tensor.dim %x, %c0 : tensor<?x4xf32>
    %e = tensor.empty(%n) : tensor<?x3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
    %y = linalg.matmul ins(%x, %W : tensor<?x4xf32>, tensor<4x3xf32>)
                       outs(%z : tensor<?x3xf32>) -> tensor<?x3xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::cambium::rt::RTDialect"];
}

def FuseElementwise : Pass<"cambium-fuse-elementwise"> {
  let summary = "Make one loop of the elementwise ops of a block.";
  let description = [{
    An elementwise `linalg.generic` is fused into the first of its consumers, and
    its other users read the fused op's results: what a cell computes element by
    element is one loop, and nothing is computed twice. Constants and broadcasts
    are copied into every consumer.

    ```mlir
    %a = linalg.generic ... ins(%x) { math.tanh }
    %b = linalg.generic ... ins(%a, %y) { arith.mulf }
    ```
    becomes
    ```mlir
    %b = linalg.generic ... ins(%x, %y) { math.tanh; arith.mulf }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def VerifyLinalg : Pass<"cambium-verify-linalg"> {
  let summary = "Check the contract of the linalg phase.";
  let description = [{
    Only `linalg`, `tensor`, `scf`, `arith`, `math`, `affine`, what the runtime
    provides (`rt`, on memrefs) and the border between the two (`bufferization`,
    `memref`) are left.

    ```mlir
    func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
      return %x : tensor<3xf32>
    }
    ```
  }];
}

#endif // CAMBIUM_LOWERING_PASSES_TD
