//===-- dialects/NN/ToLinalg/Models.h - The lowerings by family ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_TOLINALG_MODELS
#define CAMBIUM_DIALECTS_NN_TOLINALG_MODELS

#include "cambium/Support/LinalgModel.h"

namespace cambium::nn {

/// Attach the lowerings of one family of operations.
void attachElementwiseLowerings(mlir::MLIRContext *context);
void attachProductLowerings(mlir::MLIRContext *context);
void attachReductionLowerings(mlir::MLIRContext *context);
void attachRandomLowerings(mlir::MLIRContext *context);
void attachSelectLowerings(mlir::MLIRContext *context);
void attachShapeLowerings(mlir::MLIRContext *context);
void attachTableLowerings(mlir::MLIRContext *context);

/// The number of the current element within its row: row-major over the
/// dimensions from `first` on.
mlir::Value elementOfRow(LinalgBuilder &b, mlir::RankedTensorType type,
                         int64_t first);
/// The tensor with dimensions [0, count) as one; no dimension becomes one of
/// size 1.
mlir::Value collapseLeading(LinalgBuilder &b, mlir::Value tensor,
                            int64_t count);
/// The inverse: the first dimension as the first `count` dimensions of `type`,
/// whose
/// `?`, if any, has `rows` elements.
mlir::Value expandLeading(LinalgBuilder &b, mlir::Value tensor, int64_t count,
                          mlir::RankedTensorType type, mlir::Value rows);
/// The tensor in a type with the same elements, whose `?`, if any, stays first
/// and has `rows` elements.
mlir::Value reshape(LinalgBuilder &b, mlir::Value tensor,
                    mlir::RankedTensorType type, mlir::Value rows);

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_TOLINALG_MODELS
