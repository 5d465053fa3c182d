//===-- AbsentOperandsOpInterface.td - Without children ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def AbsentOperandsOpInterface : OpInterface<"AbsentOperandsOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    What an op gives where operands are absent, as in the cell of a leaf: there are no
    rows of children, and what is computed from their states alone is zero. An
    optimization: an op without the interface is computed.
  }];
  let methods = [
    InterfaceMethod<[{
      The value that replaces the one result; null if nothing follows from what is
      absent.
    }], "::mlir::Value", "foldAbsent",
    (ins "::mlir::OpBuilder &":$builder, "const ::cambium::AbsentOperands &":$absent)>
  ];
}
