//===-- dialects/Ragged/IR/LoopBuilders.cpp - Loops from their regions ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/IR/LoopBuilders.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium::ragged;

//===----------------------------------------------------------------------===//
// Values by kind
//===----------------------------------------------------------------------===//

static Values concat(std::initializer_list<ValueRange> parts) {
  Values all;
  for (ValueRange part : parts)
    llvm::append_range(all, part);
  return all;
}

Values LevelsArgs::inOrder() const {
  return concat({partition, nodes, edges, recurrent, shared});
}
Values LevelsYields::inOrder() const {
  return concat({recurrent, nodes, edges, shared});
}
Values IterateArgs::inOrder() const { return concat({ids, states, shared}); }
Values IterateYields::inOrder() const {
  return concat({flags, states, shared, records});
}
Values IterateResults::inOrder() const {
  return concat({states, steps, shared, records});
}

/// Gives the block a terminator that yields the values.
static void endWith(OpBuilder &builder, Location loc, Block &block,
                    ValueRange values) {
  if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>())
    return block.back().setOperands(values);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  YieldOp::create(builder, loc, values);
}

//===----------------------------------------------------------------------===//
// The builders of the ops
//===----------------------------------------------------------------------===//

void LevelsOp::build(OpBuilder &builder, OperationState &state,
                     Direction direction, Part part, Value forest,
                     const LevelsInputs &inputs, const LevelsYields &yields,
                     bool rematerialize, bool cuts, Region &body) {
  state.addOperands(
      concat({forest, inputs.nodes, inputs.edges, inputs.base, inputs.shared}));
  auto &properties = state.getOrAddProperties<Properties>();
  properties.direction = DirectionAttr::get(state.getContext(), direction);
  properties.part = PartAttr::get(state.getContext(), part);
  auto number = [&](size_t n) {
    return builder.getI64IntegerAttr(static_cast<int64_t>(n));
  };
  properties.num_recurrent = number(yields.recurrent.size());
  properties.num_node_yields = number(yields.nodes.size());
  if (rematerialize)
    properties.rematerialize = builder.getUnitAttr();
  if (cuts)
    properties.cuts = builder.getUnitAttr();
  size_t sizes[] = {1, inputs.nodes.size(), inputs.edges.size(),
                    inputs.base.size(), inputs.shared.size()};
  llvm::copy(sizes, properties.operandSegmentSizes.begin());
  Values values = yields.inOrder();
  state.addTypes(ValueRange(values).getTypes());
  Region *region = state.addRegion();
  region->takeBody(body);
  endWith(builder, state.location, region->front(), values);
}

void IterateOp::build(OpBuilder &builder, OperationState &state, int64_t max,
                      Value active, ValueRange init, ValueRange shared,
                      const IterateYields &yields, bool rematerialize,
                      Region &body) {
  ValueRange first = active ? ValueRange(active) : ValueRange();
  state.addOperands(concat({first, init, shared}));
  auto &properties = state.getOrAddProperties<Properties>();
  properties.max = builder.getI64IntegerAttr(max);
  if (rematerialize)
    properties.rematerialize = builder.getUnitAttr();
  size_t sizes[] = {first.size(), init.size(), shared.size()};
  llvm::copy(sizes, properties.operandSegmentSizes.begin());
  state.addTypes(init.getTypes());
  state.addTypes(
      RankedTensorType::get({ShapedType::kDynamic}, builder.getI32Type()));
  state.addTypes(shared.getTypes());
  state.addTypes(ValueRange(yields.records).getTypes());
  Region *region = state.addRegion();
  region->takeBody(body);
  endWith(builder, state.location, region->front(), yields.inOrder());
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

LooseRegion::LooseRegion(Location loc) : holder(ModuleOp::create(loc)) {
  get().getBlocks().clear();
  get().emplaceBlock();
}

LevelsBuilder::LevelsBuilder(Location loc, bool cuts)
    : loc(loc), cuts(cuts), region(loc) {
  getBlock().addArgument(RowsType::get(loc.getContext()), loc);
}

Block::BlockArgListType LevelsBuilder::getNodeArgs() {
  return getBlock().getArguments().slice(1, inputs.nodes.size());
}

BlockArgument LevelsBuilder::insert(size_t position, Type type) {
  return getBlock().insertArgument(1 + position, type, loc);
}

BlockArgument LevelsBuilder::addNodes(Value array) {
  size_t position = inputs.nodes.size();
  inputs.nodes.push_back(array);
  return insert(position, array.getType());
}

BlockArgument LevelsBuilder::addEdges(Value array) {
  size_t position = inputs.nodes.size() + inputs.edges.size();
  inputs.edges.push_back(array);
  return insert(position, array.getType());
}

BlockArgument LevelsBuilder::addRecurrent(Type type) {
  return insert(inputs.nodes.size() + inputs.edges.size() + numRecurrent++,
                type);
}

BlockArgument LevelsBuilder::addShared(Value array) {
  inputs.shared.push_back(array);
  return getBlock().addArgument(array.getType(), loc);
}

LevelsOp LevelsBuilder::build(OpBuilder &builder, Direction direction,
                              Part part, Value forest, ValueRange base,
                              const LevelsYields &yields, bool rematerialize) {
  inputs.base.assign(base.begin(), base.end());
  return LevelsOp::create(builder, loc, direction, part, forest, inputs, yields,
                          rematerialize, cuts, region.get());
}

IterateBuilder::IterateBuilder(Location loc) : loc(loc), region(loc) {
  Type number = IntegerType::get(loc.getContext(), 32);
  getBlock().addArgument(RankedTensorType::get({ShapedType::kDynamic}, number),
                         loc);
}

BlockArgument IterateBuilder::addState(Value value) {
  init.push_back(value);
  return getBlock().insertArgument(init.size(), value.getType(), loc);
}

BlockArgument IterateBuilder::addShared(Type type) {
  return getBlock().addArgument(type, loc);
}

Block::BlockArgListType IterateBuilder::getSharedArgs() {
  return getBlock().getArguments().drop_front(1 + init.size());
}

IterateOp IterateBuilder::build(OpBuilder &builder, int64_t max, Value active,
                                ValueRange shared, const IterateYields &yields,
                                bool rematerialize) {
  return IterateOp::create(builder, loc, max, active, init, shared, yields,
                           rematerialize, region.get());
}
