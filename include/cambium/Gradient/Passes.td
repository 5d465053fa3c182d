//===-- Passes.td - Passes of the gradient phase -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_GRADIENT_PASSES_TD
#define CAMBIUM_GRADIENT_PASSES_TD

include "mlir/Pass/PassBase.td"

def Decompose : Pass<"gradient-decompose"> {
  let summary = "Expand ops that only abbreviate others.";
  let description = [{
    Replaces every op with `DecomposableOpInterface` by its expansion, until none
    is left: what remains has a derivative and a lowering of its own.

    ```mlir
    %y = nn.leaky_relu %x slope 0.1 : tensor<3xf32>
    ```
    becomes
    ```mlir
    %zero = arith.constant dense<0.000000e+00> : tensor<3xf32>
    %positive = arith.cmpf ogt, %x, %zero : tensor<3xf32>
    %slope = arith.constant dense<1.000000e-01> : tensor<3xf32>
    %below = arith.mulf %x, %slope : tensor<3xf32>
    %y = arith.select %positive, %x, %below : tensor<3xi1>, tensor<3xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::cambium::nn::NNDialect"];
}

def LowerGradients : Pass<"gradient-lower-gradients", "::mlir::ModuleOp"> {
  let summary = "Replace train.gradient by the ops that compute it.";
  let description = [{
    Reverse mode on the batched form (docs/Autodiff.md), in the order of the ops:
    a gradient that uses another one is differentiated through it, but for
    `train.stop_gradient`.

    ```mlir
    func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %y = arith.mulf %x, %x : tensor<?xf32>
      %g = train.gradient %y wrt %x : tensor<?xf32>, tensor<?xf32>
      return %g : tensor<?xf32>
    }
    ```
    becomes, with `-canonicalize` behind it,
    ```mlir
    func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %g = arith.addf %x, %x : tensor<?xf32>
      return %g : tensor<?xf32>
    ```
  }];
  let dependentDialects = [
    "::cambium::nn::NNDialect", "::cambium::ragged::RaggedDialect",
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def LowerSteps : Pass<"gradient-lower-steps", "::mlir::ModuleOp"> {
  let summary = "Make the entries of training steps.";
  let description = [{
    For each `train.step @s`: `@s.accumulate`, the loss function with the gradient of
    the mean loss added to the gradients of all trainable parameters, and
    `@s.apply`, the update. A parameter whose gradient comes from `nn.embed` alone is
    marked `row_sparse`. dropout is left in `accumulate` entries only;
    `train.stop_gradient` has done its duty and is replaced by its operand.

    ```mlir
    nn.param @W : tensor<4x3xf32>
    train.step @train loss @loss optimizer #train.optimizer<sgd>
    func.func @loss(%x: tensor<?x4xf32>) -> tensor<?xf32> {
      %W = nn.use @W : tensor<4x3xf32>
      %y = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x3xf32>
      %l = nn.sum %y over 1 : tensor<?x3xf32>
      return %l : tensor<?xf32>
    }
    ```
    becomes
    ```mlir
    func.func @train.accumulate(%x: tensor<?x4xf32>) ... {
      ragged.accumulate @W, %dW : tensor<4x3xf32>
    func.func @train.apply() {
      %s = train.gradient_scale [@W] scalar 1
      train.update @W scale %s rate 0 with <sgd> decay
    rt.training "train" accumulate @train.accumulate apply @train.apply every 1 ...
    ```
  }];
  let dependentDialects = [
    "::cambium::nn::NNDialect", "::cambium::ragged::RaggedDialect",
    "::cambium::rt::RTDialect", "::cambium::train::TrainDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def VerifyGradient : Pass<"gradient-verify", "::mlir::ModuleOp"> {
  let summary = "Check the contract of the gradient phase.";
  let description = [{
    No `train.gradient`, `train.step`, `train.stop_gradient` is left, and no op that
    only abbreviates others.

    ```mlir
    func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      return %x : tensor<?xf32>
    }
    ```
  }];
}

#endif // CAMBIUM_GRADIENT_PASSES_TD
