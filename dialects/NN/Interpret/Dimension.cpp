//===-- Dimension.cpp - Operations along one dimension -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Interpret/Models.h"
#include <cmath>

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
template <typename Model, typename Op>
using DimensionBase = InterpretableOpInterface::ExternalModel<Model, Op>;

/// A reduction is a function of the elements of a line.
template <typename Op, auto Function>
struct ReductionModel : DimensionBase<ReductionModel<Op, Function>, Op> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    int64_t dim = cast<Op>(op).getDim();
    const Tensor &x = interpreter.getTensor(op->getOperand(0));
    Lines lines(x, dim);
    Tensor y = Tensor::floats(withoutDim(x, dim));
    lines.forEach([&](int64_t o, int64_t i) {
      y.f(o * lines.inner + i) = Function(
          lines.length, [&](int64_t j) { return x.f(lines.at(o, j, i)); });
    });
    return interpreter.set(op->getResult(0), std::move(y));
  }
};

using Element = llvm::function_ref<double(int64_t)>;

double sum(int64_t n, Element x) {
  double total = 0;
  for (int64_t j = 0; j < n; ++j)
    total += x(j);
  return total;
}

double mean(int64_t n, Element x) { return n ? sum(n, x) / n : 0; }

/// The place of the first of the greatest elements, a NaN being greater than
/// all.
int64_t firstGreatest(int64_t n, Element x) {
  int64_t best = 0;
  for (int64_t j = 1; j < n && !std::isnan(x(best)); ++j)
    if (x(j) > x(best) || std::isnan(x(j)))
      best = j;
  return best;
}

/// The maximum is taken out where it is finite, so that nothing overflows.
double logSumExp(int64_t n, Element x) {
  double shift = n ? x(firstGreatest(n, x)) : 0;
  if (!std::isfinite(shift))
    shift = 0;
  double total = 0;
  for (int64_t j = 0; j < n; ++j)
    total += std::exp(x(j) - shift);
  return std::log(total) + shift;
}

double greatest(int64_t n, Element x) { return n ? x(firstGreatest(n, x)) : 0; }

struct MaxGradModel : DimensionBase<MaxGradModel, MaxGradOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto grad = cast<MaxGradOp>(op);
    const Tensor &x = interpreter.getTensor(grad.getInput());
    const Tensor &dy = interpreter.getTensor(grad.getDy());
    Lines lines(x, grad.getDim());
    if (withoutDim(x, grad.getDim()) != SmallVector<int64_t>(dy.getShape()))
      return Interpreter::expectSameShape(op, x, dy);
    Tensor dx = x.zeros(x.getShape());
    lines.forEach([&](int64_t o, int64_t i) {
      int64_t j = firstGreatest(
          lines.length, [&](int64_t j) { return x.f(lines.at(o, j, i)); });
      if (lines.length)
        dx.f(lines.at(o, j, i)) = dy.f(o * lines.inner + i);
    });
    return interpreter.set(grad, std::move(dx));
  }
};

struct SoftmaxModel : DimensionBase<SoftmaxModel, SoftmaxOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto softmax = cast<SoftmaxOp>(op);
    const Tensor &x = interpreter.getTensor(softmax.getInput());
    Lines lines(x, softmax.getDim());
    Tensor y = x;
    lines.forEach([&](int64_t o, int64_t i) {
      double max = greatest(lines.length,
                            [&](int64_t j) { return x.f(lines.at(o, j, i)); });
      double total = 0;
      for (int64_t j = 0; j < lines.length; ++j)
        total += y.f(lines.at(o, j, i)) =
            std::exp(x.f(lines.at(o, j, i)) - max);
      for (int64_t j = 0; j < lines.length; ++j)
        y.f(lines.at(o, j, i)) /= total;
    });
    return interpreter.set(softmax, std::move(y));
  }
};

struct LogSoftmaxModel : DimensionBase<LogSoftmaxModel, LogSoftmaxOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto softmax = cast<LogSoftmaxOp>(op);
    return interpreter.set(
        softmax, computeLogSoftmax(interpreter.getTensor(softmax.getInput()),
                                   softmax.getDim()));
  }
};

