//===-- Decompose.h - What nn operations abbreviate ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_NN_TRANSFORMS_DECOMPOSE_H
#define CAMBIUM_NN_TRANSFORMS_DECOMPOSE_H

#include "mlir/IR/Builders.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::nn {

/// Attaches `DecomposableOpInterface` to the nn operations that abbreviate
/// others.
void registerDecomposeModels(mlir::DialectRegistry &registry);

/// Builds operations of the type of a value. Constants of a static shape are
/// `arith.constant`; those with as many rows as a tensor at hand are an
/// `nn.broadcast` of a scalar constant `like` it, so that they follow its rows.
class Expansion {
public:
  Expansion(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  /// The number in the shape of `like`, with its element type.
  mlir::Value constant(double value, mlir::Value like);
  /// `input`, which lacks dimension `dim` of `like`, repeated along it.
  mlir::Value alongDim(mlir::Value input, int64_t dim, mlir::Value like);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace cambium::nn

#endif // CAMBIUM_NN_TRANSFORMS_DECOMPOSE_H
