//===-- DecomposeActivations.cpp - Expansions of activations and reductions
//--===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/DecomposableOpInterface.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Transforms/Decompose.h"
#include "dialects/NN/Transforms/DecomposeModels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
using Values = FailureOr<SmallVector<Value>>;

struct LeakyReluModel
    : DecomposableOpInterface::ExternalModel<LeakyReluModel, LeakyReluOp> {
  Values decompose(Operation *op, OpBuilder &builder) const {
    auto relu = cast<LeakyReluOp>(op);
    Expansion e(builder, op->getLoc());
    Value x = relu.getInput();
    Value positive =
        e.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, x, e.constant(0, x));
    Value below = e.make<arith::MulFOp>(
        x, e.constant(relu.getSlope().convertToDouble(), x));
    return SmallVector<Value>{e.make<arith::SelectOp>(positive, x, below)};
  }
};

struct GeluModel : DecomposableOpInterface::ExternalModel<GeluModel, GeluOp> {
  Values decompose(Operation *op, OpBuilder &builder) const {
    auto gelu = cast<GeluOp>(op);
    Expansion e(builder, op->getLoc());
    Value x = gelu.getInput();
    Value gate = gelu.getTanh() ? tanhGate(e, x) : erfGate(e, x);
    Value half = e.make<arith::MulFOp>(x, e.constant(0.5, x));
    Value one = e.make<arith::AddFOp>(gate, e.constant(1, x));
    return SmallVector<Value>{e.make<arith::MulFOp>(half, one)};
  }

  /// erf(x / sqrt(2)).
  static Value erfGate(Expansion &e, Value x) {
    return e.make<math::ErfOp>(
        e.make<arith::MulFOp>(x, e.constant(M_SQRT1_2, x)));
  }
  /// tanh(sqrt(2 / pi) (x + 0.044715 x^3)).
  static Value tanhGate(Expansion &e, Value x) {
    Value square = e.make<arith::MulFOp>(x, x);
    Value cubic = e.make<arith::MulFOp>(square, e.constant(0.044715, x));
    Value inner = e.make<arith::MulFOp>(
        x, e.make<arith::AddFOp>(cubic, e.constant(1, x)));
    Value scaled = e.make<arith::MulFOp>(
        inner, e.constant(std::sqrt(2 / 3.14159265358979323846), x));
    return e.make<math::TanhOp>(scaled);
  }
};

/// The sum divided by the number of rows; by 1 if there are none.
struct MeanModel : DecomposableOpInterface::ExternalModel<MeanModel, MeanOp> {
  Values decompose(Operation *op, OpBuilder &builder) const {
    auto mean = cast<MeanOp>(op);
    Expansion e(builder, op->getLoc());
    int64_t dim = mean.getDim();
    Value sum = e.make<SumOp>(mean.getInput(), dim);
    RankedTensorType type = mean.getInput().getType();
    if (!type.isDynamicDim(dim)) {
      double count = std::max<int64_t>(type.getDimSize(dim), 1);
      return SmallVector<Value>{
          e.make<arith::DivFOp>(sum, e.constant(count, sum))};
    }
    Value rows = e.make<tensor::DimOp>(mean.getInput(), dim);
    Value one = e.make<arith::ConstantIndexOp>(1);
    Value count = e.make<arith::IndexCastOp>(builder.getI64Type(),
                                             e.make<arith::MaxSIOp>(rows, one));
    Value number = e.make<arith::SIToFPOp>(type.getElementType(), count);
    Value divisor = e.make<tensor::SplatOp>(number, sum.getType());
    return SmallVector<Value>{e.make<arith::DivFOp>(sum, divisor)};
  }
};

struct L2NormalizeModel
    : DecomposableOpInterface::ExternalModel<L2NormalizeModel, L2NormalizeOp> {
  Values decompose(Operation *op, OpBuilder &builder) const {
    auto normalize = cast<L2NormalizeOp>(op);
    Expansion e(builder, op->getLoc());
    Value x = normalize.getInput();
    double eps = normalize.getEps().convertToDouble();
    Value sum = e.make<SumOp>(e.make<arith::MulFOp>(x, x), normalize.getDim());
    Value norm = e.make<math::SqrtOp>(
        e.make<arith::MaximumFOp>(sum, e.constant(eps * eps, sum)));
    Value along = e.alongDim(norm, normalize.getDim(), x);
    return SmallVector<Value>{e.make<arith::DivFOp>(x, along)};
  }
};

