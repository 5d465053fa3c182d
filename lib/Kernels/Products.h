//===-- Products.h - What a matrix product on memory is
//---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_PRODUCTS_H
#define CAMBIUM_LIB_KERNELS_PRODUCTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace cambium {

/// A product for which targets have code.
struct Product {
  mlir::Type element;
  bool lhsTransposed = false, rhsTransposed = false;
};

/// The memory that a value shows, which may be a view of a view.
mlir::Value memoryOf(mlir::Value view);

/// What a product is by its maps, if there is code for it.
std::optional<Product> classifyProduct(mlir::linalg::MatmulOp op);

/// What the sums of a product start from.
struct ProductStart {
  /// A fill with zeros or a broadcast that the product makes superfluous, or
  /// null.
  mlir::Operation *replaced = nullptr;
  bool isZero = false;
  /// A row that is added to all others, or null.
  mlir::Value row;
};

ProductStart findStart(mlir::linalg::MatmulOp op);

/// A matrix all of whose rows are the same memory, as large as `like`.
mlir::Value repeatRow(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value row, mlir::Value like);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_PRODUCTS_H
