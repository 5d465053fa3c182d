//===-- cambium/Support/ParseModel.h - Reading MLIR text --------*- C++ -*-===//
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
class MemoryBuffer;
class SourceMgr;
} // namespace llvm

namespace cambium {

/// The text of a file, or of the standard input (-). Pipes and devices are
/// refused; null with a message.
std::unique_ptr<llvm::MemoryBuffer> openModel(llvm::StringRef path,
                                              std::string *error = nullptr);

/// Fails with an error at the place if the parser cannot read the main file
/// without harm (CheckText.h).
llvm::LogicalResult checkText(const llvm::SourceMgr &sources);

/// The module of the main file; null after an error.
mlir::OwningOpRef<mlir::ModuleOp> parseModel(llvm::SourceMgr &sources,
                                             mlir::MLIRContext *context);

/// The module of a text; null after an error.
mlir::OwningOpRef<mlir::ModuleOp> parseModelText(llvm::StringRef text,
                                                 mlir::MLIRContext *context);

} // namespace cambium

#endif // CAMBIUM_SUPPORT_PARSEMODEL
