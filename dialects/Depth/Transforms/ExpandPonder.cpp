//===-- dialects/Depth/Transforms/ExpandPonder.cpp - depth.ponder in terms of
// depth.iterate ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/Depth/Transforms/Passes.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace cambium::depth {
#define GEN_PASS_DEF_EXPANDPONDER
#include "dialects/Depth/Transforms/Passes.h.inc"
} // namespace cambium::depth

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

namespace {
class Expansion {
public:
  explicit Expansion(PonderOp op)
      : op(op), loc(op.getLoc()), builder(op), numStates(op.getInit().size()),
        isSum(op.getCombine() == Combine::WeightedSum),
        isForced(op.getAtMaximum() == Remainder::Forced) {}

  void run() {
    IterateOp loop = makeLoop();
    auto results = loop.getStates();
    op.getSteps().replaceAllUsesWith(loop.getSteps());
    op.getRemainder().replaceAllUsesWith(results[numStates + 1]);
    // In a body of another loop nothing has effects.
    if (!op->getParentOfType<IterateOp>() && !op->getParentOfType<PonderOp>())
      nn::ExpectNumberOp::create(builder, loc, results[numStates],
                                 "halting probability");
    size_t first = isSum ? numStates + 2 : 0;
    for (auto [i, state] : llvm::enumerate(op.getStates()))
      state.replaceAllUsesWith(results[first + i]);
    op.erase();
  }

private:
  template <typename OpT, typename... Args> Value make(Args &&...args) {
    return OpT::create(builder, loc, std::forward<Args>(args)...);
  }

  /// A number for each row, or the number.
  Value numbers(TypedAttr value) {
    auto scalar = RankedTensorType::get({}, value.getType());
    Value constant = make<arith::ConstantOp>(
        DenseElementsAttr::get(scalar, Attribute(value)));
    if (!op.isPerRow())
      return constant;
    Value like = builder.getInsertionBlock() == op->getBlock()
                     ? op.getInit().front()
                     : state;
    return make<nn::BroadcastOp>(rowsType(scalar), constant, like,
                                 ArrayRef<int64_t>{});
  }
  Value real(double value) {
    return numbers(builder.getFloatAttr(
        getElementTypeOrSelf(op.getRemainder().getType()), value));
  }

  /// A weight for each element of `like`.
  Value spread(Value weight, Value like) {
    if (weight.getType() == like.getType())
      return weight;
    auto type = cast<RankedTensorType>(like.getType());
    SmallVector<int64_t> dims;
    if (op.isPerRow())
      dims.push_back(0);
    return make<nn::BroadcastOp>(type, weight, Value(), dims);
  }

  IterateOp makeLoop() {
    SmallVector<Value> init(op.getInit());
    init.push_back(real(0));
    init.push_back(real(0));
    if (isSum)
      for (Value value : op.getInit())
        init.push_back(spread(real(0), value));
    if (isForced)
      init.push_back(numbers(builder.getI32IntegerAttr(0)));
    SmallVector<Type> types(ValueRange(init).getTypes());
    types.push_back(op.getSteps().getType());
    auto loop = IterateOp::create(
        builder, loc, types, op.getMaxAttr(), /*fixed=*/UnitAttr(),
        op.getFormAttr(), op.getRematerializeAttr(), op.getParameterScopeAttr(),
        /*active=*/Value(), init, op.getSlices());
    loop.getBody().takeBody(op.getBody());
    Block &body = loop.getBody().front();
    for (size_t i = numStates; i < init.size(); ++i)
      body.insertArgument(i, init[i].getType(), loc);
    makeBody(loop);
    return loop;
  }

  void makeBody(IterateOp loop) {
    OpBuilder::InsertionGuard guard(builder);
    YieldOp yield = loop.getYield();
    builder.setInsertionPoint(yield);
    auto args = loop.getStateArgs();
    state = args.front();
    Value p = yield.getActive(), sum = args[numStates];
    Value total = make<arith::AddFOp>(sum, p);
    Value limit = real(1 - op.getEpsilon().convertToDouble());
    Value goesOn = make<arith::CmpFOp>(arith::CmpFPredicate::OLT, total, limit);
    Value count;
    if (isForced) {
      count = make<arith::AddIOp>(args.back(),
                                  numbers(builder.getI32IntegerAttr(1)));
      Value max = numbers(
          builder.getI32IntegerAttr(std::min<int64_t>(op.getMax(), INT32_MAX)));
      Value more = make<arith::CmpIOp>(arith::CmpIPredicate::slt, count, max);
      goesOn = make<arith::AndIOp>(goesOn, more);
    }
    Value rest = make<arith::SubFOp>(real(1), sum);
    Value weight = make<arith::SelectOp>(goesOn, p, rest);
    SmallVector<Value> next{goesOn}, sums;
    for (auto [i, value] : llvm::enumerate(yield.getNext())) {
      next.push_back(isSum ? value : mix(weight, value, args[i]));
      if (isSum)
        sums.push_back(addTo(args[numStates + 2 + i], weight, value));
    }
    next.push_back(total);
    next.push_back(make<arith::SelectOp>(goesOn, args[numStates + 1], rest));
    llvm::append_range(next, sums);
    if (isForced)
      next.push_back(count);
    YieldOp::create(builder, loc, next);
    yield.erase();
  }

  /// weight * value + (1 - weight) * old
  Value mix(Value weight, Value value, Value old) {
    Value w = spread(weight, value);
    Value rest = spread(make<arith::SubFOp>(real(1), weight), value);
    return make<arith::AddFOp>(make<arith::MulFOp>(w, value),
                               make<arith::MulFOp>(rest, old));
  }
  Value addTo(Value sum, Value weight, Value value) {
    return make<arith::AddFOp>(
        sum, make<arith::MulFOp>(spread(weight, value), value));
  }

  PonderOp op;
  Location loc;
  OpBuilder builder;
  size_t numStates;
  bool isSum, isForced;
  /// A carried value, in the body.
  Value state;
};

struct ExpandPonder : depth::impl::ExpandPonderBase<ExpandPonder> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([](PonderOp op) { Expansion(op).run(); });
  }
};
} // namespace
