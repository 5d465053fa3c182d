//===-- Reductions.cpp - Reductions and softmax on linalg -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/TopElements.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/ToLinalg/Models.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/RT/IR/Status.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
/// A tensor and the dimension along which its elements are combined.
class Along {
public:
  Along(LinalgBuilder &b, Value input, int64_t dim)
      : b(b), input(input), dim(dim) {
    RankedTensorType type = tensorType(input);
    SmallVector<int64_t> shape(type.getShape()), kept;
    shape.erase(shape.begin() + dim);
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (i != dim)
        kept.push_back(i);
    reducedType = type.clone(shape);
    reducedMap = b.dims(type.getRank(), kept);
  }

  /// The sum in order, or in any order along the contiguous dimension.
  Value sum(Value values) {
    bool contiguous = dim == tensorType(input).getRank() - 1 && !dynamic();
    return b.reduce(b.fill(reducedDest(), 0), values, dim,
                    [&](LinalgBuilder &b, ValueRange args) -> Value {
                      auto flags = contiguous ? arith::FastMathFlags::reassoc
                                              : arith::FastMathFlags::none;
                      return b.make<arith::AddFOp>(args[1], args[0], flags);
                    });
  }
  Value max() {
    Value start =
        b.fill(reducedDest(), -std::numeric_limits<double>::infinity());
    return b.reduce(start, input, dim,
                    [](LinalgBuilder &b, ValueRange args) -> Value {
                      return b.make<arith::MaximumFOp>(args[1], args[0]);
                    });
  }
  /// body(element, reduced element): of the shape of the input.
  Value withReduced(Value values, ValueRange reduced,
                    LinalgBuilder::Body body) {
    SmallVector<Value> operands{values};
    llvm::append_range(operands, reduced);
    SmallVector<AffineMap> maps(operands.size(), reducedMap);
    maps[0] = AffineMap::getMultiDimIdentityMap(tensorType(input).getRank(),
                                                b.getContext());
    return b.map(b.emptyLike(tensorType(input), input), operands, maps, body);
  }
  Value reducedDest() { return b.emptyLike(reducedType, input); }
  bool dynamic() { return tensorType(input).isDynamicDim(dim); }
  RankedTensorType getReducedType() { return reducedType; }
  AffineMap getReducedMap() { return reducedMap; }

private:
  LinalgBuilder &b;
  Value input;
  int64_t dim;
  RankedTensorType reducedType;
  AffineMap reducedMap;
};
} // namespace

static Lowered lowerSum(SumOp op, LinalgBuilder &b) {
  return lowered(Along(b, op.getInput(), op.getDim()).sum(op.getInput()));
}

/// The maximum of no rows is 0.
static Lowered lowerMax(MaxOp op, LinalgBuilder &b) {
  Along along(b, op.getInput(), op.getDim());
  if (tensorType(op.getInput()).getDimSize(op.getDim()) == 0)
    return lowered(b.fill(along.reducedDest(), 0));
  Value max = along.max();
  if (!along.dynamic())
    return lowered(max);
  Value any = b.make<arith::CmpIOp>(arith::CmpIPredicate::sgt,
                                    b.rows(op.getInput()), b.index(0));
  auto guard = [&](LinalgBuilder &b, ValueRange args) -> Value {
    return b.make<arith::SelectOp>(any, args[0],
                                   b.number(args[0].getType(), 0));
  };
  return lowered(b.elementwise(along.reducedDest(), max, guard));
}

/// The position of the first of the greatest elements; NaN is greater than all.
static Value firstMaximum(Along &along, LinalgBuilder &b, MaxGradOp op) {
  RankedTensorType type = tensorType(op.getInput());
  Value best =
      b.fill(along.reducedDest(), -std::numeric_limits<double>::infinity());
  RankedTensorType idType =
      along.getReducedType().clone(b.getBuilder().getI64Type());
  Value where = b.fill(b.emptyLike(idType, op.getInput()), 0);
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  iterators[op.getDim()] = utils::IteratorType::reduction;
  SmallVector<AffineMap> maps(3, along.getReducedMap());
  maps[0] = AffineMap::getMultiDimIdentityMap(type.getRank(), b.getContext());
  auto step = [&](OpBuilder &builder, Location loc, ValueRange args) {
    LinalgBuilder b(builder, loc);
    Value take = isGreater(b, args[0], args[1]);
    Value here = b.make<arith::IndexCastOp>(
        builder.getI64Type(), b.make<linalg::IndexOp>(op.getDim()));
    b.make<linalg::YieldOp>(
        ValueRange{b.make<arith::SelectOp>(take, args[0], args[1]),
                   b.make<arith::SelectOp>(take, here, args[2])});
  };
  return b
      .make<linalg::GenericOp>(TypeRange{best.getType(), idType}, op.getInput(),
                               ValueRange{best, where}, maps, iterators, step)
      .getResult(1);
}

