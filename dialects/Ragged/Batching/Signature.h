//===-- Signature.h - What the arguments of a batched function are -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_BATCHING_SIGNATURE_H
#define CAMBIUM_RAGGED_BATCHING_SIGNATURE_H

#include "dialects/Ragged/Batching/RowSpaces.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cambium {

/// The user's name of an argument, else `arg<i>`.
std::string nameOf(mlir::func::FuncOp function, mlir::BlockArgument arg);
/// The same of a result.
std::string nameOfResult(mlir::func::FuncOp function, unsigned index);

/// A row space that the examples bring.
struct SpaceInfo {
  unsigned id;
  std::string name;
  bool isNodes;
  mlir::Location loc;
  /// The index of the space whose rows have these rows, -1 for the examples.
  int64_t in = -1;
};

/// A tree argument.
struct ForestInfo {
  mlir::BlockArgument tree;
  std::string name;
  int64_t space;
  /// The largest number of children that the function can read, -1 for any.
  int64_t arity = -1;
  /// Whether the function asks for the root.
  bool singleRoot = false;
};

/// The arguments and results of a batched function and their attributes
/// (docs/Batching.md), found on the function of one example.
class Signature {
public:
  Signature(mlir::func::FuncOp function, RowSpaces &spaces);

  /// Fails with an error if an argument cannot be given by the host.
  llvm::LogicalResult check();

  llvm::ArrayRef<SpaceInfo> getSpaces() const { return spaceInfos; }
  llvm::ArrayRef<ForestInfo> getForests() const { return forests; }
  llvm::ArrayRef<mlir::BlockArgument> getInputs() const { return inputs; }
  /// The values whose ids the host checks: inputs, also as a cell sees them.
  llvm::DenseSet<mlir::Value> takeCheckedIds() { return std::move(checkedIds); }
  /// The index of a space among those of the function.
  int64_t indexOf(unsigned space) const;

  /// The space of the next result: -1 per example, -2 per call.
  void addResult(int64_t space) { resultSpaces.push_back(space); }
  /// Sets the type and the attributes of the batched function.
  void apply(mlir::FunctionType type);

private:
  void addForest(mlir::BlockArgument tree);
  void addSpace(mlir::BlockArgument arg, unsigned space);
  void addInnerSpace(mlir::BlockArgument arg);
  /// The space of the rows that the host gives for an argument.
  unsigned spaceOf(mlir::BlockArgument arg);
  void describe();
  std::optional<int64_t> idBound(mlir::BlockArgument arg);

  mlir::func::FuncOp function;
  RowSpaces &spaces;
  llvm::SmallVector<SpaceInfo> spaceInfos;
  llvm::SmallVector<ForestInfo> forests;
  llvm::SmallVector<mlir::BlockArgument> inputs;
  llvm::SmallVector<mlir::DictionaryAttr> argAttrs;
  llvm::SmallVector<int64_t> resultSpaces;
  llvm::DenseSet<mlir::Value> checkedIds;
};

} // namespace cambium

#endif // CAMBIUM_RAGGED_BATCHING_SIGNATURE_H
