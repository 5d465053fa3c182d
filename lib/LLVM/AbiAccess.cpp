//===-- AbiAccess.cpp - The structs of abi.h in generated code -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AbiAccess.h"
#include "cambium/Support/ForestLayout.h"
#include "cambium/runtime.h"
#include "dialects/RT/IR/Status.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

// The fields that rt ops name are those of the table, in its order.
#define CAMBIUM_FIELD(Name, field)                                             \
  static_assert(unsigned(rt::ForestSize::Name) == unsigned(forest::Size::Name));
CAMBIUM_FOREST_SIZES(CAMBIUM_FIELD)
#undef CAMBIUM_FIELD
#define CAMBIUM_FIELD(Name, field, Length, more)                               \
  static_assert(unsigned(rt::ForestIndex::Name) ==                             \
                unsigned(forest::Index::Name));
CAMBIUM_FOREST_INDICES(CAMBIUM_FIELD)
#undef CAMBIUM_FIELD
static_assert(rt::getMaxEnumValForForestSize() + 1 ==
              std::size(forest::kSizes));
static_assert(rt::getMaxEnumValForForestIndex() + 1 ==
              std::size(forest::kIndices));

// What generated code ends a call with is what the runtime calls so.
static_assert(int32_t(rt::Status::InvalidArgument) ==
              CAMBIUM_STATUS_INVALID_ARGUMENT);
static_assert(int32_t(rt::Status::OutOfRange) == CAMBIUM_STATUS_OUT_OF_RANGE);
static_assert(int32_t(rt::Status::NotFinite) == CAMBIUM_STATUS_NOT_FINITE);
static_assert(int32_t(rt::Status::DeviceError) == CAMBIUM_STATUS_DEVICE_ERROR);

size_t cambium::offsetOf(rt::ForestSize field) {
  return forest::kSizes[unsigned(field)].offset;
}

size_t cambium::offsetOf(rt::ForestIndex field) {
  return forest::kIndices[unsigned(field)].offset;
}

std::pair<rt::ForestSize, int64_t> cambium::lengthOf(rt::ForestIndex field) {
  const forest::IndexField &array = forest::kIndices[unsigned(field)];
  return {static_cast<rt::ForestSize>(array.length), array.more};
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
  // One step for a field of a field: LLVM would make it one, and each new
  // instruction has it number those of the block once more.
  if (auto outer = base.getDefiningOp<LLVM::GEPOp>();
      outer && outer.getElemType().isInteger(8) &&
      outer.getDynamicIndices().empty()) {
    offset += outer.getRawConstantIndices().front();
    base = outer.getBase();
  }
  return LLVM::GEPOp::create(
      builder, loc, pointerType, builder.getI8Type(), base,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

Value AbiAccess::load(Value base, size_t offset, Type type) {
  return LLVM::LoadOp::create(builder, loc, type, address(base, offset));
}

/// On a device the type of the address says where it points to, and no cast
/// before it can hide that.
Value AbiAccess::loadPointer(Value base, size_t offset) {
  if (!onDevice)
    return load(base, offset, pointerType);
  Type global = LLVM::LLVMPointerType::get(builder.getContext(), kGlobalMemory);
  return LLVM::AddrSpaceCastOp::create(builder, loc, pointerType,
                                       load(base, offset, global));
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

Value AbiAccess::countBytes(int64_t bytes, ValueRange sizes) {
  Value total = constant(bytes), zero = constant(0), tooLarge;
  for (Value size : sizes) {
    if (onDevice) {
      total = arith::MulIOp::create(builder, loc, total, size);
      continue;
    }
    auto product = arith::MulUIExtendedOp::create(builder, loc, total, size);
    Value lost = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                       product.getHigh(), zero);
    tooLarge = tooLarge
                   ? Value(arith::OrIOp::create(builder, loc, tooLarge, lost))
                   : lost;
    total = product.getLow();
  }
  return tooLarge ? Value(arith::SelectOp::create(builder, loc, tooLarge,
                                                  constant(-1), total))
                  : total;
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
