//===-- Upstream.h - Batching of upstream operations ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_BATCHING_UPSTREAM_H
#define CAMBIUM_RAGGED_BATCHING_UPSTREAM_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium {

/// Attaches `BatchableOpInterface` to the elementwise ops of `arith`, `math`
/// and `nn`, and to constants.
void registerElementwiseBatching(mlir::DialectRegistry &registry);

} // namespace cambium

#endif // CAMBIUM_RAGGED_BATCHING_UPSTREAM_H
