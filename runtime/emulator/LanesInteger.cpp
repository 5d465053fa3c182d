//===-- runtime/emulator/LanesInteger.cpp - Integer arithmetic ------------===//
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

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;
using S16 = int16_t;
using S32 = int32_t;
using S64 = int64_t;
using U128 = unsigned __int128;
using S128 = __int128;

template <class T> struct Wider;
template <> struct Wider<U16> {
  using type = U32;
};
template <> struct Wider<S16> {
  using type = S32;
};
template <> struct Wider<U32> {
  using type = U64;
};
template <> struct Wider<S32> {
  using type = S64;
};
template <> struct Wider<U64> {
  using type = U128;
};
template <> struct Wider<S64> {
  using type = S128;
};
template <class T> using W = typename Wider<T>::type;

template <class T> struct Add {
  static T of(T a, T b) { return static_cast<T>(a + b); }
};
template <class T> struct Sub {
  static T of(T a, T b) { return static_cast<T>(a - b); }
};
template <class T> struct Mul {
  static T of(T a, T b) { return static_cast<T>(W<T>(a) * W<T>(b)); }
};
template <class T> struct MulWide {
  static W<T> of(T a, T b) { return W<T>(a) * W<T>(b); }
};
template <class T> struct MulHigh {
  static T of(T a, T b) {
    return static_cast<T>((W<T>(a) * W<T>(b)) >> (8 * sizeof(T)));
  }
};
template <class T> struct Mad {
  static T of(T a, T b, T c) { return static_cast<T>(W<T>(a) * W<T>(b) + c); }
};
struct Mad64 {
  static U64 of(U64 a, U64 b, U64 c) { return a * b + c; }
};
struct Mul64 {
  static U64 of(U64 a, U64 b) { return a * b; }
};
template <class T, class U> struct MadWide {
  static U of(T a, T b, U c) { return static_cast<U>(W<T>(a) * W<T>(b)) + c; }
};
template <class T> struct MadHigh {
  static T of(T a, T b, T c) {
    return static_cast<T>(static_cast<W<T>>(MulHigh<T>::of(a, b)) + c);
  }
};
/// The lower 24 bits of each.
template <class T> struct Mul24 {
  static T of(T a, T b) {
    return static_cast<T>(static_cast<U32>(cut(a)) * static_cast<U32>(cut(b)));
  }
  static T cut(T a) {
    return static_cast<T>(static_cast<T>(static_cast<U32>(a) << 8) >> 8);
  }
};
template <class T> struct Mad24 {
  static T of(T a, T b, T c) {
    return static_cast<T>(static_cast<U32>(Mul24<T>::of(a, b)) +
                          static_cast<U32>(c));
  }
};
/// Hardware divides by zero to all ones.
template <class T> struct Div {
  static T of(T a, T b) {
    return b ? static_cast<T>(W<T>(a) / W<T>(b)) : static_cast<T>(-1);
  }
};
template <class T> struct Rem {
  static T of(T a, T b) { return b ? static_cast<T>(W<T>(a) % W<T>(b)) : a; }
};
template <class T> struct Min {
  static T of(T a, T b) { return a < b ? a : b; }
};
template <class T> struct Max {
  static T of(T a, T b) { return a > b ? a : b; }
};
template <class T> struct MinRelu {
  static T of(T a, T b) { return Max<T>::of(Min<T>::of(a, b), 0); }
};
template <class T> struct MaxRelu {
  static T of(T a, T b) { return Max<T>::of(Max<T>::of(a, b), 0); }
};
template <class T> struct Abs {
  static T of(T a) { return static_cast<T>(a < 0 ? -W<T>(a) : W<T>(a)); }
};
template <class T> struct Neg {
  static T of(T a) { return static_cast<T>(0 - a); }
};
template <class T> struct Sad {
  static T of(T a, T b, T c) {
    return static_cast<T>((a < b ? W<T>(b) - a : W<T>(a) - b) + c);
  }
};
struct AddSaturate {
  static S32 of(S32 a, S32 b) { return clamp(S64{a} + b); }
  static S32 clamp(S64 x) {
    return static_cast<S32>(x > INT32_MAX   ? INT32_MAX
                            : x < INT32_MIN ? INT32_MIN
                                            : x);
  }
};
struct SubSaturate {
  static S32 of(S32 a, S32 b) { return AddSaturate::clamp(S64{a} - b); }
};
/// Two lanes of 16 bits.
template <class F, class T> struct Twice {
  static U32 of(U32 a, U32 b) {
    U32 low = static_cast<U16>(F::of(static_cast<T>(a), static_cast<T>(b)));
    U32 high = static_cast<U16>(
        F::of(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return low | high << 16;
  }
};

/// `variant`: 1 takes the carry, 2 writes it, 4 subtracts.
template <class T> void carry(Lanes &w, const Instruction &i, uint32_t mask) {
  Source<T> a(w, i.operands[1]), b(w, i.operands[2]);
  T *to = result<T>(w, i.operands[0]);
  uint32_t out = w.carry;
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctz(mask);
    bool subtract = i.variant & 4;
    // Subtraction adds the complement; its carry is the complement of borrow.
    T in = i.variant & 1 ? w.carry >> l & 1 : subtract;
    U128 sum = U128{a[l]} + (subtract ? static_cast<T>(~b[l]) : b[l]) + in;
    to[l] = static_cast<T>(sum);
    if (i.variant & 2)
      out = (out & ~(1u << l)) |
            (static_cast<uint32_t>(sum >> (8 * sizeof(T))) & 1) << l;
  }
  w.carry = out;
}

/// `variant` as above; 8: of the upper half of the product.
template <class T>
void carryMad(Lanes &w, const Instruction &i, uint32_t mask) {
  Source<T> a(w, i.operands[1]), b(w, i.operands[2]), c(w, i.operands[3]);
  T *to = result<T>(w, i.operands[0]);
  uint32_t out = w.carry;
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctz(mask);
    T product = i.variant & 8 ? MulHigh<T>::of(a[l], b[l])
                              : static_cast<T>(W<T>(a[l]) * W<T>(b[l]));
    U128 sum = U128{product} + c[l] + (i.variant & 1 ? w.carry >> l & 1 : 0);
    to[l] = static_cast<T>(sum);
    if (i.variant & 2)
      out = (out & ~(1u << l)) |
            (static_cast<uint32_t>(sum >> (8 * sizeof(T))) & 1) << l;
  }
  w.carry = out;
}

