//===-- runtime/emulator/Convert.cpp - All conversions --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `cvt` as the product of its types and ways to round. A source is widened to
/// 64 bits or f64, both exact, and then rounded once.
///
//===----------------------------------------------------------------------===//
#include "Round.h"
#include "Table.h"

#include <cstdlib>
#include <limits>

using namespace cambium::emulator;

namespace {

enum Type : uint8_t {
  U8,
  S8,
  U16,
  S16,
  U32,
  S32,
  U64,
  S64,
  F16,
  BF16,
  F32,
  F64,
  TF32,
  NoType
};

Type typeOf(const std::string &name) {
  static const char *const names[] = {"u8",  "s8",  "u16", "s16", "u32",
                                      "s32", "u64", "s64", "f16", "bf16",
                                      "f32", "f64", "tf32"};
  for (int t = 0; t < NoType; ++t)
    if (name == names[t])
      return static_cast<Type>(t);
  return NoType;
}

bool isFloat(Type type) { return type >= F16; }
bool isSigned(Type type) { return type & 1; }
int bytesOf(Type type) {
  static const int bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8, 4};
  return bytes[type];
}

/// What `immediate` holds.
struct Mode {
  Type to, from;
  /// `n`, `z`, `m`, `p`, `a`; 0 for none.
  char round;
  bool integral, saturate, relu, flush, pair;
};
static_assert(sizeof(Mode) <= 8, "expected to fit the immediate");

uint64_t read(const Lanes &w, const Operand &o, int lane) {
  uint64_t value = 0;
  std::memcpy(&value,
              w.bases[static_cast<int>(o.base)] + o.offset + lane * o.width,
              o.width);
  return value;
}

void write(Lanes &w, const Operand &o, int lane, uint64_t value) {
  std::memcpy(w.bases[0] + o.offset + lane * o.width, &value, o.width);
}

double floatOf(uint64_t bits, Type type) {
  double value;
  switch (type) {
  case F16:
    return floatOfHalf(static_cast<uint16_t>(bits));
  case BF16:
    return floatOfBits(static_cast<uint32_t>(bits) << 16);
  case F64:
    std::memcpy(&value, &bits, sizeof value);
    return value;
  default:
    return floatOfBits(static_cast<uint32_t>(bits));
  }
}

__int128 integerOf(uint64_t bits, Type type) {
  int n = 8 * bytesOf(type);
  if (isSigned(type))
    return static_cast<int64_t>(bits << (64 - n)) >> (64 - n);
  return bits << (64 - n) >> (64 - n);
}

/// Clamped to the range of the type.
uint64_t clamp(__int128 value, Type type) {
  int n = 8 * bytesOf(type);
  __int128 one = 1;
  __int128 most = (one << (n - isSigned(type))) - 1;
  __int128 least = isSigned(type) ? -most - 1 : 0;
  return static_cast<uint64_t>(value > most    ? most
                               : value < least ? least
                                               : value);
}

uint64_t integerFromFloat(double x, const Mode &mode) {
  int n = 8 * bytesOf(mode.to);
  if (x != x)
    return mode.from == F64 || n == 64 ? uint64_t{1} << (n - 1) : 0;
  x = roundUnits(x, mode.round);
  if (x > 0x1p100 || x < -0x1p100)
    x = x > 0 ? 0x1p100 : -0x1p100;
  return clamp(static_cast<__int128>(x), mode.to);
}

