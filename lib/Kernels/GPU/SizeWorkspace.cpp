//===-- SizeWorkspace.cpp - How much memory a call needs ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceBuilder.h"
#include "cambium/Kernels/Passes.h"
#include "cambium/Support/UsedValues.h"
#include "cambium/Support/Views.h"
#include "cambium/device_abi.h"
#include "dialects/RT/IR/Bounds.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cambium {
#define GEN_PASS_DEF_SIZEWORKSPACE
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// Whether the memory is one that the host gives: no code writes to it.
static bool isGiven(Value memory) {
  while (Value source = sourceOfView(memory.getDefiningOp()))
    memory = source;
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

/// The ops of the entry that the host can compute with all that they depend on.
static DenseSet<Operation *> findKnown(func::FuncOp entry) {
  DenseSet<Operation *> known;
  for (Operation &op : entry.front())
    if (isKnownBefore(&op) &&
        llvm::all_of(getUsedValues(&op), [&](Value value) {
          Operation *source = value.getDefiningOp();
          return !source || known.contains(source);
        }))
      known.insert(&op);
  return known;
}

/// An op behind a size that the host cannot compute, whatever it is given.
static Operation *findUnknown(Value size, const DenseSet<Operation *> &known) {
  Operation *unknown = size.getDefiningOp();
  while (isKnownBefore(unknown))
    for (Value value : getUsedValues(unknown))
      if (Operation *op = value.getDefiningOp(); op && !known.contains(op)) {
        unknown = op;
        break;
      }
  return unknown;
}

namespace {
/// The sum of sizes, and whether 63 bits do not hold it.
class Total {
public:
  Total(OpBuilder &builder, Location loc) : b(builder), loc(loc) {
    bytes = constant(0);
    overflows = arith::ConstantIntOp::create(b, loc, 0, /*width=*/1);
  }

  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(b, loc, value, /*width=*/64);
  }
  Value times(Value size, Value count) {
    Value wide = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
    auto product = arith::MulSIExtendedOp::create(b, loc, size, wide);
    check(arith::CmpIPredicate::ne, product.getHigh());
    check(arith::CmpIPredicate::slt, product.getLow());
    return product.getLow();
  }
  /// A size that is computed as well must not be a part of another number.
  /// Sizes are not negative, their parts neither.
  void follow(Operation *op) {
    if (auto product = dyn_cast<arith::MulIOp>(op)) {
      follow(product.getLhs(), product.getRhs());
    } else if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
      AffineMap map = apply.getAffineMap();
      follow(map.getResult(0), map.getNumDims(), apply.getMapOperands());
    }
  }
  void addLines(Value size) {
    constexpr int64_t line = CAMBIUM_ABI_DEVICE_ALIGNMENT;
    size = arith::AddIOp::create(b, loc, size, constant(line - 1));
    size = arith::AndIOp::create(b, loc, size, constant(-line));
    bytes = arith::AddIOp::create(b, loc, bytes, size);
    check(arith::CmpIPredicate::slt, size);
    check(arith::CmpIPredicate::slt, bytes);
  }
  /// What the host takes for too much is negative.
  Value get() {
    Value all = arith::SelectOp::create(b, loc, overflows, constant(-1), bytes);
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), all);
  }

private:
  void follow(Value lhs, Value rhs) {
    if (lhs.getType().isIndex())
      times(arith::IndexCastOp::create(b, loc, b.getI64Type(), lhs), rhs);
  }
  void follow(AffineExpr expr, unsigned dims, ValueRange operands) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary)
      return;
    follow(binary.getLHS(), dims, operands);
    follow(binary.getRHS(), dims, operands);
    // What is taken off has a negative factor.
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (binary.getKind() != AffineExprKind::Mul ||
        (factor && factor.getValue() < 0))
      return;
    auto value = [&](AffineExpr part) {
      return affine::expandAffineExpr(b, loc, part, operands.take_front(dims),
                                      operands.drop_front(dims));
    };
    follow(value(binary.getLHS()), value(binary.getRHS()));
  }

  /// A part of a number that is too large compares so to 0.
  void check(arith::CmpIPredicate predicate, Value part) {
    Value isTooLarge =
        arith::CmpIOp::create(b, loc, predicate, part, constant(0));
    overflows = arith::OrIOp::create(b, loc, overflows, isTooLarge);
  }

  OpBuilder &b;
  Location loc;
  Value bytes, overflows;
};

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
    // All memory has its size.
    getOperation().walk([](rt::AtMostOp bound) {
      bound.replaceAllUsesWith(bound.getSize());
      bound.erase();
    });
  }

  /// A known value for each size: the size, or a bound of it.
  static LogicalResult boundSizes(func::FuncOp entry,
                                  DenseMap<Value, Value> &bounds) {
    DenseSet<Operation *> known = findKnown(entry);
    auto isKnown = [&](Value value) {
      Operation *op = value.getDefiningOp();
      return !op || known.contains(op);
    };
    for (auto alloc : entry.getOps<rt::AllocOp>())
      for (Value size : alloc.getSizes()) {
        OpBuilder builder(alloc);
        Value &bound = bounds[size];
        if (!bound)
          bound = rt::boundOf(size, builder, isKnown);
        if (bound)
          continue;
        InFlightDiagnostic diagnostic =
            alloc.emitOpError("expected a size that the host can compute");
        diagnostic.attachNote(findUnknown(size, known)->getLoc())
            << "it depends on this";
        return diagnostic;
      }
    return success();
  }

  /// The ops of the entry that the bounds depend on.
  static DenseSet<Operation *>
  findNeeded(const DenseMap<Value, Value> &bounds) {
    DenseSet<Operation *> needed;
    SmallVector<Value> values;
    for (auto [size, bound] : bounds)
      values.push_back(bound);
    while (!values.empty()) {
      Operation *op = values.pop_back_val().getDefiningOp();
      if (op && needed.insert(op).second)
        llvm::append_range(values, getUsedValues(op));
    }
    return needed;
  }

  static LogicalResult fill(func::FuncOp entry, func::FuncOp function) {
    DenseMap<Value, Value> bounds;
    if (failed(boundSizes(entry, bounds)))
      return failure();
    DenseSet<Operation *> needed = findNeeded(bounds);
    Operation *exit = function.front().getTerminator();
    OpBuilder builder(exit);
    IRMapping mapping;
    mapping.map(entry.getArguments(), function.getArguments());
    Total total(builder, exit->getLoc());
    for (Operation &op : entry.front()) {
      if (needed.contains(&op))
        total.follow(builder.clone(op, mapping));
      auto alloc = dyn_cast<rt::AllocOp>(op);
      if (alloc && failed(add(total, alloc, [&](Value size) {
            return mapping.lookup(bounds.lookup(size));
          })))
        return failure();
    }
    exit->setOperand(0, total.get());
    return success();
  }

  /// As `rt.alloc` takes them: whole lines.
  static LogicalResult add(Total &total, rt::AllocOp alloc,
                           function_ref<Value(Value)> boundOf) {
    auto type = cast<MemRefType>(alloc.getType());
    std::optional<int64_t> bytes = rt::staticBytes(type);
    if (!bytes)
      return alloc.emitError("expected what is computed to fit into memory, "
                             "but got ")
             << type;
    Value size = total.constant(*bytes);
    for (Value dynamic : alloc.getSizes())
      size = total.times(size, boundOf(dynamic));
    total.addLines(size);
    return success();
  }
};
} // namespace
