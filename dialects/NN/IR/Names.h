//===-- dialects/NN/IR/Names.h - What users call what models take --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_IR_NAMES_H
#define CAMBIUM_DIALECTS_NN_IR_NAMES_H

#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace cambium::nn {

/// The dialect of the names of arguments and results, which has no ops:
/// `cambium.name` is what the user calls one, `cambium.rows` what its rows are
/// called. Any other attribute with this prefix is an error.
class NamesDialect : public mlir::Dialect {
public:
  explicit NamesDialect(mlir::MLIRContext *context);
  static llvm::StringRef getDialectNamespace() { return "cambium"; }

  llvm::LogicalResult
  verifyRegionArgAttribute(mlir::Operation *op, unsigned region, unsigned index,
                           mlir::NamedAttribute attribute) override;
  llvm::LogicalResult
  verifyRegionResultAttribute(mlir::Operation *op, unsigned region,
                              unsigned index,
                              mlir::NamedAttribute attribute) override;
  llvm::LogicalResult
  verifyOperationAttribute(mlir::Operation *op,
                           mlir::NamedAttribute attribute) override;

  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NamesDialect)
};

/// What the user calls an argument (a result) of a function; empty if nothing.
llvm::StringRef getArgumentName(mlir::FunctionOpInterface function,
                                unsigned index);
llvm::StringRef getResultName(mlir::FunctionOpInterface function,
                              unsigned index);
/// What the rows of an argument are called; empty if nothing.
llvm::StringRef getRowsName(mlir::FunctionOpInterface function, unsigned index);
/// Whether the argument is the same for all examples of a call.
bool isPerCall(mlir::FunctionOpInterface function, unsigned index);

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_IR_NAMES_H
