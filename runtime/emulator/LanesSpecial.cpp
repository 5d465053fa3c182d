//===-- runtime/emulator/LanesSpecial.cpp - Approximations ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What hardware computes with a table and an error of a few units in the last
/// place is computed well here, so its last bits differ from hardware's.
///
//===----------------------------------------------------------------------===//
#include "LaneForms.h"
#include "LaneMap.h"

#include <cmath>

namespace cambium::emulator::CAMBIUM_EMULATOR_LANES {
namespace {

struct Div {
  static float of(float a, float b) { return canonical(a / b); }
};
/// Zero for divisors above 2^126.
struct DivApprox {
  static float of(float a, float b) {
    float size = __builtin_fabsf(b);
    if (size > 0x1p126f && size < __builtin_inff())
      return a - a == 0 ? bits<float>((bits<uint32_t>(a) ^ bits<uint32_t>(b)) &
                                      0x80000000u)
                        : bits<float>(0x7fffffffu);
    return canonical(a / b);
  }
};
struct Rcp {
  static float of(float a) { return canonical(1 / a); }
};
struct Sqrt {
  static float of(float a) { return canonical(__builtin_sqrtf(a)); }
};
struct Rsqrt {
  static float of(float a) {
    return canonical(static_cast<float>(1 / __builtin_sqrt(double{a})));
  }
};
struct Rsqrt64 {
  static double of(double a) { return canonical(1 / __builtin_sqrt(a)); }
};
struct Rcp64 {
  static double of(double a) { return canonical(1 / a); }
};
struct Sin {
  static float of(float a) { return canonical(::sinf(a)); }
};
struct Cos {
  static float of(float a) { return canonical(::cosf(a)); }
};
struct Exp2 {
  static float of(float a) { return canonical(::exp2f(a)); }
};
struct Log2 {
  static float of(float a) { return canonical(::log2f(a)); }
};
struct Tanh {
  static float of(float a) { return canonical(::tanhf(a)); }
};

template <class F> struct Flushed {
  static float of(float a) { return flush(F::of(flush(a))); }
  static float of(float a, float b) { return flush(F::of(flush(a), flush(b))); }
};

template <class T> struct Finite {
  static bool of(T a) { return a - a == 0; }
};
template <class T> struct Infinite {
  static bool of(T a) { return a == a && a - a != 0; }
};
template <class T> struct Number {
  static bool of(T a) { return a == a; }
};
template <class T> struct NotANumber {
  static bool of(T a) { return a != a; }
};
template <class T>
constexpr T kSmallest =
    sizeof(T) == 4 ? static_cast<T>(0x1p-126) : static_cast<T>(0x1p-1022);
template <class T> struct Normal {
  static bool of(T a) { return a - a == 0 && (a < 0 ? -a : a) >= kSmallest<T>; }
};
template <class T> struct Subnormal {
  static bool of(T a) { return a != 0 && (a < 0 ? -a : a) < kSmallest<T>; }
};

constexpr Kind kSpecial = Kind::Special;

/// A row for results as they are, and one for flushed ones.
#define APPROXIMATE(F, NAME)                                                   \
  row1<F, float, float>(NAME ".approx.f32", kSpecial),                         \
      row1<Flushed<F>, float, float>(NAME ".approx.ftz.f32", kSpecial)
#define TEST(F, NAME)                                                          \
  row1<F<float>, bool, float>("testp." NAME ".f32", kSpecial),                 \
      row1<F<double>, bool, double>("testp." NAME ".f64", kSpecial)

constexpr Form kRows[] = {
    row2<Div, float, float, float>("div.full.f32", kSpecial),
    row2<Flushed<Div>, float, float, float>("div.full.ftz.f32", kSpecial),
    row2<DivApprox, float, float, float>("div.approx.f32", kSpecial),
    row2<Flushed<DivApprox>, float, float, float>("div.approx.ftz.f32",
                                                  kSpecial),
    APPROXIMATE(Rcp, "rcp"),
    APPROXIMATE(Sqrt, "sqrt"),
    APPROXIMATE(Rsqrt, "rsqrt"),
    APPROXIMATE(Sin, "sin"),
    APPROXIMATE(Cos, "cos"),
    APPROXIMATE(Exp2, "ex2"),
    APPROXIMATE(Log2, "lg2"),
    row1<Tanh, float, float>("tanh.approx.f32", kSpecial),
    row1<Rcp64, double, double>("rcp.approx.ftz.f64", kSpecial),
    row1<Rsqrt64, double, double>("rsqrt.approx{,.ftz}.f64", kSpecial),
    TEST(Finite, "finite"),
    TEST(Infinite, "infinite"),
    TEST(Number, "number"),
    TEST(NotANumber, "notanumber"),
    TEST(Normal, "normal"),
    TEST(Subnormal, "subnormal"),
};

} // namespace

Forms specialForms() { return {kRows, sizeof kRows / sizeof *kRows}; }

} // namespace cambium::emulator::CAMBIUM_EMULATOR_LANES
