//===-- Derivatives.cpp - Derivatives of nn operations --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/Derivatives/Derivatives.h"
#include "Rule.h"
#include "cambium/Interfaces/TrainingOpInterface.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

static bool hasRows(Value value) {
  return typeOf(value).getRank() > 0 && typeOf(value).isDynamicDim(0);
}

Value nn::repeated(VJPBuilder &b, Location loc, Value value, Value like,
                   int64_t dim) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0, e = typeOf(like).getRank(); d < e; ++d)
    if (d != dim)
      dims.push_back(d);
  bool needsRows = hasRows(like) && dim == 0;
  return b.create<BroadcastOp>(loc, like.getType(), value,
                               needsRows ? like : Value(), dims);
}

namespace {
/// The value with its last two dimensions exchanged.
Value transposed(VJPBuilder &b, Location loc, Value value) {
  auto perm = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(value).getRank()));
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return b.create<TransposeOp>(loc, value, perm);
}

/// The sum over all dimensions but the last `kept` ones.
Value sumLeading(VJPBuilder &b, Location loc, Value value, int64_t kept) {
  while (typeOf(value).getRank() > kept)
    value = b.create<SumOp>(loc, value, 0);
  return value;
}

struct LinearRule : Rule<LinearRule, LinearOp> {
  static void build(LinearOp op, Location loc, Value dy, VJPBuilder &b) {
    if (b.wants(op.getInput()))
      b.add(op.getInput(),
            b.create<LinearOp>(
                loc, dy, transposed(b, loc, b.value(op.getWeight())), Value()));
    if (b.wants(op.getWeight()))
      b.add(op.getWeight(),
            b.create<OuterSumOp>(loc, b.value(op.getInput()), dy));
    if (op.getBias() && b.wants(op.getBias()))
      b.add(op.getBias(), sumLeading(b, loc, dy, 1));
  }
};

/// `value` as a matrix: a vector becomes a row or a column.
Value asMatrix(VJPBuilder &b, Location loc, Value value, int64_t batch,
               bool row) {
  RankedTensorType type = typeOf(value);
  if (type.getRank() == batch + 2)
    return value;
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(row ? shape.end() - 1 : shape.end(), 1);
  return b.create<ReshapeOp>(loc, type.clone(shape), value);
}

struct MatmulRule : Rule<MatmulRule, MatmulOp> {
  static void build(MatmulOp op, Location loc, Value dy, VJPBuilder &b) {
    int64_t batch = op.getBatchDims();
    bool lhsVector = typeOf(op.getLhs()).getRank() == batch + 1;
    bool rhsVector = typeOf(op.getRhs()).getRank() == batch + 1;
    // All as matrices: [m,k] . [k,n], a left vector is a row, a right one a
    // column.
    SmallVector<int64_t> shape(typeOf(dy).getShape());
    if (lhsVector)
      shape.insert(shape.begin() + batch, 1);
    if (rhsVector)
      shape.push_back(1);
    Value d = dy;
    if (lhsVector || rhsVector)
      d = b.create<ReshapeOp>(loc, typeOf(dy).clone(shape), dy);
    auto contribute = [&](Value operand, Value gradient) {
      if (gradient.getType() != operand.getType())
        gradient = b.create<ReshapeOp>(loc, operand.getType(), gradient);
      b.add(operand, gradient);
    };
    if (b.wants(op.getLhs())) {
      Value rhs = asMatrix(b, loc, b.value(op.getRhs()), batch, /*row=*/false);
      contribute(op.getLhs(),
                 b.create<MatmulOp>(loc, d, transposed(b, loc, rhs), batch));
    }
    if (b.wants(op.getRhs())) {
      Value lhs = asMatrix(b, loc, b.value(op.getLhs()), batch, /*row=*/true);
      contribute(op.getRhs(),
                 b.create<MatmulOp>(loc, transposed(b, loc, lhs), d, batch));
    }
  }
};

