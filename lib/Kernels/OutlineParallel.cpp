//===-- OutlineParallel.cpp - Functions of parallel regions --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EqualFunctions.h"
#include "cambium/Kernels/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace cambium {
#define GEN_PASS_DEF_OUTLINEPARALLEL
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// What a task gets for a value from outside.
struct Passed {
  Value argument, view;
};

struct OutlineParallel : cambium::impl::OutlineParallelBase<OutlineParallel> {
  using OutlineParallelBase::OutlineParallelBase;

  void runOnOperation() override {
    tasks = {};
    SmallVector<rt::ParallelOp> loops;
    // Inner ones first, so that an outer function contains launches alone.
    getOperation().walk([&](rt::ParallelOp loop) { loops.push_back(loop); });
    SymbolTable symbols(getOperation());
    for (rt::ParallelOp loop : loops)
      outline(loop, symbols);
  }

  /// Copies constants that the region uses into it.
  static void sinkConstants(rt::ParallelOp loop) {
    llvm::SetVector<Value> captures;
    getUsedValuesDefinedAbove(loop.getBody(), captures);
    OpBuilder builder = OpBuilder::atBlockBegin(&loop.getBody().front());
    DenseMap<Value, Value> copies;
    for (Value value : captures) {
      Operation *constant = value.getDefiningOp();
      if (constant && matchPattern(constant, m_Constant()))
        copies[value] = builder.clone(*constant)->getResult(0);
    }
    replaceInside(loop.getBody(), [&](Operation *, Value value) {
      return copies.lookup(value);
    });
  }

  /// Replaces operands of the ops in a region by what `replacement` gives for
  /// them, if anything: a walk over all uses of a value may be much longer.
  static void
  replaceInside(Region &region,
                function_ref<Value(Operation *, Value)> replacement) {
    region.walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (Value value = replacement(op, operand.get()))
          operand.set(value);
    });
  }

  /// Reads and writes of elements do not care for the type of the memref.
  static bool isOfElements(Operation *op) {
    return isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp,
               vector::MaskedLoadOp, vector::MaskedStoreOp>(op);
  }

  /// The type by which a task takes a memref: the address of the first element
  /// and the number of rows are no part of it, so that more tasks are the same.
  /// A view at a known place that is more than read and written stays one.
  static Type generalize(Value value, Region &body) {
    Type type = value.getType();
    auto memref = dyn_cast<MemRefType>(type);
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!memref || memref.getRank() == 0 ||
        failed(memref.getStridesAndOffset(strides, offset)))
      return type;
    auto isUsedBy = [&](function_ref<bool(Operation *)> what) {
      return llvm::any_of(value.getUsers(), [&](Operation *user) {
        return body.isAncestor(user->getParentRegion()) && what(user);
      });
    };
    bool isKnown = !ShapedType::isDynamic(offset) && offset != 0;
    if (isKnown && isUsedBy([](Operation *op) { return !isOfElements(op); }))
      return type;
    // A part of bytes is taken of memory without a layout.
    if (isUsedBy(llvm::IsaPred<memref::ViewOp>))
      return type;
    SmallVector<int64_t> shape(memref.getShape());
    if (shape.size() > 1)
      shape.front() = ShapedType::kDynamic;
    auto layout = StridedLayoutAttr::get(type.getContext(),
                                         ShapedType::kDynamic, strides);
    auto general = MemRefType::get(shape, memref.getElementType(), layout,
                                   memref.getMemorySpace());
    return memref::CastOp::areCastCompatible(type, general) ? general : type;
  }

  void outline(rt::ParallelOp loop, SymbolTable &symbols) {
    sinkConstants(loop);
    llvm::SetVector<Value> captures;
    getUsedValuesDefinedAbove(loop.getBody(), captures);
    auto parent = loop->getParentOfType<func::FuncOp>();

    OpBuilder builder(parent);
    SmallVector<Type> types;
    for (Value value : captures)
      types.push_back(generalize(value, loop.getBody()));
    types.append(2, builder.getIndexType());
    auto task = func::FuncOp::create(builder, loop.getLoc(),
                                     (parent.getSymName() + ".task").str(),
                                     builder.getFunctionType(types, {}));
    task.setPrivate();
    task.getBody().takeBody(loop.getBody());
    passCaptures(task, captures.getArrayRef());
    task = unify(task, symbols);

    builder.setInsertionPoint(loop);
    SmallVector<Value> operands;
    for (auto [value, type] : llvm::zip(captures, types))
      operands.push_back(
          value.getType() == type
              ? value
              : memref::CastOp::create(builder, loop.getLoc(), type, value));
    rt::LaunchOp::create(
        builder, loop.getLoc(), FlatSymbolRefAttr::get(task.getSymNameAttr()),
        operands, loop.getCount(), loop.getGrainAttr(), loop.getUnitAttr());
    loop.erase();
  }

  /// Makes arguments of the values that the body uses from outside.
  static void passCaptures(func::FuncOp task, ArrayRef<Value> captures) {
    Block &body = task.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    DenseMap<Value, Passed> passed;
    for (auto [index, value] : llvm::enumerate(captures)) {
      Type type = task.getArgumentTypes()[index];
      Value argument = body.insertArgument(index, type, task.getLoc());
      Value view = argument;
      if (value.getType() != type)
        view = memref::CastOp::create(builder, task.getLoc(), value.getType(),
                                      argument);
      passed[value] = {argument, view};
    }
    // Ops on elements get the argument, others a view of the old type.
    replaceInside(task.getBody(), [&](Operation *op, Value value) {
      Passed found = passed.lookup(value);
      return isOfElements(op) ? found.argument : found.view;
    });
    for (Value value : captures)
      if (Value view = passed[value].view; view.use_empty())
        if (Operation *cast = view.getDefiningOp())
          cast->erase();
    Operation *exit = body.getTerminator();
    builder.setInsertionPoint(exit);
    func::ReturnOp::create(builder, exit->getLoc());
    exit->erase();
  }

  /// An earlier task that does the same, or the task itself.
  func::FuncOp unify(func::FuncOp task, SymbolTable &symbols) {
    size_t number = tasks.insert(task);
    func::FuncOp first = tasks.functions()[number];
    if (first == task)
      symbols.insert(task);
    else
      task.erase();
    return first;
  }

  EqualFunctions tasks;
};
} // namespace
