//===-- dialects/NN/IR/Inference.h - Checks of inferred types ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_IR_INFERENCE_H
#define CAMBIUM_DIALECTS_NN_IR_INFERENCE_H

#include "dialects/NN/IR/NN.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"

namespace cambium::nn {
using llvm::cast;
using llvm::StringRef;
using mlir::emitOptionalError;
using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::Location;
using mlir::LogicalResult;
using mlir::RankedTensorType;
using mlir::success;
using mlir::Value;

using Types = mlir::SmallVectorImpl<mlir::Type>;
using Shape = llvm::SmallVector<int64_t>;

inline RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Two dimensions may be the same at run time only if they are the same here:
/// a `?` is a number of rows, never a feature size.
inline bool sameDim(int64_t a, int64_t b) { return a == b; }

inline LogicalResult checkDim(std::optional<Location> loc, StringRef op,
                              RankedTensorType type, int64_t dim) {
  if (dim >= 0 && dim < type.getRank())
    return success();
  // [NN-DIM-C1]
  return emitOptionalError(loc, "'nn.", op, "' op expected a dimension in [0, ",
                           type.getRank(), "), but got ", dim);
}

/// The size of a dimension that is made of others.
inline FailureOr<int64_t> addSizes(std::optional<Location> loc, StringRef op,
                                   llvm::ArrayRef<int64_t> sizes) {
  int64_t sum = 0;
  for (int64_t size : sizes)
    if (llvm::AddOverflow(sum, size, sum))
      // [NN-DIM-C2]
      return emitOptionalError(
          loc, "'nn.", op,
          "' op expected a dimension of fewer than 2^63 elements, but got ",
          llvm::interleaved(sizes, " + "));
  return sum;
}

/// A number as the elements of tensors hold it: infinite or 0 where their type
/// has none as great or as small.
inline double asElement(double number, mlir::Type element) {
  auto type = llvm::dyn_cast<mlir::FloatType>(element);
  llvm::APFloat held(number);
  bool losesInfo;
  if (type)
    held.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return held.convertToDouble();
}

inline LogicalResult checkSameElement(std::optional<Location> loc, StringRef op,
                                      RankedTensorType a, RankedTensorType b) {
  if (a.getElementType() == b.getElementType())
    return success();
  // [NN-ELEMENT-C1]
  return emitOptionalError(loc, "'nn.", op, "' op expected element type ",
                           a.getElementType(), ", but got ",
                           b.getElementType());
}

inline RankedTensorType withoutDim(RankedTensorType type, int64_t dim) {
  Shape shape(type.getShape());
  shape.erase(shape.begin() + dim);
  return type.clone(shape);
}

inline RankedTensorType withDim(RankedTensorType type, int64_t dim,
                                int64_t size) {
  Shape shape(type.getShape());
  shape[dim] = size;
  return type.clone(shape);
}

inline LogicalResult inferReduction(std::optional<Location> loc, StringRef op,
                                    Value input, int64_t dim, Types &types) {
  if (failed(checkDim(loc, op, typeOf(input), dim)))
    return failure();
  types.push_back(withoutDim(typeOf(input), dim));
  return success();
}

/// Ops with two operands of one type that reduce the last dimension, if any.
inline LogicalResult inferRowLoss(std::optional<Location> loc, StringRef op,
                                  Value lhs, Value rhs, Types &types) {
  RankedTensorType type = typeOf(lhs);
  if (type != rhs.getType())
    // [NN-LOSS-C1]
    return emitOptionalError(loc, "'nn.", op,
                             "' op expected operands of one type, but got ",
                             type, " and ", rhs.getType());
  types.push_back(type.getRank() ? withoutDim(type, type.getRank() - 1) : type);
  return success();
}
} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_IR_INFERENCE_H
