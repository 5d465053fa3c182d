//===-- lib/LLVM/DeviceBarrier.cpp - The barrier of all blocks ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceBarrier.h"
#include "AbiAccess.h"
#include "cambium/device_abi.h"

using namespace mlir;
using namespace cambium;

/// Memory operations that all threads of the GPU see.
static constexpr StringLiteral kWholeDevice = "device";

Value cambium::readRegister(OpBuilder &builder, Location loc, StringRef name,
                            unsigned bits) {
  return LLVM::CallIntrinsicOp::create(
             builder, loc, builder.getIntegerType(bits),
             builder.getStringAttr("llvm.nvvm.read.ptx.sreg." + name),
             ValueRange())
      .getResult(0);
}

namespace {
/// Makes a function of the call and of what a barrier is watched by.
class BarrierFunction {
public:
  BarrierFunction(ModuleOp module, bool isTimed, bool isLimited)
      : module(module), isTimed(isTimed), isLimited(isLimited),
        loc(module.getLoc()), b(OpBuilder::atBlockEnd(module.getBody())),
        abi(b, loc, /*onDevice=*/true) {}

  LLVM::LLVMFuncOp get() {
    std::string name = "cambium_barrier";
    name += isTimed ? "_timed" : "";
    name += isLimited ? "_limited" : "";
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return function;
    return create(name);
  }

private:
  using Predicate = LLVM::ICmpPredicate;

  LLVM::LLVMFuncOp create(StringRef name) {
    Type i64 = b.getI64Type(), i32 = b.getI32Type();
    SmallVector<Type> arguments{LLVM::LLVMPointerType::get(b.getContext())};
    if (isTimed)
      arguments.push_back(i64);
    if (isLimited)
      arguments.append({i64, i32});
    auto function = LLVM::LLVMFuncOp::create(
        b, loc, name,
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                    arguments));
    body = &function.getBody();
    Block *entry = function.addEntryBlock(b);
    call = entry->getArgument(0);
    if (isTimed)
      stage = entry->getArgument(1);
    if (isLimited) {
      limit = entry->getArguments().end()[-2];
      failureCode = entry->getArguments().back();
    }
    Block *first = newBlock();
    done = newBlock();
    if (isLimited)
      done->addArgument(b.getI1Type(), loc);
    b.setInsertionPointToEnd(entry);
    sync();
    LLVM::CondBrOp::create(b, loc, isZero(readRegister(b, loc, "tid.x")), first,
                           ValueRange(), done, onTime());
    b.setInsertionPointToEnd(first);
    arriveAndWait();
    body->getBlocks().splice(body->end(), body->getBlocks(), done);
    b.setInsertionPointToEnd(done);
    isLimited ? leaveIfLate() : sync();
    LLVM::ReturnOp::create(b, loc, ValueRange());
    return function;
  }

  Block *newBlock() {
    OpBuilder::InsertionGuard guard(b);
    return b.createBlock(body, body->end());
  }

  /// All threads of the block wait for each other.
  void sync() {
    LLVM::CallIntrinsicOp::create(
        b, loc, b.getStringAttr("llvm.nvvm.barrier.cta.sync.aligned.all"),
        ValueRange{abi.constant(0, 32)});
  }

  Value isZero(Value value) {
    Value zero = abi.constant(0, value.getType().getIntOrFloatBitWidth());
    return LLVM::ICmpOp::create(b, loc, Predicate::eq, value, zero);
  }

  /// What `done` gets from a thread whose block need not leave.
  SmallVector<Value> onTime() {
    return isLimited ? SmallVector<Value>{abi.constant(0, 1)}
                     : SmallVector<Value>();
  }

  Value timer() { return readRegister(b, loc, "globaltimer", 64); }

  /// As one of global memory: LLVM has no other atomic operations on it.
  Value global(Value pointer) {
    return LLVM::AddrSpaceCastOp::create(
        b, loc, LLVM::LLVMPointerType::get(b.getContext(), kGlobalMemory),
        pointer);
  }

