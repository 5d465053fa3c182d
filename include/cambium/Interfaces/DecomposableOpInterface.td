//===-- DecomposableOpInterface.td - Ops that abbreviate others -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    An op that only abbreviates others. It is expanded before it is
    differentiated and lowered, and needs no rules of its own for these.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the expansion and gives the values that replace the results. Works on
      the form of one example and on the batched form alike.
    }], "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "decompose",
    (ins "::mlir::OpBuilder &":$builder)>
  ];
}
