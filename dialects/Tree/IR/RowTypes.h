//===-- dialects/Tree/IR/RowTypes.h - A row and all rows --------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TREE_IR_ROWTYPES_H
#define CAMBIUM_DIALECTS_TREE_IR_ROWTYPES_H

#include "dialects/Tree/IR/Tree.h"

namespace cambium::tree {

/// The type of one row of a tensor of rows.
inline mlir::RankedTensorType rowType(mlir::Type type) {
  auto tensor = llvm::cast<mlir::RankedTensorType>(type);
  return tensor.clone(tensor.getShape().drop_front());
}

/// The tensor type of `?` rows.
inline mlir::RankedTensorType rowsType(mlir::Type row) {
  auto tensor = llvm::cast<mlir::RankedTensorType>(row);
  llvm::SmallVector<int64_t> shape{mlir::ShapedType::kDynamic};
  llvm::append_range(shape, tensor.getShape());
  return tensor.clone(shape);
}

} // namespace cambium::tree

#endif // CAMBIUM_DIALECTS_TREE_IR_ROWTYPES_H
