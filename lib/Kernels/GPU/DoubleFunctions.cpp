//===-- DoubleFunctions.cpp - Functions on f64 by arithmetic --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The methods are those of W. J. Cody and W. Waite: Software Manual for the
// Elementary Functions (1980): a reduction of the argument in several parts,
// and a polynomial where it is small.
//
//===----------------------------------------------------------------------===//
#include "DoubleFunctions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;
using namespace cambium;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// log(2) in two parts, of which the first has zeros at its end.
static constexpr double kLog2High = 6.93147180369123816490e-01,
                        kLog2Low = 1.90821492927058770002e-10;
static constexpr double kLog2 = 0.693147180559945309417;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value DoubleFunctions::extend(Value value) {
  Type f64 = b.getF64Type();
  return value.getType() == f64 ? value : arith::ExtFOp::create(b, f64, value);
}

Value DoubleFunctions::truncate(Value value, Type type) {
  return value.getType() == type ? value
                                 : arith::TruncFOp::create(b, type, value);
}

Value DoubleFunctions::number(double value) {
  return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
}
Value DoubleFunctions::integer(int64_t value) {
  return arith::ConstantIntOp::create(b, value, /*width=*/64);
}
Value DoubleFunctions::add(Value x, Value y) {
  return arith::AddFOp::create(b, x, y);
}
Value DoubleFunctions::sub(Value x, Value y) {
  return arith::SubFOp::create(b, x, y);
}
Value DoubleFunctions::mul(Value x, Value y) {
  return arith::MulFOp::create(b, x, y);
}
Value DoubleFunctions::div(Value x, Value y) {
  return arith::DivFOp::create(b, x, y);
}
Value DoubleFunctions::fma(Value x, Value y, Value z) {
  return math::FmaOp::create(b, x, y, z);
}
Value DoubleFunctions::is(Predicate predicate, Value x, double y) {
  return arith::CmpFOp::create(b, predicate, x, number(y));
}
Value DoubleFunctions::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, condition, x, y);
}
Value DoubleFunctions::abs(Value x) { return math::AbsFOp::create(b, x); }
Value DoubleFunctions::withSignOf(Value x, Value sign) {
  return math::CopySignOp::create(b, x, sign);
}

