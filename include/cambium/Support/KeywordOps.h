//===-- cambium/Support/KeywordOps.h - Attributes are keywords --*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What changes the meaning of an op is a keyword of its syntax. MLIR would take
// it in braces as well; the ops of our dialects do not. Where parsing fails at
// a word that is close to a keyword, a note tells which.
//
#ifndef CAMBIUM_SUPPORT_KEYWORDOPS
#define CAMBIUM_SUPPORT_KEYWORDOPS

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/OperationSupport.h"

namespace cambium {

using ParseOp = llvm::function_ref<mlir::ParseResult(mlir::OpAsmParser &,
                                                     mlir::OperationState &)>;

/// Parses an op by its own function, of which none of the named attributes may
/// be left among those in braces.
mlir::ParseResult parseKeywordOp(mlir::OpAsmParser &parser,
                                 mlir::OperationState &state, ParseOp parse,
                                 llvm::ArrayRef<llvm::StringRef> attributes);

/// For a dialect's `getParseOperationHook`: the error at the name of an op that
/// there is not.
mlir::ParseResult failAtUnknownOp(mlir::OpAsmParser &parser,
                                  mlir::OperationState &state);

/// An op as MLIR knows it, but for its parser.
template <typename OpT> struct KeywordOp : OpT {
  KeywordOp() = default;
  explicit KeywordOp(mlir::Operation *op) : OpT(op) {}
  static mlir::ParseResult parse(mlir::OpAsmParser &parser,
                                 mlir::OperationState &state) {
    return parseKeywordOp(parser, state, OpT::parse, OpT::getAttributeNames());
  }
};

/// What MLIR calls for an op: it is registered as `OpT`.
template <typename OpT>
struct KeywordModel : mlir::RegisteredOperationName::Model<KeywordOp<OpT>> {
  KeywordModel(mlir::Dialect *dialect)
      : mlir::RegisteredOperationName::Model<KeywordOp<OpT>>(dialect) {
    this->typeID = mlir::TypeID::get<OpT>();
  }
};

/// The ops of a dialect; stands in the place of `addOperations`.
template <typename... Ops> struct KeywordOps {
  static void registerIn(mlir::Dialect &dialect) {
    (mlir::RegisteredOperationName::insert(
         std::make_unique<KeywordModel<Ops>>(&dialect),
         Ops::getAttributeNames()),
     ...);
  }
};

} // namespace cambium

#endif // CAMBIUM_SUPPORT_KEYWORDOPS
