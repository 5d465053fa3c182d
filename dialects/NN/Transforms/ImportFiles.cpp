//===-- dialects/NN/Transforms/ImportFiles.cpp - Functions of other files -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/ParseModel.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Transforms/Passes.h"
#include "dialects/Tree/IR/Tree.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace cambium::nn {
#define GEN_PASS_DEF_IMPORTFILES
#include "dialects/NN/Transforms/Passes.h.inc"
} // namespace cambium::nn

using namespace cambium;
using namespace cambium::nn;

namespace {
/// Moves the functions of imported files, and of those that they import, into
/// one module.
class Importer {
public:
  Importer(ModuleOp root, ArrayRef<std::string> folders,
           ArrayRef<std::string> outputs)
      : root(root), folders(folders), symbols(root) {
    for (StringRef output : outputs)
      if (llvm::SmallString<128> real; !llvm::sys::fs::real_path(output, real))
        written.insert(real);
  }

  LogicalResult importInto(ModuleOp file) {
    for (ImportOp op : llvm::make_early_inc_range(file.getOps<ImportOp>())) {
      if (failed(importFile(op)))
        return failure();
      op.erase();
    }
    return success();
  }

private:
  LogicalResult importFile(ImportOp op);
  FailureOr<std::string> findFile(ImportOp op);
  LogicalResult checkContents(ImportOp op, ModuleOp file);
  LogicalResult take(ModuleOp file);

  ModuleOp root;
  ArrayRef<std::string> folders;
  SymbolTable symbols;
  /// Files by their real paths; false while their own imports are read.
  llvm::StringMap<bool> isDone;
  /// Files that would be replaced, by their real paths.
  llvm::StringSet<> written;
};
} // namespace

/// The file that an import names, by its real path.
FailureOr<std::string> Importer::findFile(ImportOp op) {
  SmallVector<std::string> tried{""};
  if (auto loc = op.getLoc()->findInstanceOf<FileLineColLoc>())
    tried[0] = llvm::sys::path::parent_path(loc.getFilename()).str();
  llvm::append_range(tried, folders);
  for (StringRef folder : tried) {
    llvm::SmallString<128> path(folder), real;
    if (llvm::sys::path::is_absolute(op.getPath()))
      path.clear();
    llvm::sys::path::append(path, op.getPath());
    // A path ends at a zero.
    if (!path.str().contains('\0') && !llvm::sys::fs::is_directory(path) &&
        !llvm::sys::fs::real_path(path, real))
      return real.str().str();
  }
  // [NN-IMPORT-C1]
  return op.emitOpError() << "expected a file '" << op.getPath()
                          << "' relative to '"
                          << (tried[0].empty() ? "." : tried[0])
                          << "' or to a folder given by -I, but found none";
}

/// What may stand in a file that others import.
LogicalResult Importer::checkContents(ImportOp op, ModuleOp file) {
  for (Operation &other : *file.getBody()) {
    if (isa<ImportOp, SizesOp>(other))
      continue;
    auto function = dyn_cast<FunctionOpInterface>(other);
    if (function && function.isPrivate() && !function.isExternal())
      continue;
    // [NN-IMPORT-C2]
    InFlightDiagnostic diag =
        other.emitError("expected an imported file to hold private functions, "
                        "'nn.sizes' and "
                        "'nn.import' only, but got '")
        << other.getName() << "'";
    diag.attachNote(op.getLoc()) << "imported here";
    return diag;
  }
  return success();
}

/// The functions become functions of the root, and remember their sizes.
LogicalResult Importer::take(ModuleOp file) {
  SmallVector<Attribute> sizes;
  for (SizesOp op : file.getOps<SizesOp>())
    llvm::append_range(sizes, op.getSizes());
  auto functions = llvm::to_vector(file.getOps<FunctionOpInterface>());
  for (FunctionOpInterface function : functions) {
    if (Operation *other = symbols.lookup(function.getNameAttr())) {
      // [NN-IMPORT-C3]
      InFlightDiagnostic diag =
          function.emitError("expected other names than those of the importing "
                             "files, but got '@")
          << function.getName() << "' twice";
      diag.attachNote(other->getLoc()) << "the other one is here";
      return diag;
    }
    function->setAttr(kSizesAttr, ArrayAttr::get(function.getContext(), sizes));
    function->remove();
    symbols.insert(function);
  }
  return success();
}

LogicalResult Importer::importFile(ImportOp op) {
  FailureOr<std::string> path = findFile(op);
  if (failed(path))
    return failure();
  if (written.contains(*path))
    // [NN-IMPORT-C6]
    return op.emitOpError() << "expected another file than the one to write, "
                               "but got '"
                            << op.getPath() << "'";
  auto [known, isNew] = isDone.try_emplace(*path, false);
  if (!isNew && known->second)
    return success();
  if (!isNew)
    // [NN-IMPORT-C4]
    return op.emitOpError() << "expected no cycle of imports, but '"
                            << op.getPath() << "' imports this file";
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> text = openModel(*path, &error);
  if (!text)
    // [NN-IMPORT-C5]
    return op.emitOpError() << error;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  OwningOpRef<ModuleOp> file = parseModel(sources, op.getContext());
  if (!file)
    // [NN-IMPORT-C5]
    return op.emitOpError() << "expected '" << *path << "' to be a valid file";
  if (failed(checkContents(op, *file)) || failed(importInto(*file)) ||
      failed(take(*file)))
    return failure();
  isDone[*path] = true;
  return success();
}

namespace {
struct ImportFiles : nn::impl::ImportFilesBase<ImportFiles> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<std::string> paths(folders.begin(), folders.end());
    SmallVector<std::string> written(outputs.begin(), outputs.end());
    Importer importer(getOperation(), paths, written);
    if (failed(importer.importInto(getOperation())))
      signalPassFailure();
  }
};
} // namespace