static Lowered lowerMaxGrad(MaxGradOp op, LinalgBuilder &b) {
  Along along(b, op.getInput(), op.getDim());
  Value where = firstMaximum(along, b, op);
  auto send = [&](LinalgBuilder &b, ValueRange args) -> Value {
    Value here = b.make<arith::IndexCastOp>(
        b.getBuilder().getI64Type(), b.make<linalg::IndexOp>(op.getDim()));
    Value chosen =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, here, args[0]);
    return b.make<arith::SelectOp>(chosen, args[1],
                                   b.number(args[1].getType(), 0));
  };
  Value dest = b.emptyLike(op.getType(), op.getInput());
  return lowered(b.map(dest, {where, op.getDy()},
                       {along.getReducedMap(), along.getReducedMap()}, send));
}

static Value expShifted(LinalgBuilder &b, ValueRange args) {
  return b.make<math::ExpOp>(b.make<arith::SubFOp>(args[0], args[1]));
}

static Lowered lowerSoftmax(SoftmaxOp op, LinalgBuilder &b) {
  Along along(b, op.getInput(), op.getDim());
  Value exps = along.withReduced(op.getInput(), along.max(), expShifted);
  return lowered(along.withReduced(
      exps, along.sum(exps), [](LinalgBuilder &b, ValueRange args) -> Value {
        return b.make<arith::DivFOp>(args[0], args[1]);
      }));
}

static Lowered lowerLogSoftmax(LogSoftmaxOp op, LinalgBuilder &b) {
  Along along(b, op.getInput(), op.getDim());
  Value max = along.max();
  Value sum = along.sum(along.withReduced(op.getInput(), max, expShifted));
  Value log = b.elementwise(along.reducedDest(), sum,
                            [](LinalgBuilder &b, ValueRange args) -> Value {
                              return b.make<math::LogOp>(args[0]);
                            });
  return lowered(
      along.withReduced(op.getInput(), {max, log},
                        [](LinalgBuilder &b, ValueRange args) -> Value {
                          return b.sub(b.sub(args[0], args[1]), args[2]);
                        }));
}

/// The logarithm, shifted by the maximum where that is finite: the sum of no
/// terms, or of terms that are all 0, is 0.
static Lowered lowerLogSumExp(LogSumExpOp op, LinalgBuilder &b) {
  Along along(b, op.getInput(), op.getDim());
  Value shift = b.elementwise(along.reducedDest(), along.max(),
                              [](LinalgBuilder &b, ValueRange args) {
                                return finiteOrZero(b, args[0]);
                              });
  Value sum = along.sum(along.withReduced(op.getInput(), shift, expShifted));
  return lowered(b.elementwise(
      along.reducedDest(), {sum, shift}, [](LinalgBuilder &b, ValueRange args) {
        return b.add(b.make<math::LogOp>(args[0]), args[1]);
      }));
}

/// Where an element is no number, one of them is the result of the reduction.
static Lowered lowerExpectNumber(ExpectNumberOp op, LinalgBuilder &b) {
  Value x = op.getInput();
  if (tensorType(x).getRank() > 0) {
    auto scalar = RankedTensorType::get({}, tensorType(x).getElementType());
    Value sum = b.fill(b.empty(scalar, Value()), 0);
    x = b.reduce(sum, x, 0, [](LinalgBuilder &b, ValueRange args) -> Value {
      Value isNaN =
          b.make<arith::CmpFOp>(arith::CmpFPredicate::UNO, args[0], args[0]);
      return b.make<arith::SelectOp>(isNaN, args[0], args[1]);
    });
  }
  Value number = b.make<tensor::ExtractOp>(x, ValueRange());
  Value isNaN =
      b.make<arith::CmpFOp>(arith::CmpFPredicate::UNO, number, number);
  b.make<rt::FailIfOp>(
      isNaN, /*row=*/Value(), static_cast<int32_t>(rt::Status::NotFinite),
      ("expected a number as " + op.getWhat() + ", but got NaN").str());
  return Lowered(SmallVector<Value>());
}

void nn::attachReductionLowerings(MLIRContext *context) {
  attachLinalgModel<ExpectNumberOp, lowerExpectNumber>(context);
  attachLinalgModel<SumOp, lowerSum>(context);
  attachLinalgModel<MaxOp, lowerMax>(context);
  attachLinalgModel<MaxGradOp, lowerMaxGrad>(context);
  attachLinalgModel<SoftmaxOp, lowerSoftmax>(context);
  attachLinalgModel<LogSumExpOp, lowerLogSumExp>(context);
  attachLinalgModel<LogSoftmaxOp, lowerLogSoftmax>(context);
}
