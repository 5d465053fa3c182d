//===-- AbiAccess.cpp - The structs of abi.h in generated code ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AbiAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

size_t cambium::offsetOf(rt::ForestSize field) {
  switch (field) {
  case rt::ForestSize::NumNodes:
    return offsetof(cambium_abi_forest_t, num_nodes);
  case rt::ForestSize::NumEdges:
    return offsetof(cambium_abi_forest_t, num_edges);
  case rt::ForestSize::NumLevels:
    return offsetof(cambium_abi_forest_t, num_levels);
  case rt::ForestSize::NumTrees:
    return offsetof(cambium_abi_forest_t, num_trees);
  case rt::ForestSize::MaxLevelNodes:
    return offsetof(cambium_abi_forest_t, max_level_nodes);
  case rt::ForestSize::MaxLevelEdges:
    return offsetof(cambium_abi_forest_t, max_level_edges);
  }
  llvm_unreachable("unknown count of a forest");
}

namespace {
struct IndexArray {
  size_t offset;
  rt::ForestSize length;
  int64_t more;
};
} // namespace

static IndexArray describe(rt::ForestIndex field) {
  using Size = rt::ForestSize;
  switch (field) {
  case rt::ForestIndex::LevelNodes:
    return {offsetof(cambium_abi_forest_t, level_nodes), Size::NumLevels, 1};
  case rt::ForestIndex::ChildOffsets:
    return {offsetof(cambium_abi_forest_t, child_offsets), Size::NumNodes, 1};
  case rt::ForestIndex::ChildNodes:
    return {offsetof(cambium_abi_forest_t, child_nodes), Size::NumEdges, 0};
  case rt::ForestIndex::EdgeParents:
    return {offsetof(cambium_abi_forest_t, edge_parents), Size::NumEdges, 0};
  case rt::ForestIndex::ParentOffsets:
    return {offsetof(cambium_abi_forest_t, parent_offsets), Size::NumNodes, 1};
  case rt::ForestIndex::ParentEdges:
    return {offsetof(cambium_abi_forest_t, parent_edges), Size::NumEdges, 0};
  case rt::ForestIndex::NodeToUser:
    return {offsetof(cambium_abi_forest_t, node_to_user), Size::NumNodes, 0};
  case rt::ForestIndex::UserToNode:
    return {offsetof(cambium_abi_forest_t, user_to_node), Size::NumNodes, 0};
  case rt::ForestIndex::EdgeToUser:
    return {offsetof(cambium_abi_forest_t, edge_to_user), Size::NumEdges, 0};
  case rt::ForestIndex::Roots:
    return {offsetof(cambium_abi_forest_t, roots), Size::NumTrees, 0};
  }
  llvm_unreachable("unknown index array of a forest");
}

size_t cambium::offsetOf(rt::ForestIndex field) {
  return describe(field).offset;
}

std::pair<rt::ForestSize, int64_t> cambium::lengthOf(rt::ForestIndex field) {
  IndexArray array = describe(field);
  return {array.length, array.more};
}

size_t cambium::offsetOf(rt::RowsSize field) {
  switch (field) {
  case rt::RowsSize::NumSegments:
    return offsetof(cambium_abi_rows_t, num_segments);
  case rt::RowsSize::NumRows:
    return offsetof(cambium_abi_rows_t, num_rows);
  }
  llvm_unreachable("unknown count of a partition");
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

Value AbiAccess::constant(int64_t value, unsigned bits) {
  return LLVM::ConstantOp::create(
      builder, loc, builder.getIntegerType(bits),
      builder.getIntegerAttr(builder.getIntegerType(bits), value));
}

Value AbiAccess::address(Value base, size_t offset) {
  if (offset == 0)
    return base;
  return LLVM::GEPOp::create(
      builder, loc, pointerType, builder.getI8Type(), base,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

Value AbiAccess::load(Value base, size_t offset, Type type) {
  return LLVM::LoadOp::create(builder, loc, type, address(base, offset));
}

Value AbiAccess::loadIndex(Value base, size_t offset) {
  return toIndex(load(base, offset, builder.getI64Type()));
}

Value AbiAccess::toIndex(Value value) {
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    value);
}

Value AbiAccess::fromIndex(Value value) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
}

Value AbiAccess::space(Value call, int64_t index) {
  Value spaces = loadPointer(call, offsetof(cambium_abi_call_t, spaces));
  return address(spaces, index * sizeof(cambium_abi_rows_t));
}

Value AbiAccess::forest(Value call, int64_t index) {
  Value forests = loadPointer(call, offsetof(cambium_abi_call_t, forests));
  return loadPointer(forests, index * sizeof(void *));
}

Value AbiAccess::input(Value call, int64_t index) {
  Value inputs = loadPointer(call, offsetof(cambium_abi_call_t, inputs));
  return loadPointer(inputs, index * sizeof(void *));
}

Value AbiAccess::output(Value call, int64_t index) {
  Value outputs = loadPointer(call, offsetof(cambium_abi_call_t, outputs));
  return loadPointer(outputs, index * sizeof(void *));
}

Value AbiAccess::param(Value call, int64_t index) {
  Value params = loadPointer(call, offsetof(cambium_abi_call_t, params));
  return address(params, index * sizeof(cambium_abi_param_t));
}

Value AbiAccess::callService(Value call, size_t offset, Type result,
                             ValueRange arguments) {
  Value services = loadPointer(call, offsetof(cambium_abi_call_t, services));
  SmallVector<Value> operands{loadPointer(services, offset), call};
  SmallVector<Type> types{pointerType};
  for (Value argument : arguments) {
    operands.push_back(argument);
    types.push_back(argument.getType());
  }
  Type type = result ? result : LLVM::LLVMVoidType::get(builder.getContext());
  auto callOp = LLVM::CallOp::create(
      builder, loc, LLVM::LLVMFunctionType::get(type, types), operands);
  return result ? callOp.getResult() : Value();
}
