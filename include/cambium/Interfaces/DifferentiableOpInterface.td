//===-- DifferentiableOpInterface.td - How an op is differentiated --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    Reverse mode on the batched form: the cotangents of the operands from those of
    the results. An op without the interface, and without results that depend on
    the differentiated values, is constant.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the cotangents of the wanted operands with the builder, which gives
      the values of operands and results and the cotangents of results, and takes
      the contributions. Never reads operands or results of the op directly: the
      op may be differentiated for whole arrays where it stands for one level.
    }], "::llvm::LogicalResult", "buildVJP", (ins "::cambium::VJPBuilder &":$builder)>,
    InterfaceMethod<[{
      Lets a loop keep what its derivative may ask of its region, as further
      results; the op may be replaced. Called for every op of a block before the
      first one is differentiated; `inLoop` if that is the block of a loop whose
      own derivative is built. What nobody asks for is dropped by canonicalization.
    }], "void", "expandTape", (ins "::mlir::OpBuilder &":$builder, "bool":$inLoop),
    "", [{ return; }]>
  ];
}
