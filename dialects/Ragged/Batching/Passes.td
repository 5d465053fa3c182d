//===-- Passes.td - From one example to a batch --------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_BATCHING_PASSES_TD
#define CAMBIUM_BATCHING_PASSES_TD

include "mlir/Pass/PassBase.td"

def InlineCalls : Pass<"ragged-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Put functions in place of their calls.";
  let description = [{
    A batched function holds all it calls: which rows meet is known only there.
    From the outermost call inwards, so that each op is copied once; functions that
    are only called are dropped. `ragged-verify-input` bounds how many ops there
    are in the end.

    ```mlir
    func.func private @f(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = math.tanh %x : tensor<3xf32>
      return %y : tensor<3xf32>
    }
    func.func @g(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = call @f(%x) : (tensor<3xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    }
    ```
    becomes
    ```mlir
    func.func @g(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = math.tanh %x : tensor<3xf32>
      return %y : tensor<3xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def RaggedBatch : Pass<"ragged-batch", "::mlir::ModuleOp"> {
  let summary = "Turn functions of one example into functions of all rows of a batch.";
  let description = [{
    Every public function, and every loss of a `train.step`, becomes its batched form
    in place; arguments and results say by `rt.as` what they are
    (docs/Batching.md). Calls must have been inlined. Functions that are then not
    used any more are removed.

    ```mlir
    func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = math.tanh %x : tensor<3xf32>
      return %y : tensor<3xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<?x3xf32> {rt.as = #rt.input<name = "arg0">})
        -> (tensor<?x3xf32> {rt.as = #rt.output<name = "out0">}) {
      %y = math.tanh %x : tensor<?x3xf32>
      return %y : tensor<?x3xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect", "::cambium::nn::NNDialect",
                           "::cambium::ragged::RaggedDialect", "::cambium::rt::RTDialect",
                           "::cambium::train::TrainDialect"];
}

def VerifyInput : Pass<"ragged-verify-input", "::mlir::ModuleOp"> {
  let summary = "Check the contract of phase input: row spaces agree.";
  let description = [{
    Every function that is compiled, `func.func`s of one example, mixes no rows of
    different spaces. Names, types and shapes of what the caller sees are such that
    the loader of modules takes them. With all that it calls, no function has more
    than 250,000 ops, and none calls itself. Changes nothing.

    ```mlir
    func.func @f(%x: tensor<?x3xf32> {cambium.rows = "words"},
                 %y: tensor<?x3xf32> {cambium.rows = "words"}) -> tensor<?x3xf32> {
      %z = arith.addf %x, %y : tensor<?x3xf32>
      return %z : tensor<?x3xf32>
    }
    ```
  }];
}

def VerifyBatched : Pass<"ragged-verify-batched", "::mlir::ModuleOp"> {
  let summary = "Check the contract of phase batched.";
  let description = [{
    No op and no type of `tree` is left, functions call no others, and every
    argument and result says by `rt.as` what it is. Changes nothing.

    ```mlir
    func.func @f(%x: tensor<?x3xf32> {rt.as = #rt.input<name = "x">}) {
      return
    }
    ```
  }];
}

#endif // CAMBIUM_BATCHING_PASSES_TD
