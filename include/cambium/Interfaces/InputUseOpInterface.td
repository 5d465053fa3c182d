//===-- InputUseOpInterface.td - What is asked of inputs -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def InputUseOpInterface : OpInterface<"InputUseOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    What an op of one example asks of the inputs of a model, for the signature of the
    batched function (docs/Manifest.md).
  }];
  let methods = [
    InterfaceMethod<[{
      Appends the values that hold rows of this operand as they are: arguments of a
      cell, results that pick rows. What is asked of them is asked of the operand.
    }], "void", "getCopies",
    (ins "unsigned":$index, "::llvm::SmallVectorImpl<::mlir::Value> &":$copies), "",
    [{ return; }]>,
    InterfaceMethod<[{
      Whether the tree that is this operand must have one root.
    }], "bool", "needsOneRoot", (ins "unsigned":$index), "", [{ return false; }]>
  ];
}
