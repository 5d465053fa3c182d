//===-- dialects/NN/IR/Numbers.td - Numbers from outside ----*- tablegen -*-=//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// For ops of any dialect. Their headers include dialects/NN/IR/Numbers.h.
//
#ifndef CAMBIUM_NN_NUMBERS_TD
#define CAMBIUM_NN_NUMBERS_TD

include "mlir/IR/OpBase.td"

/// A number of an op that may be given from outside: an `#nn.given` or plain.
class NN_NumberAttr<Attr base, string kind>
    : TypedAttrBase<base.valueType, kind,
        CPred<"::llvm::isa<::mlir::" # kind # ">(::cambium::nn::getNumber($_self))">,
        "a number, or an #nn.given of one: " # base.summary> {
  let storageType = "::mlir::Attribute";
  let returnType = base.returnType;
  let constBuilderCall = base.constBuilderCall;
}
def NN_I64Attr : NN_NumberAttr<I64Attr, "IntegerAttr"> {
  let convertFromStorage =
    "::llvm::cast<::mlir::IntegerAttr>(::cambium::nn::getNumber($_self)).getInt()";
}
def NN_F64Attr : NN_NumberAttr<F64Attr, "FloatAttr"> {
  let convertFromStorage =
    "::llvm::cast<::mlir::FloatAttr>(::cambium::nn::getNumber($_self)).getValue()";
}

/// Of ops that draw random numbers: they are numbered in the module, by the
/// attribute `id`. Those that may have a `rate` draw with one alone.
def NN_DrawsNumbers : NativeOpTrait<"DrawsNumbers"> {
  let cppNamespace = "::cambium::nn";
}

#endif // CAMBIUM_NN_NUMBERS_TD
