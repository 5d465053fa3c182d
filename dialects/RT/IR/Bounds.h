//===-- dialects/RT/IR/Bounds.h - Bounds of sizes -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RT_IR_BOUNDS_H
#define CAMBIUM_DIALECTS_RT_IR_BOUNDS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace cambium::rt {

/// A value made of known ones alone that a size never exceeds; null if none is
/// known. Sizes are not negative, so that a product is bounded by that of the
/// bounds. What it needs is built at the insertion point.
mlir::Value boundOf(mlir::Value size, mlir::OpBuilder &builder,
                    llvm::function_ref<bool(mlir::Value)> isKnown);

/// The bytes of memory but for its dynamic sizes; none where they are more than
/// an allocation can have (2^60, runtime/core/Arena.cpp).
std::optional<int64_t> staticBytes(mlir::MemRefType type);

} // namespace cambium::rt

#endif // CAMBIUM_DIALECTS_RT_IR_BOUNDS_H
