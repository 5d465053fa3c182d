//===-- cambium/Support/ParseModel.h - Reading MLIR text
//-------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_PARSEMODEL
#define CAMBIUM_SUPPORT_PARSEMODEL

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class SourceMgr;
}

namespace cambium {

/// Fails with an error at the place if brackets of the main file nest deeper
/// than the parser's stack allows: it calls itself for each. Text of a model
/// nests some ten deep.
llvm::LogicalResult checkNesting(const llvm::SourceMgr &sources);

/// The module of the main file; null after an error.
mlir::OwningOpRef<mlir::ModuleOp> parseModel(llvm::SourceMgr &sources,
                                             mlir::MLIRContext *context);

/// The module of a text; null after an error.
mlir::OwningOpRef<mlir::ModuleOp> parseModelText(llvm::StringRef text,
                                                 mlir::MLIRContext *context);

} // namespace cambium

#endif // CAMBIUM_SUPPORT_PARSEMODEL
