//===-- cambium/Support/Rows.h - Tensors of rows ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_ROWS_H
#define CAMBIUM_SUPPORT_ROWS_H

#include "mlir/IR/BuiltinTypes.h"

namespace cambium {

/// Whether the type holds rows: a ranked tensor whose first dimension is `?`.
inline bool hasRows(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.getRank() > 0 && tensor.isDynamicDim(0);
}

/// The type of one row of a tensor of rows.
inline mlir::RankedTensorType rowType(mlir::Type rows) {
  auto tensor = llvm::cast<mlir::RankedTensorType>(rows);
  return tensor.clone(tensor.getShape().drop_front());
}

/// The type of `?` rows of the type.
inline mlir::RankedTensorType rowsType(mlir::Type row) {
  auto tensor = llvm::cast<mlir::RankedTensorType>(row);
  llvm::SmallVector<int64_t> shape{mlir::ShapedType::kDynamic};
  llvm::append_range(shape, tensor.getShape());
  return tensor.clone(shape);
}

/// The number of bytes of a row of a tensor of rows.
inline int64_t rowBytes(mlir::Type rows) {
  mlir::RankedTensorType row = rowType(rows);
  return row.getNumElements() * std::max(1u, row.getElementTypeBitWidth() / 8);
}

} // namespace cambium

#endif // CAMBIUM_SUPPORT_ROWS_H
