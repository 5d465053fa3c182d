//===-- dialects/Ragged/IR/LoopBuilders.h - Loops from their regions -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_IR_LOOPBUILDERS_H
#define CAMBIUM_DIALECTS_RAGGED_IR_LOOPBUILDERS_H

#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace cambium::ragged {

/// A region with one block that belongs to no loop yet. It stands in an op:
/// what is asked about regions climbs to the outermost one.
class LooseRegion {
public:
  explicit LooseRegion(mlir::Location loc);

  mlir::Region &get() { return holder->getBodyRegion(); }
  mlir::Block &front() { return get().front(); }

private:
  mlir::OwningOpRef<mlir::ModuleOp> holder;
};

/// A `ragged.levels` whose region is made first. Each operand gives the
/// argument that stands for it.
class LevelsBuilder {
public:
  explicit LevelsBuilder(mlir::Location loc, bool cuts = false);

  mlir::Block &getBlock() { return region.front(); }
  /// The level's edges to children, grouped by node.
  mlir::BlockArgument getEdgesArg() { return getBlock().getArgument(0); }
  mlir::Block::BlockArgListType getNodeArgs();

  mlir::BlockArgument addNodes(mlir::Value array);
  mlir::BlockArgument addEdges(mlir::Value array);
  mlir::BlockArgument addRecurrent(mlir::Type type);
  mlir::BlockArgument addShared(mlir::Value array);

  /// Makes the op around the region. `base` are the states of the leaves.
  LevelsOp build(mlir::OpBuilder &builder, Direction direction, Part part,
                 mlir::Value forest, mlir::ValueRange base,
                 const LevelsYields &yields, bool rematerialize = false);

private:
  mlir::BlockArgument insert(size_t position, mlir::Type type);

  mlir::Location loc;
  bool cuts;
  LooseRegion region;
  LevelsInputs inputs;
  size_t numRecurrent = 0;
};

/// A `ragged.iterate` whose region is made first.
class IterateBuilder {
public:
  explicit IterateBuilder(mlir::Location loc);

  mlir::Block &getBlock() { return region.front(); }
  /// The numbers of the active rows.
  mlir::BlockArgument getIdsArg() { return getBlock().getArgument(0); }

  mlir::BlockArgument addState(mlir::Value init);
  /// The array itself is given in the end.
  mlir::BlockArgument addShared(mlir::Type type);
  mlir::Block::BlockArgListType getSharedArgs();

  /// Makes the op around the region; `active` may be null.
  IterateOp build(mlir::OpBuilder &builder, int64_t max, mlir::Value active,
                  mlir::ValueRange shared, const IterateYields &yields,
                  bool rematerialize);

private:
  mlir::Location loc;
  LooseRegion region;
  Values init;
};

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_IR_LOOPBUILDERS_H
