//===-- lib/LLVM/ConvertRTToLLVM.cpp - rt ops as accesses to the call ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AbiAccess.h"
#include "FailureBranches.h"
#include "RTFunctions.h"
#include "ServiceCalls.h"
#include "cambium/LLVM/Passes.h"
#include "dialects/RT/IR/Bounds.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cambium {
#define GEN_PASS_DEF_CONVERTRTTOLLVM
#include "cambium/LLVM/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// Replaces the rt ops of one function, whose first argument is the call.
class FunctionConversion {
public:
  FunctionConversion(func::FuncOp function, RTTypes &types)
      : types(types), function(function), call(types.callOf(function)),
        builder(function.getContext()), services(types.getServices()),
        branches(function, types) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      if (isa_and_nonnull<rt::RTDialect>(op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      builder.setInsertionPoint(op);
      if (failed(convert(op)))
        return failure();
      if (!isa<rt::FailIfOp>(op))
        op->erase();
    }
    branches.split();
    return success();
  }

private:
  LogicalResult convert(Operation *op) {
    AbiAccess abi = types.access(builder, op->getLoc());
    return TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](rt::ParamOp param) {
          return paramMemory(param, offsetof(cambium_abi_param_t, value));
        })
        .Case([&](rt::PanelsOp param) { return panels(param, abi); })
        .Case([&](rt::KeptOp table) { return kept(table, abi); })
        .Case([&](rt::GradientOp param) {
          return paramMemory(param, offsetof(cambium_abi_param_t, gradient));
        })
        .Case([&](rt::StateOp param) {
          return paramMemory(param, offsetof(cambium_abi_param_t, state) +
                                        param.getSlot() * sizeof(void *));
        })
        .Case<rt::TouchedOp, rt::TouchedFlagsOp, rt::NumTouchedOp,
              rt::SetNumTouchedOp, rt::TouchOp, rt::ClearTouchedOp>(
            [&](auto rows) { return touchedRows(rows, abi); })
        .Case<rt::ScalarOp, rt::StepOp, rt::NumExamplesOp, rt::ExampleKeysOp>(
            [&](auto field) { return callField(field, abi); })
        .Case<rt::RowsSizeOp, rt::RowsOffsetsOp, rt::MakeRowsOp>(
            [&](auto rows) { return partition(rows, abi); })
        .Case<rt::ForestSizeOp, rt::ForestIndexOp>(
            [&](auto forest) { return forestField(forest, abi); })
        .Case<rt::ChainOp, rt::ChartOp, rt::FromParentsOp, rt::GroupOp,
              rt::IterationsOp, rt::FailIfOp, rt::AllocOp>(
            [&](auto service) { return fallible(service, abi); })
        .Case([&](rt::BarrierOp barrier) {
          return services.barrier(builder, barrier, call);
        })
        .Case([&](rt::LaunchOp launch) {
          services.launch(builder, launch, call);
          return success();
        })
        .Default([](Operation *other) {
          return other->emitOpError(
              "expected to be gone before conversion to LLVM");
        });
  }

  /// Gives the only result of an op its value.
  LogicalResult replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Parameters
  //===--------------------------------------------------------------------===//

  Value paramStruct(Operation *op, AbiAccess &abi) {
    return abi.param(call, types.paramIndex(op));
  }

  template <typename Op> LogicalResult paramMemory(Op op, size_t offset) {
    AbiAccess abi = types.access(builder, op.getLoc());
    Value memory = abi.loadPointer(paramStruct(op, abi), offset);
    auto type = cast<MemRefType>(op.getResult().getType());
    return replace(op, types.memref(builder, op.getLoc(), type, memory, {}));
  }

  /// The copy in panels, or the value as it is where there is none.
  LogicalResult panels(rt::PanelsOp op, AbiAccess &abi) {
    Value param = paramStruct(op, abi);
    Value copy = abi.loadPointer(param, offsetof(cambium_abi_param_t, panels));
    // Of another format there is always a copy.
    if (op.getFormat() != rt::PanelFormat::Values)
      return replace(
          op, types.memref(builder, op.getLoc(), op.getType(), copy, {}));
    Value value = abi.loadPointer(param, offsetof(cambium_abi_param_t, value));
    return replace(op, types.panels(builder, op.getLoc(), op.getType(), copy,
                                    value, types.paramColumns(op)));
  }

  /// What is kept stands behind the parameters.
  LogicalResult kept(rt::KeptOp op, AbiAccess &abi) {
    Value memory = abi.loadPointer(abi.param(call, types.numParams()),
                                   offsetof(cambium_abi_param_t, value));
    return replace(op,
                   types.memref(builder, op.getLoc(), op.getType(),
                                abi.address(memory, types.keptFrom(op)), {}));
  }

  template <typename Op> LogicalResult touchedRows(Op op, AbiAccess &abi) {
    constexpr size_t countOffset = offsetof(cambium_abi_param_t, num_touched);
    Value param = paramStruct(op, abi);
    auto ofRows = [&](size_t offset) {
      return types.memref(
          builder, op.getLoc(), cast<MemRefType>(op->getResult(0).getType()),
          abi.loadPointer(param, offset), {abi.constant(types.paramRows(op))});
    };
    if constexpr (std::is_same_v<Op, rt::NumTouchedOp>) {
      return replace(op, abi.loadIndex(param, countOffset));
    } else if constexpr (std::is_same_v<Op, rt::SetNumTouchedOp>) {
      LLVM::StoreOp::create(builder, op.getLoc(), abi.fromIndex(op.getCount()),
                            abi.address(param, countOffset));
      return success();
    } else if constexpr (std::is_same_v<Op, rt::TouchedOp>) {
      return replace(op, ofRows(offsetof(cambium_abi_param_t, touched)));
    } else if constexpr (std::is_same_v<Op, rt::TouchedFlagsOp>) {
      return replace(op, ofRows(offsetof(cambium_abi_param_t, is_touched)));
    } else if constexpr (std::is_same_v<Op, rt::TouchOp>) {
      func::CallOp::create(builder, op.getLoc(), types.touchFunction(),
                           ValueRange{param, abi.fromIndex(op.getRow())});
      return success();
    } else {
      func::CallOp::create(builder, op.getLoc(), types.clearTouchedFunction(),
                           ValueRange{param});
      return success();
    }
  }

  //===--------------------------------------------------------------------===//
  // The call
  //===--------------------------------------------------------------------===//

  template <typename Op> LogicalResult callField(Op op, AbiAccess &abi) {
    if constexpr (std::is_same_v<Op, rt::ScalarOp>) {
      Value scalars =
          abi.loadPointer(call, offsetof(cambium_abi_call_t, scalars));
      return replace(
          op, abi.load(scalars, op.getIndex() * sizeof(double), op.getType()));
    } else if constexpr (std::is_same_v<Op, rt::StepOp>) {
      return replace(
          op, abi.load(call, offsetof(cambium_abi_call_t, step), op.getType()));
    } else if constexpr (std::is_same_v<Op, rt::NumExamplesOp>) {
      return replace(
          op, abi.loadIndex(call, offsetof(cambium_abi_call_t, num_examples)));
    } else {
      Value keys =
          abi.loadPointer(call, offsetof(cambium_abi_call_t, example_keys));
      Value count = abi.load(call, offsetof(cambium_abi_call_t, num_examples),
                             builder.getI64Type());
      return replace(
          op, types.memref(builder, op.getLoc(), op.getType(), keys, {count}));
    }
  }

  //===--------------------------------------------------------------------===//
  // Partitions and forests
  //===--------------------------------------------------------------------===//

  template <typename Op> LogicalResult partition(Op op, AbiAccess &abi) {
    if constexpr (std::is_same_v<Op, rt::MakeRowsOp>) {
      return makeRows(op, abi);
    } else {
      Value rows = types.toPointer(builder, op.getRows());
      if constexpr (std::is_same_v<Op, rt::RowsSizeOp>)
        return replace(op, abi.loadIndex(rows, offsetOf(op.getField())));
      else
        return replace(op,
                       types.arrayOf(builder, op.getLoc(), op.getType(), rows,
                                     offsetof(cambium_abi_rows_t, offsets),
                                     offsetOf(rt::RowsSize::NumSegments), 1));
    }
  }

  /// A struct on the stack, in the first block, so that a loop needs only one.
  LogicalResult makeRows(rt::MakeRowsOp op, AbiAccess &abi) {
    Value memory =
        types.stackMemory(function, sizeof(cambium_abi_rows_t), op.getLoc());
    Value offsets = types.firstElement(builder, op.getLoc(), op.getOffsets());
    auto store = [&](Value value, size_t offset) {
      LLVM::StoreOp::create(builder, op.getLoc(), value,
                            abi.address(memory, offset));
    };
    store(abi.fromIndex(op.getNumSegments()),
          offsetOf(rt::RowsSize::NumSegments));
    store(abi.fromIndex(op.getNumRows()), offsetOf(rt::RowsSize::NumRows));
    store(offsets, offsetof(cambium_abi_rows_t, offsets));
    return replace(op, types.fromPointer(builder, memory, op.getType()));
  }

  template <typename Op> LogicalResult forestField(Op op, AbiAccess &abi) {
    Value forest = types.toPointer(builder, op.getForest());
    if constexpr (std::is_same_v<Op, rt::ForestSizeOp>) {
      return replace(op, abi.loadIndex(forest, offsetOf(op.getField())));
    } else {
      auto [count, more] = lengthOf(op.getField());
      return replace(op, types.arrayOf(builder, op.getLoc(), op.getType(),
                                       forest, offsetOf(op.getField()),
                                       offsetOf(count), more));
    }
  }

  //===--------------------------------------------------------------------===//
  // Services
  //===--------------------------------------------------------------------===//

  template <typename Op> LogicalResult fallible(Op op, AbiAccess &abi) {
    if (!rt::isEntry(function))
      return op.emitOpError(
          "expected to be in an entry, outside of parallel regions: only an "
          "entry can return an error");
    if constexpr (std::is_same_v<Op, rt::AllocOp>) {
      return allocate(op, abi);
    } else if constexpr (std::is_same_v<Op, rt::FailIfOp>) {
      return failIf(op);
    } else {
      auto [offset, args] = serviceOf(op, types, builder, abi);
      FailureOr<Value> made = services.make(builder, op, call, offset, args);
      if (failed(made))
        return failure();
      returnIfNull(*made, op);
      return replace(op, types.fromPointer(builder, *made, op.getType()));
    }
  }

  LogicalResult allocate(rt::AllocOp op, AbiAccess &abi) {
    auto type = cast<MemRefType>(op.getType());
    std::optional<int64_t> bytes = rt::staticBytes(type);
    if (!bytes)
      return op.emitError("expected what is computed to fit into memory, but "
                          "got ")
             << type;
    auto sizes = llvm::map_to_vector(
        op.getSizes(), [&](Value size) { return abi.fromIndex(size); });
    Value total = abi.countBytes(*bytes, sizes);
    Value memory = services.allocate(builder, op, call, total);
    returnIfNull(memory, op);
    release(op, memory, total);
    return replace(op, types.memref(builder, op.getLoc(), type, memory, sizes));
  }

  /// Where the memory of an allocation is given back.
  void release(rt::AllocOp op, Value memory, Value bytes) {
    OpBuilder::InsertionGuard guard(builder);
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      if (!isa<memref::DeallocOp>(user))
        continue;
      builder.setInsertionPoint(user);
      services.release(builder, user, call, memory, bytes);
      user->erase();
    }
  }

  LogicalResult failIf(rt::FailIfOp op) {
    OpBuilder::InsertionGuard guard(builder);
    Block *failing =
        builder.createBlock(&function.getBody(), function.getBody().end());
    FailureBranches::Branch branch{op, failing};
    branch.isFirst = services.isRecorder(builder, op.getLoc());
    if (branch.isFirst)
      branch.record =
          builder.createBlock(&function.getBody(), function.getBody().end());
    services.fail(builder, op, call);
    if (op.getStop())
      branch.next = branches.endOfEntry(op.getLoc());
    branches.add(branch);
    return success();
  }

  /// Leaves the entry when the service before `op` has failed.
  void returnIfNull(Value pointer, Operation *op) {
    if (!services.mayGiveNull())
      return;
    Location loc = op->getLoc();
    Value null = LLVM::ZeroOp::create(builder, loc, pointer.getType());
    Value isNull = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                        pointer, null);
    branches.add({isNull.getDefiningOp(), branches.endOfEntry(loc)});
  }

  RTTypes &types;
  func::FuncOp function;
  Value call;
  OpBuilder builder;
  Services &services;
  FailureBranches branches;
};