/// `x / sqrt(max(sum x^2, eps^2))` along a dimension.
Tensor normalize(const Tensor &x, int64_t dim, double eps) {
  Lines lines(x, dim);
  Tensor y = x;
  lines.forEach([&](int64_t o, int64_t i) {
    double square = sum(lines.length, [&](int64_t j) {
      return x.f(lines.at(o, j, i)) * x.f(lines.at(o, j, i));
    });
    double floor = eps * eps;
    double norm =
        std::sqrt(std::isnan(square) ? square : std::fmax(square, floor));
    for (int64_t j = 0; j < lines.length; ++j)
      y.f(lines.at(o, j, i)) /= norm;
  });
  return y;
}

struct L2NormalizeModel : DimensionBase<L2NormalizeModel, L2NormalizeOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto norm = cast<L2NormalizeOp>(op);
    return interpreter.set(
        norm, normalize(interpreter.getTensor(norm.getInput()), norm.getDim(),
                        norm.getEps().convertToDouble()));
  }
};

struct LayerNormModel : DimensionBase<LayerNormModel, LayerNormOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto norm = cast<LayerNormOp>(op);
    const Tensor &x = interpreter.getTensor(norm.getInput());
    const Tensor &scale = interpreter.getTensor(norm.getScale());
    const Tensor &shift = interpreter.getTensor(norm.getShift());
    double eps = norm.getEps().convertToDouble();
    Lines lines(x, x.getShape().size() - 1);
    Tensor y = x;
    lines.forEach([&](int64_t o, int64_t i) {
      auto at = [&](int64_t j) { return x.f(lines.at(o, j, i)); };
      double center = mean(lines.length, at);
      double variance = mean(lines.length, [&](int64_t j) {
        return (at(j) - center) * (at(j) - center);
      });
      for (int64_t j = 0; j < lines.length; ++j)
        y.f(lines.at(o, j, i)) =
            (at(j) - center) / std::sqrt(variance + eps) * scale.f(j) +
            shift.f(j);
    });
    return interpreter.set(norm, std::move(y));
  }
};

struct CosineSimilarityModel
    : DimensionBase<CosineSimilarityModel, CosineSimilarityOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto cosine = cast<CosineSimilarityOp>(op);
    const Tensor &a = interpreter.getTensor(cosine.getLhs());
    const Tensor &b = interpreter.getTensor(cosine.getRhs());
    if (failed(Interpreter::expectSameShape(op, a, b)))
      return failure();
    double eps = cosine.getEps().convertToDouble();
    Tensor u = normalize(a, cosine.getDim(), eps),
           v = normalize(b, cosine.getDim(), eps);
    Lines lines(a, cosine.getDim());
    Tensor y = Tensor::floats(withoutDim(a, cosine.getDim()));
    lines.forEach([&](int64_t o, int64_t i) {
      y.f(o * lines.inner + i) = sum(lines.length, [&](int64_t j) {
        return u.f(lines.at(o, j, i)) * v.f(lines.at(o, j, i));
      });
    });
    return interpreter.set(cosine, std::move(y));
  }
};
} // namespace

Tensor cambium::nn::computeLogSoftmax(const Tensor &x, int64_t dim) {
  Lines lines(x, dim);
  Tensor y = x;
  lines.forEach([&](int64_t o, int64_t i) {
    double max = greatest(lines.length,
                          [&](int64_t j) { return x.f(lines.at(o, j, i)); });
    double total = sum(lines.length, [&](int64_t j) {
      return std::exp(x.f(lines.at(o, j, i)) - max);
    });
    for (int64_t j = 0; j < lines.length; ++j)
      y.f(lines.at(o, j, i)) -= max + std::log(total);
  });
  return y;
}

void cambium::nn::attachDimensionMeaning(MLIRContext *context) {
  SumOp::attachInterface<ReductionModel<SumOp, sum>>(*context);
  MeanOp::attachInterface<ReductionModel<MeanOp, mean>>(*context);
  MaxOp::attachInterface<ReductionModel<MaxOp, greatest>>(*context);
  LogSumExpOp::attachInterface<ReductionModel<LogSumExpOp, logSumExp>>(
      *context);
  MaxGradOp::attachInterface<MaxGradModel>(*context);
  SoftmaxOp::attachInterface<SoftmaxModel>(*context);
  LogSoftmaxOp::attachInterface<LogSoftmaxModel>(*context);
  L2NormalizeOp::attachInterface<L2NormalizeModel>(*context);
  LayerNormOp::attachInterface<LayerNormModel>(*context);
  CosineSimilarityOp::attachInterface<CosineSimilarityModel>(*context);
}
