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

def ImportFiles : Pass<"nn-import-files", "::mlir::ModuleOp"> {
  let summary = "Take the functions of imported files into the module.";
  let description = [{
    The files that `nn.import` names, and those that they import, are read; their
    functions become private functions of this module. Each remembers the sizes of
    its file (`nn.sizes`), for calls at other types.

    ```mlir
    nn.import "models/common/layers.mlir"
    func.func @predict(%x: tensor<?x300xf32>) -> tensor<?x5xf32> {
      %y = nn.call @dense(%x) in "classes" : (tensor<?x300xf32>) -> tensor<?x5xf32>
      return %y : tensor<?x5xf32>
    }
    ```
    becomes
    ```mlir
    func.func private @dense(
    ```
  }];
  let options = [
    ListOption<"folders", "folders", "std::string",
               "Folders to look for files in, after that of the importing file">,
    ListOption<"outputs", "outputs", "std::string",
               "Files that are going to be written, which may not be imported">];
  let dependentDialects = [
    "::cambium::depth::DepthDialect", "::cambium::nn::NNDialect",
    "::cambium::tree::TreeDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def InstantiateModules : Pass<"nn-instantiate-modules", "::mlir::ModuleOp"> {
  let summary = "Resolve sizes, calls of modules, and parameters of functions.";
  let description = [{
    Sizes and numbers that are given from outside are put in their places. Then, in
    every function of the surface, each `nn.call` is replaced by what the callee
    computes, at the sizes of the call, and each parameter that a function declares by
    the use of a parameter of the module, whose name is the path of the scopes and its
    own. In a loop that is `stacked`, it is the slice of a parameter of one more
    dimension. Functions that only others called are gone.

    ```mlir
    func.func private @dense(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %W = nn.param "W" : tensor<3x3xf32> init #nn.init<xavier_uniform>
      %y = nn.linear %x, %W : tensor<?x3xf32>, tensor<3x3xf32>
      return %y : tensor<?x3xf32>
    }
    func.func @predict(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %y = nn.call @dense(%x) in "first" : (tensor<?x3xf32>) -> tensor<?x3xf32>
      return %y : tensor<?x3xf32>
    }
    ```
    becomes
    ```mlir
    nn.param @first.W : tensor<3x3xf32> init <xavier_uniform(1.000000e+00)>
    func.func @predict(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %W = nn.use @first.W : tensor<3x3xf32>
      %y = nn.linear %x, %W : tensor<?x3xf32>, tensor<3x3xf32>
      return %y : tensor<?x3xf32>
    }
    ```
  }];
  let options = [
    ListOption<"sizes", "sizes", "std::string",
               "Numbers for sizes, #nn.given and nn.constant: name=number">];
  let dependentDialects = ["::cambium::nn::NNDialect", "::mlir::arith::ArithDialect"];
}

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
    %y = nn.dropout %x rate 2.000000e-01 id 0 : tensor<300xf32>
    %z = nn.dropout %y rate 5.000000e-01 id 1 : tensor<300xf32>
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

    Products all of whose weights are wide (`TargetCosts`) stay: one product would
    save less than it costs a small batch to put the weights side by side.

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
