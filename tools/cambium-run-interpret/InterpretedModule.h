//===-- InterpretedModule.h - A description as a module -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_INTERPRET_INTERPRETEDMODULE_H
#define CAMBIUM_RUN_INTERPRET_INTERPRETEDMODULE_H

#include "cambium/abi.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <string>
#include <vector>

namespace cambium {

/// Where an argument of a function stands in a call.
struct InterpretedArgument {
  bool isTree = false;
  /// The index of the forest or of the input.
  int64_t index = 0;
  /// The space of the rows, -1 for one value per example.
  int64_t space = -1;
  /// The space whose rows have those rows, -1 where examples have them.
  int64_t outerSpace = -1;
  /// The forest whose edges are the rows, or -1.
  int64_t edgesOf = -1;
};

/// An entry that evaluates a function of the description, one example after the
/// other. An entry of a training step has no function.
struct InterpretedEntry {
  std::string name;
  mlir::FunctionOpInterface function;
  std::vector<InterpretedArgument> args;
  /// Space of every output, -1 for one per example, -2 for one per call.
  std::vector<int64_t> outputSpaces;
};

/// A description that the runtime sees as a compiled module: the manifest is
/// the compiler's, which stops before it makes code, and the entries call the
/// interpreter. So batches, checkpoints and commands are those of compiled
/// modules.
class InterpretedModule {
public:
  /// Reads a description. Errors of the compiler have been printed.
  static llvm::Expected<std::unique_ptr<InterpretedModule>>
  load(const std::string &path);

  /// What a module's query function returns. Lives as long as this object.
  const cambium_abi_module_t *getAbiModule() const { return &abiModule; }
  /// Runs an entry; 0 on success.
  int32_t run(size_t entry, cambium_abi_call_t *call);

private:
  InterpretedModule();
  llvm::Error parse(const std::string &path);
  llvm::Error describe();
  llvm::Error readManifest();
  llvm::Error readEntry(const llvm::json::Object &json);

  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string manifest;
  std::vector<std::string> paramNames;
  std::vector<InterpretedEntry> entries;
  std::vector<cambium_abi_entry_t> abiEntries;
  cambium_abi_module_t abiModule{};
};

/// Sets the module that the entries of `getAbiModule` run.
void setInterpretedModule(InterpretedModule *module);

} // namespace cambium

#endif // CAMBIUM_RUN_INTERPRET_INTERPRETEDMODULE_H
