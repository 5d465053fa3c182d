//===-- lib/Interpreter/Math.cpp - The meaning of math -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Math/IR/Math.h"
#include "cambium/Interfaces/InterpretElementwise.h"
#include "cambium/Interpreter/UpstreamModels.h"
#include <cmath>

using namespace mlir;
using namespace cambium;

namespace {

/// Predicates on floats.
template <typename Op, auto Function>
struct PredicateModel
    : InterpretableOpInterface::ExternalModel<PredicateModel<Op, Function>,
                                              Op> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    const Tensor &x = interpreter.getTensor(op->getOperand(0));
    Tensor result = Tensor::ints(x.getShape());
    for (int64_t e = 0, n = x.getNumElements(); e < n; ++e)
      result.i(e) = Function(x.f(e));
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

struct FPowIModel
    : InterpretableOpInterface::ExternalModel<FPowIModel, math::FPowIOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    const Tensor &x = interpreter.getTensor(op->getOperand(0));
    const Tensor &n = interpreter.getTensor(op->getOperand(1));
    if (failed(Interpreter::expectSameShape(op, x, n)))
      return failure();
    Tensor result = Tensor::floats(x.getShape());
    for (int64_t e = 0, size = x.getNumElements(); e < size; ++e)
      result.f(e) = std::pow(x.f(e), static_cast<double>(n.i(e)));
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

/// Wraps for the one integer that has no absolute value.
int64_t absolute(int64_t x) {
  return x < 0 ? static_cast<int64_t>(-static_cast<uint64_t>(x)) : x;
}

#define UNARY(Op, expression)                                                  \
  attachModel<math::Op, UnaryModel,                                            \
              [](double x) -> double { return expression; }>(context)

void attachExponentials(MLIRContext *context) {
  UNARY(ExpOp, std::exp(x));
  UNARY(Exp2Op, std::exp2(x));
  UNARY(ExpM1Op, std::expm1(x));
  UNARY(LogOp, std::log(x));
  UNARY(Log2Op, std::log2(x));
  UNARY(Log10Op, std::log10(x));
  UNARY(Log1pOp, std::log1p(x));
  UNARY(SqrtOp, std::sqrt(x));
  UNARY(RsqrtOp, 1 / std::sqrt(x));
  UNARY(CbrtOp, std::cbrt(x));
  UNARY(ErfOp, std::erf(x));
  UNARY(ErfcOp, std::erfc(x));
  attachModel<math::PowFOp, BinaryModel,
              [](double x, double y) { return std::pow(x, y); }>(context);
  attachModel<math::FmaOp, TernaryModel, [](double x, double y, double z) {
    return std::fma(x, y, z);
  }>(context);
}

void attachTrigonometry(MLIRContext *context) {
  UNARY(SinOp, std::sin(x));
  UNARY(CosOp, std::cos(x));
  UNARY(TanOp, std::tan(x));
  UNARY(AsinOp, std::asin(x));
  UNARY(AcosOp, std::acos(x));
  UNARY(AtanOp, std::atan(x));
  UNARY(SinhOp, std::sinh(x));
  UNARY(CoshOp, std::cosh(x));
  UNARY(TanhOp, std::tanh(x));
  UNARY(AsinhOp, std::asinh(x));
  UNARY(AcoshOp, std::acosh(x));
  UNARY(AtanhOp, std::atanh(x));
  attachModel<math::Atan2Op, BinaryModel,
              [](double x, double y) { return std::atan2(x, y); }>(context);
}

void attachRounding(MLIRContext *context) {
  UNARY(AbsFOp, std::abs(x));
  UNARY(CeilOp, std::ceil(x));
  UNARY(FloorOp, std::floor(x));
  UNARY(RoundOp, std::round(x));
  UNARY(RoundEvenOp, std::nearbyint(x));
  UNARY(TruncOp, std::trunc(x));
  attachModel<math::CopySignOp, BinaryModel,
              [](double x, double y) { return std::copysign(x, y); }>(context);
  attachModel<math::IsNaNOp, PredicateModel,
              [](double x) { return std::isnan(x); }>(context);
  attachModel<math::IsInfOp, PredicateModel,
              [](double x) { return std::isinf(x); }>(context);
  attachModel<math::IsFiniteOp, PredicateModel,
              [](double x) { return std::isfinite(x); }>(context);
}
#undef UNARY
} // namespace

void cambium::registerMathInterpretModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attachExponentials(context);
    attachTrigonometry(context);
    attachRounding(context);
    math::AbsIOp::attachInterface<IntegerModel<math::AbsIOp, absolute, 0>>(
        *context);
    math::FPowIOp::attachInterface<FPowIModel>(*context);
  });
}
