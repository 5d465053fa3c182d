//===-- lib/Kernels/CPU/ProductFunctions.h - Functions of products --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_PRODUCTFUNCTIONS_H
#define CAMBIUM_LIB_KERNELS_CPU_PRODUCTFUNCTIONS_H

#include "ProductShares.h"
#include "dialects/RT/IR/RT.h"

#include <map>

namespace cambium {

/// The private functions of a module that multiply, each made when it is first
/// asked for.
class ProductFunctions {
public:
  ProductFunctions(mlir::ModuleOp module, const TargetCosts &costs)
      : module(module), symbols(module), costs(costs) {}

  /// The kernel of products of that type (`productArguments`), whose register
  /// tile is that of `tile` (`costsOfProduct`).
  mlir::func::FuncOp kernelOf(mlir::Type element, bool lhsTransposed,
                              const TargetCosts &tile);
  /// That of products with words of that format (`wordProductArguments`).
  mlir::func::FuncOp kernelOf(rt::PanelFormat format);
  /// The costs of a kernel, with its register tile.
  const TargetCosts &costsOf(mlir::func::FuncOp kernel) const;
  /// What has threads do so many products with a kernel.
  mlir::func::FuncOp sharesOf(mlir::func::FuncOp kernel, size_t count,
                              Together together, bool lhsTransposed);

private:
  struct Kernel;
  const std::pair<const std::string, Kernel> &
  named(mlir::func::FuncOp kernel) const;
  mlir::func::FuncOp declare(llvm::StringRef name,
                             llvm::ArrayRef<mlir::Type> arguments);
  mlir::func::FuncOp declareKernel(llvm::StringRef kind,
                                   llvm::SmallVector<mlir::Type> arguments);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  const TargetCosts &costs;
  /// A kernel, and the costs with its register tile.
  struct Kernel {
    mlir::func::FuncOp function;
    TargetCosts costs;
  };
  /// By what they multiply: the name of an element type or of a format.
  std::map<std::string, Kernel> kernels;
  /// By their name.
  std::map<std::string, mlir::func::FuncOp> shares;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_PRODUCTFUNCTIONS_H
