//===-- runtime/emulator/LanesCompare.cpp - Comparisons -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneForms.h"
#include "LaneMap.h"

namespace cambium::emulator::CAMBIUM_EMULATOR_LANES {
namespace {

// clang-format off
template <class T> struct Eq { static bool of(T a, T b) { return a == b; } };
template <class T> struct Ne { static bool of(T a, T b) { return a != b && a == a && b == b; } };
template <class T> struct Lt { static bool of(T a, T b) { return a < b; } };
template <class T> struct Le { static bool of(T a, T b) { return a <= b; } };
template <class T> struct Gt { static bool of(T a, T b) { return a > b; } };
template <class T> struct Ge { static bool of(T a, T b) { return a >= b; } };
template <class T> struct Num { static bool of(T a, T b) { return a == a && b == b; } };
// True too if one of them is no number.
template <class T> struct Equ { static bool of(T a, T b) { return !Ne<T>::of(a, b); } };
template <class T> struct Neu { static bool of(T a, T b) { return !(a == b); } };
template <class T> struct Ltu { static bool of(T a, T b) { return !(a >= b); } };
template <class T> struct Leu { static bool of(T a, T b) { return !(a > b); } };
template <class T> struct Gtu { static bool of(T a, T b) { return !(a <= b); } };
template <class T> struct Geu { static bool of(T a, T b) { return !(a < b); } };
template <class T> struct Nan { static bool of(T a, T b) { return !Num<T>::of(a, b); } };
// clang-format on

template <class T> T load(T x) { return x; }
float load(BFloat x) {
  return bits<float>(static_cast<uint32_t>(x.bits) << 16);
}
float load(Half x) {
  uint32_t sign = (x.bits & 0x8000u) << 16, rest = x.bits & 0x7fffu;
  if (rest >= 0x7c00u)
    return bits<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  float value = bits<float>(rest << 13) * 0x1p112f;
  return bits<float>(bits<uint32_t>(value) | sign);
}

template <class F, class T>
uint32_t compare(Lanes &w, const Instruction &i, int first) {
  Source<T> a(w, i.operands[first]), b(w, i.operands[first + 1]);
  uint32_t bits = 0;
  for (int l = 0; l < kLanes; ++l)
    bits |= static_cast<uint32_t>(F::of(load(a[l]), load(b[l]))) << l;
  return bits;
}

/// With a third operand: 1 and, 2 or, 3 xor.
uint32_t combine(uint32_t a, Lanes &w, const Instruction &i, int at) {
  if (!i.variant)
    return a;
  uint32_t c = Source<bool>(w, i.operands[at]).bits;
  return i.variant == 1 ? a & c : i.variant == 2 ? a | c : a ^ c;
}

template <class F, class T>
void setp(Lanes &w, const Instruction &i, uint32_t mask) {
  uint32_t p = compare<F, T>(w, i, 2), q = ~p;
  p = combine(p, w, i, 4);
  q = combine(q, w, i, 4);
  uint32_t &to = *result<uint32_t>(w, i.operands[0]);
  to = (to & ~mask) | (p & mask);
  if (i.operands[1].absent)
    return;
  uint32_t &other = *result<uint32_t>(w, i.operands[1]);
  other = (other & ~mask) | (q & mask);
}

/// All ones; with `immediate`, 1.0.
template <class F, class T>
void set(Lanes &w, const Instruction &i, uint32_t mask) {
  uint32_t p = combine(compare<F, T>(w, i, 1), w, i, 3);
  auto *to = result<uint32_t>(w, i.operands[0]);
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctz(mask);
    to[l] = p >> l & 1 ? (i.immediate ? 0x3f800000u : kAllLanes) : 0;
  }
}

// clang-format off
#define SETP(F, T, CMP, TYPES, CODE)                                             \
  {"setp." CMP TYPES, setp<F<T>, T>, "p?" CODE CODE, Kind::Compare},             \
  {"setp." CMP ".and" TYPES, setp<F<T>, T>, "p?" CODE CODE "p", Kind::Compare, Flow::None, 0, 1}, \
  {"setp." CMP ".or" TYPES, setp<F<T>, T>, "p?" CODE CODE "p", Kind::Compare, Flow::None, 0, 2},  \
  {"setp." CMP ".xor" TYPES, setp<F<T>, T>, "p?" CODE CODE "p", Kind::Compare, Flow::None, 0, 3}
#define SET(F, T, CMP, TYPES, CODE)                                              \
  {"set." CMP "{.u32,.s32}" TYPES, set<F<T>, T>, "4" CODE CODE, Kind::Compare},  \
  {"set." CMP ".f32" TYPES, set<F<T>, T>, "4" CODE CODE, Kind::Compare, Flow::None, 1}
#define EQUAL(T, TYPES, CODE)                                                    \
  SETP(Eq, T, "eq", TYPES, CODE), SETP(Ne, T, "ne", TYPES, CODE)
#define SIGNED(T, TYPES, CODE)                                                   \
  SETP(Lt, T, "lt", TYPES, CODE), SETP(Le, T, "le", TYPES, CODE),                \
  SETP(Gt, T, "gt", TYPES, CODE), SETP(Ge, T, "ge", TYPES, CODE)
#define UNSIGNED(T, TYPES, CODE)                                                 \
  SETP(Lt, T, "{lt,lo}", TYPES, CODE), SETP(Le, T, "{le,ls}", TYPES, CODE),      \
  SETP(Gt, T, "{gt,hi}", TYPES, CODE), SETP(Ge, T, "{ge,hs}", TYPES, CODE)
#define FLOATING(T, TYPES, CODE)                                                   \
  SETP(Eq, T, "eq", TYPES, CODE), SETP(Ne, T, "ne", TYPES, CODE),                \
  SIGNED(T, TYPES, CODE),                                                        \
  SETP(Equ, T, "equ", TYPES, CODE), SETP(Neu, T, "neu", TYPES, CODE),            \
  SETP(Ltu, T, "ltu", TYPES, CODE), SETP(Leu, T, "leu", TYPES, CODE),            \
  SETP(Gtu, T, "gtu", TYPES, CODE), SETP(Geu, T, "geu", TYPES, CODE),            \
  SETP(Num, T, "num", TYPES, CODE), SETP(Nan, T, "nan", TYPES, CODE)
// clang-format on

/// Half types compare as floats.
#define HALF(CMP, F, T, TYPE)                                                  \
  {"setp." CMP TYPE, setp<F<float>, T>, "p?22", Kind::Compare}
#define HALVES(T, TYPE)                                                        \
  HALF("eq", Eq, T, TYPE), HALF("ne", Ne, T, TYPE), HALF("lt", Lt, T, TYPE),   \
      HALF("le", Le, T, TYPE), HALF("gt", Gt, T, TYPE),                        \
      HALF("ge", Ge, T, TYPE), HALF("equ", Equ, T, TYPE),                      \
      HALF("neu", Neu, T, TYPE), HALF("ltu", Ltu, T, TYPE),                    \
      HALF("leu", Leu, T, TYPE), HALF("gtu", Gtu, T, TYPE),                    \
      HALF("geu", Geu, T, TYPE), HALF("num", Num, T, TYPE),                    \
      HALF("nan", Nan, T, TYPE)
#define SETS(T, TYPES, CODE)                                                   \
  SET(Eq, T, "eq", TYPES, CODE), SET(Ne, T, "ne", TYPES, CODE),                \
      SET(Lt, T, "lt", TYPES, CODE), SET(Le, T, "le", TYPES, CODE),            \
      SET(Gt, T, "gt", TYPES, CODE), SET(Ge, T, "ge", TYPES, CODE)

constexpr Form kRows[] = {
    EQUAL(uint16_t, "{.b16,.u16,.s16}", "2"),
    EQUAL(uint32_t, "{.b32,.u32,.s32}", "4"),
    EQUAL(uint64_t, "{.b64,.u64,.s64}", "8"),
    UNSIGNED(uint16_t, ".u16", "2"),
    UNSIGNED(uint32_t, ".u32", "4"),
    UNSIGNED(uint64_t, ".u64", "8"),
    SIGNED(int16_t, ".s16", "2"),
    SIGNED(int32_t, ".s32", "4"),
    SIGNED(int64_t, ".s64", "8"),
    FLOATING(float, ".f32", "4"),
    FLOATING(double, ".f64", "8"),
    HALVES(Half, ".f16"),
    HALVES(BFloat, ".bf16"),
    SETS(uint32_t, ".u32", "4"),
    SETS(int32_t, ".s32", "4"),
    SETS(float, ".f32", "4"),
};

} // namespace

Forms compareForms() { return {kRows, sizeof kRows / sizeof *kRows}; }

} // namespace cambium::emulator::CAMBIUM_EMULATOR_LANES
