//===-- lib/Kernels/CPU/ProductGroups.cpp - Products done together --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductGroups.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cambium;

static Value lhsOf(const ProductCall &call) {
  return linalg::MatmulOp(call.op).getDpsInputs()[0];
}

static Value rhsOf(const ProductCall &call) {
  return linalg::MatmulOp(call.op).getDpsInputs()[1];
}

static Value resultOf(const ProductCall &call) {
  return linalg::MatmulOp(call.op).getDpsInits()[0];
}

static bool onlyAllocates(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || op->getNumRegions())
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::all_of(effects, [](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Allocate>(effect.getEffect());
  });
}

/// Whether nobody else has that memory but as a view of it.
static bool isFresh(Value memory) {
  Operation *op = memory.getDefiningOp();
  return op && !isMemoryEffectFree(op) && onlyAllocates(op);
}

/// The parameter whose gradient that memory is, which the runtime has beside
/// all other memory; null where it is none.
static SymbolRefAttr gradientIn(Value memory) {
  auto gradient = memory.getDefiningOp<rt::GradientOp>();
  return gradient ? gradient.getParamAttr() : SymbolRefAttr();
}

/// Whether that memory may not be what is allocated elsewhere: neither carried
/// by a loop nor chosen among others.
static bool isOfItsOwn(Value memory) {
  if (auto argument = dyn_cast<BlockArgument>(memory))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return llvm::none_of(memory.getDefiningOp()->getOperandTypes(),
                       llvm::IsaPred<BaseMemRefType>);
}

/// Whether a product may be done later, right before `next`.
static bool canWait(const ProductCall &call, const ProductCall &next) {
  Operation *last = next.op;
  if (call.op->getBlock() != last->getBlock())
    return false;
  for (Operation *op = call.op->getNextNode(); op != last;
       op = op->getNextNode())
    if (!op || (op != next.start.replaced && !isMemoryEffectFree(op) &&
                !onlyAllocates(op)))
      return false;
  return true;
}

static bool hasSameShape(Value a, Value b) {
  auto type = cast<MemRefType>(a.getType());
  return type.hasStaticShape() &&
         type.getShape() == cast<MemRefType>(b.getType()).getShape();
}

/// Whether all sizes are the same: those of the right operand and the rows of
/// one left operand or of one result; or, of gradients of weights, those of the
/// result and the rows of one left operand.
static bool hasSameSizes(const ProductCall &a, const ProductCall &b) {
  if (a.product.rhsTransposed != b.product.rhsTransposed ||
      a.product.lhsTransposed != b.product.lhsTransposed)
    return false;
  if (a.product.lhsTransposed)
    return lhsOf(a) == lhsOf(b) && hasSameShape(resultOf(a), resultOf(b));
  return hasSameShape(rhsOf(a), rhsOf(b));
}

/// Whether no product writes to memory that another one uses.
static bool areIndependent(ArrayRef<ProductCall> calls, Together together) {
  for (const ProductCall &writer : calls) {
    Value written = memoryOf(resultOf(writer));
    SymbolRefAttr gradient = gradientIn(written);
    if (!gradient && !isFresh(written))
      return false;
    for (const ProductCall &other : calls) {
      SmallVector<Value> used{lhsOf(other), rhsOf(other)};
      if (other.start.row)
        used.push_back(other.start.row);
      if (together == Together::Beside && &other != &writer)
        used.push_back(resultOf(other));
      for (Value value : used) {
        Value memory = memoryOf(value);
        if (memory == written || !isOfItsOwn(memory) ||
            (gradient && gradientIn(memory) == gradient))
          return false;
      }
    }
  }
  return true;
}

std::optional<Together> cambium::findTogether(ArrayRef<ProductCall> calls) {
  const ProductCall &last = calls.back(), &before = *std::prev(calls.end(), 2);
  if (before.kernel != last.kernel ||
      before.tile.tileVectors != last.tile.tileVectors ||
      !hasSameSizes(before, last) || !canWait(before, last))
    return std::nullopt;
  auto all = [&](function_ref<Value(const ProductCall &)> what) {
    return llvm::all_of(calls, [&](const ProductCall &call) {
      return what(call) == what(last);
    });
  };
  bool adds = !last.start.isZero && !last.start.row;
  Together together = Together::Beside;
  if (all(resultOf) && adds)
    together = Together::Sum;
  else if (!all(lhsOf))
    return std::nullopt;
  if (!areIndependent(calls, together))
    return std::nullopt;
  return together;
}
