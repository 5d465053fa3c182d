//===-- LowerToLinalgOpInterface.td - How an op is lowered to linalg ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def LowerToLinalgOpInterface : OpInterface<"LowerToLinalgOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    The op on tensors of the linalg phase (linalg, tensor, scf, arith, math, rt).
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the lowered form before the op and gives the values that replace the
      results, of the same types. Fails with an error at the op. `symbols` finds
      what the op names.
    }], "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "lowerToLinalg",
    (ins "::mlir::RewriterBase &":$rewriter,
         "::mlir::SymbolTableCollection &":$symbols)>
  ];
}