struct LayerNormModel
    : DecomposableOpInterface::ExternalModel<LayerNormModel, LayerNormOp> {
  Values decompose(Operation *op, OpBuilder &builder) const {
    auto norm = cast<LayerNormOp>(op);
    Expansion e(builder, op->getLoc());
    Value x = norm.getInput();
    auto type = cast<RankedTensorType>(x.getType());
    int64_t last = type.getRank() - 1;
    Value like = type.hasStaticShape() ? Value() : x;
    Value mean = e.alongDim(e.make<MeanOp>(x, last), last, x);
    Value centered = e.make<arith::SubFOp>(x, mean);
    Value variance =
        e.make<MeanOp>(e.make<arith::MulFOp>(centered, centered), last);
    double eps = norm.getEps().convertToDouble();
    Value deviation = e.make<math::SqrtOp>(
        e.make<arith::AddFOp>(variance, e.constant(eps, variance)));
    // A division per row, and a multiplication per element.
    Value scale = e.make<arith::DivFOp>(e.constant(1, deviation), deviation);
    Value unit = e.make<arith::MulFOp>(centered, e.alongDim(scale, last, x));
    auto overRows = [&](Value row) {
      return e.make<BroadcastOp>(type, row, like, ArrayRef<int64_t>{last});
    };
    Value scaled = e.make<arith::MulFOp>(unit, overRows(norm.getScale()));
    return SmallVector<Value>{
        e.make<arith::AddFOp>(scaled, overRows(norm.getShift()))};
  }
};

struct CosineSimilarityModel
    : DecomposableOpInterface::ExternalModel<CosineSimilarityModel,
                                             CosineSimilarityOp> {
  Values decompose(Operation *op, OpBuilder &builder) const {
    auto cosine = cast<CosineSimilarityOp>(op);
    Expansion e(builder, op->getLoc());
    auto unit = [&](Value x) {
      return e.make<L2NormalizeOp>(x, cosine.getDim(), cosine.getEps());
    };
    Value product =
        e.make<arith::MulFOp>(unit(cosine.getLhs()), unit(cosine.getRhs()));
    return SmallVector<Value>{e.make<SumOp>(product, cosine.getDim())};
  }
};
} // namespace

Value Expansion::constant(double value, Value like) {
  Type type = like.getType();
  Type element = getElementTypeOrSelf(type);
  TypedAttr number =
      isa<FloatType>(element)
          ? TypedAttr(builder.getFloatAttr(element, value))
          : builder.getIntegerAttr(element, static_cast<int64_t>(value));
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return make<arith::ConstantOp>(number);
  if (shaped.hasStaticShape())
    return make<arith::ConstantOp>(DenseElementsAttr::get(shaped, number));
  auto scalar = RankedTensorType::get({}, element);
  Value splat = make<arith::ConstantOp>(DenseElementsAttr::get(scalar, number));
  return make<BroadcastOp>(type, splat, like, ArrayRef<int64_t>{});
}

Value Expansion::alongDim(Value input, int64_t dim, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (i != dim)
      dims.push_back(i);
  Value rows = type.hasStaticShape() ? Value() : like;
  return make<BroadcastOp>(type, input, rows, dims);
}

void nn::attachActivationExpansions(MLIRContext *context) {
  LeakyReluOp::attachInterface<LeakyReluModel>(*context);
  GeluOp::attachInterface<GeluModel>(*context);
  MeanOp::attachInterface<MeanModel>(*context);
  L2NormalizeOp::attachInterface<L2NormalizeModel>(*context);
  LayerNormOp::attachInterface<LayerNormModel>(*context);
  CosineSimilarityOp::attachInterface<CosineSimilarityModel>(*context);
}
