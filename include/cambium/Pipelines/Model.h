//===-- include/cambium/Pipelines/Model.h - Reading a model ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_PIPELINES_MODEL_H
#define CAMBIUM_PIPELINES_MODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace cambium {

/// What a model is read with.
struct ModelOptions {
  /// Numbers for its sizes, as `name=number`.
  std::vector<std::string> sizes;
  /// Where the files are that it imports, beside its own folder.
  std::vector<std::string> folders;
};

/// Reads a model from a file, "-" for standard input, into `sources`, and
/// resolves it: the form of phase `input`, without imports, sizes and modules.
/// Null after an error, which has been reported.
mlir::OwningOpRef<mlir::ModuleOp> readModel(llvm::StringRef path,
                                            llvm::SourceMgr &sources,
                                            mlir::MLIRContext *context,
                                            const ModelOptions &options = {});

/// Takes the functions of imported files into the module, whose text is then
/// all there is of the model: for what has to stand alone, as a reproducer. An
/// error if one of them is among the files that are going to be written.
llvm::LogicalResult importFiles(mlir::ModuleOp module,
                                const std::vector<std::string> &folders = {},
                                const std::vector<std::string> &outputs = {});

/// Resolves a model that has been parsed.
llvm::LogicalResult resolveModel(mlir::ModuleOp module,
                                 const ModelOptions &options = {});

} // namespace cambium

#endif // CAMBIUM_PIPELINES_MODEL_H
