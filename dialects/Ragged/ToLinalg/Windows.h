//===-- dialects/Ragged/ToLinalg/Windows.h - Parts of matrices --*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TOLINALG_WINDOWS_H
#define CAMBIUM_DIALECTS_RAGGED_TOLINALG_WINDOWS_H

#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace cambium::ragged {

using mlir::AffineMap;
using mlir::ArrayRef;
using mlir::cast;
using mlir::function_ref;
using mlir::Location;
using mlir::OpBuilder;
using mlir::OpFoldResult;
using mlir::RankedTensorType;
using mlir::ReassociationIndices;
using mlir::ShapedType;
using mlir::SmallVector;
using mlir::Type;
using mlir::Value;
using mlir::ValueRange;
namespace arith = mlir::arith;
namespace bufferization = mlir::bufferization;
namespace linalg = mlir::linalg;
namespace tensor = mlir::tensor;
namespace utils = mlir::utils;

/// A window of a matrix.
struct Window {
  OpFoldResult row, column, numRows, numColumns;
};

inline Value readWindow(LinalgBuilder &b, Value matrix, const Window &at) {
  OpFoldResult one = b.getBuilder().getIndexAttr(1);
  return b.make<tensor::ExtractSliceOp>(
      matrix, ArrayRef<OpFoldResult>{at.row, at.column},
      ArrayRef<OpFoldResult>{at.numRows, at.numColumns},
      ArrayRef<OpFoldResult>{one, one});
}

inline Value writeWindow(LinalgBuilder &b, Value block, Value matrix,
                         const Window &at) {
  OpFoldResult one = b.getBuilder().getIndexAttr(1);
  return b.make<tensor::InsertSliceOp>(
      block, matrix, ArrayRef<OpFoldResult>{at.row, at.column},
      ArrayRef<OpFoldResult>{at.numRows, at.numColumns},
      ArrayRef<OpFoldResult>{one, one});
}

/// A window of one row or one column as a vector of `size` elements, and back.
inline Value readLine(LinalgBuilder &b, Value matrix, const Window &at,
                      int64_t size) {
  OpFoldResult one = b.getBuilder().getIndexAttr(1);
  auto type =
      RankedTensorType::get({size}, tensorType(matrix).getElementType());
  return b.make<tensor::ExtractSliceOp>(
      type, matrix, ArrayRef<OpFoldResult>{at.row, at.column},
      ArrayRef<OpFoldResult>{at.numRows, at.numColumns},
      ArrayRef<OpFoldResult>{one, one});
}
inline Value readColumn(LinalgBuilder &b, Value matrix, const Window &at) {
  return readLine(b, matrix, at, ShapedType::kDynamic);
}

/// `lhs^T . rhs`, added to `dest`.
inline Value addTransposedProduct(LinalgBuilder &b, Value lhs, Value rhs,
                                  Value dest) {
  return linalg::MatmulTransposeAOp::create(
             b.getBuilder(), b.getLoc(), ValueRange{lhs, rhs}, ValueRange{dest})
      .getResult(0);
}

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TOLINALG_WINDOWS_H