template <bool A, bool B> struct Dp4a {
  static S64 part(U32 x, int i, bool isSigned) {
    auto byte = static_cast<uint8_t>(x >> (8 * i));
    return isSigned ? static_cast<int8_t>(byte) : byte;
  }
  static U32 of(U32 a, U32 b, U32 c) {
    S64 sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += part(a, i, A) * part(b, i, B);
    return c + static_cast<U32>(sum);
  }
};
template <bool A, bool B, int First> struct Dp2a {
  static U32 of(U32 a, U32 b, U32 c) {
    S64 sum = 0;
    for (int i = 0; i < 2; ++i) {
      auto half = static_cast<U16>(a >> (16 * i));
      sum += (A ? S64{static_cast<S16>(half)} : S64{half}) *
             Dp4a<A, B>::part(b, First + i, B);
    }
    return c + static_cast<U32>(sum);
  }
};

constexpr Kind kInt = Kind::Integer;
constexpr Form kRows[] = {
    row2<Add<U16>, U16, U16, U16>("add{.u16,.s16}", kInt),
    row2<Add<U32>, U32, U32, U32>("add{.u32,.s32}", kInt),
    row2<Add<U64>, U64, U64, U64>("add{.u64,.s64}", kInt),
    row2<AddSaturate, S32, S32, S32>("add.sat.s32", kInt),
    row2<Twice<Add<U16>, U16>, U32, U32, U32>("add{.u16x2,.s16x2}", kInt),
    row2<Sub<U16>, U16, U16, U16>("sub{.u16,.s16}", kInt),
    row2<Sub<U32>, U32, U32, U32>("sub{.u32,.s32}", kInt),
    row2<Sub<U64>, U64, U64, U64>("sub{.u64,.s64}", kInt),
    row2<SubSaturate, S32, S32, S32>("sub.sat.s32", kInt),
    row2<Mul<U16>, U16, U16, U16>("mul.lo{.u16,.s16}", kInt),
    row2<Mul<U32>, U32, U32, U32>("mul.lo{.u32,.s32}", kInt),
    row2<Mul64, U64, U64, U64>("mul.lo{.u64,.s64}", kInt),
    row2<MulHigh<U16>, U16, U16, U16>("mul.hi.u16", kInt),
    row2<MulHigh<S16>, S16, S16, S16>("mul.hi.s16", kInt),
    row2<MulHigh<U32>, U32, U32, U32>("mul.hi.u32", kInt),
    row2<MulHigh<S32>, S32, S32, S32>("mul.hi.s32", kInt),
    row2<MulHigh<U64>, U64, U64, U64>("mul.hi.u64", kInt),
    row2<MulHigh<S64>, S64, S64, S64>("mul.hi.s64", kInt),
    row2<MulWide<U16>, U32, U16, U16>("mul.wide.u16", kInt),
    row2<MulWide<S16>, S32, S16, S16>("mul.wide.s16", kInt),
    row2<MulWide<U32>, U64, U32, U32>("mul.wide.u32", kInt),
    row2<MulWide<S32>, S64, S32, S32>("mul.wide.s32", kInt),
    row2<Mul24<U32>, U32, U32, U32>("mul24.lo.u32", kInt),
    row2<Mul24<S32>, S32, S32, S32>("mul24.lo.s32", kInt),
    row3<Mad<U16>, U16, U16, U16, U16>("mad.lo{.u16,.s16}", kInt),
    row3<Mad<U32>, U32, U32, U32, U32>("mad.lo{.u32,.s32}", kInt),
    row3<Mad64, U64, U64, U64, U64>("mad.lo{.u64,.s64}", kInt),
    row3<MadHigh<U32>, U32, U32, U32, U32>("mad.hi.u32", kInt),
    row3<MadHigh<S32>, S32, S32, S32, S32>("mad.hi.s32", kInt),
    row3<MadHigh<U64>, U64, U64, U64, U64>("mad.hi.u64", kInt),
    row3<MadHigh<S64>, S64, S64, S64, S64>("mad.hi.s64", kInt),
    row3<MadWide<U16, U32>, U32, U16, U16, U32>("mad.wide.u16", kInt),
    row3<MadWide<S16, U32>, U32, S16, S16, U32>("mad.wide.s16", kInt),
    row3<MadWide<U32, U64>, U64, U32, U32, U64>("mad.wide.u32", kInt),
    row3<MadWide<S32, U64>, U64, S32, S32, U64>("mad.wide.s32", kInt),
    row3<Mad24<U32>, U32, U32, U32, U32>("mad24.lo.u32", kInt),
    row3<Mad24<S32>, S32, S32, S32, S32>("mad24.lo.s32", kInt),
    row2<Div<U16>, U16, U16, U16>("div.u16", kInt),
    row2<Div<S16>, S16, S16, S16>("div.s16", kInt),
    row2<Div<U32>, U32, U32, U32>("div.u32", kInt),
    row2<Div<S32>, S32, S32, S32>("div.s32", kInt),
    row2<Div<U64>, U64, U64, U64>("div.u64", kInt),
    row2<Div<S64>, S64, S64, S64>("div.s64", kInt),
    row2<Rem<U16>, U16, U16, U16>("rem.u16", kInt),
    row2<Rem<S16>, S16, S16, S16>("rem.s16", kInt),
    row2<Rem<U32>, U32, U32, U32>("rem.u32", kInt),
    row2<Rem<S32>, S32, S32, S32>("rem.s32", kInt),
    row2<Rem<U64>, U64, U64, U64>("rem.u64", kInt),
    row2<Rem<S64>, S64, S64, S64>("rem.s64", kInt),
    row2<Min<U16>, U16, U16, U16>("min.u16", kInt),
    row2<Min<S16>, S16, S16, S16>("min.s16", kInt),
    row2<Min<U32>, U32, U32, U32>("min.u32", kInt),
    row2<Min<S32>, S32, S32, S32>("min.s32", kInt),
    row2<Min<U64>, U64, U64, U64>("min.u64", kInt),
    row2<Min<S64>, S64, S64, S64>("min.s64", kInt),
    row2<MinRelu<S32>, S32, S32, S32>("min.relu.s32", kInt),
    row2<Twice<Min<U16>, U16>, U32, U32, U32>("min.u16x2", kInt),
    row2<Twice<Min<S16>, S16>, U32, U32, U32>("min.s16x2", kInt),
    row2<Max<U16>, U16, U16, U16>("max.u16", kInt),
    row2<Max<S16>, S16, S16, S16>("max.s16", kInt),
    row2<Max<U32>, U32, U32, U32>("max.u32", kInt),
    row2<Max<S32>, S32, S32, S32>("max.s32", kInt),
    row2<Max<U64>, U64, U64, U64>("max.u64", kInt),
    row2<Max<S64>, S64, S64, S64>("max.s64", kInt),
    row2<MaxRelu<S32>, S32, S32, S32>("max.relu.s32", kInt),
    row2<Twice<Max<U16>, U16>, U32, U32, U32>("max.u16x2", kInt),
    row2<Twice<Max<S16>, S16>, U32, U32, U32>("max.s16x2", kInt),
    row1<Abs<S16>, S16, S16>("abs.s16", kInt),
    row1<Abs<S32>, S32, S32>("abs.s32", kInt),
    row1<Abs<S64>, S64, S64>("abs.s64", kInt),
    row1<Neg<U16>, U16, U16>("neg.s16", kInt),
    row1<Neg<U32>, U32, U32>("neg.s32", kInt),
    row1<Neg<U64>, U64, U64>("neg.s64", kInt),
    row3<Sad<U32>, U32, U32, U32, U32>("sad.u32", kInt),
    row3<Sad<S32>, S32, S32, S32, S32>("sad.s32", kInt),
    {"add.cc{.u32,.s32}", carry<U32>, "444", kInt, Flow::None, 0, 2},
    {"add.cc{.u64,.s64}", carry<U64>, "888", kInt, Flow::None, 0, 2},
    {"addc{.u32,.s32}", carry<U32>, "444", kInt, Flow::None, 0, 1},
    {"addc{.u64,.s64}", carry<U64>, "888", kInt, Flow::None, 0, 1},
    {"addc.cc{.u32,.s32}", carry<U32>, "444", kInt, Flow::None, 0, 3},
    {"addc.cc{.u64,.s64}", carry<U64>, "888", kInt, Flow::None, 0, 3},
    {"sub.cc{.u32,.s32}", carry<U32>, "444", kInt, Flow::None, 0, 6},
    {"sub.cc{.u64,.s64}", carry<U64>, "888", kInt, Flow::None, 0, 6},
    {"subc{.u32,.s32}", carry<U32>, "444", kInt, Flow::None, 0, 5},
    {"subc{.u64,.s64}", carry<U64>, "888", kInt, Flow::None, 0, 5},
    {"subc.cc{.u32,.s32}", carry<U32>, "444", kInt, Flow::None, 0, 7},
    {"subc.cc{.u64,.s64}", carry<U64>, "888", kInt, Flow::None, 0, 7},
    {"mad.lo.cc{.u32,.s32}", carryMad<U32>, "4444", kInt, Flow::None, 0, 2},
    {"mad.lo.cc{.u64,.s64}", carryMad<U64>, "8888", kInt, Flow::None, 0, 2},
    {"madc.lo{.u32,.s32}", carryMad<U32>, "4444", kInt, Flow::None, 0, 1},
    {"madc.lo{.u64,.s64}", carryMad<U64>, "8888", kInt, Flow::None, 0, 1},
    {"madc.lo.cc{.u32,.s32}", carryMad<U32>, "4444", kInt, Flow::None, 0, 3},
    {"madc.lo.cc{.u64,.s64}", carryMad<U64>, "8888", kInt, Flow::None, 0, 3},
    {"mad.hi.cc.u32", carryMad<U32>, "4444", kInt, Flow::None, 0, 10},
    {"mad.hi.cc.u64", carryMad<U64>, "8888", kInt, Flow::None, 0, 10},
    {"madc.hi.u32", carryMad<U32>, "4444", kInt, Flow::None, 0, 9},
    {"madc.hi.u64", carryMad<U64>, "8888", kInt, Flow::None, 0, 9},
    {"madc.hi.cc.u32", carryMad<U32>, "4444", kInt, Flow::None, 0, 11},
    {"madc.hi.cc.u64", carryMad<U64>, "8888", kInt, Flow::None, 0, 11},
    row3<Dp4a<false, false>, U32, U32, U32, U32>("dp4a.u32.u32", kInt),
    row3<Dp4a<true, true>, U32, U32, U32, U32>("dp4a.s32.s32", kInt),
    row3<Dp4a<true, false>, U32, U32, U32, U32>("dp4a.s32.u32", kInt),
    row3<Dp4a<false, true>, U32, U32, U32, U32>("dp4a.u32.s32", kInt),
    row3<Dp2a<false, false, 0>, U32, U32, U32, U32>("dp2a.lo.u32.u32", kInt),
    row3<Dp2a<false, false, 2>, U32, U32, U32, U32>("dp2a.hi.u32.u32", kInt),
    row3<Dp2a<true, true, 0>, U32, U32, U32, U32>("dp2a.lo.s32.s32", kInt),
    row3<Dp2a<true, true, 2>, U32, U32, U32, U32>("dp2a.hi.s32.s32", kInt),
};

} // namespace

Forms integerForms() { return {kRows, sizeof kRows / sizeof *kRows}; }

} // namespace cambium::emulator::CAMBIUM_EMULATOR_LANES
