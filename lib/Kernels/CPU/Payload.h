//===-- lib/Kernels/CPU/Payload.h - Bodies of linalg ops, on vectors -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_PAYLOAD_H
#define CAMBIUM_LIB_KERNELS_CPU_PAYLOAD_H

#include "cambium/Support/TargetCosts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace cambium {

/// Whether the ops of a body can be applied to vectors: elementwise ones on
/// floats, integers and indices, and elements of memory at any place.
bool isVectorizable(mlir::linalg::LinalgOp op, const TargetCosts &costs);

/// A rough number of simple instructions of one execution of the body.
int64_t costOf(mlir::linalg::LinalgOp op, const TargetCosts &costs);

/// Applies the body of a linalg op to vectors of a number of lanes.
class PayloadVectorizer {
public:
  PayloadVectorizer(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                    int64_t lanes)
      : builder(builder), op(op), lanes(lanes) {}

  /// `operands` are the values of the block's arguments, scalars or vectors,
  /// and `indices` the loop counters; lane `l` has `indices[vectorDim] + l`.
  /// Only the lanes of `mask` read memory; all if it is null. Returns what the
  /// body yields, as vectors.
  llvm::SmallVector<mlir::Value> apply(mlir::ValueRange operands,
                                       mlir::ValueRange indices,
                                       int64_t vectorDim, mlir::Value mask);

  /// The vector type with the element type of a scalar.
  mlir::VectorType vectorOf(mlir::Type element) const;
  /// The value in every lane, unless it is a vector already.
  mlir::Value splat(mlir::Location loc, mlir::Value value);

  /// A number for each lane.
  mlir::Value constant(mlir::Location loc, mlir::Type element,
                       llvm::function_ref<int64_t(int64_t)> lane);

private:
  mlir::Value applyOp(mlir::Operation &inner);
  mlir::Value counterOf(mlir::linalg::IndexOp index);
  mlir::Value read(mlir::memref::LoadOp load);
  bool isCounter(mlir::Value index) const;
  mlir::Value lookup(mlir::Value value) const {
    return values.lookupOrDefault(value);
  }

  mlir::OpBuilder &builder;
  mlir::linalg::LinalgOp op;
  int64_t lanes;
  mlir::IRMapping values;
  mlir::SmallVector<mlir::Value> indices;
  int64_t vectorDim = 0;
  mlir::Value mask;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_PAYLOAD_H
