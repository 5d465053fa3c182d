//===-- ProductMath.h - How the factors of products multiply -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_PRODUCTMATH_H
#define CAMBIUM_LIB_KERNELS_GPU_PRODUCTMATH_H

#include "cambium/Support/TargetCosts.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace cambium {

/// How the factors of a product multiply: f32 where it is not worth tensor
/// cores, for a reason if something else was asked for. It depends on what is
/// known of the product before it runs: an example has the same bits in any
/// batch.
struct ProductMath {
  rt::Math math = rt::Math::F32;
  llvm::StringRef reason;
};
ProductMath mathOf(mlir::linalg::MatmulOp op, const TargetCosts &costs);

/// The same, and a remark of the pass with the flag if there is a reason.
rt::Math chooseMath(mlir::linalg::MatmulOp op, const TargetCosts &costs,
                    llvm::StringRef flag);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_PRODUCTMATH_H
