//===-- VectorLoops.cpp - Loops over vectors of linalg ops ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "VectorLoops.h"
#include "Payload.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

namespace {
/// Vectors of consecutive lanes that are worked on together.
struct Lanes {
  Value start;
  int64_t vectors;
  /// The mask of the last vector, or null.
  Value mask;
};

class LoopEmitter {
public:
  LoopEmitter(OpBuilder &builder, linalg::LinalgOp op, const LoopPlan &plan)
      : b(builder), op(op), plan(plan), loc(op.getLoc()),
        payload(builder, op, plan.lanes) {
    for (Range range : op.createLoopRanges(b, loc))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
    indices.resize(sizes.size());
  }

  void emit() { emitParallel(plan.parallel); }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value plus(Value value, int64_t more) {
    return more ? arith::AddIOp::create(b, loc, value, index(more)).getResult()
                : value;
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  using Body = function_ref<SmallVector<Value>(ValueRange)>;

  /// A loop that carries values.
  SmallVector<Value>
  loop(Value from, Value to, int64_t step, ValueRange carried,
       function_ref<SmallVector<Value>(Value, ValueRange)> body) {
    auto forOp = scf::ForOp::create(b, loc, from, to, index(step), carried);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forOp.getBody());
    SmallVector<Value> next =
        body(forOp.getInductionVar(), forOp.getRegionIterArgs());
    if (!carried.empty())
      scf::YieldOp::create(b, loc, next);
    return forOp.getResults();
  }

  void emitParallel(ArrayRef<int64_t> dims) {
    if (dims.empty())
      return plan.isReduction ? emitLaneReduction() : emitColumns();
    int64_t dim = dims.front();
    auto iterate = [&](Value from, Value to) {
      loop(from, to, 1, {}, [&](Value i, ValueRange) {
        indices[dim] = i;
        emitParallel(dims.drop_front());
        return SmallVector<Value>();
      });
    };
    bool isOutermost = dims.size() == plan.parallel.size();
    if (!isOutermost || plan.grain == 0)
      return iterate(index(0), sizes[dim]);
    auto parallel = rt::ParallelOp::create(b, loc, sizes[dim], plan.grain);
    OpBuilder::InsertionGuard guard(b);
    Type type = b.getIndexType();
    Block *body =
        b.createBlock(&parallel.getBody(), {}, {type, type}, {loc, loc});
    iterate(body->getArgument(0), body->getArgument(1));
    rt::YieldOp::create(b, loc);
  }

  /// The loops of reductions that are no vector loop, carrying values.
  SmallVector<Value> emitReductions(ArrayRef<int64_t> dims, ValueRange carried,
                                    Body body) {
    if (dims.empty())
      return body(carried);
    return loop(index(0), sizes[dims.front()], 1, carried,
                [&](Value i, ValueRange inner) {
                  indices[dims.front()] = i;
                  return emitReductions(dims.drop_front(), inner, body);
                });
  }

  /// The first `count` lanes.
  Value staticMask(int64_t count) {
    if (count == plan.lanes)
      return {};
    SmallVector<bool> bits(plan.lanes, false);
    std::fill_n(bits.begin(), count, true);
    auto type = payload.vectorOf(b.getI1Type());
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(type, bits));
  }
  Value dynamicMask(Value start) {
    Value rest = arith::SubIOp::create(b, loc, sizes[plan.vectorDim], start);
    return vector::CreateMaskOp::create(b, loc, payload.vectorOf(b.getI1Type()),
                                        rest);
  }

  /// Calls `body` for the lanes of the vector loop, part by part. With masks in
  /// every iteration where the size is not known or the body is large.
  SmallVector<Value>
  overLanes(ValueRange carried,
            function_ref<SmallVector<Value>(Lanes, ValueRange)> body) {
    bool isDynamic = ShapedType::isDynamic(plan.size);
    bool hasTail = isDynamic || plan.size % plan.lanes != 0;
    bool masked = isDynamic || (hasTail && plan.unroll == 1 &&
                                plan.size > plan.lanes && plan.isExpensive);
    if (masked)
      return loop(index(0), sizes[plan.vectorDim], plan.lanes, carried,
                  [&](Value i, ValueRange inner) {
                    return body({i, 1, dynamicMask(i)}, inner);
                  });
    int64_t step = plan.lanes * plan.unroll, main = plan.size / step * step;
    SmallVector<Value> values(carried);
    if (main == step)
      values = body({index(0), plan.unroll, {}}, values);
    else if (main > 0)
      values = loop(index(0), index(main), step, values,
                    [&](Value i, ValueRange inner) {
                      return body({i, plan.unroll, {}}, inner);
                    });
    int64_t rest = plan.size - main;
    if (rest == 0)
      return values;
    int64_t vectors = llvm::divideCeil(rest, plan.lanes);
    return body(
        {index(main), vectors, staticMask(rest - (vectors - 1) * plan.lanes)},
        values);
  }