struct OuterSumRule : Rule<OuterSumRule, OuterSumOp> {
  static void build(OuterSumOp op, Location loc, Value dy, VJPBuilder &b) {
    if (b.wants(op.getLhs()))
      b.add(op.getLhs(), b.create<LinearOp>(loc, b.value(op.getRhs()),
                                            transposed(b, loc, dy), Value()));
    if (b.wants(op.getRhs()))
      b.add(op.getRhs(),
            b.create<LinearOp>(loc, b.value(op.getLhs()), dy, Value()));
  }
};

struct EmbedRule : Rule<EmbedRule, EmbedOp> {
  static void build(EmbedOp op, Location loc, Value dy, VJPBuilder &b) {
    if (op.getFrozen() || !b.wants(op.getTable()))
      return;
    int64_t size = op.getTable().getType().getDimSize(0);
    b.add(op.getTable(), b.create<EmbedGradOp>(loc, b.value(op.getIds()), dy,
                                               size, op.getPaddingIdAttr()));
  }
};

struct EmbedGradRule : Rule<EmbedGradRule, EmbedGradOp> {
  static void build(EmbedGradOp op, Location loc, Value dy, VJPBuilder &b) {
    if (b.wants(op.getRows()))
      b.add(op.getRows(), b.create<EmbedOp>(loc, b.value(op.getIds()), dy,
                                            op.getPaddingIdAttr(), UnitAttr()));
  }
};

struct PickRule : Rule<PickRule, PickOp> {
  static void build(PickOp op, Location loc, Value dy, VJPBuilder &b) {
    int64_t size = op.getInput().getType().getShape().back();
    if (b.wants(op.getInput()))
      b.add(op.getInput(),
            b.create<OneHotOp>(loc, b.value(op.getIds()), dy, size));
  }
};

struct OneHotRule : Rule<OneHotRule, OneHotOp> {
  static void build(OneHotOp op, Location loc, Value dy, VJPBuilder &b) {
    if (b.wants(op.getValues()))
      b.add(op.getValues(), b.create<PickOp>(loc, dy, b.value(op.getIds())));
  }
};

struct SumRule : Rule<SumRule, SumOp> {
  static void build(SumOp op, Location loc, Value dy, VJPBuilder &b) {
    if (b.wants(op.getInput()))
      b.add(op.getInput(),
            repeated(b, loc, dy, b.value(op.getInput()), op.getDim()));
  }
};

struct MaxRule : Rule<MaxRule, MaxOp> {
  static void build(MaxOp op, Location loc, Value dy, VJPBuilder &b) {
    if (b.wants(op.getInput()))
      b.add(op.getInput(),
            b.create<MaxGradOp>(loc, b.value(op.getInput()), dy, op.getDim()));
  }
};

struct MaxGradRule : Rule<MaxGradRule, MaxGradOp> {
  // Linear in `dy`, constant in `input` almost everywhere.
  static void build(MaxGradOp op, Location loc, Value dz, VJPBuilder &b) {
    if (!b.wants(op.getDy()))
      return;
    Value ones = constantLike(b.getBuilder(), loc, b.value(op.getDy()), 1.0);
    Value mask =
        b.create<MaxGradOp>(loc, b.value(op.getInput()), ones, op.getDim());
    Value kept = b.create<arith::MulFOp>(loc, mask, dz);
    b.add(op.getDy(), b.create<SumOp>(loc, kept, op.getDim()));
  }
};

struct LogSumExpRule : Rule<LogSumExpRule, LogSumExpOp> {
  static void build(LogSumExpOp op, Location loc, Value dy, VJPBuilder &b) {
    if (!b.wants(op.getInput()))
      return;
    Value x = b.value(op.getInput()), y = b.value(op.getResult());
    Value base = repeated(b, loc, zeroIfMinusInfinity(b.getBuilder(), loc, y),
                          x, op.getDim());
    Value weight =
        b.create<math::ExpOp>(loc, b.create<arith::SubFOp>(loc, x, base));
    b.add(op.getInput(),
          b.create<arith::MulFOp>(loc, weight,
                                  repeated(b, loc, dy, x, op.getDim())));
  }
};

struct TopRule : Rule<TopRule, TopOp> {
  static void build(TopOp op, Location loc, Value dy, VJPBuilder &b) {
    int64_t size = typeOf(op.getInput()).getDimSize(op.getDim());
    if (b.wants(op.getInput()))
      b.add(op.getInput(), b.create<SumByOp>(loc, dy, b.value(op.getPlaces()),
                                             op.getDim(), size));
  }
};

