//===-- RowSpaces.h - Which rows belong together -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every `?` of a function of one example belongs to a row space: the rows of an
// argument, the nodes or the edges of a tree, the children of the node at hand
// (docs/Batching.md). Spaces join where rows meet; joining two that are known
// to differ is an error at the op.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_BATCHING_ROWSPACES_H
#define CAMBIUM_RAGGED_BATCHING_ROWSPACES_H

#include "cambium/Support/Rows.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace cambium {

/// Whether the type holds rows that have rows: `tensor<?x?x...>`.
inline bool hasInnerRows(mlir::Type type) {
  return hasRows(type) && hasRows(rowType(type));
}

/// What is known of a space.
struct RowSpace {
  /// The name given by the argument attribute `cambium.rows`.
  std::string name;
  /// The tree argument whose nodes the rows are.
  mlir::Value nodesOf;
  /// The tree whose edges the rows are.
  mlir::Value edgesOf;
  /// The region whose node has the rows as children; null outside of cells.
  mlir::Region *cell = nullptr;
  /// Where the space comes from, and how to name it in a message.
  mlir::Location origin;
  std::string what;
  /// Whether the rows are those of an argument.
  bool isArgument = false;
  /// The op that makes the rows for its region; null if none does.
  mlir::Operation *madeBy = nullptr;
  /// The space whose rows have these rows, as sentences have words.
  std::optional<unsigned> in = std::nullopt;
  /// Whether nothing is known but that an op of the cell has made the rows:
  /// they may be as those of the example.
  bool isOpen = false;
};

/// The row spaces of one function.
class RowSpaces {
public:
  /// Joins what meets in the function. Fails with an error at an op that mixes
  /// rows of different spaces.
  static llvm::FailureOr<RowSpaces> infer(mlir::FunctionOpInterface function);

  /// The rows of the values are the same rows, as `op` says.
  llvm::LogicalResult join(mlir::Operation *op, mlir::Value a, mlir::Value b);
  /// The rows of the value are the nodes (the edges) of the tree.
  llvm::LogicalResult joinNodes(mlir::Operation *op, mlir::Value rows,
                                mlir::Value tree);
  llvm::LogicalResult joinEdges(mlir::Operation *op, mlir::Value rows,
                                mlir::Value tree);
  /// The rows of the value are the children of the node at hand in the region.
  llvm::LogicalResult joinChildren(mlir::Operation *op, mlir::Value rows,
                                   mlir::Region *cell);
  /// The rows of the value are rows of their own, which the op makes for its
  /// region.
  void setMadeBy(mlir::Operation *op, mlir::Value rows, llvm::StringRef what);

  /// `row` is one of `rows`, which have rows.
  llvm::LogicalResult joinInner(mlir::Operation *op, mlir::Value rows,
                                mlir::Value row);

  /// Each of the rows has rows of its own, which an op makes for it.
  void addInner(mlir::Value rows, llvm::StringRef what);
  /// Row by row the two have the same rows.
  llvm::LogicalResult joinInners(mlir::Operation *op, mlir::Value a,
                                 mlir::Value b);
  bool hasInner(mlir::Value rows) const { return ofInner.contains(rows); }

  /// The op takes rows that have rows.
  void takeInner(mlir::Operation *op, mlir::Value rows) {
    entered.insert({op, rows});
  }
  /// One of the rows is as `inner`: it has rows of its own, or sees all rows of
  /// a space of the example.
  void setInner(mlir::Value rows, mlir::Value inner) {
    ofInner[rows] = spaceOf(inner);
  }

  /// The number of a space, equal for equal spaces.
  unsigned spaceOf(mlir::Value rows);
  unsigned nodesOf(mlir::Value tree);
  unsigned edgesOf(mlir::Value tree);
  unsigned childrenOf(mlir::Region *cell);
  /// The space of the rows that rows have: where each sees those of a space,
  /// pairs.
  unsigned innerOf(mlir::Value rows);
  /// What is known of a space.
  const RowSpace &get(unsigned space) { return spaces[find(space)]; }

private:
  explicit RowSpaces(mlir::FunctionOpInterface function) : function(function) {}

  unsigned add(RowSpace space);
  unsigned find(unsigned space);
  llvm::LogicalResult unite(mlir::Operation *op, unsigned a, unsigned b);
  llvm::LogicalResult visit(mlir::Operation *op);
  bool differ(const RowSpace &a, const RowSpace &b);
  unsigned pairsOf(unsigned rows, unsigned others);
  llvm::LogicalResult checkInner(mlir::Operation *op);
  void addArgument(mlir::BlockArgument arg);
  void addOuter(mlir::BlockArgument arg);

  mlir::FunctionOpInterface function;
  llvm::SmallVector<RowSpace> spaces;
  llvm::SmallVector<unsigned> parents;
  llvm::DenseMap<mlir::Value, unsigned> ofRows, ofNodes, ofEdges, ofInner;
  struct Pairs {
    unsigned rows, others, space;
  };
  llvm::SmallVector<Pairs> pairs;
  /// The operands that are taken as rows that have rows.
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::Value>> entered;
  llvm::DenseMap<mlir::Region *, unsigned> ofChildren;
};

} // namespace cambium

#endif // CAMBIUM_RAGGED_BATCHING_ROWSPACES_H