  //===--------------------------------------------------------------------===//
  // Elements
  //===--------------------------------------------------------------------===//

  Value maskAt(const Lanes &lanes, int64_t vector) {
    return vector == lanes.vectors - 1 ? lanes.mask : Value();
  }

  void setLane(const Lanes &lanes, int64_t vector) {
    indices[plan.vectorDim] = plus(lanes.start, vector * plan.lanes);
  }

  SmallVector<Value> place(OpOperand &operand) {
    SmallVector<Value> result;
    for (AffineExpr dim : op.getMatchingIndexingMap(&operand).getResults())
      result.push_back(indices[cast<AffineDimExpr>(dim).getPosition()]);
    return result;
  }

  /// Elements for the lanes that are equally far from each other.
  Value gather(OpOperand &operand, VectorType vector, Value mask) {
    int64_t stride = *strideAlong(op, operand, plan.vectorDim);
    SmallVector<Value> start = place(operand);
    Value distances = payload.constant(
        loc, b.getI32Type(), [&](int64_t lane) { return lane * stride; });
    Value which =
        mask ? mask
             : payload.constant(loc, b.getI1Type(), [](int64_t) { return 1; });
    Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
    return vector::GatherOp::create(b, loc, vector,
                                    fromElement(operand.get(), start), start,
                                    distances, which, zeros);
  }