struct SumByRule : Rule<SumByRule, SumByOp> {
  static void build(SumByOp op, Location loc, Value dy, VJPBuilder &b) {
    if (b.wants(op.getValues()))
      b.add(op.getValues(),
            b.create<PickAlongOp>(loc, dy, b.value(op.getIds()), op.getDim()));
  }
};

struct PickAlongRule : Rule<PickAlongRule, PickAlongOp> {
  static void build(PickAlongOp op, Location loc, Value dy, VJPBuilder &b) {
    int64_t size = typeOf(op.getInput()).getDimSize(op.getDim());
    if (b.wants(op.getInput()))
      b.add(op.getInput(), b.create<SumByOp>(loc, dy, b.value(op.getIds()),
                                             op.getDim(), size));
  }
};

struct SoftmaxRule : Rule<SoftmaxRule, SoftmaxOp> {
  // dx = y (dy - sum(y dy))
  static void build(SoftmaxOp op, Location loc, Value dy, VJPBuilder &b) {
    if (!b.wants(op.getInput()))
      return;
    Value y = b.value(op.getResult());
    Value product = b.create<arith::MulFOp>(loc, y, dy);
    Value sum = b.create<SumOp>(loc, product, op.getDim());
    Value rest =
        b.create<arith::MulFOp>(loc, y, repeated(b, loc, sum, y, op.getDim()));
    b.add(op.getInput(), b.create<arith::SubFOp>(loc, product, rest));
  }
};

struct LogSoftmaxRule : Rule<LogSoftmaxRule, LogSoftmaxOp> {
  // dx = dy - exp(y) sum(dy)
  static void build(LogSoftmaxOp op, Location loc, Value dy, VJPBuilder &b) {
    if (!b.wants(op.getInput()))
      return;
    Value y = b.value(op.getResult());
    Value sum = b.create<SumOp>(loc, dy, op.getDim());
    Value p = b.create<math::ExpOp>(loc, y);
    Value rest =
        b.create<arith::MulFOp>(loc, p, repeated(b, loc, sum, y, op.getDim()));
    b.add(op.getInput(), b.create<arith::SubFOp>(loc, dy, rest));
  }
};

struct EmbedGradTraining
    : TrainingOpInterface::ExternalModel<EmbedGradTraining, EmbedGradOp> {
  std::optional<GradientRows> getGradientRows(Operation *operation) const {
    auto op = cast<EmbedGradOp>(operation);
    if (op.getIds().getType().getRank() != 1)
      return std::nullopt;
    return GradientRows{op.getIds(), op.getRows(), op.getPaddingIdAttr()};
  }
};
} // namespace

void cambium::nn::registerDerivativeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NNDialect *) {
    LinearOp::attachInterface<LinearRule>(*context);
    MatmulOp::attachInterface<MatmulRule>(*context);
    OuterSumOp::attachInterface<OuterSumRule>(*context);
    EmbedOp::attachInterface<EmbedRule>(*context);
    EmbedGradOp::attachInterface<EmbedGradRule>(*context);
    PickOp::attachInterface<PickRule>(*context);
    OneHotOp::attachInterface<OneHotRule>(*context);
    SumOp::attachInterface<SumRule>(*context);
    LogSumExpOp::attachInterface<LogSumExpRule>(*context);
    TopOp::attachInterface<TopRule>(*context);
    SumByOp::attachInterface<SumByRule>(*context);
    PickAlongOp::attachInterface<PickAlongRule>(*context);
    MaxOp::attachInterface<MaxRule>(*context);
    MaxGradOp::attachInterface<MaxGradRule>(*context);
    SoftmaxOp::attachInterface<SoftmaxRule>(*context);
    LogSoftmaxOp::attachInterface<LogSoftmaxRule>(*context);
    EmbedGradOp::attachInterface<EmbedGradTraining>(*context);
    attachShapeRules(*context);
    attachRandomRules(*context);
    context->loadDialect<math::MathDialect>();
  });
}