Value DoubleFunctions::polynomial(Value x, ArrayRef<double> coefficients) {
  Value sum = number(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = fma(sum, x, number(coefficient));
  return sum;
}

Value DoubleFunctions::round(Value x) {
  return math::RoundEvenOp::create(b, x);
}

/// What has none, NaN for example, becomes 0.
Value DoubleFunctions::toInteger(Value x) {
  Value fits = is(Predicate::OLT, abs(x), 0x1p62);
  return arith::FPToSIOp::create(b, b.getI64Type(), select(fits, x, number(0)));
}

Value DoubleFunctions::powerOfTwo(Value k) {
  Value biased = arith::AddIOp::create(b, k, integer(1023));
  Value bits = arith::ShLIOp::create(b, biased, integer(52));
  return arith::BitcastOp::create(b, b.getF64Type(), bits);
}

//===----------------------------------------------------------------------===//
// Powers and logarithms
//===----------------------------------------------------------------------===//

/// The series of (exp(x) - 1) / x, highest power first.
static SmallVector<double> expSeries(unsigned length) {
  SmallVector<double> terms{1};
  for (unsigned n = 2; n <= length; ++n)
    terms.insert(terms.begin(), terms.front() / n);
  return terms;
}

/// 2^k exp(r) with |r| <= log(2) / 2. The power is made of two, so that the
/// result may be subnormal.
Value DoubleFunctions::exp(Value x) {
  Value most = select(is(Predicate::OGT, x, 710), number(710), x);
  Value within = select(is(Predicate::OLT, most, -746), number(-746), most);
  Value k = round(mul(within, number(1 / kLog2)));
  Value r = fma(k, number(-kLog2High), within);
  r = fma(k, number(-kLog2Low), r);
  Value power = fma(r, polynomial(r, expSeries(13)), number(1));
  Value all = toInteger(k);
  Value half = arith::ShRSIOp::create(b, all, integer(1));
  Value rest = arith::SubIOp::create(b, all, half);
  return mul(mul(power, powerOfTwo(half)), powerOfTwo(rest));
}

Value DoubleFunctions::exp2(Value x) { return exp(mul(x, number(kLog2))); }

Value DoubleFunctions::expm1(Value x) {
  Value near = mul(x, polynomial(x, expSeries(18)));
  Value far = sub(exp(x), number(1));
  return select(is(Predicate::OLT, abs(x), 0.5), near, far);
}

/// x = 2^k (1 + f) with sqrt(0.5) <= 1 + f < sqrt(2); of s = f / (2 + f) the
/// logarithm of (1 + s) / (1 - s) is a polynomial in s^2.
Value DoubleFunctions::log(Value x) {
  Value isSmall = is(Predicate::OLT, x, 0x1p-1022);
  Value normal = select(isSmall, mul(x, number(0x1p54)), x);
  Value bits = arith::BitcastOp::create(b, b.getI64Type(), normal);
  Value root = integer(llvm::bit_cast<int64_t>(0.70710678118654752440));
  Value exponent = arith::ShRSIOp::create(
      b, arith::SubIOp::create(b, bits, root), integer(52));
  Value fraction = arith::SubIOp::create(
      b, bits, arith::ShLIOp::create(b, exponent, integer(52)));
  Value m = arith::BitcastOp::create(b, b.getF64Type(), fraction);
  Value k = arith::SIToFPOp::create(b, b.getF64Type(), exponent);
  k = sub(k, select(isSmall, number(54), number(0)));
  Value f = sub(m, number(1));
  Value s = div(f, add(f, number(2)));
  Value z = mul(s, s);
  Value series =
      mul(z, polynomial(z, {1.479819860511658591e-01, 1.531383769920937332e-01,
                            1.818357216161805012e-01, 2.222219843214978396e-01,
                            2.857142874366239149e-01, 3.999999999940941908e-01,
                            6.666666666666735130e-01}));
  Value half = mul(mul(f, f), number(0.5));
  Value low = fma(s, add(half, series), mul(k, number(kLog2Low)));
  Value sum = sub(mul(k, number(kLog2High)), sub(sub(half, low), f));
  sum = select(is(Predicate::OEQ, x, kInfinity), x, sum);
  sum = select(is(Predicate::OEQ, x, 0), number(-kInfinity), sum);
  return select(is(Predicate::UGE, x, 0),
                select(is(Predicate::UNO, x, 0), x, sum), number(kNaN));
}

/// What 1 + x has lost of x is the difference of two numbers without error.
Value DoubleFunctions::log1p(Value x) {
  Value u = add(x, number(1));
  Value lost = sub(x, sub(u, number(1)));
  Value result = add(log(u), div(lost, u));
  Value isEnd = arith::OrIOp::create(b, is(Predicate::OEQ, u, 0),
                                     is(Predicate::OEQ, u, kInfinity));
  return select(isEnd, log(u), result);
}

Value DoubleFunctions::log2(Value x) { return mul(log(x), number(1 / kLog2)); }

/// Powers of negative numbers are defined for integers.
Value DoubleFunctions::pow(Value x, Value y) {
  Value size = exp(mul(y, log(abs(x))));
  auto isInteger = [&](Value z) -> Value {
    return arith::CmpFOp::create(b, Predicate::OEQ, z,
                                 math::FloorOp::create(b, z));
  };
  Value isEven = isInteger(mul(y, number(0.5)));
  Value negative = select(isEven, size, arith::NegFOp::create(b, size));
  negative = select(isInteger(y), negative, number(kNaN));
  Value result = select(is(Predicate::OLT, x, 0), negative, size);
  Value isOne = arith::OrIOp::create(b, is(Predicate::OEQ, y, 0),
                                     is(Predicate::OEQ, x, 1));
  return select(isOne, number(1), result);
}

//===----------------------------------------------------------------------===//
// Angles
//===----------------------------------------------------------------------===//

Value DoubleFunctions::sine(Value x, int64_t quarters) {
  Value k = round(mul(x, number(6.36619772367581382433e-01)));
  // pi / 2 in three parts.
  Value r = fma(k, number(-1.57079632673412561417e+00), x);
  r = fma(k, number(-6.07710050630396597660e-11), r);
  r = fma(k, number(-2.02226624879595063154e-21), r);
  Value z = mul(r, r);
  Value sine = fma(
      mul(r, z),
      polynomial(z, {1.58969099521155010221e-10, -2.50507602534068634195e-08,
                     2.75573137070700676789e-06, -1.98412698298579493134e-04,
                     8.33333333332248946124e-03, -1.66666666666666324348e-01}),
      r);
  Value cosine = fma(
      z,
      polynomial(z, {-1.13596475577881948265e-11, 2.08757232129817482790e-09,
                     -2.75573143513906633035e-07, 2.48015872894767294178e-05,
                     -1.38888888888741095749e-03, 4.16666666666666019037e-02,
                     -0.5}),
      number(1));
  Value quarter = arith::AddIOp::create(b, toInteger(k), integer(quarters));
  auto has = [&](int64_t bit) -> Value {
    Value part = arith::AndIOp::create(b, quarter, integer(bit));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, part, integer(0));
  };
  Value value = select(has(1), cosine, sine);
  return select(has(2), arith::NegFOp::create(b, value), value);
}