  /// A gather counts along the last dimension, in elements: where that has a
  /// stride, a view of the memory from the element that `start` names, which
  /// becomes the first one of the view.
  Value fromElement(Value memref, SmallVector<Value> &start) {
    auto type = cast<MemRefType>(memref.getType());
    if (type.isLastDimUnitStride())
      return memref;
    auto whole = memref::ExtractStridedMetadataOp::create(b, loc, memref);
    Value offset = whole.getOffset();
    for (auto [at, stride] : llvm::zip(start, whole.getStrides()))
      offset = arith::AddIOp::create(b, loc, offset,
                                     arith::MulIOp::create(b, loc, at, stride));
    auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic,
                                         ArrayRef<int64_t>{1});
    auto view = MemRefType::get({1}, type.getElementType(), layout,
                                type.getMemorySpace());
    start = {index(0)};
    return memref::ReinterpretCastOp::create(
        b, loc, view, whole.getBaseBuffer(), offset, {b.getIndexAttr(1)},
        {b.getIndexAttr(1)});
  }

  /// The element, or those for the lanes, that an operand gives.
  Value load(OpOperand &operand, Value mask) {
    Value memref = operand.get();
    auto type = dyn_cast<MemRefType>(memref.getType());
    if (!type)
      return memref;
    if (!op.getMatchingIndexingMap(&operand).isFunctionOfDim(plan.vectorDim))
      return memref::LoadOp::create(b, loc, memref, place(operand));
    VectorType vector = payload.vectorOf(type.getElementType());
    if (!isContiguous(op, operand, plan.vectorDim))
      return gather(operand, vector, mask);
    if (!mask)
      return vector::LoadOp::create(b, loc, vector, memref, place(operand));
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
    return vector::MaskedLoadOp::create(b, loc, vector, memref, place(operand),
                                        mask, zero);
  }

  void store(OpOperand &operand, Value value, Value mask) {
    if (mask)
      vector::MaskedStoreOp::create(b, loc, operand.get(), place(operand), mask,
                                    value);
    else
      vector::StoreOp::create(b, loc, value, operand.get(), place(operand));
  }

  /// One execution of the body. `outs` are the values of the results so far;
  /// without them they are read where the body asks for them.
  SmallVector<Value> execute(Value mask, ValueRange outs) {
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!op.payloadUsesValueFromOperand(&operand))
        operands.push_back({});
      else if (op.isDpsInit(&operand) && !outs.empty())
        operands.push_back(outs[operands.size() - op.getNumDpsInputs()]);
      else
        operands.push_back(load(operand, mask));
    }
    return payload.apply(operands, indices, plan.vectorDim, mask);
  }

  //===--------------------------------------------------------------------===//
  // Lanes are columns
  //===--------------------------------------------------------------------===//

  void emitColumns() {
    overLanes({}, [&](Lanes lanes, ValueRange) {
      if (plan.reductions.empty())
        emitElements(lanes);
      else
        emitSums(lanes);
      return SmallVector<Value>();
    });
  }

  void emitElements(const Lanes &lanes) {
    for (int64_t v = 0; v < lanes.vectors; ++v) {
      setLane(lanes, v);
      Value mask = maskAt(lanes, v);
      SmallVector<Value> values = execute(mask, {});
      for (auto [operand, value] :
           llvm::zip_equal(op.getDpsInitsMutable(), values))
        store(operand, value, mask);
    }
  }

  /// Results stay in registers while the reductions run.
  void emitSums(const Lanes &lanes) {
    unsigned outs = op.getNumDpsInits();
    SmallVector<Value> sums;
    for (int64_t v = 0; v < lanes.vectors; ++v) {
      setLane(lanes, v);
      for (OpOperand &operand : op.getDpsInitsMutable())
        sums.push_back(load(operand, maskAt(lanes, v)));
    }
    sums = emitReductions(plan.reductions, sums, [&](ValueRange inner) {
      SmallVector<Value> next;
      for (int64_t v = 0; v < lanes.vectors; ++v) {
        setLane(lanes, v);
        llvm::append_range(
            next, execute(maskAt(lanes, v), inner.slice(v * outs, outs)));
      }
      return next;
    });
    for (int64_t v = 0; v < lanes.vectors; ++v) {
      setLane(lanes, v);
      for (auto [number, operand] : llvm::enumerate(op.getDpsInitsMutable()))
        store(operand, sums[v * outs + number], maskAt(lanes, v));
    }
  }

  //===--------------------------------------------------------------------===//
  // Lanes are reduced
  //===--------------------------------------------------------------------===//

  Value neutral(Operation *combiner) {
    TypedAttr element = *arith::getNeutralElement(combiner);
    auto type = payload.vectorOf(element.getType());
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(type, element));
  }

  Value combine(Operation *combiner, Value x, Value y) {
    OperationState state(loc, combiner->getName(), {x, y}, {x.getType()},
                         combiner->getAttrs());
    state.propertiesAttr = combiner->getPropertiesAsAttribute();
    return b.create(state)->getResult(0);
  }

  static vector::CombiningKind kindOf(Operation *combiner) {
    using Kind = vector::CombiningKind;
    return llvm::TypeSwitch<Operation *, Kind>(combiner)
        .Case([](arith::MaximumFOp) { return Kind::MAXIMUMF; })
        .Case([](arith::MinimumFOp) { return Kind::MINIMUMF; })
        .Case([](arith::MaxNumFOp) { return Kind::MAXNUMF; })
        .Case([](arith::MinNumFOp) { return Kind::MINNUMF; })
        .Default([](Operation *) { return Kind::ADD; });
  }

  void emitLaneReduction() {
    unsigned outs = op.getNumDpsInits();
    SmallVector<Value> parts;
    for (int64_t v = 0; v < plan.unroll; ++v)
      for (Operation *combiner : plan.combiners)
        parts.push_back(neutral(combiner));
    parts = emitReductions(plan.reductions, parts, [&](ValueRange inner) {
      return overLanes(inner, [&](Lanes lanes, ValueRange sums) {
        SmallVector<Value> next(sums);
        for (int64_t v = 0; v < lanes.vectors; ++v)
          addVector(lanes, v, sums.slice(v * outs, outs), next);
        return next;
      });
    });
    for (auto [number, operand] : llvm::enumerate(op.getDpsInitsMutable()))
      finish(operand, number, parts);
  }

  /// Combines vector `v` of the lanes into its part; lanes that do not exist
  /// keep it.
  void addVector(const Lanes &lanes, int64_t v, ValueRange sums,
                 SmallVector<Value> &next) {
    setLane(lanes, v);
    Value mask = maskAt(lanes, v);
    SmallVector<Value> values = execute(mask, sums);
    for (auto [number, value] : llvm::enumerate(values)) {
      if (mask)
        value = arith::SelectOp::create(b, loc, mask, value, sums[number]);
      next[v * values.size() + number] = value;
    }
  }

  /// Combines the parts of a result, their lanes, and what was there before.
  void finish(OpOperand &operand, unsigned number, ValueRange parts) {
    Operation *combiner = plan.combiners[number];
    unsigned outs = plan.combiners.size();
    SmallVector<Value> vectors;
    for (int64_t v = 0; v < plan.unroll; ++v)
      vectors.push_back(parts[v * outs + number]);
    while (vectors.size() > 1) {
      Value last = vectors.pop_back_val();
      vectors.front() = combine(combiner, vectors.front(), last);
    }
    Value all =
        vector::ReductionOp::create(b, loc, kindOf(combiner), vectors.front(),
                                    arith::FastMathFlags::reassoc);
    Value before =
        memref::LoadOp::create(b, loc, operand.get(), place(operand));
    memref::StoreOp::create(b, loc, combine(combiner, before, all),
                            operand.get(), place(operand));
  }

  OpBuilder &b;
  linalg::LinalgOp op;
  const LoopPlan &plan;
  Location loc;
  PayloadVectorizer payload;
  SmallVector<Value> sizes, indices;
};
} // namespace

void cambium::emitVectorLoops(OpBuilder &builder, linalg::LinalgOp op,
                              const LoopPlan &plan) {
  LoopEmitter(builder, op, plan).emit();
}
