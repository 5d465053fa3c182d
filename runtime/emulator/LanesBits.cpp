//===-- runtime/emulator/LanesBits.cpp - Logic, shifts, fields of bits ----===//
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

template <class T> constexpr U32 kBits = 8 * sizeof(T);

template <class T> struct And {
  static T of(T a, T b) { return static_cast<T>(a & b); }
};
template <class T> struct Or {
  static T of(T a, T b) { return static_cast<T>(a | b); }
};
template <class T> struct Xor {
  static T of(T a, T b) { return static_cast<T>(a ^ b); }
};
template <class T> struct Not {
  static T of(T a) { return static_cast<T>(~a); }
};
template <> struct Not<bool> {
  static bool of(bool a) { return !a; }
};
template <class T> struct ZeroNot {
  static T of(T a) { return a == 0; }
};
/// Amounts beyond the width count as the width.
template <class T> struct Shl {
  static T of(T a, U32 n) {
    return n < kBits<T> ? static_cast<T>(a << n) : T{0};
  }
};
template <class T> struct Shr {
  static T of(T a, U32 n) {
    return static_cast<T>(n < kBits<T> ? a >> n : a < 0 ? -1 : 0);
  }
};
template <bool Left, bool Wrap> struct Funnel {
  static U32 of(U32 low, U32 high, U32 n) {
    n = Wrap ? n & 31 : n < 32 ? n : 32;
    U64 both = U64{high} << 32 | low;
    return static_cast<U32>(Left ? (both << n) >> 32 : both >> n);
  }
};
struct Lop3 {
  static U32 of(U32 a, U32 b, U32 c, U32 table) {
    U32 r = 0;
    for (U32 k = 0; k < 8; ++k)
      r |= table >> k & 1
               ? (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c)
               : 0;
    return r;
  }
};
/// Selects four of eight bytes; bit 3 of a selector spreads the sign.
struct Permute {
  static U32 of(U32 a, U32 b, U32 selector) {
    U64 both = U64{b} << 32 | a;
    U32 r = 0;
    for (int i = 0; i < 4; ++i) {
      U32 s = selector >> (4 * i) & 15;
      auto byte = static_cast<uint8_t>(both >> (8 * (s & 7)));
      if (s & 8)
        byte = byte & 0x80 ? 0xff : 0;
      r |= U32{byte} << (8 * i);
    }
    return r;
  }
};
/// Modes of `prmt`: the bytes from a place on, or copies.
template <char Mode> struct PermuteMode {
  static U32 of(U32 a, U32 b, U32 c) {
    static constexpr U16 forward[] = {0x3210, 0x4321, 0x5432, 0x6543};
    static constexpr U16 backward[] = {0x5670, 0x6701, 0x7012, 0x0123};
    static constexpr U16 byte[] = {0x0000, 0x1111, 0x2222, 0x3333};
    static constexpr U16 left[] = {0x3210, 0x3211, 0x3222, 0x3333};
    static constexpr U16 right[] = {0x0000, 0x1110, 0x2210, 0x3210};
    static constexpr U16 half[] = {0x1010, 0x3232, 0x1010, 0x3232};
    const U16 *table = Mode == 'f'   ? forward
                       : Mode == 'b' ? backward
                       : Mode == '8' ? byte
                       : Mode == 'l' ? left
                       : Mode == 'r' ? right
                                     : half;
    return Permute::of(a, b, table[c & 3]);
  }
};
template <class T> struct Extract {
  using U = decltype(static_cast<T>(0));
  static T of(T a, U32 begin, U32 length) {
    begin &= 255;
    length &= 255;
    constexpr bool isSigned = static_cast<T>(-1) < 0;
    constexpr U32 n = kBits<T>;
    U64 x = static_cast<U64>(static_cast<S64>(a));
    if (!isSigned)
      x = static_cast<U64>(a);
    if (n == 32 && !isSigned)
      x &= 0xffffffffu;
    U32 last = begin + length > n ? n - 1 : begin + length - 1;
    bool sign = isSigned && length && (x >> (last < n ? last : n - 1) & 1);
    U64 field = begin < n ? x >> begin : 0;
    U32 kept = begin >= n ? 0 : length < n - begin ? length : n - begin;
    U64 keep = kept >= 64 ? ~U64{0} : (U64{1} << kept) - 1;
    return static_cast<T>((field & keep) | (sign ? ~keep : 0));
  }
};
template <class T> struct Insert {
  static T of(T a, T b, U32 begin, U32 length) {
    begin &= 255;
    length &= 255;
    if (begin >= kBits<T> || !length)
      return b;
    T keep = length >= kBits<T> ? static_cast<T>(-1)
                                : static_cast<T>((T{1} << length) - 1);
    keep = static_cast<T>(keep << begin);
    return static_cast<T>((b & ~keep) | (static_cast<T>(a << begin) & keep));
  }
};
template <class T> struct Find {
  static U32 of(T a) {
    using U = U64;
    U x = static_cast<T>(-1) < 0 && a < 0 ? ~static_cast<U>(a)
                                          : static_cast<U>(a);
    return x ? 63 - static_cast<U32>(__builtin_clzll(x)) : kAllLanes;
  }
};
template <class T> struct FindShift {
  static U32 of(T a) {
    U32 at = Find<T>::of(a);
    return at == kAllLanes ? at : kBits<T> - 1 - at;
  }
};
template <class T> struct Reverse {
  static T of(T a) {
    T r = 0;
    for (U32 i = 0; i < kBits<T>; ++i)
      r |= (a >> i & 1) << (kBits<T> - 1 - i);
    return r;
  }
};
template <class T> struct Population {
  static U32 of(T a) { return static_cast<U32>(__builtin_popcountll(a)); }
};
template <class T> struct LeadingZeros {
  static U32 of(T a) {
    return a ? static_cast<U32>(__builtin_clzll(a)) - (64 - kBits<T>)
             : kBits<T>;
  }
};
template <bool Wrap> struct Mask {
  static U32 of(U32 begin, U32 length) {
    if (Wrap) {
      begin &= 31;
      length &= 31;
    }
    if (begin > 31)
      return 0;
    U32 ones = length > 31 ? kAllLanes : (1u << length) - 1;
    return ones << begin;
  }
};
/// Extends the sign or zero from bit n - 1.
template <bool Signed, bool Wrap> struct Extend {
  static U32 of(U32 a, U32 n) {
    n = Wrap ? n & 31 : n < 32 ? n : 32;
    if (n == 32)
      return a;
    U32 keep = (1u << n) - 1;
    bool sign = Signed && n && (a >> (n - 1) & 1);
    return (a & keep) | (sign ? ~keep : 0);
  }
};
template <class T> struct Select {
  static T of(T a, T b, bool p) { return p ? a : b; }
};
template <class T, class C> struct SelectBySign {
  static T of(T a, T b, C c) { return c >= 0 ? a : b; }
};

