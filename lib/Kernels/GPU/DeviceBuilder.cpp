//===-- DeviceBuilder.cpp - Threads, warps and blocks in generated code ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace cambium;

static constexpr StringLiteral kSyncWarp = "llvm.nvvm.bar.warp.sync";
static constexpr StringLiteral kSyncBlock =
    "llvm.nvvm.barrier.cta.sync.aligned.all";

static Value constantWord(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                      value);
}

Value DeviceBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}
Value DeviceBuilder::add(Value x, Value y) {
  return arith::AddIOp::create(builder, loc, x, y);
}
Value DeviceBuilder::multiply(Value x, Value y) {
  return arith::MulIOp::create(builder, loc, x, y);
}
Value DeviceBuilder::less(Value x, Value y) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, x, y);
}

Value DeviceBuilder::equal(Value x, Value y) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, x, y);
}
Value DeviceBuilder::smaller(Value x, Value y) {
  return arith::MinSIOp::create(builder, loc, x, y);
}
Value DeviceBuilder::before(Value end) {
  return arith::SubIOp::create(builder, loc, end, index(1));
}
Value DeviceBuilder::choose(Value isFirst, Value x, Value y) {
  return arith::SelectOp::create(builder, loc, isFirst, x, y);
}
std::pair<Value, Value> DeviceBuilder::split(Value number, int64_t size) {
  Value of = index(size);
  return {arith::DivUIOp::create(builder, loc, number, of),
          arith::RemUIOp::create(builder, loc, number, of)};
}
Value DeviceBuilder::call(Type type, StringRef name, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(builder, loc, type,
                                       builder.getStringAttr(name), operands)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

Value DeviceBuilder::special(StringRef name) {
  Value number = call(builder.getI32Type(),
                      ("llvm.nvvm.read.ptx.sreg." + name).str(), ValueRange());
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                      number);
}

Value DeviceBuilder::thread() { return special("tid.x"); }
Value DeviceBuilder::block() { return special("ctaid.x"); }
Value DeviceBuilder::numBlocks() { return special("nctaid.x"); }

Value DeviceBuilder::warp() {
  return arith::DivUIOp::create(builder, loc, thread(),
                                index(costs.warpThreads));
}

Value DeviceBuilder::lane() {
  return arith::RemUIOp::create(builder, loc, thread(),
                                index(costs.warpThreads));
}

Value DeviceBuilder::unit(rt::Unit unit) {
  if (unit == rt::Unit::Block)
    return block();
  Value number = add(multiply(warp(), numBlocks()), block());
  if (unit == rt::Unit::Warp)
    return number;
  return add(multiply(number, index(costs.warpThreads)), lane());
}

Value DeviceBuilder::numUnits(rt::Unit unit) {
  if (unit == rt::Unit::Block)
    return numBlocks();
  int64_t perBlock = unit == rt::Unit::Warp
                         ? costs.blockThreads / costs.warpThreads
                         : costs.blockThreads;
  return multiply(numBlocks(), index(perBlock));
}

//===----------------------------------------------------------------------===//
// Threads that work together
//===----------------------------------------------------------------------===//

void DeviceBuilder::syncWarp() {
  LLVM::CallIntrinsicOp::create(builder, loc, builder.getStringAttr(kSyncWarp),
                                ValueRange{constantWord(builder, loc, -1)});
}

void DeviceBuilder::syncBlock() {
  LLVM::CallIntrinsicOp::create(builder, loc, builder.getStringAttr(kSyncBlock),
                                ValueRange{constantWord(builder, loc, 0)});
}

static bool isCallOf(Operation *op, StringRef name) {
  auto call = dyn_cast_or_null<LLVM::CallIntrinsicOp>(op);
  return call && call.getIntrin() == name;
}
bool DeviceBuilder::isSyncWarp(Operation *op) {
  return isCallOf(op, kSyncWarp);
}
bool DeviceBuilder::isSyncBlock(Operation *op) {
  return isCallOf(op, kSyncBlock);
}

Value DeviceBuilder::exchangeWord(Value word, int64_t bit) {
  // All threads; the last one that a value may come from is the last of all.
  Value operands[] = {constantWord(builder, loc, -1), word,
                      constantWord(builder, loc, bit),
                      constantWord(builder, loc, costs.warpThreads - 1)};
  return call(builder.getI32Type(), "llvm.nvvm.shfl.sync.bfly.i32", operands);
}

/// By words of 32 bits.
Value DeviceBuilder::exchange(Value value, int64_t bit) {
  Type type = value.getType(), i32 = builder.getI32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(width);
  auto cast = [&](Value from, Type to) -> Value {
    return from.getType() == to
               ? from
               : arith::BitcastOp::create(builder, loc, to, from);
  };
  if (width == 32)
    return cast(exchangeWord(cast(value, i32), bit), type);
  Value bits = cast(value, integer);
  Value half = arith::ConstantIntOp::create(builder, loc, integer, 32);
  Value upper = arith::ShRUIOp::create(builder, loc, bits, half);
  auto word = [&](Value from) -> Value {
    Value low = arith::TruncIOp::create(builder, loc, i32, from);
    return arith::ExtUIOp::create(builder, loc, integer,
                                  exchangeWord(low, bit));
  };
  Value low = word(bits), high = word(upper);
  high = arith::ShLIOp::create(builder, loc, high, half);
  return cast(arith::OrIOp::create(builder, loc, low, high), type);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

static MemRefType poolType(MLIRContext *context, int64_t bytes) {
  Builder builder(context);
  return MemRefType::get({bytes}, builder.getI8Type(), AffineMap(),
                         builder.getI64IntegerAttr(3));
}

static memref::GlobalOp findPool(Operation *module) {
  return dyn_cast_or_null<memref::GlobalOp>(
      SymbolTable::lookupSymbolIn(module, kSharedPool));
}

/// The pool of the module at the insertion point.
static Value getPool(OpBuilder &builder, Location loc) {
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  return memref::GetGlobalOp::create(builder, loc, findPool(module).getType(),
                                     kSharedPool);
}

Value DeviceBuilder::sharedAddress(Value offset) {
  Value begin = memref::ExtractAlignedPointerAsIndexOp::create(
      builder, loc, getPool(builder, loc));
  return add(begin, offset);
}

Value DeviceBuilder::shared(MemRefType type, Value offset) {
  constexpr int64_t any = ShapedType::kDynamic;
  Value pool = getPool(builder, loc);
  // The pool may still grow.
  pool = memref::CastOp::create(builder, loc,
                                poolType(builder.getContext(), any), pool);
  pool = memref::MemorySpaceCastOp::create(
      builder, loc, MemRefType::get({any}, builder.getI8Type()), pool);
  return memref::ViewOp::create(builder, loc, type, pool, offset, ValueRange());
}

void cambium::reserveShared(Operation *module, int64_t bytes) {
  memref::GlobalOp pool = findPool(module);
  if (!pool) {
    OpBuilder builder = OpBuilder::atBlockBegin(&module->getRegion(0).front());
    memref::GlobalOp::create(
        builder, module->getLoc(), kSharedPool,
        builder.getStringAttr("private"), poolType(module->getContext(), bytes),
        /*initial_value=*/builder.getUnitAttr(), /*constant=*/false,
        /*alignment=*/builder.getI64IntegerAttr(128));
    return;
  }
  if (pool.getType().getDimSize(0) >= bytes)
    return;
  MemRefType type = poolType(module->getContext(), bytes);
  pool.setType(type);
  module->walk([&](memref::GetGlobalOp op) {
    if (op.getName() == kSharedPool)
      op.getResult().setType(type);
  });
}
