//===-- runtime/emulator/LanesHalf.cpp - Arithmetic of f16 and bf16 -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneForms.h"
#include "LaneMap.h"
#include "Round.h"

namespace cambium::emulator::CAMBIUM_EMULATOR_LANES {
namespace {

float load(BFloat x) {
  return bits<float>(static_cast<uint32_t>(x.bits) << 16);
}
float load(Half x) { return floatOfHalf(x.bits); }
template <class T> T store(double x);
template <> Half store<Half>(double x) {
  return {static_cast<uint16_t>(roundBits(x, kHalfFormat, 'n'))};
}
template <> BFloat store<BFloat>(double x) {
  return {static_cast<uint16_t>(roundBits(x, kBFloatFormat, 'n'))};
}

/// Sums and products of two are exact in f64 or round once; those of three
/// round twice in rare cases.
template <class T> struct Add {
  static T of(T a, T b) { return store<T>(double{load(a)} + load(b)); }
};
template <class T> struct Sub {
  static T of(T a, T b) { return store<T>(double{load(a)} - load(b)); }
};
template <class T> struct Mul {
  static T of(T a, T b) { return store<T>(double{load(a)} * load(b)); }
};
template <class T> struct Fma {
  static T of(T a, T b, T c) {
    return store<T>(__builtin_fma(load(a), load(b), load(c)));
  }
};
template <class T> struct FmaRelu {
  static T of(T a, T b, T c) {
    T r = Fma<T>::of(a, b, c);
    return r.bits & 0x8000u ? T{0} : r;
  }
};
template <class T> bool isNan(T a) { return load(a) != load(a); }
template <class T> struct Min {
  static T of(T a, T b) {
    if (isNan(a) || isNan(b))
      return isNan(a) ? isNan(b) ? T{0x7fff} : b : a;
    return load(a) < load(b) || (load(a) == load(b) && a.bits >> 15) ? a : b;
  }
};
template <class T> struct Max {
  static T of(T a, T b) {
    if (isNan(a) || isNan(b))
      return isNan(a) ? isNan(b) ? T{0x7fff} : b : a;
    return load(a) > load(b) || (load(a) == load(b) && !(a.bits >> 15)) ? a : b;
  }
};
template <class F, class T> struct Propagate {
  static T of(T a, T b) {
    return isNan(a) || isNan(b) ? T{0x7fff} : F::of(a, b);
  }
};
template <class T> struct Abs {
  static T of(T a) { return {static_cast<uint16_t>(a.bits & 0x7fffu)}; }
};
template <class T> struct Neg {
  static T of(T a) { return {static_cast<uint16_t>(a.bits ^ 0x8000u)}; }
};
template <class T> struct Exp2 {
  static T of(T a) { return store<T>(__builtin_exp2(load(a))); }
};
template <class T> struct Tanh {
  static T of(T a) { return store<T>(__builtin_tanh(load(a))); }
};

/// Two in 32 bits.
template <class F, class T> struct Both {
  template <class... A> static Pair of(A... a) {
    uint32_t low = F::of(T{static_cast<uint16_t>(a.bits)}...).bits;
    uint32_t high = F::of(T{static_cast<uint16_t>(a.bits >> 16)}...).bits;
    return {low | high << 16};
  }
};

// clang-format off
#define HALF1(F, NAME, TYPE, T)                                                  \
  row1<F<T>, T, T>(NAME TYPE, kHalf),                                            \
  row1<Both<F<T>, T>, Pair, Pair>(NAME TYPE "x2", kHalf)
#define HALF2(F, NAME, TYPE, T)                                                  \
  row2<F<T>, T, T, T>(NAME TYPE, kHalf),                                         \
  row2<Both<F<T>, T>, Pair, Pair, Pair>(NAME TYPE "x2", kHalf)
#define HALF2_NAN(F, NAME, TYPE, T)                                              \
  row2<Propagate<F<T>, T>, T, T, T>(NAME ".NaN" TYPE, kHalf),                    \
  row2<Both<Propagate<F<T>, T>, T>, Pair, Pair, Pair>(NAME ".NaN" TYPE "x2", kHalf)
#define HALF3(F, NAME, TYPE, T)                                                  \
  row3<F<T>, T, T, T, T>(NAME TYPE, Kind::FusedMultiplyAdd),                     \
  row3<Both<F<T>, T>, Pair, Pair, Pair, Pair>(NAME TYPE "x2", Kind::FusedMultiplyAdd)
#define ALL(TYPE, T)                                                             \
  HALF2(Add, "add{,.rn}", TYPE, T), HALF2(Sub, "sub{,.rn}", TYPE, T),            \
  HALF2(Mul, "mul{,.rn}", TYPE, T), HALF3(Fma, "fma.rn", TYPE, T),               \
  HALF3(FmaRelu, "fma.rn.relu", TYPE, T),                                        \
  HALF2(Min, "min", TYPE, T), HALF2(Max, "max", TYPE, T),                        \
  HALF2_NAN(Min, "min", TYPE, T), HALF2_NAN(Max, "max", TYPE, T),                \
  HALF1(Abs, "abs", TYPE, T), HALF1(Neg, "neg", TYPE, T),                        \
  HALF1(Tanh, "tanh.approx", TYPE, T)
// clang-format on

constexpr Kind kHalf = Kind::Float;
constexpr Form kRows[] = {
    ALL(".f16", Half),
    ALL(".bf16", BFloat),
    HALF1(Exp2, "ex2.approx", ".f16", Half),
    HALF1(Exp2, "ex2.approx.ftz", ".bf16", BFloat),
};

} // namespace

Forms halfForms() { return {kRows, sizeof kRows / sizeof *kRows}; }

} // namespace cambium::emulator::CAMBIUM_EMULATOR_LANES
