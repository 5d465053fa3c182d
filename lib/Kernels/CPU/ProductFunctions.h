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

/// The private functions of a module that multiply, each declared when it is
/// first asked for. Kernels get their code in the end: one has code for the
/// register tiles of all of its products.
class ProductFunctions {
public:
  ProductFunctions(mlir::ModuleOp module, const TargetCosts &costs)
      : module(module), symbols(module), costs(costs) {}

  /// The kernel of products of that type (`productArguments`), which is to have
  /// code for the register tile of `tile` (`costsOfProduct`).
  mlir::func::FuncOp kernelOf(mlir::Type element, bool lhsTransposed,
                              const TargetCosts &tile);
  /// That of products with words of that format (`wordProductArguments`).
  mlir::func::FuncOp kernelOf(rt::PanelFormat format);
  /// What has threads do so many products with a kernel and a register tile.
  mlir::func::FuncOp sharesOf(mlir::func::FuncOp kernel,
                              const TargetCosts &tile, size_t count,
                              Together together, bool lhsTransposed);
  /// Emits the code of kernels.
  void finish();

private:
  mlir::func::FuncOp declare(llvm::StringRef name,
                             llvm::ArrayRef<mlir::Type> arguments);
  mlir::func::FuncOp declareKernel(llvm::StringRef kind,
                                   llvm::SmallVector<mlir::Type> arguments);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  const TargetCosts &costs;
  /// A kernel, and the costs with each of its register tiles.
  struct Kernel {
    mlir::func::FuncOp function;
    mlir::Type element;
    bool lhsTransposed = false;
    llvm::SmallVector<TargetCosts, 2> tiles;
  };
  /// By what they multiply: the name of an element type or of a format.
  std::map<std::string, Kernel> kernels;
  /// By their name.
  std::map<std::string, mlir::func::FuncOp> shares;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_PRODUCTFUNCTIONS_H
