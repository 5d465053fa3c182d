//===-- runtime/emulator/LaneMap.h - A function over 32 lanes ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Turns a function of scalars into a handler, and its types into the operands
/// of a row of the table.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_LANEMAP_H
#define CAMBIUM_EMULATOR_LANEMAP_H

#include "Instruction.h"

/// Handlers of arithmetic are compiled once for each kind of processor, in a
/// namespace of their own.
#ifndef CAMBIUM_EMULATOR_LANES
#define CAMBIUM_EMULATOR_LANES baseline
#endif

namespace cambium::emulator::CAMBIUM_EMULATOR_LANES {

/// Types that are stored like integers but computed otherwise.
struct Half {
  uint16_t bits;
};
struct BFloat {
  uint16_t bits;
};
struct Pair {
  uint32_t bits;
};

template <class T> struct Source {
  Source(const Lanes &lanes, const Operand &o)
      : data(reinterpret_cast<const T *>(lanes.bases[static_cast<int>(o.base)] +
                                         o.offset)) {}
  T operator[](int lane) const { return data[lane]; }
  const T *data;
};

template <> struct Source<bool> {
  Source(const Lanes &lanes, const Operand &o)
      : bits(*reinterpret_cast<const uint32_t *>(
                 lanes.bases[static_cast<int>(o.base)] + o.offset) ^
             (o.negated ? kAllLanes : 0)) {}
  bool operator[](int lane) const { return bits >> lane & 1; }
  uint32_t bits;
};

template <class T> T *result(Lanes &lanes, const Operand &o) {
  return reinterpret_cast<T *>(lanes.bases[0] + o.offset);
}

/// Computes all lanes before any is written, so that compilers may use vectors
/// although the result may be an operand.
template <class F, class D, class... S> struct Compute {
  static void run(Lanes &lanes, const Operand *o, uint32_t mask,
                  const S &...sources) {
    D *to = result<D>(lanes, *o);
    if (mask == kAllLanes) {
      D values[kLanes];
      for (int l = 0; l < kLanes; ++l)
        values[l] = F::of(sources[l]...);
      for (int l = 0; l < kLanes; ++l)
        to[l] = values[l];
      return;
    }
    for (; mask; mask &= mask - 1) {
      int l = __builtin_ctz(mask);
      to[l] = F::of(sources[l]...);
    }
  }
};

template <class F, class... S> struct Compute<F, bool, S...> {
  static void run(Lanes &lanes, const Operand *o, uint32_t mask,
                  const S &...sources) {
    uint32_t bits = 0;
    for (int l = 0; l < kLanes; ++l)
      bits |= static_cast<uint32_t>(F::of(sources[l]...)) << l;
    uint32_t &to = *result<uint32_t>(lanes, *o);
    to = (to & ~mask) | (bits & mask);
  }
};

template <class F, class D, class A>
void map1(Lanes &w, const Instruction &i, uint32_t mask) {
  Source<A> a(w, i.operands[1]);
  Compute<F, D, Source<A>>::run(w, i.operands, mask, a);
}
template <class F, class D, class A, class B>
void map2(Lanes &w, const Instruction &i, uint32_t mask) {
  Source<A> a(w, i.operands[1]);
  Source<B> b(w, i.operands[2]);
  Compute<F, D, Source<A>, Source<B>>::run(w, i.operands, mask, a, b);
}
template <class F, class D, class A, class B, class C>
void map3(Lanes &w, const Instruction &i, uint32_t mask) {
  Source<A> a(w, i.operands[1]);
  Source<B> b(w, i.operands[2]);
  Source<C> c(w, i.operands[3]);
  Compute<F, D, Source<A>, Source<B>, Source<C>>::run(w, i.operands, mask, a, b,
                                                      c);
}

template <class F, class D, class A, class B, class C, class E>
void map4(Lanes &w, const Instruction &i, uint32_t mask) {
  Source<A> a(w, i.operands[1]);
  Source<B> b(w, i.operands[2]);
  Source<C> c(w, i.operands[3]);
  Source<E> e(w, i.operands[4]);
  Compute<F, D, Source<A>, Source<B>, Source<C>, Source<E>>::run(
      w, i.operands, mask, a, b, c, e);
}

template <class T> constexpr char code() {
  return static_cast<char>('0' + sizeof(T));
}
template <> constexpr char code<bool>() { return 'p'; }
template <class... T> struct Signature {
  static constexpr char text[] = {code<T>()..., 0};
};
template <class... T> constexpr char Signature<T...>::text[];

/// Rows: the first type is that of the result.
template <class F, class D, class A>
constexpr Form row1(const char *names, Kind kind) {
  return {names, map1<F, D, A>, Signature<D, A>::text, kind};
}
template <class F, class D, class A, class B>
constexpr Form row2(const char *names, Kind kind) {
  return {names, map2<F, D, A, B>, Signature<D, A, B>::text, kind};
}
template <class F, class D, class A, class B, class C>
constexpr Form row3(const char *names, Kind kind) {
  return {names, map3<F, D, A, B, C>, Signature<D, A, B, C>::text, kind};
}

template <class F, class D, class A, class B, class C, class E>
constexpr Form row4(const char *names, Kind kind) {
  return {names, map4<F, D, A, B, C, E>, Signature<D, A, B, C, E>::text, kind};
}

template <class To, class From> To bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "expected types of one size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

/// Floating-point results that are no number have one pattern.
inline float canonical(float x) {
  return x == x ? x : bits<float>(0x7fffffffu);
}
inline double canonical(double x) {
  return x == x ? x : bits<double>(0x7fffffffffffffffull);
}

/// Subnormal numbers count as zero.
inline float flush(float x) {
  uint32_t u = bits<uint32_t>(x);
  return (u & 0x7f800000u) ? x : bits<float>(u & 0x80000000u);
}
inline float saturate(float x) { return x > 0 ? x < 1 ? x : 1.0f : 0.0f; }

} // namespace cambium::emulator::CAMBIUM_EMULATOR_LANES
#endif
