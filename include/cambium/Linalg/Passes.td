//===-- include/cambium/Linalg/Passes.td - Passes of the linalg phase ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LINALG_PASSES_TD
#define CAMBIUM_LINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ToLinalg : Pass<"linalg-lower"> {
  let summary = "Lower nn and ragged ops to linalg on tensors.";
  let description = [{
    Every op with `LowerToLinalgOpInterface` is lowered by it, elementwise ops on
    tensors become `linalg.generic`. `ragged.levels` comes first; then users come
    before what they use, so that an op may take a gather or a contraction into
    itself. Row counts and structure come from `rt` ops.

    ```mlir
    func.func @f(%x: tensor<?x4xf32>, %W: tensor<4x3xf32>) -> tensor<?x3xf32> {
      %y = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x3xf32>
      return %y : tensor<?x3xf32>
    }
    ```
    becomes
    ```mlir
    %n = tensor.dim %x, %c0 : tensor<?x4xf32>
    %e = tensor.empty(%n) : tensor<?x3xf32>
    %zero = arith.constant 0.000000e+00 : f32
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

def ResolveDims : Pass<"linalg-resolve-dims"> {
  let summary = "Read sizes of values where they come from.";
  let description = [{
    A `tensor.dim` becomes the size of what its value was computed from, up to an
    argument, a slice or an allocation that names it. A value that is fused away is
    then not kept for its size. A size is found once per function, however many read
    it.

    ```mlir
    func.func @f(%x: tensor<?x4xf32>, %e: tensor<?x4xf32>) -> index {
      %c0 = arith.constant 0 : index
      %y = linalg.exp ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
      %n = tensor.dim %y, %c0 : tensor<?x4xf32>
      return %n : index
    }
    ```
    becomes
    ```mlir
    %n = tensor.dim %e, %c0 : tensor<?x4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"];
}

def FuseElementwise : Pass<"linalg-fuse-elementwise"> {
  let summary = "Make one loop of the elementwise ops of a block.";
  let description = [{
    An elementwise `linalg.generic` is fused into the first of its consumers, and
    its other users read the fused op's results: what a cell computes element by
    element is one loop, and nothing is computed twice. Constants and broadcasts
    are copied into every consumer.

    ```mlir
    #row = affine_map<(d0) -> (d0)>
    func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
      %e = tensor.empty() : tensor<3xf32>
      %a = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
          ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) {
      ^bb0(%p: f32, %o: f32):
        %t = math.tanh %p : f32
        linalg.yield %t : f32
      } -> tensor<3xf32>
      %b = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
          ins(%a, %y : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
      ^bb0(%p: f32, %q: f32, %o: f32):
        %m = arith.mulf %p, %q : f32
        linalg.yield %m : f32
      } -> tensor<3xf32>
      return %b : tensor<3xf32>
    }
    ```
    becomes
    ```mlir
    %b = linalg.generic ... ins(%x, %y : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %t = math.tanh %p : f32
      %m = arith.mulf %t, %q : f32
      linalg.yield %m : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def VerifyLinalg : Pass<"linalg-verify"> {
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

#endif // CAMBIUM_LINALG_PASSES_TD
