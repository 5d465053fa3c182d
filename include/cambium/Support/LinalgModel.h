//===-- LinalgModel.h - Lowerings as plain functions ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_LINALGMODEL
#define CAMBIUM_SUPPORT_LINALGMODEL

#include "cambium/Interfaces/LowerToLinalgOpInterface.h"
#include "cambium/Support/LinalgBuilder.h"

namespace cambium {

/// The values that replace the results of a lowered op.
using Lowered = mlir::FailureOr<llvm::SmallVector<mlir::Value>>;

/// One value that replaces the only result.
inline Lowered lowered(mlir::Value value) {
  return llvm::SmallVector<mlir::Value>{value};
}

/// `LowerToLinalgOpInterface` of `Op` by a function, which may take the symbols
/// as a third argument.
template <typename Op, auto lower>
struct LinalgModel
    : LowerToLinalgOpInterface::ExternalModel<LinalgModel<Op, lower>, Op> {
  Lowered lowerToLinalg(mlir::Operation *op, mlir::RewriterBase &rewriter,
                        mlir::SymbolTableCollection &symbols) const {
    LinalgBuilder builder(rewriter, op->getLoc());
    if constexpr (std::is_invocable_v<decltype(lower), Op, LinalgBuilder &>)
      return lower(llvm::cast<Op>(op), builder);
    else
      return lower(llvm::cast<Op>(op), builder, symbols);
  }
};

/// Attaches the function as the lowering of `Op`.
template <typename Op, auto lower>
void attachLinalgModel(mlir::MLIRContext *context) {
  Op::template attachInterface<LinalgModel<Op, lower>>(*context);
}

} // namespace cambium

#endif // CAMBIUM_SUPPORT_LINALGMODEL
