//===-- RowTable.h - The code of a table of rows ----------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_ROWTABLE_H
#define CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_ROWTABLE_H

#include "cambium/Support/LinalgBuilder.h"
#include "dialects/RT/IR/Kept.h"

namespace cambium::ragged {

/// Gives a number for that of a row.
using PlaceOf = llvm::function_ref<mlir::Value(mlir::Value)>;

/// A table that is kept between calls, in one function: a mark for each of
/// `limit` ids, and arrays of rows.
class RowTable {
public:
  /// The bytes of a table with these arrays.
  static rt::KeptBytes bytesOf(int64_t limit,
                               llvm::ArrayRef<mlir::OpResult> rows);

  /// `from`: where its marks and its rows begin.
  RowTable(LinalgBuilder &b, rt::KeptBytes from, int64_t limit,
           llvm::ArrayRef<mlir::OpResult> rows);

  /// The ids without rows, and for each id its place among them, or -1.
  std::pair<mlir::Value, mlir::Value> findMissing(mlir::Value ids);
  /// Keeps the rows of ids that have none.
  void write(mlir::Value ids, llvm::ArrayRef<mlir::Value> rows);
  /// Array `k` for all ids: computed rows where row i has a place, others as
  /// they are kept.
  mlir::Value read(mlir::Value ids, mlir::Value computed, size_t k,
                   PlaceOf placeOf);

private:
  /// Sets bits of the id's mark, and gives those that it had. What others have
  /// written before they set them can be read then.
  mlir::Value mark(mlir::Value id, int64_t bits);

  LinalgBuilder &b;
  mlir::Value marks;
  llvm::SmallVector<mlir::Value> arrays;
};

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_ROWTABLE_H
