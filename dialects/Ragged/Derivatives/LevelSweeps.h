//===-- LevelSweeps.h - Sweeps over the region of a recursion ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative of a recursion is built in two sweeps over the same region
// (RecursionDerivative.cpp):
//
// - `LevelSweep` builds the region of a new `ragged.levels`: cotangents of
//   the level's own values. What it needs of the forward pass comes in as
//   arrays (`ForwardArrays`).
// - `ArraySweep` builds, after the loop and on whole arrays, the cotangents of
//   captured values (weights). For it the loop yields the cotangents of the ops
//   that read them.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_DERIVATIVES_LEVELSWEEPS_H
#define CAMBIUM_RAGGED_DERIVATIVES_LEVELSWEEPS_H

#include "dialects/Ragged/Derivatives/Recursion.h"
#include "dialects/Ragged/Derivatives/ReverseSweep.h"
#include "dialects/Ragged/Derivatives/Tape.h"
#include "dialects/Ragged/IR/LoopBuilders.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace cambium {

/// The forward recursion, and what its values are as arrays over all nodes or
/// edges.
class ForwardArrays {
public:
  ForwardArrays(const Recursion &recursion, VJPBuilder &outer);

  const Recursion &recursion;
  VJPBuilder &outer;

  mlir::Location getLoc() const { return recursion.op->getLoc(); }
  RowKind kind(mlir::Value value) const { return rows.kind(value); }
  bool isRebuilt(mlir::Value value);
  /// An array with as many rows; null if there is none.
  mlir::Value rowsLike(mlir::Value value) const {
    return rematerialized.rowsLike(value);
  }
  bool isLocal(mlir::Value value) const { return recursion.isLocal(value); }
  mlir::Value forest() { return outer.value(recursion.forest); }

  /// The cotangent of the result for a recurrent value, as an array over all
  /// nodes (up) or edges (down); null if it is zero.
  mlir::Value cotangentOfRecurrent(unsigned i);

  /// Whether a value of the region is what the levels pass on: the argument, or
  /// what is yielded for it.
  std::optional<unsigned> sharedIndex(mlir::Value value);
  /// The op that puts the level's rows into a shared array; null if none does.
  ragged::PutRowsOp putOf(unsigned shared) {
    return recursion.yields.shared[shared].getDefiningOp<ragged::PutRowsOp>();
  }
  /// What the array held in these rows before.
  mlir::Value overwrittenRows(unsigned shared);
  /// Whether what an op reads and gives of the region are arrays over all nodes
  /// or edges, so that its derivative can be taken after the loop.
  bool hasArrays(mlir::Operation *reader);

  /// All edges, grouped by the nodes of the recursion's part.
  mlir::Value edges();

  /// What is passed on, as an array over all edges.
  mlir::Value alongEdges(mlir::Value array);

  /// The rows of the recursion's part of an array over all nodes.
  mlir::Value ofPart(mlir::Value array);

  /// The array of a region argument or of a yielded value of the region.
  mlir::Value array(mlir::Value value);

private:
  mlir::Value build(mlir::Value value);

  mlir::Value buildArgument(mlir::Value arg);

  LevelRows rows;
  Rematerialized rematerialized{recursion, rows};
  llvm::DenseMap<mlir::Value, mlir::Value> results; // of what is yielded
  llvm::DenseSet<mlir::Value> states;               // of all nodes
  llvm::DenseMap<mlir::Value, mlir::Value> arrays;
  mlir::Value edgesValue;
};

/// Builds the region of the reverse recursion.
class LevelSweep : public ReverseSweep {
public:
  LevelSweep(mlir::OpBuilder &builder, const ActiveValues &active,
             ForwardArrays &forward, ragged::LevelsBuilder &region)
      : ReverseSweep(builder, active), forward(forward), region(region) {
    if (mlir::Value edges = forward.recursion.args.partition)
      known[edges] = region.getEdgesArg();
  }

  /// Captured values get their cotangents after the loop, but for what has no
  /// array over all nodes.
  bool wants(mlir::Value operand) override {
    return (forward.isLocal(operand) || visitsInLoop) &&
           ReverseSweep::wants(operand);
  }

  mlir::Value value(mlir::Value primal) override;

  /// A value that the levels pass on: what the level has made of it comes from
  /// the level above, what it was before is that with the overwritten rows.
  mlir::Value restore(unsigned shared, mlir::Value primal);

  /// The level's rows of an array, as a new argument of the region.
  mlir::Value addInput(mlir::Value array, RowKind kind);

  /// Remembers ops that read wanted captured values: their results' cotangents
  /// are needed as arrays.
  llvm::LogicalResult visit(mlir::Operation *op) override;

  ForwardArrays &forward;
  ragged::LevelsBuilder &region;
  llvm::SmallVector<unsigned> restored; // forward arrays that are taken back
  llvm::SetVector<mlir::Value> inLoop;  // captured, with cotangents in the loop
  bool visitsInLoop = false;
  llvm::SmallVector<mlir::Operation *> deferred; // forward ops, last first
  llvm::DenseMap<mlir::Value, mlir::Value>
      known; // forward value -> value in the region
};

/// Builds the contributions to captured values from whole arrays.
class ArraySweep : public VJPBuilder {
public:
  ArraySweep(ForwardArrays &forward,
             const llvm::DenseMap<mlir::Value, mlir::Value> &cotangents)
      : VJPBuilder(forward.outer.getBuilder()), forward(forward),
        cotangents(cotangents) {}

  mlir::Value value(mlir::Value primal) override;
  mlir::Value cotangent(mlir::Value result) override {
    return cotangents.lookup(result);
  }
  bool wants(mlir::Value operand) override {
    return !forward.isLocal(operand) && forward.outer.wants(operand);
  }
  void add(mlir::Value operand, mlir::Value contribution) override {
    if (wants(operand))
      forward.outer.add(operand, contribution);
  }

private:
  ForwardArrays &forward;
  const llvm::DenseMap<mlir::Value, mlir::Value> &cotangents;
  llvm::DenseMap<mlir::Value, mlir::Value> known;
};

} // namespace cambium

#endif // CAMBIUM_RAGGED_DERIVATIVES_LEVELSWEEPS_H
