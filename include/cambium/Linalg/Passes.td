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

def PeelYields : Pass<"linalg-peel-yields"> {
  let summary = "Store what the yields of recursions are views of.";
  let description = [{
    A `ragged.levels` that yields a slice or a reshape of a value stores the value, once,
    and the view is taken of the whole array behind it. Rows that it gets as they are
    need not be stored.

    ```mlir
    func.func @f(%forest: !ragged.forest, %x: tensor<?x4xf32>) -> tensor<?x2xf32> {
      %y = ragged.levels up all %forest nodes(%x : tensor<?x4xf32>)
          num_recurrent 0 num_node_yields 1 -> (tensor<?x2xf32>) {
      ^bb0(%edges: !ragged.rows, %xl: tensor<?x4xf32>):
        %t = math.tanh %xl : tensor<?x4xf32>
        %s = nn.slice %t over 1 from 0 size 2 : tensor<?x4xf32>
        ragged.yield %s : tensor<?x2xf32>
      }
      return %y : tensor<?x2xf32>
    }
    ```
    becomes
    ```mlir
    %t = ragged.levels up all %forest nodes(%x : tensor<?x4xf32>)
        num_recurrent 0 num_node_yields 1 -> (tensor<?x4xf32>) {
    ^bb0(%edges: !ragged.rows, %xl: tensor<?x4xf32>):
      %a = math.tanh %xl : tensor<?x4xf32>
      ...
    %y = nn.slice %t over 1 from 0 size 2 : tensor<?x4xf32>
    ```
  }];
  let dependentDialects = ["::cambium::nn::NNDialect", "::cambium::ragged::RaggedDialect"];
}

def SinkSplits : Pass<"linalg-sink-splits"> {
  let summary = "Make elementwise ops on parts of those whose parts are used.";
  let description = [{
    A part of an elementwise value is the elementwise value of parts: the parts of a
    product that holds several gates are used where the gates are. Columns of embedded
    rows that are used one by one are embedded one by one.

    ```mlir
    func.func @f(%x: tensor<?x4xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
      %y = math.tanh %x : tensor<?x4xf32>
      %a, %b = nn.split %y over 1 sizes [2, 2] : tensor<?x4xf32>
      return %a, %b : tensor<?x2xf32>, tensor<?x2xf32>
    }
    ```
    becomes
    ```mlir
    %parts:2 = nn.split %x over 1 sizes [2, 2] : tensor<?x4xf32>
    %a = math.tanh %parts#0 : tensor<?x2xf32>
    %b = math.tanh %parts#1 : tensor<?x2xf32>
    ```
  }];
  let dependentDialects = ["::cambium::nn::NNDialect"];
}

def JoinPads : Pass<"linalg-join-pads"> {
  let summary = "Put together the parts whose sum fills a dimension.";
  let description = [{
    A sum of tensors that are zero outside of ranges that do not meet, as the gradients
    of slices are, is the ranges one after the other.

    ```mlir
    func.func @f(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> tensor<?x4xf32> {
      %a = nn.pad %x over 1 low 0 high 2 : tensor<?x2xf32>
      %b = nn.pad %y over 1 low 2 high 0 : tensor<?x2xf32>
      %s = arith.addf %a, %b : tensor<?x4xf32>
      return %s : tensor<?x4xf32>
    }
    ```
    becomes
    ```mlir
    %s = nn.concat %x, %y over 1 : tensor<?x2xf32>, tensor<?x2xf32>
    ```
  }];
  let dependentDialects = ["::cambium::nn::NNDialect"];
}

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

def SumProducts : Pass<"linalg-sum-products"> {
  let summary = "Add a product to a sum as it is computed.";
  let description = [{
    The sum of a tensor and of a product that nothing else reads is the product that
    starts from that tensor instead of zero: neither the product nor the sum is an array
    of its own. The tensor must be one that an op before computes for the sum alone. So
    the gradient of a cell's input, a product for each of its gates, is one array.

    ```mlir
    func.func @f(%x: tensor<9x4xf32>, %y: tensor<9x4xf32>, %U: tensor<4x3xf32>,
                 %W: tensor<4x3xf32>, %e: tensor<9x3xf32>) -> tensor<9x3xf32> {
      %zero = arith.constant 0.0 : f32
      %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<9x3xf32>) -> tensor<9x3xf32>
      %a = linalg.matmul ins(%x, %U : tensor<9x4xf32>, tensor<4x3xf32>)
             outs(%zeros : tensor<9x3xf32>) -> tensor<9x3xf32>
      %b = linalg.matmul ins(%y, %W : tensor<9x4xf32>, tensor<4x3xf32>)
             outs(%zeros : tensor<9x3xf32>) -> tensor<9x3xf32>
      %s = linalg.generic {
          indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                           affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%a, %b : tensor<9x3xf32>, tensor<9x3xf32>) outs(%e : tensor<9x3xf32>) {
      ^bb0(%p: f32, %q: f32, %out: f32):
        %pq = arith.addf %p, %q : f32
        linalg.yield %pq : f32
      } -> tensor<9x3xf32>
      return %s : tensor<9x3xf32>
    }
    ```
    becomes
    ```mlir
    %a = linalg.matmul ins(%x, %U : tensor<9x4xf32>, tensor<4x3xf32>) outs(%zeros : tensor<9x3xf32>) -> tensor<9x3xf32>
    %s = linalg.matmul ins(%y, %W : tensor<9x4xf32>, tensor<4x3xf32>) outs(%a : tensor<9x3xf32>) -> tensor<9x3xf32>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
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
    are copied into every consumer, a few sums and products of one array into
    reductions.

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
