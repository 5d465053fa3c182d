//===-- lib/Pipelines/ProductKernels.h - Compiled beside the rest
//----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_PIPELINES_PRODUCTKERNELS_H
#define CAMBIUM_LIB_PIPELINES_PRODUCTKERNELS_H

#include "cambium/Target/Object.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/ThreadPool.h"
#include <future>

namespace cambium {

/// The kernels of a model's products. They are more than half of the code of a
/// small model and depend on nothing else of it, so that a thread makes their
/// code while the rest is lowered.
class ProductKernels {
public:
  /// Takes the kernels out of a module behind `kernels-emit-products`, where
  /// functions of their names stay that do nothing.
  explicit ProductKernels(mlir::ModuleOp host);
  ~ProductKernels();
  ProductKernels(const ProductKernels &) = delete;
  ProductKernels &operator=(const ProductKernels &) = delete;

  /// The names that they have in the object: they have no code in another one.
  const std::vector<std::string> &getNames() const { return names; }

  /// Begins to make code, with `passes` to the LLVM dialect. `others` may run
  /// in the same context meanwhile.
  void start(std::unique_ptr<mlir::PassManager> passes,
             llvm::ArrayRef<mlir::OpPassManager *> others,
             const ObjectOptions &options, llvm::ThreadPoolInterface &threads);
  /// What kernels take no more, as soon as that is known.
  UnusedArguments getUnused();
  /// The code, as soon as it is there.
  mlir::FailureOr<std::vector<ObjectBytes>> finish();

private:
  void make();
  mlir::FailureOr<std::vector<ObjectBytes>> makeCode();
  void tell(UnusedArguments unused);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<std::string> names;
  std::unique_ptr<mlir::PassManager> passes;
  ObjectOptions options;
  mlir::FailureOr<std::vector<ObjectBytes>> code = mlir::failure();
  std::promise<UnusedArguments> unused;
  bool isTold = false;
  /// Not valid before a thread has begun.
  std::shared_future<void> isDone;
};

} // namespace cambium

#endif // CAMBIUM_LIB_PIPELINES_PRODUCTKERNELS_H