uint64_t bitsOfDouble(double x) {
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

uint64_t floatFromFloat(double x, const Mode &mode) {
  char round = mode.round ? mode.round : 'n';
  if (mode.integral)
    x = roundUnits(x, round);
  if (mode.saturate)
    x = x > 0 ? x < 1 ? x : 1 : 0;
  if (mode.relu && (x < 0 || (x == 0 && std::signbit(x))))
    x = 0;
  switch (mode.to) {
  case F16:
    return roundBits(x, kHalfFormat, round);
  case BF16:
    return roundBits(x, kBFloatFormat, round);
  case TF32:
    return x != x ? 0x7fffffffu : roundBits(x, kTf32Format, round) << 13;
  case F64:
    return bitsOfDouble(x);
  default:
    return roundBits(x, kSingleFormat, round);
  }
}

/// An integer of up to 64 bits: what f64 does not hold is rounded by hand.
uint64_t floatFromInteger(__int128 value, const Mode &mode) {
  int precision = mode.to == F64 ? 53 : 24;
  bool negative = value < 0;
  auto size = static_cast<unsigned __int128>(negative ? -value : value);
  int shift = 0;
  while (size >> (precision + shift))
    ++shift;
  unsigned __int128 unit = static_cast<unsigned __int128>(1) << shift;
  unsigned __int128 rest = size & (unit - 1);
  size -= rest;
  bool up = mode.round == 'n'
                ? rest * 2 > unit || (rest * 2 == unit && rest && (size & unit))
            : mode.round == 'p' ? rest && !negative
            : mode.round == 'm' ? rest && negative
                                : false;
  double result = static_cast<double>(size + (up ? unit : 0));
  return floatFromFloat(negative ? -result : result, mode);
}

uint64_t convert(uint64_t bits, const Mode &mode) {
  if (isFloat(mode.from)) {
    double x = floatOf(bits, mode.from);
    if (mode.flush && x < 0x1p-126 && x > -0x1p-126)
      x = std::copysign(0.0, x);
    uint64_t result =
        isFloat(mode.to) ? floatFromFloat(x, mode) : integerFromFloat(x, mode);
    bool subnormal = mode.flush && mode.to == F32 && !(result & 0x7f800000u);
    return subnormal ? result & 0x80000000u : result;
  }
  __int128 value = integerOf(bits, mode.from);
  if (isFloat(mode.to))
    return floatFromInteger(value, mode);
  auto result =
      mode.saturate ? clamp(value, mode.to) : static_cast<uint64_t>(value);
  // The register may be wider than the type.
  return static_cast<uint64_t>(integerOf(result, mode.to));
}

void convertLanes(Lanes &w, const Instruction &i, uint32_t mask) {
  Mode mode;
  std::memcpy(&mode, &i.immediate, sizeof mode);
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctz(mask);
    uint64_t value = convert(read(w, i.operands[1], l), mode);
    if (mode.pair)
      value = value << 16 | convert(read(w, i.operands[2], l), mode);
    write(w, i.operands[0], l, value);
  }
}

bool parseModifier(const std::string &part, Mode &mode) {
  if (part == "rn" || part == "rz" || part == "rm" || part == "rp") {
    mode.round = part[1];
  } else if (part == "rna") {
    mode.round = 'a';
  } else if (part == "rni" || part == "rzi" || part == "rmi" || part == "rpi") {
    mode.round = part[1];
    mode.integral = true;
  } else if (part == "sat") {
    mode.saturate = true;
  } else if (part == "relu") {
    mode.relu = true;
  } else if (part == "ftz") {
    mode.flush = true;
  } else {
    return false;
  }
  return true;
}

/// What rounds must say how, and in a way that there is.
bool isComplete(const Mode &mode) {
  bool rounds = mode.round && !mode.integral;
  // To a number that is as near: away from zero.
  if (mode.to == TF32)
    return rounds && mode.round != 'm' && mode.round != 'p';
  if (mode.round == 'a')
    return false;
  if (isFloat(mode.from) && !isFloat(mode.to))
    return mode.integral;
  if (!isFloat(mode.from))
    return isFloat(mode.to) ? rounds : !mode.round;
  if (bytesOf(mode.to) < bytesOf(mode.from))
    return rounds &&
           (bytesOf(mode.to) == 4 || mode.round == 'n' || mode.round == 'z');
  bool isWider = bytesOf(mode.to) > bytesOf(mode.from);
  return isWider ? !mode.round : mode.to == mode.from && !rounds;
}

} // namespace

bool cambium::emulator::decodeConvert(const std::vector<std::string> &parts,
                                      Opcode &opcode) {
  if (parts[0] != "cvt" || parts.size() < 3)
    return false;
  Mode mode{};
  std::string to = parts[parts.size() - 2];
  mode.pair = to == "f16x2" || to == "bf16x2";
  if (mode.pair)
    to.resize(to.size() - 2);
  mode.to = typeOf(to);
  mode.from = typeOf(parts.back());
  if (mode.to == NoType || mode.from == NoType || mode.from == TF32 ||
      (mode.pair && mode.from != F32) || (mode.to == TF32 && mode.from != F32))
    return false;
  for (size_t p = 1; p + 2 < parts.size(); ++p)
    if (!parseModifier(parts[p], mode))
      return false;
  if (!isComplete(mode))
    return false;
  Instruction &instruction = opcode.instruction;
  instruction.run = convertLanes;
  instruction.kind = Kind::Convert;
  std::memcpy(&instruction.immediate, &mode, sizeof mode);
  auto code = [](Type type) {
    return isFloat(type)
               ? std::string(1, static_cast<char>('0' + bytesOf(type)))
               : ">" + std::to_string(bytesOf(type));
  };
  opcode.operands = mode.pair ? "444" : code(mode.to) + code(mode.from);
  return true;
}
