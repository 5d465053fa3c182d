//===-- runtime/emulator/LanesFloat.cpp - Arithmetic of f32 and f64 -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneForms.h"
#include "LaneMap.h"

#include <cfenv>

namespace cambium::emulator::CAMBIUM_EMULATOR_LANES {
namespace {

/// Not inlined, so that no arithmetic moves across a change of rounding.
template <class T, char Op>
[[gnu::noinline]] T rounded(T a, T b, T c, int mode) {
  int before = fegetround();
  fesetround(mode);
  volatile T x = a, y = b, z = c;
  volatile T r = Op == '+'   ? x + y
                 : Op == '-' ? x - y
                 : Op == '*' ? x * y
                 : Op == '/' ? x / y
                 : Op == 'q'
                     ? (sizeof(T) == 4 ? __builtin_sqrtf(static_cast<float>(x))
                                       : __builtin_sqrt(x))
                     : (sizeof(T) == 4 ? __builtin_fmaf(static_cast<float>(x),
                                                        static_cast<float>(y),
                                                        static_cast<float>(z))
                                       : __builtin_fma(x, y, z));
  fesetround(before);
  return canonical(static_cast<T>(r));
}

constexpr int modeOf(char c) {
  return c == 'z' ? FE_TOWARDZERO : c == 'm' ? FE_DOWNWARD : FE_UPWARD;
}

template <class T> struct Add {
  static T of(T a, T b) { return canonical(a + b); }
};
template <class T> struct Sub {
  static T of(T a, T b) { return canonical(a - b); }
};
template <class T> struct Mul {
  static T of(T a, T b) { return canonical(a * b); }
};
template <class T> struct Div {
  static T of(T a, T b) { return canonical(a / b); }
};
template <class T> struct Rcp {
  static T of(T a) { return canonical(1 / a); }
};
template <class T> struct Fma {
  static T of(T a, T b, T c) {
    return canonical(static_cast<T>(sizeof(T) == 4
                                        ? __builtin_fmaf(static_cast<float>(a),
                                                         static_cast<float>(b),
                                                         static_cast<float>(c))
                                        : __builtin_fma(a, b, c)));
  }
};
template <class T> struct Sqrt {
  static T of(T a) {
    return canonical(static_cast<T>(sizeof(T) == 4
                                        ? __builtin_sqrtf(static_cast<float>(a))
                                        : __builtin_sqrt(a)));
  }
};
template <class T, char Op, char Mode> struct Rounded {
  static T of(T a) { return rounded<T, Op>(Op == 'q' ? a : 1, a, 0, m); }
  static T of(T a, T b) { return rounded<T, Op>(a, b, 0, m); }
  static T of(T a, T b, T c) { return rounded<T, Op>(a, b, c, m); }
  static constexpr int m = modeOf(Mode);
};
/// Of +0 and -0, the latter is less.
template <class T> struct Min {
  static T of(T a, T b) {
    if (a != a)
      return canonical(b);
    return a < b || (a == b && __builtin_signbit(a)) || b != b ? a : b;
  }
};
template <class T> struct Max {
  static T of(T a, T b) {
    if (a != a)
      return canonical(b);
    return a > b || (a == b && !__builtin_signbit(a)) || b != b ? a : b;
  }
};
/// NaN if one of them is.
template <class F, class T> struct Propagate {
  static T of(T a, T b) {
    return canonical(a + b != a + b && (a != a || b != b) ? (a != a ? a : b)
                                                          : F::of(a, b));
  }
};
/// The sign of the product, the magnitude of what `F` takes.
template <class F> struct XorSign {
  static float of(float a, float b) {
    uint32_t sign = (bits<uint32_t>(a) ^ bits<uint32_t>(b)) & 0x80000000u;
    float r = F::of(bits<float>(bits<uint32_t>(a) & 0x7fffffffu),
                    bits<float>(bits<uint32_t>(b) & 0x7fffffffu));
    return r != r ? r : bits<float>(bits<uint32_t>(r) | sign);
  }
};
struct Abs32 {
  static uint32_t of(uint32_t a) { return a & 0x7fffffffu; }
};
struct Abs64 {
  static uint64_t of(uint64_t a) { return a & ~(uint64_t{1} << 63); }
};
struct Neg32 {
  static uint32_t of(uint32_t a) { return a ^ 0x80000000u; }
};
struct Neg64 {
  static uint64_t of(uint64_t a) { return a ^ uint64_t{1} << 63; }
};
/// The sign of `a`, the rest of `b`.
struct CopySign32 {
  static uint32_t of(uint32_t a, uint32_t b) {
    return (a & 0x80000000u) | (b & 0x7fffffffu);
  }
};
struct CopySign64 {
  static uint64_t of(uint64_t a, uint64_t b) {
    uint64_t sign = uint64_t{1} << 63;
    return (a & sign) | (b & ~sign);
  }
};

template <class F> struct Flushed {
  template <class... A> static float of(A... a) {
    return flush(F::of(flush(a)...));
  }
};
template <class F> struct Saturated {
  template <class... A> static float of(A... a) {
    return saturate(F::of(a...));
  }
};

constexpr Kind kFloat = Kind::Float;
constexpr Kind kFma = Kind::FusedMultiplyAdd;

// clang-format off
#define UNARY(F, NAMES, KIND) row1<F, float, float>(NAMES, KIND)
#define BINARY(F, NAMES, KIND) row2<F, float, float, float>(NAMES, KIND)
#define TERNARY(F, NAMES, KIND) row3<F, float, float, float, float>(NAMES, KIND)
#define DOUBLE1(F, NAMES, KIND) row1<F, double, double>(NAMES, KIND)
#define DOUBLE2(F, NAMES, KIND) row2<F, double, double, double>(NAMES, KIND)
#define DOUBLE3(F, NAMES, KIND) row3<F, double, double, double, double>(NAMES, KIND)
/// Of an operation that rounds: to nearest, the other ways, f64.
#define ROUNDING(SHAPE, DOUBLE, NAME, RN, OP, F, KIND)                          \
  SHAPE(F<float>, NAME RN ".f32", KIND),                                        \
  SHAPE(Flushed<F<float>>, NAME RN ".ftz.f32", KIND),                           \
  SHAPE(Saturated<F<float>>, NAME RN ".sat.f32", KIND),                         \
  SHAPE(Saturated<Flushed<F<float>>>, NAME RN ".ftz.sat.f32", KIND),            \
  DOUBLE(F<double>, NAME RN ".f64", KIND),                                      \
  TOWARD(SHAPE, DOUBLE, NAME, "z", OP, Zero, KIND),                              \
  TOWARD(SHAPE, DOUBLE, NAME, "m", OP, Down, KIND),                              \
  TOWARD(SHAPE, DOUBLE, NAME, "p", OP, Up, KIND)
#define TOWARD(SHAPE, DOUBLE, NAME, LETTER, OP, MODE, KIND)                     \
  SHAPE(Toward<OP>::MODE<float>, NAME ".r" LETTER ".f32", KIND),                 \
  SHAPE(Flushed<Toward<OP>::MODE<float>>, NAME ".r" LETTER ".ftz.f32", KIND),    \
  DOUBLE(Toward<OP>::MODE<double>, NAME ".r" LETTER ".f64", KIND)
// clang-format on

template <char Op> struct Toward {
  template <class T> using Zero = Rounded<T, Op, 'z'>;
  template <class T> using Down = Rounded<T, Op, 'm'>;
  template <class T> using Up = Rounded<T, Op, 'p'>;
};

constexpr Form kRows[] = {
    ROUNDING(BINARY, DOUBLE2, "add", "{,.rn}", '+', Add, kFloat),
    ROUNDING(BINARY, DOUBLE2, "sub", "{,.rn}", '-', Sub, kFloat),
    ROUNDING(BINARY, DOUBLE2, "mul", "{,.rn}", '*', Mul, kFloat),
    ROUNDING(BINARY, DOUBLE2, "div", ".rn", '/', Div, kFloat),
    ROUNDING(TERNARY, DOUBLE3, "fma", ".rn", 'f', Fma, kFma),
    TERNARY(Fma<float>, "mad{,.rn}.f32", kFma),
    TERNARY(Flushed<Fma<float>>, "mad{,.rn}.ftz.f32", kFma),
    DOUBLE3(Fma<double>, "mad.rn.f64", kFma),
    ROUNDING(UNARY, DOUBLE1, "rcp", ".rn", '/', Rcp, kFloat),
    ROUNDING(UNARY, DOUBLE1, "sqrt", ".rn", 'q', Sqrt, kFloat),
    BINARY(Min<float>, "min.f32", kFloat),
    BINARY(Flushed<Min<float>>, "min.ftz.f32", kFloat),
    row2<Propagate<Min<float>, float>, float, float, float>("min.NaN.f32",
                                                            kFloat),
    row2<Flushed<Propagate<Min<float>, float>>, float, float, float>(
        "min.ftz.NaN.f32", kFloat),
    BINARY(XorSign<Min<float>>, "min.xorsign.abs.f32", kFloat),
    BINARY(Max<float>, "max.f32", kFloat),
    BINARY(Flushed<Max<float>>, "max.ftz.f32", kFloat),
    row2<Propagate<Max<float>, float>, float, float, float>("max.NaN.f32",
                                                            kFloat),
    row2<Flushed<Propagate<Max<float>, float>>, float, float, float>(
        "max.ftz.NaN.f32", kFloat),
    BINARY(XorSign<Max<float>>, "max.xorsign.abs.f32", kFloat),
    DOUBLE2(Min<double>, "min.f64", kFloat),
    DOUBLE2(Max<double>, "max.f64", kFloat),
    row1<Abs32, uint32_t, uint32_t>("abs{,.ftz}.f32", kFloat),
    row1<Abs64, uint64_t, uint64_t>("abs.f64", kFloat),
    row1<Neg32, uint32_t, uint32_t>("neg{,.ftz}.f32", kFloat),
    row1<Neg64, uint64_t, uint64_t>("neg.f64", kFloat),
    row2<CopySign32, uint32_t, uint32_t, uint32_t>("copysign.f32", kFloat),
    row2<CopySign64, uint64_t, uint64_t, uint64_t>("copysign.f64", kFloat),
};

} // namespace

Forms floatForms() { return {kRows, sizeof kRows / sizeof *kRows}; }

} // namespace cambium::emulator::CAMBIUM_EMULATOR_LANES
