//===-- RandomKeys.h - Counter-based random numbers in generated code -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_RANDOMKEYS
#define CAMBIUM_SUPPORT_RANDOMKEYS

#include "cambium/Support/LinalgBuilder.h"

/// The random numbers of docs/Design.md, on scalars of type i64.
namespace cambium::random {

/// mix(key, i): the finalizer of splitmix64 over key + (i + 1) *
/// 0x9E3779B97F4A7C15.
mlir::Value mix(LinalgBuilder &builder, mlir::Value key, mlir::Value i);
/// uniform(key) * 2^24: the upper 24 bits.
mlir::Value uniformBits(LinalgBuilder &builder, mlir::Value key);

} // namespace cambium::random

#endif // CAMBIUM_SUPPORT_RANDOMKEYS
