//===-- runtime/emulator/Control.cpp - Branches, calls, ends --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "Table.h"

#include <algorithm>
#include <cstring>

using namespace cambium::emulator;

/// True: go on with this split. False: pick one anew.
bool Warp::control(Split &split, const Instruction &i, uint32_t taken) {
  switch (i.flow) {
  case Flow::Branch: {
    bool goesOn = branch(split, i, taken);
    yielded = polls;
    return goesOn && !polls;
  }
  case Flow::BranchIndex:
    branchByIndex(split, i, taken);
    return false;
  case Flow::Call:
    call(split, i, taken);
    return false;
  case Flow::Return:
  case Flow::Exit:
    if (!taken) {
      ++split.at;
      return true;
    }
    leave(split, taken, i.flow == Flow::Exit);
    return false;
  case Flow::Barrier:
    if (!taken) {
      ++split.at;
      return true;
    }
    block->arrive(*this, &split, i, taken);
    return false;
  case Flow::Gather:
    return gather(split, i, taken);
  case Flow::Yield:
    if (i.run && taken)
      i.run(*this, i, taken);
    ++split.at;
    yielded = true;
    return false;
  case Flow::Trap:
    if (taken)
      fail(Fault::Reason::Trap, "got a trap");
    ++split.at;
    return true;
  default:
    fail(Fault::Reason::Instruction,
         "expected 'ret' at the end of '" + split.frame->function->name + "'");
  }
}

bool Warp::branch(Split &split, const Instruction &i, uint32_t taken) {
  if (taken == split.mask) {
    split.at = i.target;
    return true;
  }
  ++split.at;
  if (!taken)
    return true;
  split.mask &= ~taken;
  ++split.frame->users;
  splits.push_back({taken, i.target, split.frame});
  return false;
}

void Warp::branchByIndex(Split &split, const Instruction &i, uint32_t taken) {
  const std::vector<int32_t> &table =
      split.frame->function->tables[static_cast<size_t>(i.target)];
  Frame *in = split.frame;
  int32_t next = split.at + 1;
  uint32_t rest = split.mask & ~taken;
  removeLanes(split, taken | rest);
  ++in->users;
  if (rest) {
    ++in->users;
    splits.push_back({rest, next, in});
  }
  while (taken) {
    uint64_t which = readLane(*this, i.operands[0], __builtin_ctz(taken));
    uint32_t same = 0;
    for (uint32_t m = taken; m; m &= m - 1) {
      int l = __builtin_ctz(m);
      if (readLane(*this, i.operands[0], l) == which)
        same |= 1u << l;
    }
    if (which >= table.size())
      fail(Fault::Reason::Instruction,
           "expected an index below " + std::to_string(table.size()) +
               ", but got " + std::to_string(which));
    ++in->users;
    splits.push_back({same, table[which], in});
    taken &= ~same;
  }
  drop(in);
}

void Warp::call(Split &split, const Instruction &i, uint32_t taken) {
  Frame *from = split.frame;
  const CallSite &site = from->function->calls[static_cast<size_t>(i.target)];
  int32_t next = split.at + 1;
  uint32_t rest = split.mask & ~taken;
  // Held, while no split is in it.
  ++from->users;
  removeLanes(split, taken | rest);
  if (rest) {
    ++from->users;
    splits.push_back({rest, next, from});
  }
  while (taken) {
    int index = site.callee;
    uint32_t same = taken;
    if (index < 0) {
      uint64_t pointer = readLane(*this, site.pointer, __builtin_ctz(taken));
      for (uint32_t m = taken; m; m &= m - 1)
        if (readLane(*this, site.pointer, __builtin_ctz(m)) != pointer)
          same &= ~(m & -m);
      uint64_t number = pointer - (kCodeWindow << kSpaceShift);
      if (number >= grid->module.functions.size())
        fail(Fault::Reason::Instruction, "expected the address of a function");
      index = static_cast<int>(number);
    }
    callOne(same, site, *grid->module.functions[static_cast<size_t>(index)],
            from, next);
    taken &= ~same;
  }
  drop(from);
}

