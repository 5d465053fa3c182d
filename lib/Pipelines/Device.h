//===-- lib/Pipelines/Device.h - The half of a module that a GPU executes -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_PIPELINES_DEVICE_H
#define CAMBIUM_LIB_PIPELINES_DEVICE_H

#include "cambium/Pipelines/Phases.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace cambium {

/// What is wrong with the names of GPUs that code is asked for; empty if
/// nothing is.
std::string checkArchs(llvm::ArrayRef<std::string> archs);
/// The same of how products multiply there.
std::string checkMath(mlir::MLIRContext *context,
                      llvm::ArrayRef<std::string> archs, llvm::StringRef math);

/// The code of a module for GPUs: a copy that leaves the host's behind phase
/// gradient, and gives it kernels and what it has to know of them.
class DeviceModule {
public:
  using RunPhase = llvm::function_ref<bool(mlir::ModuleOp, Phase)>;

  /// Takes a copy of a module in phase gradient.
  explicit DeviceModule(mlir::ModuleOp module);

  /// Makes code for each architecture, by the phases that `run` runs: PTX, and
  /// a cubin where there is an assembler. Errors have been reported.
  bool build(llvm::ArrayRef<std::string> archs, llvm::StringRef assembler,
             RunPhase run);
  /// Gives the host's module, in phase kernels, what it needs.
  void addTo(mlir::ModuleOp host);
  /// The code for the first architecture.
  llvm::StringRef getText() const { return images.front().bytes; }

private:
  /// Keeps what is for the host.
  void keepHostParts();
  bool emit(llvm::StringRef arch, llvm::StringRef assembler);

  mlir::OwningOpRef<mlir::ModuleOp> module, forHost;
  struct Image {
    std::string arch, bytes;
    bool isCubin = false;
  };
  std::vector<Image> images;
};

} // namespace cambium

#endif // CAMBIUM_LIB_PIPELINES_DEVICE_H
