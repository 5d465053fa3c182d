//===-- Shapes.cpp - Derivatives of ops that move elements ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Rule.h"
#include "dialects/NN/IR/ConstantLike.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
struct BroadcastRule : Rule<BroadcastRule, BroadcastOp> {
  static void build(BroadcastOp op, Location loc, Value dy, VJPBuilder &b) {
    if (!b.wants(op.getInput()))
      return;
    for (int64_t d = op.getType().getRank() - 1; d >= 0; --d)
      if (!llvm::is_contained(op.getDims(), d))
        dy = b.create<SumOp>(loc, dy, d);
    b.add(op.getInput(), dy);
  }
};

struct ConcatRule : Rule<ConcatRule, ConcatOp> {
  static void build(ConcatOp op, Location loc, Value dy, VJPBuilder &b) {
    if (llvm::none_of(op.getInputs(),
                      [&](Value input) { return b.wants(input); }))
      return;
    SmallVector<int64_t> sizes;
    SmallVector<Value> inputs; // Those of size 0 have no elements.
    for (Value input : op.getInputs())
      if (int64_t size = typeOf(input).getDimSize(op.getDim())) {
        sizes.push_back(size);
        inputs.push_back(input);
      }
    if (inputs.empty())
      return;
    auto split = b.create<SplitOp>(loc, ValueRange(inputs).getTypes(), dy,
                                   op.getDim(), sizes);
    for (auto [input, part] : llvm::zip_equal(inputs, split.getResults()))
      if (b.wants(input))
        b.add(input, part);
  }
};

/// One result or several: the parts without a cotangent count as zeros.
struct SplitRule
    : DifferentiableOpInterface::ExternalModel<SplitRule, SplitOp> {
  LogicalResult buildVJP(Operation *operation, VJPBuilder &b) const {
    auto op = cast<SplitOp>(operation);
    if (!b.wants(op.getInput()))
      return success();
    SmallVector<Value> parts;
    Value any;
    for (Value result : op.getResults())
      if (Value dy = b.cotangent(result))
        any = dy;
    for (Value result : op.getResults()) {
      Value dy = b.cotangent(result);
      if (!dy)
        dy =
            constantLike(b.getBuilder(), op.getLoc(), typeOf(result), any, 0.0);
      parts.push_back(dy);
    }
    b.add(op.getInput(), b.create<ConcatOp>(op.getLoc(), parts, op.getDim()));
    return success();
  }
};

struct SliceRule : Rule<SliceRule, SliceOp> {
  static void build(SliceOp op, Location loc, Value dy, VJPBuilder &b) {
    int64_t low = op.getOffset();
    int64_t high =
        typeOf(op.getInput()).getDimSize(op.getDim()) - low - op.getSize();
    if (b.wants(op.getInput()))
      b.add(op.getInput(), b.create<PadOp>(loc, dy, op.getDim(), low, high));
  }
};

struct PadRule : Rule<PadRule, PadOp> {
  static void build(PadOp op, Location loc, Value dy, VJPBuilder &b) {
    int64_t size = typeOf(op.getInput()).getDimSize(op.getDim());
    if (size > 0 && b.wants(op.getInput()))
      b.add(op.getInput(),
            b.create<SliceOp>(loc, dy, op.getDim(), op.getLow(), size));
  }
};

struct ReshapeRule : Rule<ReshapeRule, ReshapeOp> {
  static void build(ReshapeOp op, Location loc, Value dy, VJPBuilder &b) {
    if (b.wants(op.getInput()))
      b.add(op.getInput(),
            b.create<ReshapeOp>(loc, op.getInput().getType(), dy));
  }
};

struct TransposeRule : Rule<TransposeRule, TransposeOp> {
  static void build(TransposeOp op, Location loc, Value dy, VJPBuilder &b) {
    SmallVector<int64_t> inverse(op.getPerm().size());
    for (auto [i, d] : llvm::enumerate(op.getPerm()))
      inverse[d] = i;
    if (b.wants(op.getInput()))
      b.add(op.getInput(), b.create<TransposeOp>(loc, dy, inverse));
  }
};
} // namespace

void nn::attachShapeRules(MLIRContext &context) {
  BroadcastOp::attachInterface<BroadcastRule>(context);
  ConcatOp::attachInterface<ConcatRule>(context);
  SplitOp::attachInterface<SplitRule>(context);
  SliceOp::attachInterface<SliceRule>(context);
  PadOp::attachInterface<PadRule>(context);
  ReshapeOp::attachInterface<ReshapeRule>(context);
  TransposeOp::attachInterface<TransposeRule>(context);
}
