//===-- StackingOpInterface.td - Loops over layers ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def StackingOpInterface : OpInterface<"StackingOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    A loop whose iterations can have parameters of their own: arrays with a leading
    dimension of which each iteration reads its slice. Its scope says under which
    name the parameters that the body declares are found, and whether all iterations
    have the same ones.
  }];
  let methods = [
    InterfaceMethod<[{
      The scope of the parameters that the body declares; null if it has none.
    }], "::mlir::StringAttr", "getScopeAttr">,
    InterfaceMethod<[{
      Whether each iteration has parameters of its own in that scope.
    }], "bool", "isStacked">,
    InterfaceMethod<[{
      The number of slices: how many iterations there are at most.
    }], "int64_t", "getStackSize">,
    InterfaceMethod<[{
      Appends an array of type `<stack size x T>`; gives the region argument of type
      `T` that is its slice in an iteration.
    }], "::mlir::Value", "addSlice", (ins "::mlir::Value":$array)>,
    InterfaceMethod<[{
      Drops the scope, when no more parameters are declared in the body.
    }], "void", "clearScope">
  ];
}
