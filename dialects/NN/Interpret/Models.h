//===-- Models.h - The meaning of nn operations by family ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_INTERPRET_MODELS
#define CAMBIUM_DIALECTS_NN_INTERPRET_MODELS

#include "cambium/Support/Tensor.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace cambium::nn {

/// Attaches models to parameters and elementwise operations.
void attachElementwiseMeaning(mlir::MLIRContext *context);
/// Attaches models to products and tables.
void attachProductMeaning(mlir::MLIRContext *context);
/// Attaches models to what runs along one dimension.
void attachDimensionMeaning(mlir::MLIRContext *context);
/// Attaches models to what moves elements.
void attachShapeMeaning(mlir::MLIRContext *context);
/// Attaches a model to attention.
void attachAttentionMeaning(mlir::MLIRContext *context);
/// Attaches models to ops on elements by number.
void attachSelectMeaning(mlir::MLIRContext *context);
/// Attaches models to what draws random numbers.
void attachRandomMeaning(mlir::MLIRContext *context);
/// Attaches models to ops on the rows of an example.
void attachRowMeaning(mlir::MLIRContext *context);
/// Attaches a model to scores of rows for rows.
void attachPairMeaning(mlir::MLIRContext *context);
/// Attaches a model to the body for each row.
void attachEachMeaning(mlir::MLIRContext *context);
/// Attaches models to losses.
void attachLossMeaning(mlir::MLIRContext *context);

/// A tensor as lines along one dimension: element `j` of the line `(o, i)`
/// stands at `at(o, j, i)`.
struct Lines {
  Lines(const Tensor &tensor, int64_t dim)
      : outer(tensor.getSize(0, dim)), length(tensor.getDim(dim)),
        inner(tensor.getSize(dim + 1, tensor.getRank())) {}
  int64_t at(int64_t o, int64_t j, int64_t i) const {
    return (o * length + j) * inner + i;
  }
  /// Calls `visit(o, i)` for every line.
  template <typename Visit> void forEach(Visit visit) const {
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t i = 0; i < inner; ++i)
        visit(o, i);
  }

  int64_t outer, length, inner;
};

/// The shape without one dimension.
inline llvm::SmallVector<int64_t> withoutDim(const Tensor &tensor,
                                             int64_t dim) {
  llvm::SmallVector<int64_t> shape(tensor.getShape());
  shape.erase(shape.begin() + dim);
  return shape;
}

/// The shape with another size of one dimension.
inline llvm::SmallVector<int64_t> withDim(const Tensor &tensor, int64_t dim,
                                          int64_t size) {
  llvm::SmallVector<int64_t> shape(tensor.getShape());
  shape[dim] = size;
  return shape;
}

/// `x - max - log(sum(exp(x - max)))` along a dimension.
Tensor computeLogSoftmax(const Tensor &input, int64_t dim);

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_INTERPRET_MODELS
