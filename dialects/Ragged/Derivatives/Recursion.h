//===-- Recursion.h - Loops as their derivatives see them ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_DERIVATIVES_RECURSION_H
#define CAMBIUM_RAGGED_DERIVATIVES_RECURSION_H

#include "dialects/Ragged/IR/Ragged.h"
#include "llvm/ADT/DenseMap.h"

namespace cambium {

/// What a value in the region of a recursion has one row for.
enum class RowKind { Unit, Node, Edge, Level };

/// A recursion over the levels of a forest: a `ragged.levels`, or a
/// `ragged.iterate`. The nodes of the latter are its executed iterations of
/// rows; the only child of one is the row before the iteration
/// (docs/AdaptiveDepth.md).
struct Recursion {
  explicit Recursion(ragged::LevelsOp op);
  explicit Recursion(ragged::IterateOp op);

  bool isUp() const { return direction == ragged::Direction::Up; }
  mlir::Region &getBody() const { return op->getRegion(0); }
  mlir::Block &getBlock() const { return getBody().front(); }
  bool isLocal(mlir::Value value) const {
    return value.getParentRegion() == &getBody();
  }
  /// The array of an argument that holds rows of a node or edge array.
  mlir::Value getArrayOf(mlir::Value arg) const;

  mlir::Operation *op;
  ragged::Direction direction = ragged::Direction::Up;
  ragged::Part part = ragged::Part::Inner;
  bool rematerialize, cuts = false;
  /// What an argument for a recurrent value has a row for. Every node of a loop
  /// has one edge: rows of edges are those of nodes.
  RowKind recurrentKind = RowKind::Node;
  /// Whether the results for recurrent values are those of roots alone.
  bool endsAtRoots;
  /// The forest of a loop, and the numbers of its rows at all nodes, are known
  /// when its derivative is built.
  mlir::Value forest;
  ragged::LevelsInputs inputs;
  ragged::LevelsArgs args;
  ragged::LevelsYields yields, results;
};

/// The row kinds of all values of the region of a recursion.
class LevelRows {
public:
  explicit LevelRows(const Recursion &recursion);

  /// `Unit` also for values from outside.
  RowKind kind(mlir::Value value) const { return kinds.lookup(value); }

private:
  void inferLoop(ragged::RepeatOp loop);
  /// Whether the op reads anything that is not the same for all levels.
  bool isOfLevel(mlir::Operation &op) const;
  RowKind infer(mlir::OpResult result) const;
  RowKind inferFrom(mlir::Value partition, bool isRow) const;
  RowKind inferFromOperands(mlir::Operation &op) const;
  llvm::DenseMap<mlir::Value, RowKind> kinds;
};

} // namespace cambium

#endif // CAMBIUM_RAGGED_DERIVATIVES_RECURSION_H
