//===-- dialects/Ragged/Derivatives/Accumulate.h - Adds to gradients ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_DERIVATIVES_ACCUMULATE_H
#define CAMBIUM_DIALECTS_RAGGED_DERIVATIVES_ACCUMULATE_H

#include "mlir/IR/Builders.h"

namespace cambium {

/// Adds a value to the gradient of a parameter, or to a slice of it. What a
/// loop sums up from zero is added where each term is made: neither the sum nor
/// a slice has memory of its own.
void accumulate(mlir::OpBuilder &builder, mlir::FlatSymbolRefAttr param,
                mlir::Value gradient, mlir::Value number = {});

} // namespace cambium

#endif // CAMBIUM_DIALECTS_RAGGED_DERIVATIVES_ACCUMULATE_H