constexpr Kind kInt = Kind::Integer;
constexpr Form kRows[] = {
    row2<And<bool>, bool, bool, bool>("and.pred", kInt),
    row2<And<U16>, U16, U16, U16>("and.b16", kInt),
    row2<And<U32>, U32, U32, U32>("and.b32", kInt),
    row2<And<U64>, U64, U64, U64>("and.b64", kInt),
    row2<Or<bool>, bool, bool, bool>("or.pred", kInt),
    row2<Or<U16>, U16, U16, U16>("or.b16", kInt),
    row2<Or<U32>, U32, U32, U32>("or.b32", kInt),
    row2<Or<U64>, U64, U64, U64>("or.b64", kInt),
    row2<Xor<bool>, bool, bool, bool>("xor.pred", kInt),
    row2<Xor<U16>, U16, U16, U16>("xor.b16", kInt),
    row2<Xor<U32>, U32, U32, U32>("xor.b32", kInt),
    row2<Xor<U64>, U64, U64, U64>("xor.b64", kInt),
    row1<Not<bool>, bool, bool>("not.pred", kInt),
    row1<Not<U16>, U16, U16>("not.b16", kInt),
    row1<Not<U32>, U32, U32>("not.b32", kInt),
    row1<Not<U64>, U64, U64>("not.b64", kInt),
    row1<ZeroNot<U16>, U16, U16>("cnot.b16", kInt),
    row1<ZeroNot<U32>, U32, U32>("cnot.b32", kInt),
    row1<ZeroNot<U64>, U64, U64>("cnot.b64", kInt),
    row2<Shl<U16>, U16, U16, U32>("shl.b16", kInt),
    row2<Shl<U32>, U32, U32, U32>("shl.b32", kInt),
    row2<Shl<U64>, U64, U64, U32>("shl.b64", kInt),
    row2<Shr<U16>, U16, U16, U32>("shr{.u16,.b16}", kInt),
    row2<Shr<U32>, U32, U32, U32>("shr{.u32,.b32}", kInt),
    row2<Shr<U64>, U64, U64, U32>("shr{.u64,.b64}", kInt),
    row2<Shr<S16>, S16, S16, U32>("shr.s16", kInt),
    row2<Shr<S32>, S32, S32, U32>("shr.s32", kInt),
    row2<Shr<S64>, S64, S64, U32>("shr.s64", kInt),
    row3<Funnel<true, true>, U32, U32, U32, U32>("shf.l.wrap.b32", kInt),
    row3<Funnel<true, false>, U32, U32, U32, U32>("shf.l.clamp.b32", kInt),
    row3<Funnel<false, true>, U32, U32, U32, U32>("shf.r.wrap.b32", kInt),
    row3<Funnel<false, false>, U32, U32, U32, U32>("shf.r.clamp.b32", kInt),
    row4<Lop3, U32, U32, U32, U32, U32>("lop3.b32", kInt),
    row3<Permute, U32, U32, U32, U32>("prmt.b32", kInt),
    row3<PermuteMode<'f'>, U32, U32, U32, U32>("prmt.b32.f4e", kInt),
    row3<PermuteMode<'b'>, U32, U32, U32, U32>("prmt.b32.b4e", kInt),
    row3<PermuteMode<'8'>, U32, U32, U32, U32>("prmt.b32.rc8", kInt),
    row3<PermuteMode<'l'>, U32, U32, U32, U32>("prmt.b32.ecl", kInt),
    row3<PermuteMode<'r'>, U32, U32, U32, U32>("prmt.b32.ecr", kInt),
    row3<PermuteMode<'h'>, U32, U32, U32, U32>("prmt.b32.rc16", kInt),
    row3<Extract<U32>, U32, U32, U32, U32>("bfe.u32", kInt),
    row3<Extract<S32>, S32, S32, U32, U32>("bfe.s32", kInt),
    row3<Extract<U64>, U64, U64, U32, U32>("bfe.u64", kInt),
    row3<Extract<S64>, S64, S64, U32, U32>("bfe.s64", kInt),
    row4<Insert<U32>, U32, U32, U32, U32, U32>("bfi.b32", kInt),
    row4<Insert<U64>, U64, U64, U64, U32, U32>("bfi.b64", kInt),
    row1<Find<U32>, U32, U32>("bfind.u32", kInt),
    row1<Find<S32>, U32, S32>("bfind.s32", kInt),
    row1<Find<U64>, U32, U64>("bfind.u64", kInt),
    row1<Find<S64>, U32, S64>("bfind.s64", kInt),
    row1<FindShift<U32>, U32, U32>("bfind.shiftamt.u32", kInt),
    row1<FindShift<S32>, U32, S32>("bfind.shiftamt.s32", kInt),
    row1<FindShift<U64>, U32, U64>("bfind.shiftamt.u64", kInt),
    row1<FindShift<S64>, U32, S64>("bfind.shiftamt.s64", kInt),
    row1<Reverse<U32>, U32, U32>("brev.b32", kInt),
    row1<Reverse<U64>, U64, U64>("brev.b64", kInt),
    row1<Population<U32>, U32, U32>("popc.b32", kInt),
    row1<Population<U64>, U32, U64>("popc.b64", kInt),
    row1<LeadingZeros<U32>, U32, U32>("clz.b32", kInt),
    row1<LeadingZeros<U64>, U32, U64>("clz.b64", kInt),
    row2<Mask<false>, U32, U32, U32>("bmsk.clamp.b32", kInt),
    row2<Mask<true>, U32, U32, U32>("bmsk.wrap.b32", kInt),
    row2<Extend<true, false>, U32, U32, U32>("szext.clamp.s32", kInt),
    row2<Extend<false, false>, U32, U32, U32>("szext.clamp.u32", kInt),
    row2<Extend<true, true>, U32, U32, U32>("szext.wrap.s32", kInt),
    row2<Extend<false, true>, U32, U32, U32>("szext.wrap.u32", kInt),
    row3<Select<U16>, U16, U16, U16, bool>("selp{.b16,.u16,.s16}", kInt),
    row3<Select<U32>, U32, U32, U32, bool>("selp{.b32,.u32,.s32,.f32}", kInt),
    row3<Select<U64>, U64, U64, U64, bool>("selp{.b64,.u64,.s64,.f64}", kInt),
    row3<SelectBySign<U32, S32>, U32, U32, U32, S32>(
        "slct{.b32,.u32,.s32,.f32}.s32", kInt),
    row3<SelectBySign<U64, S32>, U64, U64, U64, S32>(
        "slct{.b64,.u64,.s64,.f64}.s32", kInt),
    row3<SelectBySign<U32, float>, U32, U32, U32, float>(
        "slct{.b32,.u32,.s32,.f32}.f32", kInt),
    row3<SelectBySign<U64, float>, U64, U64, U64, float>(
        "slct{.b64,.u64,.s64,.f64}.f32", kInt),
};

} // namespace

Forms bitForms() { return {kRows, sizeof kRows / sizeof *kRows}; }

} // namespace cambium::emulator::CAMBIUM_EMULATOR_LANES