  /// Counts the block in and waits until all have been counted. LLVM 22 drops
  /// the order of an atomic addition, hence the fence. The counter says by its
  /// old value which barrier this is.
  void arriveAndWait() {
    Value counter = global(
        abi.loadPointer(call, offsetof(cambium_abi_device_call_t, barriers)));
    LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::acq_rel, kWholeDevice);
    Value old = LLVM::AtomicRMWOp::create(
        b, loc, LLVM::AtomicBinOp::add, counter, abi.constant(1, 32),
        LLVM::AtomicOrdering::monotonic, kWholeDevice);
    if (isTimed || isLimited)
      arrived = timer();
    Value blocks = readRegister(b, loc, "nctaid.x");
    Value passed = LLVM::UDivOp::create(b, loc, old, blocks);
    Value next = LLVM::AddOp::create(b, loc, passed, abi.constant(1, 32));
    Value goal = LLVM::MulOp::create(b, loc, next, blocks);
    Block *spin = newBlock();
    LLVM::BrOp::create(b, loc, spin);
    b.setInsertionPointToStart(spin);
    Value now = LLVM::LoadOp::create(
        b, loc, b.getI32Type(), counter, /*alignment=*/4,
        /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
        /*isInvariantGroup=*/false, LLVM::AtomicOrdering::acquire,
        kWholeDevice);
    Value missing = LLVM::SubOp::create(b, loc, now, goal);
    Value isThere = LLVM::ICmpOp::create(b, loc, Predicate::sge, missing,
                                         abi.constant(0, 32));
    Block *recorded = isTimed ? newBlock() : done;
    Block *again = isLimited ? newBlock() : spin;
    LLVM::CondBrOp::create(b, loc, isThere, recorded,
                           isTimed ? SmallVector<Value>() : onTime(), again,
                           ValueRange());
    if (isLimited)
      failIfLate(again, spin);
    if (isTimed)
      recordTime(recorded);
  }

  /// Records the failure, if it is the first one, where the time is over.
  void failIfLate(Block *waiting, Block *spin) {
    b.setInsertionPointToStart(waiting);
    Value waited = LLVM::SubOp::create(b, loc, timer(), arrived);
    Value isLate = LLVM::ICmpOp::create(b, loc, Predicate::ugt, waited, limit);
    Block *late = newBlock();
    LLVM::CondBrOp::create(b, loc, isLate, late, spin);
    b.setInsertionPointToStart(late);
    static_assert(offsetof(cambium_abi_device_state_t, code) == 0);
    Value code = global(
        abi.loadPointer(call, offsetof(cambium_abi_device_call_t, state)));
    LLVM::AtomicCmpXchgOp::create(b, loc, code, abi.constant(0, 32),
                                  failureCode, LLVM::AtomicOrdering::monotonic,
                                  LLVM::AtomicOrdering::monotonic,
                                  kWholeDevice);
    LLVM::BrOp::create(b, loc, ValueRange{abi.constant(1, 1)}, done);
  }

  /// The first block adds the time since the barrier before.
  void recordTime(Block *passed) {
    b.setInsertionPointToStart(passed);
    Block *record = newBlock();
    LLVM::CondBrOp::create(b, loc, isZero(readRegister(b, loc, "ctaid.x")),
                           record, ValueRange(), done, onTime());
    b.setInsertionPointToStart(record);
    using Time = cambium_abi_stage_time_t;
    Value now = timer();
    Value times =
        abi.loadPointer(call, offsetof(cambium_abi_device_call_t, times));
    Value offset = LLVM::MulOp::create(
        b, loc, stage, abi.constant(static_cast<int64_t>(sizeof(Time))));
    Value mine = LLVM::GEPOp::create(b, loc, abi.pointer(), b.getI8Type(),
                                     times, ArrayRef<LLVM::GEPArg>{offset});
    Value before = abi.load(times, offsetof(Time, passed), b.getI64Type());
    // The first barrier begins where the block has come to it.
    before = LLVM::SelectOp::create(b, loc, isZero(before), arrived, before);
    auto add = [&](size_t field, Value more) {
      Value sum = abi.load(mine, field, b.getI64Type());
      sum = LLVM::AddOp::create(b, loc, sum, more);
      LLVM::StoreOp::create(b, loc, sum, abi.address(mine, field));
    };
    add(offsetof(Time, count), abi.constant(1));
    add(offsetof(Time, nanoseconds), LLVM::SubOp::create(b, loc, now, before));
    add(offsetof(Time, waited), LLVM::SubOp::create(b, loc, now, arrived));
    LLVM::StoreOp::create(b, loc, now,
                          abi.address(times, offsetof(Time, passed)));
    LLVM::BrOp::create(b, loc, onTime(), done);
  }

  /// All threads of the block leave the kernel if its first one gave up.
  void leaveIfLate() {
    Value isLate =
        LLVM::CallIntrinsicOp::create(
            b, loc, b.getI1Type(),
            b.getStringAttr("llvm.nvvm.barrier.cta.red.or.aligned.all"),
            ValueRange{abi.constant(0, 32), done->getArgument(0)})
            .getResult(0);
    Block *leave = newBlock(), *go = newBlock();
    LLVM::CondBrOp::create(b, loc, isLate, leave, go);
    b.setInsertionPointToStart(leave);
    LLVM::CallIntrinsicOp::create(b, loc, b.getStringAttr("llvm.nvvm.exit"),
                                  ValueRange());
    LLVM::BrOp::create(b, loc, go);
    b.setInsertionPointToStart(go);
  }

  ModuleOp module;
  bool isTimed, isLimited;
  Location loc;
  OpBuilder b;
  AbiAccess abi;
  Region *body = nullptr;
  Block *done = nullptr;
  Value call, stage, limit, failureCode;
  /// When the block was counted.
  Value arrived;
};
} // namespace

void cambium::callBarrier(OpBuilder &builder, rt::BarrierOp op, Value call) {
  Location loc = op.getLoc();
  AbiAccess abi(builder, loc, /*onDevice=*/true);
  SmallVector<Value> arguments{call};
  if (std::optional<int32_t> stage = op.getStage())
    arguments.push_back(abi.constant(*stage));
  if (std::optional<int64_t> limit = op.getLimit()) {
    arguments.push_back(abi.constant(*limit * 1'000'000));
    arguments.push_back(abi.constant(*op.getFailure(), 32));
  }
  auto callee =
      BarrierFunction(op->getParentOfType<ModuleOp>(),
                      op.getStage().has_value(), op.getLimit().has_value())
          .get();
  LLVM::CallOp::create(builder, loc, callee, arguments);
}
