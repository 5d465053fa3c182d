//===-- lib/Codegen/ProductKernel.h - Code of matrix products ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_CODEGEN_PRODUCTKERNEL_H
#define CAMBIUM_LIB_CODEGEN_PRODUCTKERNEL_H

#include "cambium/Target/Machine.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cambium {

/// What the result of a product starts from.
enum class ProductInit { Old, Zero, Row };

/// A product C = init + A . B, or with A transposed: what kernels are shared by.
struct ProductShape {
  mlir::Type element;
  bool transposed = false;
  /// Columns of C, always static; sizes of A as it lies in memory.
  int64_t columns = 0;
  int64_t lhsRows = 0, lhsColumns = 0;
  ProductInit init = ProductInit::Old;

  /// A name that says all of it.
  std::string name() const;
  /// The types of A, B, C and the row to start from, if any.
  llvm::SmallVector<mlir::Type> argumentTypes() const;
};

/// Emits a function for a shape: register tiles of whole vectors, the reduction
/// always in ascending order, so that a result does not depend on how its rows are
/// divided. Rows run in parallel where that pays.
void emitProductKernel(mlir::func::FuncOp kernel, const ProductShape &shape,
                       const TargetTraits &target);

} // namespace cambium

#endif // CAMBIUM_LIB_CODEGEN_PRODUCTKERNEL_H
