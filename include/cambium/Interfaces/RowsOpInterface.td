//===-- RowsOpInterface.td - Where rows come from ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def RowsOpInterface : OpInterface<"RowsOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    Of ops on rows that do not work row by row: where the rows of the results come
    from.
  }];
  let methods = [
    InterfaceMethod<[{
      Whose rows the rows of this result are, or what counts them. None if that is
      not known.
    }], "std::optional<::cambium::RowOrigin>", "getRowOrigin", (ins "unsigned":$result),
    "", [{ return std::nullopt; }]>,
    InterfaceMethod<[{
      Whether the result is another view of the rows of the first operand.
    }], "bool", "isRowView", (ins), "", [{ return false; }]>
  ];
}
