//===-- VJPBuilder.h - What the derivative of an op is built with ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_VJPBUILDER_H
#define CAMBIUM_INTERFACES_VJPBUILDER_H

#include "mlir/IR/Builders.h"

namespace cambium {

/// Handed to `DifferentiableOpInterface::buildVJP`. Values are named by those
/// of the op that is differentiated; what they are where the derivative is
/// built (a level, or all rows) is the builder's business.
class VJPBuilder {
public:
  explicit VJPBuilder(mlir::OpBuilder &builder) : builder(builder) {}
  virtual ~VJPBuilder() = default;

  /// The value that an operand, a result, or a captured value has where the
  /// derivative is built.
  virtual mlir::Value value(mlir::Value primal) = 0;

  /// The cotangent of a result, of the same type; null if it is zero.
  virtual mlir::Value cotangent(mlir::Value result) = 0;

  /// Whether the cotangent of an operand or captured value is asked for.
  virtual bool wants(mlir::Value operand) = 0;

  /// Adds a contribution, of the operand's type, to the cotangent of an operand
  /// or captured value. What nobody wants is ignored.
  virtual void add(mlir::Value operand, mlir::Value contribution) = 0;

  mlir::OpBuilder &getBuilder() { return builder; }

  /// Creates an op at the insertion point.
  template <typename Op, typename... Args>
  Op create(mlir::Location loc, Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

private:
  mlir::OpBuilder &builder;
};

} // namespace cambium

#endif // CAMBIUM_INTERFACES_VJPBUILDER_H
