//===-- runtime/emulator/Atomic.cpp - atom and red ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "Table.h"

#include <cstring>

using namespace cambium::emulator;

namespace {

enum Operation : uint8_t {
  kAdd,
  kMin,
  kMax,
  kAnd,
  kOr,
  kXor,
  kExchange,
  kCompare,
  kIncrement,
  kDecrement
};
constexpr const char *kNames[] = {"add", "min",  "max", "and", "or",
                                  "xor", "exch", "cas", "inc", "dec"};

template <class T> T apply(uint8_t operation, T old, T b, T c) {
  switch (operation) {
  case kAdd:
    return static_cast<T>(old + b);
  case kMin:
    return old < b ? old : b;
  case kMax:
    return old > b ? old : b;
  case kExchange:
    return b;
  case kCompare:
    return old == b ? c : old;
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (operation) {
    case kAnd:
      return old & b;
    case kOr:
      return old | b;
    case kXor:
      return old ^ b;
    case kIncrement:
      return old >= b ? 0 : static_cast<T>(old + 1);
    case kDecrement:
      return old == 0 || old > b ? b : static_cast<T>(old - 1);
    default:
      break;
    }
  }
  return old;
}

/// Adds wrap, also of signed numbers.
template <class T>
void atomic(Lanes &lanes, const Instruction &i, uint32_t mask) {
  auto &warp = static_cast<Warp &>(lanes);
  uint64_t addresses[kLanes];
  uint8_t *host[kLanes];
  bool hasResult = i.count;
  const Operand *o = i.operands + hasResult;
  addressesOf(lanes, o[0], i.immediate, addresses);
  // One after another: lanes may share a word.
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctz(mask);
    resolve(warp, i, 1u << l, addresses, sizeof(T), Access::Atomic, host);
    T old, b, c{};
    uint64_t bBits = readLane(lanes, o[1], l);
    std::memcpy(&old, host[l], sizeof old);
    std::memcpy(&b, &bBits, sizeof b);
    if (i.variant == kCompare) {
      uint64_t cBits = readLane(lanes, o[2], l);
      std::memcpy(&c, &cBits, sizeof c);
    }
    T next = apply<T>(i.variant, old, b, c);
    warp.grid->events += std::memcmp(&next, &old, sizeof old) != 0;
    std::memcpy(host[l], &next, sizeof next);
    uint64_t result = 0;
    std::memcpy(&result, &old, sizeof old);
    if (hasResult)
      writeLane(lanes, i.operands[0], l, result);
  }
}

Handler handlerOf(const std::string &type, uint8_t operation) {
  bool orders = operation == kMin || operation == kMax;
  if (operation == kAdd && type == "f32")
    return atomic<float>;
  if (operation == kAdd && type == "f64")
    return atomic<double>;
  if (type[0] == 'f' || type.compare(0, 2, "bf") == 0)
    return nullptr;
  if (type == "s32")
    return orders ? atomic<int32_t> : atomic<uint32_t>;
  if (type == "s64")
    return orders ? atomic<int64_t> : atomic<uint64_t>;
  switch (bytesOfType(type)) {
  case 2:
    return operation == kCompare ? atomic<uint16_t> : nullptr;
  case 4:
    return atomic<uint32_t>;
  case 8:
    return atomic<uint64_t>;
  default:
    return nullptr;
  }
}

bool decodePart(const std::string &part, Instruction &i, bool &hasOperation) {
  for (uint8_t o = 0; o < sizeof kNames / sizeof *kNames; ++o)
    if (part == kNames[o]) {
      i.variant = o;
      return hasOperation = true;
    }
  if (part == "relaxed")
    i.semantics = Semantics::Relaxed;
  else if (part == "acquire")
    i.semantics = Semantics::Acquire;
  else if (part == "release")
    i.semantics = Semantics::Release;
  else if (part == "acq_rel")
    i.semantics = Semantics::AcqRel;
  else if (part == "cta")
    i.scope = Scope::Block;
  else if (part == "gpu" || part == "cluster")
    i.scope = Scope::Device;
  else if (part == "sys")
    i.scope = Scope::System;
  else if (part == "global")
    i.space = Space::Global;
  else if (part == "shared" || part == "shared::cta")
    i.space = Space::Shared;
  else
    return false;
  return true;
}

} // namespace

bool cambium::emulator::decodeAtomic(const std::vector<std::string> &parts,
                                     Opcode &opcode) {
  bool hasResult = parts[0] == "atom";
  if ((!hasResult && parts[0] != "red") || parts.size() < 3)
    return false;
  Instruction &i = opcode.instruction;
  i.semantics = Semantics::Relaxed;
  bool hasOperation = false;
  for (size_t p = 1; p + 1 < parts.size(); ++p)
    if (!decodePart(parts[p], i, hasOperation))
      return false;
  int bytes = bytesOfType(parts.back());
  if (!hasOperation || bytes < 2 || parts.back() == "pred")
    return false;
  i.run = handlerOf(parts.back(), i.variant);
  i.bytes = static_cast<uint8_t>(bytes);
  i.count = hasResult;
  i.kind = Kind::Atomic;
  std::string data(1, static_cast<char>('0' + bytes));
  opcode.operands = (hasResult ? data : "") + "a" + data +
                    (i.variant == kCompare ? data : "");
  return i.run != nullptr;
}
