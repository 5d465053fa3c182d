//===-- SizeWorkspace.cpp - How much memory a call needs ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceBuilder.h"
#include "cambium/Kernels/Passes.h"
#include "cambium/device_abi.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace cambium {
#define GEN_PASS_DEF_SIZEWORKSPACE
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// Whether the memory is one that the host gives: no code writes to it.
static bool isGiven(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  if (auto argument = dyn_cast<BlockArgument>(memory)) {
    auto entry = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return entry && isa_and_nonnull<rt::InputAttr>(
                        rt::getArgumentRole(entry, argument.getArgNumber()));
  }
  Operation *op = memory.getDefiningOp();
  return isa<rt::RTDialect>(op->getDialect()) && isMemoryEffectFree(op) &&
         !rt::getParam(op);
}

/// Whether the host can compute what the op does, with all that is in it.
static bool isKnownBefore(Operation *op) {
  return !op->walk([](Operation *inner) {
              if (auto load = dyn_cast<memref::LoadOp>(inner))
                return isGiven(load.getMemRef()) ? WalkResult::advance()
                                                 : WalkResult::interrupt();
              bool isFree =
                  isMemoryEffectFree(inner) ||
                  inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
              bool isKnown = isFree && !rt::getParam(inner);
              return isKnown ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

namespace {
struct SizeWorkspace : cambium::impl::SizeWorkspaceBase<SizeWorkspace> {
  using SizeWorkspaceBase::SizeWorkspaceBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto pool = symbols.lookup<memref::GlobalOp>(kSharedPool);
    for (auto description : getOperation().getOps<rt::DeviceEntryOp>()) {
      if (pool)
        description.setShared(pool.getType().getDimSize(0));
      auto entry = symbols.lookup<func::FuncOp>(description.getName());
      auto function = symbols.lookup<func::FuncOp>(description.getWorkspace());
      if (failed(fill(entry, function)))
        return signalPassFailure();
    }
  }

  /// The ops of the entry that sizes depend on.
  static LogicalResult findNeeded(func::FuncOp entry,
                                  DenseSet<Operation *> &needed) {
    SmallVector<std::pair<Value, rt::AllocOp>> values;
    for (auto alloc : entry.getOps<rt::AllocOp>())
      for (Value size : alloc.getSizes())
        values.push_back({size, alloc});
    while (!values.empty()) {
      auto [value, alloc] = values.pop_back_val();
      Operation *op = value.getDefiningOp();
      if (!op || !needed.insert(op).second)
        continue;
      if (!isKnownBefore(op)) {
        InFlightDiagnostic diagnostic =
            alloc.emitOpError("expected a size that the host can compute");
        diagnostic.attachNote(op->getLoc()) << "it depends on this";
        return diagnostic;
      }
      llvm::SetVector<Value> inside;
      getUsedValuesDefinedAbove(op->getRegions(), inside);
      for (Value operand : op->getOperands())
        values.push_back({operand, alloc});
      for (Value operand : inside)
        values.push_back({operand, alloc});
    }
    return success();
  }

  static LogicalResult fill(func::FuncOp entry, func::FuncOp function) {
    DenseSet<Operation *> needed;
    if (failed(findNeeded(entry, needed)))
      return failure();
    Operation *exit = function.front().getTerminator();
    OpBuilder builder(exit);
    IRMapping mapping;
    mapping.map(entry.getArguments(), function.getArguments());
    Value total = exit->getOperand(0);
    for (Operation &op : entry.front()) {
      if (needed.contains(&op))
        builder.clone(op, mapping);
      if (auto alloc = dyn_cast<rt::AllocOp>(op))
        total = add(builder, total, alloc, mapping);
    }
    exit->setOperand(0, total);
    return success();
  }

  /// As `rt.alloc` takes them: whole lines.
  static Value add(OpBuilder &builder, Value total, rt::AllocOp alloc,
                   const IRMapping &mapping) {
    Location loc = alloc.getLoc();
    auto type = cast<MemRefType>(alloc.getType());
    int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    for (int64_t size : type.getShape())
      bytes *= ShapedType::isDynamic(size) ? 1 : size;
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value size = constant(bytes);
    for (Value dynamic : alloc.getSizes())
      size = arith::MulIOp::create(builder, loc, size,
                                   mapping.lookupOrDefault(dynamic));
    int64_t line = CAMBIUM_ABI_DEVICE_ALIGNMENT;
    size = arith::AddIOp::create(builder, loc, size, constant(line - 1));
    size = arith::AndIOp::create(builder, loc, size, constant(-line));
    return arith::AddIOp::create(builder, loc, total, size);
  }
};
} // namespace
