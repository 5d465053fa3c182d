//===-- dialects/Ragged/ToLinalg/KeepMarked.h - Marked elements together --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TOLINALG_KEEPMARKED_H
#define CAMBIUM_DIALECTS_RAGGED_TOLINALG_KEEPMARKED_H

#include "cambium/Support/LinalgBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace cambium::ragged {

/// Moves those of the first `count` numbers whose flag is set to the front of
/// the list, in their order, and says how many they are. One that moves
/// overwrites one that was read before. GPUs know the loop, and give parts of
/// it to their threads.
inline std::pair<mlir::Value, mlir::Value> keepMarked(LinalgBuilder &b,
                                                      mlir::Value list,
                                                      mlir::Value count,
                                                      mlir::Value flags) {
  using mlir::Value;
  auto body = [&](Value i, mlir::ValueRange state) {
    Value number = b.make<mlir::tensor::ExtractOp>(state[0], i);
    Value kept = b.make<mlir::tensor::InsertOp>(number, state[0], state[1]);
    Value flag = b.make<mlir::tensor::ExtractOp>(flags, i);
    Value one =
        b.make<mlir::arith::IndexCastUIOp>(b.getBuilder().getIndexType(), flag);
    return llvm::SmallVector<Value>{kept, b.add(state[1], one)};
  };
  auto last = b.loops(b.index(0), count, {list, b.index(0)}, body);
  return {last[0], last[1]};
}

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TOLINALG_KEEPMARKED_H
