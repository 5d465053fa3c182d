//===-- RowOps.h - Ops that work row by row -------------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_ROWOPS_H
#define CAMBIUM_LIB_KERNELS_GPU_ROWOPS_H

#include "../Products.h"
#include "Accesses.h"
#include "LevelOfForest.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace cambium {

/// The rows of a memory that a value shows, or null: as many as `count` says.
struct RowsOfMemory {
  /// The outermost view that has these rows and no others.
  mlir::Value base;
  mlir::Value count;

  explicit RowsOfMemory(mlir::Value view);
};

/// What an op does with a memory, row by row.
struct RowAccess {
  enum class Rows {
    /// Iteration i has row i of `base`.
    Own,
    /// Iteration i, a node, has the rows of `base` that are its edges.
    Edges,
    /// Rows of nodes in earlier levels than that of the op.
    Children,
    Any
  };

  Memory memory;
  mlir::Value view, base;
  Rows rows = Rows::Any;
  /// The level whose children they are.
  std::optional<LevelOfForest> level;
  bool writes = false;
  /// The op has the columns of its own number alone, if it is executed column
  /// by column.
  bool byColumn = false;
  /// Whole rows are written.
  bool covers = false;

  /// Whether only the iterations of one row can have the same bytes.
  bool isLocalWith(const RowAccess &other) const;
  /// Whether there are no bytes that both have.
  bool isApartFrom(const RowAccess &other) const;
};

/// An op on rows whose iterations are independent: a loop, or a linalg op of
/// which rows are the first dimension.
class RowOp {
public:
  /// What it is, if it is one. A product goes with the op that starts it.
  static std::optional<RowOp> of(mlir::Operation *op);

  mlir::Operation *op = nullptr;
  /// What goes with a product.
  ProductStart start;
  mlir::Value count;
  /// The level whose nodes or edges are counted.
  std::optional<LevelOfForest> level;
  bool countsEdges = false;
  llvm::SmallVector<RowAccess> accesses;
  /// So many columns can be computed apart from each other, or 0.
  int64_t width = 0;

  bool isProduct() const { return llvm::isa<mlir::linalg::MatmulOp>(op); }
  /// Sizes of the reduction of a product.
  int64_t depth() const;
  bool writesTo(mlir::Value base) const;

private:
  void setCount(mlir::Value value);
  bool addLoop();
  bool addProduct();
  bool addElements();
  void addOperand(mlir::OpOperand &operand, mlir::AffineMap map);
  void addIn(mlir::Operation *inner);
  RowAccess accessOf(mlir::Value value, mlir::Operation *at);
  RowAccess::Rows rowsOf(mlir::OpFoldResult row, mlir::Value source,
                         mlir::Operation *at);
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_ROWOPS_H
