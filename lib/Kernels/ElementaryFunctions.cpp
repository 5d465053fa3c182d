//===-- ElementaryFunctions.cpp - exp, tanh and erf in few instructions ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ElementaryFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace {
/// Arithmetic on values of one type, f32 or a vector of it.
class Arithmetic {
public:
  Arithmetic(Operation *op, PatternRewriter &rewriter)
      : b(op->getLoc(), rewriter), type(op->getResult(0).getType()) {}

  Value number(float value) { return constant(type, b.getF32FloatAttr(value)); }
  Value integer(int32_t value) {
    return constant(integers(), b.getI32IntegerAttr(value));
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value subtract(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value multiply(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value multiplyAdd(Value x, Value y, Value z) {
    return math::FmaOp::create(b, x, y, z);
  }
  /// May be done by an estimate of 1 / y that is improved: numbers are finite,
  /// and y is far from the ends of f32.
  Value divide(Value x, Value y) {
    auto flags = arith::FastMathFlags::arcp | arith::FastMathFlags::ninf |
                 arith::FastMathFlags::contract;
    return arith::DivFOp::create(b, x, y, flags);
  }
  /// Not above, and not below: one instruction each, and a NaN stays.
  Value atMost(Value x, float bound) {
    return limit(arith::CmpFPredicate::OGT, x, number(bound));
  }
  Value atLeast(Value x, float bound) {
    return limit(arith::CmpFPredicate::OLT, x, number(bound));
  }
  /// c[0] + c[1] x + c[2] x^2 + ...
  Value polynomial(Value x, ArrayRef<float> c) {
    Value sum = number(c.back());
    for (float next : llvm::reverse(c.drop_back()))
      sum = multiplyAdd(sum, x, number(next));
    return sum;
  }
  /// 2^n: the bits of x end with n + 127.
  Value powerOfTwo(Value x) {
    Value bits = arith::BitcastOp::create(b, integers(), x);
    Value shifted = arith::ShLIOp::create(b, bits, integer(23));
    return arith::BitcastOp::create(b, type, shifted);
  }

private:
  Type integers() {
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.clone(b.getI32Type());
    return b.getI32Type();
  }
  Value constant(Type of, TypedAttr value) {
    if (auto vector = dyn_cast<VectorType>(of))
      value = DenseElementsAttr::get(vector, Attribute(value));
    return arith::ConstantOp::create(b, value);
  }
  Value limit(arith::CmpFPredicate predicate, Value x, Value bound) {
    Value beyond = arith::CmpFOp::create(b, predicate, x, bound);
    return arith::SelectOp::create(b, beyond, bound, x);
  }

  ImplicitLocOpBuilder b;
  Type type;
};

/// 2^n e^r, where n is the whole number next to x / ln 2, so that |r| is at
/// most ln 2 / 2. Adding a number of 2^23 rounds to whole numbers.
Value makeExp(Arithmetic &a, Value x) {
  // What is below gives 0, what is above infinity.
  x = a.atLeast(a.atMost(x, 88.8f), -88.0f);
  const float rounding = 12582912.0f + 127.0f;
  Value sum =
      a.multiplyAdd(x, a.number(1.44269504f), a.number(rounding)); // 1 / ln 2
  sum = a.atMost(sum, rounding + 127.0f);
  Value n = a.subtract(sum, a.number(rounding));
  // ln 2 in two parts, of which n times the first one is exact.
  Value r = a.multiplyAdd(n, a.number(-0.693359375f), x);
  r = a.multiplyAdd(n, a.number(2.12194440e-4f), r);
  // Cephes, expf.c.
  Value e = a.polynomial(r, {1.0f, 1.0f, 5.0000001201e-1f, 1.6666665459e-1f,
                             4.1665795894e-2f, 8.3334519073e-3f,
                             1.3981999507e-3f, 1.9875691500e-4f});
  return a.multiply(e, a.powerOfTwo(sum));
}

/// An odd function that goes to 1: x P(x^2) / Q(x^2) up to where it is 1 but
/// for the last digits. From there on it is that number times x, which soon is
/// 1 and is cut there.
Value makeOdd(Arithmetic &a, Value x, float end, ArrayRef<float> p,
              ArrayRef<float> q) {
  Value z = a.atMost(a.multiply(x, x), end * end);
  Value ratio = a.divide(a.polynomial(z, p), a.polynomial(z, q));
  return a.atLeast(a.atMost(a.multiply(x, ratio), 1.0f), -1.0f);
}

/// The largest relative error of the fractions is 9e-9 for tanh, 7e-9 for erf
/// (least squares, weighted anew until errors are even, with what is exact at
/// 0); the rest is rounding.
Value makeTanh(Arithmetic &a, Value x) {
  return makeOdd(
      a, x, 8.2f,
      {1.0f, 0.134345666f, 0.00355956098f, 2.16837252e-05f, 1.49039252e-08f},
      {1.0f, 0.467678934f, 0.026119303f, 0.000339110207f, 8.39671316e-07f});
}

Value makeErf(Arithmetic &a, Value x) {
  return makeOdd(a, x, 3.65f,
                 {1.12837923f, 0.181744307f, 0.0518812127f, 0.00345925544f,
                  0.000290022406f, 2.28698491e-06f},
                 {1.0f, 0.494399905f, 0.110779338f, 0.0143597713f,
                  0.00110961613f, 4.07793123e-05f});
}

template <typename Op, Value (*make)(Arithmetic &, Value)>
struct Compute : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "expected f32");
    Arithmetic arithmetic(op, rewriter);
    rewriter.replaceOp(op, make(arithmetic, op.getOperand()));
    return success();
  }
};
} // namespace

void cambium::populateElementaryFunctions(RewritePatternSet &patterns) {
  patterns.add<Compute<math::ExpOp, makeExp>, Compute<math::TanhOp, makeTanh>,
               Compute<math::ErfOp, makeErf>>(patterns.getContext());
}
