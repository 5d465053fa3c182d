//===-- runtime/emulator/LanesConvert.cpp - Conversions that are frequent -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where types fill their registers and the processor rounds the same way. All
/// others: Convert.cpp.
///
//===----------------------------------------------------------------------===//
#include "LaneForms.h"
#include "LaneMap.h"

namespace cambium::emulator::CAMBIUM_EMULATOR_LANES {
namespace {

template <class D, class S> struct Cast {
  static D of(S a) { return static_cast<D>(a); }
};
template <class D> struct CastFloat {
  static D of(D a) { return canonical(a); }
};
struct Widen {
  static double of(float a) { return canonical(double{a}); }
};
struct Narrow {
  static float of(double a) { return canonical(static_cast<float>(a)); }
};
struct Floor {
  static float of(float a) { return canonical(__builtin_floorf(a)); }
};
struct Ceil {
  static float of(float a) { return canonical(__builtin_ceilf(a)); }
};
struct Trunc {
  static float of(float a) { return canonical(__builtin_truncf(a)); }
};
struct Nearest {
  static float of(float a) { return canonical(__builtin_nearbyintf(a)); }
};
struct ToSigned {
  static int32_t of(float a) {
    return a >= 0x1p31f    ? INT32_MAX
           : a >= -0x1p31f ? static_cast<int32_t>(a)
           : a == a        ? INT32_MIN
                           : 0;
  }
};
struct FromBFloat {
  static float of(BFloat a) {
    return canonical(bits<float>(static_cast<uint32_t>(a.bits) << 16));
  }
};
/// To nearest even.
struct ToBFloat {
  static BFloat of(float a) { return {static_cast<uint16_t>(round(a))}; }
  static uint32_t round(float a) {
    uint32_t u = bits<uint32_t>(a);
    return a != a ? 0x7fffu : (u + 0x7fffu + (u >> 16 & 1)) >> 16;
  }
};
/// The first operand is the upper half.
struct ToBFloats {
  static uint32_t of(float a, float b) {
    return ToBFloat::round(a) << 16 | ToBFloat::round(b);
  }
};

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;
using S16 = int16_t;
using S32 = int32_t;
using S64 = int64_t;

template <class D, class S> constexpr Form cast(const char *names) {
  return row1<Cast<D, S>, D, S>(names, Kind::Convert);
}

constexpr Form kRows[] = {
    cast<U64, U32>("cvt{.u64.u32,.s64.u32}"),
    cast<S64, S32>("cvt{.s64.s32,.u64.s32}"),
    cast<U32, U64>("cvt{.u32,.s32}{.u64,.s64}"),
    cast<U32, U16>("cvt{.u32,.s32}.u16"),
    cast<S32, S16>("cvt{.u32,.s32}.s16"),
    cast<U16, U32>("cvt{.u16,.s16}{.u32,.s32}"),
    cast<U64, U16>("cvt{.u64,.s64}.u16"),
    cast<S64, S16>("cvt{.u64,.s64}.s16"),
    cast<U16, U64>("cvt{.u16,.s16}{.u64,.s64}"),
    cast<float, S32>("cvt.rn.f32.s32"),
    cast<float, U32>("cvt.rn.f32.u32"),
    cast<float, S64>("cvt.rn.f32.s64"),
    cast<float, U64>("cvt.rn.f32.u64"),
    cast<double, S32>("cvt.rn.f64.s32"),
    cast<double, U32>("cvt.rn.f64.u32"),
    row1<Widen, double, float>("cvt.f64.f32", Kind::Convert),
    row1<Narrow, float, double>("cvt.rn.f32.f64", Kind::Convert),
    row1<Floor, float, float>("cvt.rmi.f32.f32", Kind::Convert),
    row1<Ceil, float, float>("cvt.rpi.f32.f32", Kind::Convert),
    row1<Trunc, float, float>("cvt.rzi.f32.f32", Kind::Convert),
    row1<Nearest, float, float>("cvt.rni.f32.f32", Kind::Convert),
    row1<ToSigned, S32, float>("cvt.rzi.s32.f32", Kind::Convert),
    row1<FromBFloat, float, BFloat>("cvt.f32.bf16", Kind::Convert),
    row1<ToBFloat, BFloat, float>("cvt.rn.bf16.f32", Kind::Convert),
    row2<ToBFloats, U32, float, float>("cvt.rn.bf16x2.f32", Kind::Convert),
};

} // namespace

Forms convertForms() { return {kRows, sizeof kRows / sizeof *kRows}; }

} // namespace cambium::emulator::CAMBIUM_EMULATOR_LANES