/// atan(x) = atan(c) + atan((x - c) / (1 + c x)).
Value DoubleFunctions::atan(Value x) {
  Value a = abs(x);
  Value t = div(number(-1), a), angle = number(1.57079632679489661923);
  auto near = [&](double end, double center, double ofCenter) {
    Value isNear = is(Predicate::OLT, a, end);
    Value shifted =
        div(sub(a, number(center)), fma(a, number(center), number(1)));
    t = select(isNear, shifted, t);
    angle = select(isNear, number(ofCenter), angle);
  };
  near(2.4375, 1.5, 9.82793723247329067985e-01);
  near(1.1875, 1, 7.85398163397448309616e-01);
  near(0.6875, 0.5, 4.63647609000806116214e-01);
  Value isSmall = is(Predicate::OLT, a, 0.4375);
  t = select(isSmall, a, t);
  angle = select(isSmall, number(0), angle);
  Value z = mul(t, t);
  Value series =
      polynomial(z, {1.62858201153657823623e-02, -3.65315727442169155270e-02,
                     4.97687799461593236017e-02, -5.83357013379057348645e-02,
                     6.66107313738753120669e-02, -7.69187620504482999495e-02,
                     9.09088713343650656196e-02, -1.11111104054623557880e-01,
                     1.42857142725034663711e-01, -1.99999999998764832476e-01,
                     3.33333333333329318027e-01});
  Value result = sub(angle, sub(mul(t, mul(z, series)), t));
  return withSignOf(result, x);
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

Value DoubleFunctions::tanh(Value x) {
  Value a = abs(x);
  a = select(is(Predicate::OGT, a, 22), number(22), a);
  Value t = expm1(add(a, a));
  return withSignOf(div(t, add(t, number(2))), x);
}

/// 2 / sqrt(pi) x exp(-x^2) sum (2 x^2)^n / (1 * 3 * ... * (2 n + 1)), in which
/// nothing cancels; 1 from 6 on.
Value DoubleFunctions::erf(Value x) {
  constexpr int64_t kTerms = 160;
  Value a = abs(x);
  a = select(is(Predicate::OGT, a, 6), number(6), a);
  Value square = mul(a, a), twice = add(square, square);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto loop = scf::ForOp::create(
      b, index(0), index(kTerms), index(1),
      ValueRange{number(1), number(1), number(3)},
      [&](OpBuilder &, Location loc, Value, ValueRange state) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(state[0].getParentBlock());
        Value term = div(mul(state[0], twice), state[2]);
        scf::YieldOp::create(
            b, ValueRange{term, add(state[1], term), add(state[2], number(2))});
      });
  Value scale = mul(a, exp(arith::NegFOp::create(b, square)));
  Value result =
      mul(mul(scale, number(1.12837916709551257390)), loop.getResult(1));
  return withSignOf(result, x);
}