struct ConvertRTToLLVM : cambium::impl::ConvertRTToLLVMBase<ConvertRTToLLVM> {
  using ConvertRTToLLVMBase::ConvertRTToLLVMBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    RTTypes types(module);
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (failed(checkFlat(function)) ||
          failed(types.addCallArgument(function)))
        return signalPassFailure();
    for (func::FuncOp function : functions)
      if (!function.isExternal() &&
          failed(FunctionConversion(function, types).run()))
        return signalPassFailure();
    for (auto param : llvm::make_early_inc_range(module.getOps<nn::ParamOp>()))
      param.erase();
  }

  /// Returning from the middle of an entry needs its blocks to be its own; and
  /// what nobody frees must come from the workspace.
  static LogicalResult checkFlat(func::FuncOp function) {
    WalkResult result = function.walk([](Operation *op) {
      if (isa<memref::AllocOp>(op)) {
        op->emitOpError("expected rt.alloc instead: nothing frees this memory");
        return WalkResult::interrupt();
      }
      if (auto dealloc = dyn_cast<memref::DeallocOp>(op);
          dealloc && !dealloc.getMemref().getDefiningOp<rt::AllocOp>()) {
        op->emitOpError("expected the memory of an rt.alloc");
        return WalkResult::interrupt();
      }
      if (!isa<scf::SCFDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("expected to be converted to cf before");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
