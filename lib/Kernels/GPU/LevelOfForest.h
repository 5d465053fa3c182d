//===-- LevelOfForest.h - What the rows of a level of a forest are --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_LEVELOFFOREST_H
#define CAMBIUM_LIB_KERNELS_GPU_LEVELOFFOREST_H

#include "dialects/RT/IR/RT.h"

namespace cambium {

/// The nodes of a level, and the edges to their children, as numbers that are
/// read from the arrays of a forest (cambium_abi_forest_t). What is known of
/// these arrays says which rows are whose: the edges of a node stand together,
/// and its children are nodes of earlier levels.
class LevelOfForest {
public:
  /// The level whose nodes a number counts, if it does.
  static std::optional<LevelOfForest> of(mlir::Value nodeCount);
  /// The level whose edges a number counts, if it does.
  static std::optional<LevelOfForest> ofEdges(mlir::Value edgeCount);

  mlir::Value forest, nodeBegin, nodeEnd;

  bool operator==(const LevelOfForest &other) const {
    return forest == other.forest && nodeBegin == other.nodeBegin &&
           nodeEnd == other.nodeEnd;
  }
  /// Whether a number counts the level's edges.
  bool countsEdges(mlir::Value count) const;
  /// Whether a row, of as many as the level has edges, is of an edge to a child
  /// of node number `node` of the level wherever `at` is executed.
  bool isEdgeOf(mlir::Value row, mlir::Value node, mlir::Operation *at) const;
  /// Whether the number is that of a node in an earlier level.
  bool isChild(mlir::Value node) const;
  /// The number of the first edge of node number `node` of the level, among the
  /// level's edges; `count` counts these.
  mlir::Value firstEdge(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value node, mlir::Value count) const;

private:
  /// Whether it is the number of the first edge of the node, among all edges.
  bool isFirstEdge(mlir::Value edge, mlir::Value node) const;
  /// The same among the level's edges, of its node number `node + behind`.
  bool isFirstOf(mlir::Value row, mlir::Value node, int64_t behind) const;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_LEVELOFFOREST_H