void Warp::callOne(uint32_t mask, const CallSite &site, Function &callee,
                   Frame *from, int32_t returnTo) {
  auto agree = [](const std::vector<Parameter> &a,
                  const std::vector<Parameter> &b) {
    bool same = a.size() == b.size();
    for (size_t p = 0; same && p < a.size(); ++p)
      same = a[p].size == b[p].size;
    return same;
  };
  if (!callee.isDefined || callee.isEntry ||
      !agree(site.arguments, callee.parameters) ||
      !agree(site.results, callee.results))
    fail(Fault::Reason::Instruction,
         "expected a function with the parameters of the call, but got '" +
             callee.name + "'");
  Frame *to = enterFunction(callee, from);
  to->site = &site;
  to->returnTo = returnTo;
  to->users = 1;
  for (size_t p = 0; p < site.arguments.size(); ++p)
    for (uint32_t m = mask; m; m &= m - 1) {
      auto l = static_cast<size_t>(__builtin_ctz(m));
      std::memcpy(to->parameters + l * callee.parameterBytes +
                      callee.parameters[p].offset,
                  from->parameters + l * from->function->parameterBytes +
                      site.arguments[p].offset,
                  site.arguments[p].size);
    }
  splits.push_back({mask, 0, to});
}

/// Lanes return, or end.
void Warp::leave(Split &split, uint32_t mask, bool all) {
  Frame *in = split.frame, *to = in->parent;
  int32_t next = split.at + 1;
  uint32_t rest = split.mask & ~mask;
  ++in->users;
  removeLanes(split, split.mask);
  if (rest) {
    ++in->users;
    splits.push_back({rest, next, in});
  }
  if (!to || all) {
    live &= ~mask;
    auto count = static_cast<uint32_t>(__builtin_popcount(mask));
    block->live -= count;
    block->ended += count;
    ++grid->events;
    drop(in);
    for (int b = 0; b < 16; ++b)
      if (block->barriers[static_cast<size_t>(b)].arrived)
        block->tryRelease(b, *this);
    return;
  }
  for (size_t r = 0; r < in->site->results.size(); ++r)
    for (uint32_t m = mask; m; m &= m - 1) {
      auto l = static_cast<size_t>(__builtin_ctz(m));
      std::memcpy(to->parameters + l * to->function->parameterBytes +
                      in->site->results[r].offset,
                  in->parameters + l * in->function->parameterBytes +
                      in->function->results[r].offset,
                  in->site->results[r].size);
    }
  ++to->users;
  splits.push_back({mask, in->returnTo, to});
  drop(in);
}

/// A frame that nobody is in is used again.
void Warp::drop(Frame *in) {
  while (in && --in->users == 0) {
    Frame *parent = in->parent;
    grid->recycle(in);
    in = parent;
  }
}

void Warp::removeLanes(Split &split, uint32_t mask) {
  split.mask &= ~mask;
  if (split.mask)
    return;
  Frame *in = split.frame;
  splits.erase(splits.begin() + (&split - splits.data()));
  drop(in);
}

/// Lanes that a mask names wait for each other.
bool Warp::gather(Split &split, const Instruction &i, uint32_t taken) {
  if (!taken) {
    ++split.at;
    return true;
  }
  int first = __builtin_ctz(taken);
  auto need = static_cast<uint32_t>(
      i.immediate < 0 ? taken
                      : readLane(*this, i.operands[i.immediate], first));
  if (!(need >> first & 1))
    fail(Fault::Reason::Divergence, "expected a mask with the lane itself");
  if (need & live & ~taken) {
    split.state = Split::Gathering;
    return false;
  }
  i.run(*this, i, taken);
  ++split.at;
  return true;
}

uint64_t cambium::emulator::readLane(const Lanes &lanes, const Operand &operand,
                                     int lane) {
  uint64_t value = 0;
  std::memcpy(&value,
              lanes.bases[static_cast<int>(operand.base)] + operand.offset +
                  lane * operand.width,
              operand.width);
  return value;
}

void cambium::emulator::writeLane(Lanes &lanes, const Operand &operand,
                                  int lane, uint64_t value) {
  std::memcpy(lanes.bases[0] + operand.offset + lane * operand.width, &value,
              operand.width);
}

uint32_t cambium::emulator::predicateOf(const Lanes &lanes,
                                        const Operand &operand) {
  uint32_t bits;
  std::memcpy(&bits,
              lanes.bases[static_cast<int>(operand.base)] + operand.offset,
              sizeof bits);
  return operand.negated ? ~bits : bits;
}

void cambium::emulator::writePredicate(Lanes &lanes, const Operand &operand,
                                       uint32_t bits, uint32_t mask) {
  if (operand.absent)
    return;
  auto *to = reinterpret_cast<uint32_t *>(lanes.bases[0] + operand.offset);
  *to = (*to & ~mask) | (bits & mask);
}
