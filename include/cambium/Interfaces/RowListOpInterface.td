//===-- RowListOpInterface.td - Ops that read a list of rows --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def RowListOpInterface : OpInterface<"RowListOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    Of ops that reach rows by a list of their numbers: what they are where the list
    names all rows in their order, so that nothing has to move.
  }];
  let methods = [
    InterfaceMethod<[{
      How many elements a row of the list moves that would stay where it is.
    }], "int64_t", "getMovedElements", (ins "::mlir::Value":$list)>,
    InterfaceMethod<[{
      Builds, before the op, what replaces its result where `list`, an operand, names
      all `count` rows in their order. Null where the op needs the list.
    }], "::mlir::Value", "lowerForAllRows",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$list, "::mlir::Value":$count)>
  ];
}
