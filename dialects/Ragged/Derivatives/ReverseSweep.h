//===-- ReverseSweep.h - Reverse mode over a block -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_DERIVATIVES_REVERSESWEEP_H
#define CAMBIUM_RAGGED_DERIVATIVES_REVERSESWEEP_H

#include "cambium/Interfaces/VJPBuilder.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace cambium {

/// The values that depend differentiably on some of a number of sources:
/// computed forward over ops in order.
class ActiveValues {
public:
  /// Floating-point tensors and scalars alone carry derivatives.
  static bool carriesDerivative(mlir::Value value);

  /// Marks the value; returns whether it is new.
  bool insert(mlir::Value value);
  bool contains(mlir::Value value) const { return values.contains(value); }

  /// Whether the op has an active operand or captured value.
  bool isDependent(mlir::Operation *op) const {
    return dependents.contains(op);
  }

  /// Marks the results of ops with an active operand (or captured value).
  void propagate(mlir::Block::iterator begin, mlir::Block::iterator end);

  /// A value in the region of a loop, and another one that it is taken from.
  using Pairs = llvm::SmallVector<std::pair<mlir::Value, mlir::Value>>;

  /// Marks what depends in the region of a loop on what `outer` wants: of
  /// captured values, of the operands that arguments are `taken` from, and, by
  /// a fixed point, of the yielded values that they are `carried` from.
  void propagateInLoop(VJPBuilder &outer, mlir::Region &body,
                       const Pairs &taken, const Pairs &carried);

private:
  llvm::DenseSet<mlir::Value> values;
  llvm::DenseSet<mlir::Operation *> dependents;
};

/// Sends cotangents backwards through the ops of a block. Derivatives are
/// created at the insertion point of the builder.
class ReverseSweep : public VJPBuilder {
public:
  ReverseSweep(mlir::OpBuilder &builder, const ActiveValues &active)
      : VJPBuilder(builder), active(active) {}

  /// Adds to the cotangent of a value.
  void add(mlir::Value primal, mlir::Value contribution) override;

  /// The sum of all that was added; null if nothing was.
  mlir::Value cotangent(mlir::Value primal) override;

  bool wants(mlir::Value operand) override { return active.contains(operand); }

  /// At the level of a function the primal values are at hand.
  mlir::Value value(mlir::Value primal) override { return primal; }

  /// Visits the ops in reverse. Fails with an error at an op that has no
  /// derivative but is on the way.
  mlir::LogicalResult run(mlir::Block::iterator begin,
                          mlir::Block::iterator end);

protected:
  /// Visits one op whose results have a cotangent.
  virtual mlir::LogicalResult visit(mlir::Operation *op);

private:
  const ActiveValues &active;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> contributions;
};

/// Clones the op of a value that a derivative computes again, with its operands
/// where the derivative is built; all results of the op are `known` then. Where
/// the op reads no more of an operand than how many rows there are, it reads
/// that of another operand, or of `rows`, which need not be kept for it.
mlir::Value rebuild(VJPBuilder &builder, mlir::Value primal,
                    llvm::DenseMap<mlir::Value, mlir::Value> &known,
                    mlir::Value rows);

/// Builds `d loss / d wrt` for each value, right before `loc`'s op in its
/// block, given the cotangent of `loss`. Null where the loss does not depend on
/// a value.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
differentiate(mlir::OpBuilder &builder, mlir::Value loss, mlir::Value seed,
              mlir::ValueRange wrt);

} // namespace cambium

#endif // CAMBIUM_RAGGED_DERIVATIVES_REVERSESWEEP_H
