//===-- Derivatives.cpp - Derivatives of ragged operations ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops come in pairs that are each other's adjoint: expand and reduce,
// gather and scatter_sum, to_slots and from_slots, part and join.
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Derivatives/Derivatives.h"
#include "cambium/Interfaces/DifferentiableOpInterface.h"
#include "cambium/Interfaces/TrainingOpInterface.h"
#include "cambium/Interfaces/VJPBuilder.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/IR/Orders.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

namespace {
/// Gives the interface to `Op` with the rule of the derived class: the
/// cotangent of the differentiated operand from that of the result.
template <typename Derived, typename Op>
struct Rule : DifferentiableOpInterface::ExternalModel<Derived, Op> {
  LogicalResult buildVJP(Operation *operation, VJPBuilder &b) const {
    auto op = cast<Op>(operation);
    Value operand = Derived::operandOf(op);
    if (b.wants(operand))
      b.add(operand,
            Derived::build(op, op.getLoc(), b.cotangent(op.getResult()), b));
    return success();
  }
  static Value operandOf(Op op) { return op->getOperand(0); }
};

struct BroadcastRule : Rule<BroadcastRule, BroadcastOp> {
  static Value build(BroadcastOp, Location loc, Value dy, VJPBuilder &b) {
    return b.create<nn::SumOp>(loc, dy, 0);
  }
};

struct ExpandRule : Rule<ExpandRule, ExpandOp> {
  static Value build(ExpandOp op, Location loc, Value dy, VJPBuilder &b) {
    return b.create<ReduceOp>(loc, ReduceKind::Sum, dy, b.value(op.getRows()));
  }
};

struct ReduceRule : Rule<ReduceRule, ReduceOp> {
  static Value build(ReduceOp op, Location loc, Value dy, VJPBuilder &b) {
    Value rows = b.value(op.getRows());
    switch (op.getKind()) {
    case ReduceKind::Sum:
      return b.create<ExpandOp>(loc, dy, rows);
    case ReduceKind::Max:
      return b.create<MaxGradOp>(loc, b.value(op.getInput()), dy, rows);
    case ReduceKind::Mean: {
      // The count of a segment that has a row is at least 1: no division by
      // zero in what is expanded.
      Value one =
          constantLike(b.getBuilder(), loc, b.value(op.getInput()), 1.0);
      Value count = b.create<ReduceOp>(loc, ReduceKind::Sum, one, rows);
      Value counts = b.create<ExpandOp>(loc, count, rows);
      return b.create<arith::DivFOp>(loc, b.create<ExpandOp>(loc, dy, rows),
                                     counts);
    }
    case ReduceKind::LogSumExp: {
      Value base =
          zeroIfMinusInfinity(b.getBuilder(), loc, b.value(op.getResult()));
      Value shifted = b.create<arith::SubFOp>(
          loc, b.value(op.getInput()), b.create<ExpandOp>(loc, base, rows));
      return b.create<arith::MulFOp>(loc, b.create<math::ExpOp>(loc, shifted),
                                     b.create<ExpandOp>(loc, dy, rows));
    }
    }
    llvm_unreachable("unknown reduction");
  }
};

struct MaxGradRule : Rule<MaxGradRule, MaxGradOp> {
  static Value operandOf(MaxGradOp op) { return op.getDy(); }
  static Value build(MaxGradOp op, Location loc, Value dz, VJPBuilder &b) {
    Value rows = b.value(op.getRows());
    Value one = constantLike(b.getBuilder(), loc, b.value(op.getDy()), 1.0);
    Value mask = b.create<MaxGradOp>(loc, b.value(op.getInput()), one, rows);
    Value kept = b.create<arith::MulFOp>(loc, mask, dz);
    return b.create<ReduceOp>(loc, ReduceKind::Sum, kept, rows);
  }
};

struct SoftmaxRule : Rule<SoftmaxRule, SoftmaxOp> {
  // dx = y (dy - sum(y dy))
  static Value build(SoftmaxOp op, Location loc, Value dy, VJPBuilder &b) {
    Value y = b.value(op.getResult()), rows = b.value(op.getRows());
    Value product = b.create<arith::MulFOp>(loc, y, dy);
    Value sum = b.create<ReduceOp>(loc, ReduceKind::Sum, product, rows);
    Value rest =
        b.create<arith::MulFOp>(loc, y, b.create<ExpandOp>(loc, sum, rows));
    return b.create<arith::SubFOp>(loc, product, rest);
  }
};

struct GatherRule : Rule<GatherRule, GatherOp> {
  static Value build(GatherOp op, Location loc, Value dy, VJPBuilder &b) {
    Value count = b.create<tensor::DimOp>(loc, b.value(op.getInput()), 0);
    Value dx = b.create<ScatterSumOp>(loc, dy, b.value(op.getIndex()), count,
                                      op.getOrZeroAttr());
    if (dx.getType() != op.getInput().getType())
      dx = b.create<tensor::CastOp>(loc, op.getInput().getType(), dx);
    return dx;
  }
};

/// What is overwritten has no part in the result.
struct PutRowsRule
    : DifferentiableOpInterface::ExternalModel<PutRowsRule, PutRowsOp> {
  LogicalResult buildVJP(Operation *operation, VJPBuilder &b) const {
    auto op = cast<PutRowsOp>(operation);
    Location loc = op.getLoc();
    Value dy = b.cotangent(op.getResult()), ids = b.value(op.getIds());
    Value drows = b.create<GatherOp>(loc, dy, ids);
    b.add(op.getRows(), drows);
    if (b.wants(op.getAll()))
      b.add(op.getAll(),
            b.create<PutRowsOp>(
                loc, constantLike(b.getBuilder(), loc, drows, 0.0), dy, ids));
    return success();
  }
};

struct SliceRule : Rule<SliceRule, SliceOp> {
  static Value build(SliceOp op, Location loc, Value dy, VJPBuilder &b) {
    Value zeros =
        constantLike(b.getBuilder(), loc, b.value(op.getInput()), 0.0);
    return b.create<AddSliceOp>(loc, dy, zeros, b.value(op.getNumber()));
  }
};

struct AddSliceRule
    : DifferentiableOpInterface::ExternalModel<AddSliceRule, AddSliceOp> {
  LogicalResult buildVJP(Operation *operation, VJPBuilder &b) const {
    auto op = cast<AddSliceOp>(operation);
    Value dy = b.cotangent(op.getResult());
    b.add(op.getAll(), dy);
    if (b.wants(op.getSlice()))
      b.add(op.getSlice(),
            b.create<SliceOp>(op.getLoc(), dy, b.value(op.getNumber())));
    return success();
  }
};

/// The offsets, sizes or strides of a slice where the derivative is built.
SmallVector<OpFoldResult> placeOf(ArrayRef<OpFoldResult> place, VJPBuilder &b) {
  return llvm::map_to_vector(place, [&](OpFoldResult part) -> OpFoldResult {
    auto value = dyn_cast<Value>(part);
    return value ? OpFoldResult(b.value(value)) : part;
  });
}

/// Zeros for the rows of an array.
Value zeroArray(VJPBuilder &b, Location loc, Value array) {
  auto type = cast<RankedTensorType>(array.getType());
  if (type.hasStaticShape())
    return constantLike(b.getBuilder(), loc, array, 0.0);
  Value count = b.create<tensor::DimOp>(loc, array, 0);
  RankedTensorType row = type.clone(type.getShape().drop_front());
  Value zero = constantLike(b.getBuilder(), loc, row, Value(), 0.0);
  return b.create<BroadcastOp>(loc, type, zero, count);
}

/// Derivatives read records by slices, and loops write them so: both are
/// differentiated where a gradient stands in a loss.
struct ExtractSliceRule : Rule<ExtractSliceRule, tensor::ExtractSliceOp> {
  static Value build(tensor::ExtractSliceOp op, Location loc, Value dy,
                     VJPBuilder &b) {
    return b.create<tensor::InsertSliceOp>(
        loc, dy, zeroArray(b, loc, b.value(op.getSource())),
        placeOf(op.getMixedOffsets(), b), placeOf(op.getMixedSizes(), b),
        placeOf(op.getMixedStrides(), b));
  }
};

/// What is overwritten has no part in the result.
struct InsertSliceRule
    : DifferentiableOpInterface::ExternalModel<InsertSliceRule,
                                               tensor::InsertSliceOp> {
  LogicalResult buildVJP(Operation *operation, VJPBuilder &b) const {
    auto op = cast<tensor::InsertSliceOp>(operation);
    Location loc = op.getLoc();
    Value dy = b.cotangent(op.getResult());
    auto offsets = placeOf(op.getMixedOffsets(), b);
    auto sizes = placeOf(op.getMixedSizes(), b);
    auto strides = placeOf(op.getMixedStrides(), b);
    Value slice = b.create<tensor::ExtractSliceOp>(loc, op.getSourceType(), dy,
                                                   offsets, sizes, strides);
    b.add(op.getSource(), slice);
    if (b.wants(op.getDest()))
      b.add(op.getDest(),
            b.create<tensor::InsertSliceOp>(loc, zeroArray(b, loc, slice), dy,
                                            offsets, sizes, strides));
    return success();
  }
};

struct ScatterSumRule : Rule<ScatterSumRule, ScatterSumOp> {
  static Value build(ScatterSumOp op, Location loc, Value dy, VJPBuilder &b) {
    return b.create<GatherOp>(loc, dy, b.value(op.getIndex()),
                              op.getOrZeroAttr());
  }
};

struct PermuteRule : Rule<PermuteRule, PermuteOp> {
  static Value build(PermuteOp op, Location loc, Value dy, VJPBuilder &b) {
    return b.create<PermuteOp>(loc, dy, b.value(op.getForest()),
                               inverse(op.getOrder()));
  }
};

/// Zeros for the nodes of a part, in the type of `like`.
Value zeroRows(VJPBuilder &b, Location loc, Value forest, Part part,
               Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  Value count = b.create<NumNodesOp>(loc, forest, part);
  RankedTensorType row = type.clone(type.getShape().drop_front());
  Value zero = constantLike(b.getBuilder(), loc, row, like, 0.0);
  return b.create<BroadcastOp>(loc, type, zero, count);
}

/// A node array that is zero outside of `part`.
Value embedPart(VJPBuilder &b, Location loc, Value rows, Value forest,
                Part part) {
  switch (part) {
  case Part::All:
    return rows;
  case Part::Leaves:
    return b.create<JoinOp>(
        loc, rows, zeroRows(b, loc, forest, Part::Inner, rows), forest);
  case Part::Inner:
    return b.create<JoinOp>(loc, zeroRows(b, loc, forest, Part::Leaves, rows),
                            rows, forest);
  }
  llvm_unreachable("unknown part");
}

struct PartRule : Rule<PartRule, PartOp> {
  static Value build(PartOp op, Location loc, Value dy, VJPBuilder &b) {
    return embedPart(b, loc, dy, b.value(op.getForest()), op.getPart());
  }
};

struct JoinRule : DifferentiableOpInterface::ExternalModel<JoinRule, JoinOp> {
  LogicalResult buildVJP(Operation *operation, VJPBuilder &b) const {
    auto op = cast<JoinOp>(operation);
    Value dy = b.cotangent(op.getResult()), forest = b.value(op.getForest());
    if (b.wants(op.getLeaves()))
      b.add(op.getLeaves(),
            b.create<PartOp>(op.getLoc(), dy, forest, Part::Leaves));
    if (b.wants(op.getInner()))
      b.add(op.getInner(),
            b.create<PartOp>(op.getLoc(), dy, forest, Part::Inner));
    return success();
  }
};

struct ToSlotsRule : Rule<ToSlotsRule, ToSlotsOp> {
  static Value build(ToSlotsOp op, Location loc, Value dy, VJPBuilder &b) {
    return b.create<FromSlotsOp>(loc, dy, b.value(op.getRows()));
  }
};

struct FromSlotsRule : Rule<FromSlotsRule, FromSlotsOp> {
  static Value build(FromSlotsOp op, Location loc, Value dy, VJPBuilder &b) {
    int64_t arity = op.getInput().getType().getDimSize(1);
    return b.create<ToSlotsOp>(loc, dy, b.value(op.getRows()), arity);
  }
};

struct ToCutsRule : Rule<ToCutsRule, ToCutsOp> {
  static Value build(ToCutsOp, Location loc, Value dy, VJPBuilder &b) {
    return b.create<FromCutsOp>(loc, dy);
  }
};

struct FromCutsRule : Rule<FromCutsRule, FromCutsOp> {
  static Value build(FromCutsOp, Location loc, Value dy, VJPBuilder &b) {
    return b.create<ToCutsOp>(loc, dy);
  }
};

struct SumParentsRule : Rule<SumParentsRule, SumParentsOp> {
  // The message of an edge reaches its child.
  static Value build(SumParentsOp op, Location loc, Value dy, VJPBuilder &b) {
    Value forest = b.value(op.getForest());
    Value all = embedPart(b, loc, dy, forest, op.getPart());
    Value children = b.create<IndexOp>(loc, forest, Index::Children);
    return b.create<GatherOp>(loc, all, children);
  }
};

struct AttentionRule
    : DifferentiableOpInterface::ExternalModel<AttentionRule, AttentionOp> {
  LogicalResult buildVJP(Operation *operation, VJPBuilder &b) const {
    auto op = cast<AttentionOp>(operation);
    Value dy = b.cotangent(op.getResult());
    SmallVector<Value> inputs{op.getQuery(), op.getKey(), op.getValue()};
    for (Value term : {op.getKeyBias(), op.getDistanceBias(),
                       op.getRelativeKeys(), op.getRelativeValues()})
      if (term)
        inputs.push_back(term);
    if (!dy || llvm::none_of(inputs, [&](Value v) { return b.wants(v); }))
      return success();
    auto of = [&](Value value) { return value ? b.value(value) : Value(); };
    auto grad = b.create<AttentionGradOp>(
        op.getLoc(), ValueRange(inputs).getTypes(), of(op.getQuery()),
        of(op.getKey()), of(op.getValue()), of(op.getLogSums()), dy,
        of(op.getQueryRows()), of(op.getKeyRows()), of(op.getKeyBias()),
        of(op.getDistanceBias()), of(op.getRelativeKeys()),
        of(op.getRelativeValues()), of(op.getRandom()), op.getHeadsAttr(),
        op.getScaleAttr(), op.getCausalAttr(), op.getRateAttr(),
        op.getIdAttr());
    for (auto [input, cotangent] : llvm::zip_equal(inputs, grad.getResults()))
      b.add(input, cotangent);
    return success();
  }
};
/// Weights are dropped in training alone.
struct AttentionTraining
    : TrainingOpInterface::ExternalModel<AttentionTraining, AttentionOp> {
  bool actsIn(Operation *, bool isStep) const { return isStep; }
  void endTraining(Operation *op) const {
    cast<AttentionOp>(op).removeDropout();
  }
};

/// Refused where the attention is written: its derivative keeps no weights, so
/// that there is nothing to differentiate again.
struct AttentionGradRule
    : DifferentiableOpInterface::ExternalModel<AttentionGradRule,
                                               AttentionGradOp> {
  LogicalResult buildVJP(Operation *op, VJPBuilder &) const {
    return emitError(op->getLoc(),
                     "'nn.attention' has no second derivative: expected no "
                     "'train.gradient' through it in a loss that is trained");
  }
};
} // namespace

