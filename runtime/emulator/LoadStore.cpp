//===-- runtime/emulator/LoadStore.cpp - ld and st ------------------------===//
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

/// From memory to registers, which may be wider than what is loaded.
template <class T>
void fill(Lanes &w, const Operand &to, uint32_t mask, uint8_t *const *host,
          int element, bool isSigned) {
  if (to.width == sizeof(T)) {
    T *lanes = reinterpret_cast<T *>(w.bases[0] + to.offset);
    for (; mask; mask &= mask - 1) {
      int l = __builtin_ctz(mask);
      std::memcpy(lanes + l, host[l] + element * sizeof(T), sizeof(T));
    }
    return;
  }
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctz(mask);
    T value;
    std::memcpy(&value, host[l] + element * sizeof(T), sizeof(T));
    using S = std::make_signed_t<T>;
    uint64_t wide =
        isSigned
            ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<S>(value)))
            : value;
    writeLane(w, to, l, wide);
  }
}

template <class T>
void spill(const Lanes &w, const Operand &from, uint32_t mask,
           uint8_t *const *host, int element) {
  const uint8_t *lanes = w.bases[static_cast<int>(from.base)] + from.offset;
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctz(mask);
    std::memcpy(host[l] + element * sizeof(T), lanes + l * from.width,
                sizeof(T));
  }
}

template <class T> void load(Lanes &w, const Instruction &i, uint32_t mask) {
  uint64_t addresses[kLanes];
  uint8_t *host[kLanes];
  addressesOf(w, i.operands[i.count], i.immediate, addresses);
  resolve(static_cast<Warp &>(w), i, mask, addresses, sizeof(T) * i.count,
          Access::Read, host);
  for (int e = 0; e < i.count; ++e)
    fill<T>(w, i.operands[e], mask, host, e, i.isSigned);
}

template <class T> void store(Lanes &w, const Instruction &i, uint32_t mask) {
  uint64_t addresses[kLanes];
  uint8_t *host[kLanes];
  addressesOf(w, i.operands[0], i.immediate, addresses);
  auto &warp = static_cast<Warp &>(w);
  resolve(warp, i, mask, addresses, sizeof(T) * i.count, Access::Write, host);
  for (int e = 0; e < i.count; ++e)
    spill<T>(w, i.operands[1 + e], mask, host, e);
  ++warp.grid->events;
}

template <class T> Handler pick(bool isLoad) {
  return isLoad ? load<T> : store<T>;
}

struct Modifier {
  const char *name;
  Semantics semantics;
};
constexpr Modifier kSemantics[] = {{"weak", Semantics::Weak},
                                   {"relaxed", Semantics::Relaxed},
                                   {"volatile", Semantics::Relaxed},
                                   {"acquire", Semantics::Acquire},
                                   {"release", Semantics::Release}};

/// How caches are used, which shows nowhere.
bool isCacheHint(const std::string &part) {
  static const char *const names[] = {"ca",
                                      "cg",
                                      "cs",
                                      "lu",
                                      "cv",
                                      "cop",
                                      "wb",
                                      "wt",
                                      "nc",
                                      "L1::evict_normal",
                                      "L1::evict_unchanged",
                                      "L1::evict_first",
                                      "L1::evict_last",
                                      "L1::no_allocate",
                                      "L2::64B",
                                      "L2::128B",
                                      "L2::256B",
                                      "unified"};
  for (const char *name : names)
    if (part == name)
      return true;
  return false;
}

bool decodePart(const std::string &part, Instruction &i) {
  for (const Modifier &modifier : kSemantics)
    if (part == modifier.name) {
      i.semantics = modifier.semantics;
      if (part == "volatile")
        i.scope = Scope::System;
      return true;
    }
  if (part == "cta" || part == "gpu" || part == "sys" || part == "cluster")
    i.scope = part == "cta"   ? Scope::Block
              : part == "sys" ? Scope::System
                              : Scope::Device;
  else if (part == "v2" || part == "v4" || part == "v8")
    i.count = static_cast<uint8_t>(part[1] - '0');
  else if (part == "global")
    i.space = Space::Global;
  else if (part == "shared" || part == "shared::cta")
    i.space = Space::Shared;
  else if (part == "local")
    i.space = Space::Local;
  else if (part == "param" || part == "param::entry" || part == "param::func")
    i.space = Space::Param;
  else if (part == "const")
    i.space = Space::Const;
  else
    return isCacheHint(part);
  return true;
}

Kind kindOf(Space space) {
  switch (space) {
  case Space::Shared:
    return Kind::Shared;
  case Space::Local:
    return Kind::Local;
  case Space::Param:
    return Kind::Parameter;
  default:
    return Kind::Global;
  }
}

} // namespace

bool cambium::emulator::decodeLoadStore(const std::vector<std::string> &parts,
                                        Opcode &opcode) {
  bool isLoad = parts[0] == "ld" || parts[0] == "ldu";
  if ((!isLoad && parts[0] != "st") || parts.size() < 2)
    return false;
  Instruction &i = opcode.instruction;
  i.bytes = static_cast<uint8_t>(bytesOfType(parts.back()));
  i.isSigned = parts.back()[0] == 's';
  for (size_t p = 1; p + 1 < parts.size(); ++p)
    if (!decodePart(parts[p], i))
      return false;
  if (!i.bytes || parts.back() == "pred" ||
      (!isLoad && i.space == Space::Const) ||
      (isLoad && i.semantics == Semantics::Release) ||
      (!isLoad && i.semantics == Semantics::Acquire))
    return false;
  i.kind = kindOf(i.space);
  i.run = i.bytes == 1   ? pick<uint8_t>(isLoad)
          : i.bytes == 2 ? pick<uint16_t>(isLoad)
          : i.bytes == 4 ? pick<uint32_t>(isLoad)
                         : pick<uint64_t>(isLoad);
  std::string element = ">" + std::to_string(i.bytes), data = element;
  if (i.count > 1) {
    data = "{";
    for (int e = 0; e < i.count; ++e)
      data += element;
    data += "}";
  }
  opcode.operands = isLoad ? data + "a" : "a" + data;
  return true;
}
