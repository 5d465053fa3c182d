//===-- InterpretableOpInterface.td - The meaning of an op ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def InterpretableOpInterface : OpInterface<"InterpretableOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    The meaning of an op on plain tensors, for one example: the oracle that every
    compiled form is compared with. Slow and obvious.
  }];
  let methods = [
    InterfaceMethod<[{
      Computes the results from the operands that the interpreter holds and
      stores them there. Fails with an error at the op.
    }], "::llvm::LogicalResult", "interpret", (ins "::cambium::Interpreter &":$interpreter)>
  ];
}