void cambium::ragged::registerDerivativeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, RaggedDialect *) {
    attachPairRules(*context);
    attachSelectRules(*context);
    AttentionOp::attachInterface<AttentionRule>(*context);
    AttentionOp::attachInterface<AttentionTraining>(*context);
    AttentionGradOp::attachInterface<AttentionGradRule>(*context);
    BroadcastOp::attachInterface<BroadcastRule>(*context);
    ExpandOp::attachInterface<ExpandRule>(*context);
    ReduceOp::attachInterface<ReduceRule>(*context);
    MaxGradOp::attachInterface<MaxGradRule>(*context);
    SoftmaxOp::attachInterface<SoftmaxRule>(*context);
    GatherOp::attachInterface<GatherRule>(*context);
    PutRowsOp::attachInterface<PutRowsRule>(*context);
    SliceOp::attachInterface<SliceRule>(*context);
    AddSliceOp::attachInterface<AddSliceRule>(*context);
    ScatterSumOp::attachInterface<ScatterSumRule>(*context);
    PermuteOp::attachInterface<PermuteRule>(*context);
    PartOp::attachInterface<PartRule>(*context);
    JoinOp::attachInterface<JoinRule>(*context);
    ToSlotsOp::attachInterface<ToSlotsRule>(*context);
    FromSlotsOp::attachInterface<FromSlotsRule>(*context);
    SumParentsOp::attachInterface<SumParentsRule>(*context);
    ToCutsOp::attachInterface<ToCutsRule>(*context);
    FromCutsOp::attachInterface<FromCutsRule>(*context);
    context->loadDialect<arith::ArithDialect, nn::NNDialect,
                         tensor::TensorDialect>();
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExtractSliceOp::attachInterface<ExtractSliceRule>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSliceRule>(*context);
  });
}
