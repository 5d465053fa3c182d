//===-- runtime/emulator/Instruction.h - A decoded instruction --*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an instruction is once its text is read: a handler with operands that
/// are offsets into arrays of 32 lanes. The handlers of arithmetic see no more
/// than this header, which includes nothing that the C++ library defines
/// inline: they are compiled for several kinds of processors.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_INSTRUCTION_H
#define CAMBIUM_EMULATOR_INSTRUCTION_H

#include <cstddef>
#include <cstdint>

namespace cambium::emulator {

constexpr int kLanes = 32;
constexpr uint32_t kAllLanes = 0xffffffffu;

/// Where the lanes of an operand lie.
enum class Base : uint8_t { Registers, Constants, Special };

/// Registers of 32 lanes each, but a predicate is one word with a bit per lane.
struct Operand {
  Base base = Base::Registers;
  /// Bytes of a lane; 0 for a predicate.
  uint8_t width = 0;
  /// Of a predicate: read as its complement.
  bool negated = false;
  /// Not written in the text (`d|p` without `|p`).
  bool absent = false;
  int32_t offset = 0;
};

/// What counters tell apart.
enum class Kind : uint8_t {
  Integer,
  Float,
  FusedMultiplyAdd,
  Special,
  Convert,
  Move,
  Compare,
  Global,
  Shared,
  Local,
  Parameter,
  Atomic,
  Fence,
  Warp,
  Matrix,
  Control,
  Barrier,
  NumKinds
};

/// What the loop over instructions does itself.
enum class Flow : uint8_t {
  None,
  Branch,
  BranchIndex,
  Call,
  Return,
  Exit,
  Barrier,
  /// Waits until all lanes of its mask are there, then runs its handler.
  Gather,
  /// Ends the turn of its warp.
  Yield,
  Trap,
  /// The end of a function without `ret`.
  End
};

enum class Space : uint8_t { Generic, Global, Shared, Local, Param, Const };
enum class Semantics : uint8_t { Weak, Relaxed, Acquire, Release, AcqRel, Sc };
enum class Scope : uint8_t { Block, Device, System };

struct Lanes;
struct Instruction;
using Handler = void (*)(Lanes &, const Instruction &, uint32_t mask);

struct Instruction {
  Handler run = nullptr;
  const Operand *operands = nullptr;
  /// The offset of an address; what else a family of instructions needs.
  int64_t immediate = 0;
  /// The offset of a second address.
  int32_t secondOffset = 0;
  uint32_t line = 0;
  /// The offset of the predicate, or -1.
  int32_t guard = -1;
  /// Of a branch: an index of an instruction; of a call: of its site; of a
  /// branch by index: of its table.
  int32_t target = -1;
  bool guardNegated = false;
  Flow flow = Flow::None;
  Kind kind = Kind::Integer;
  uint8_t numOperands = 0;
  /// Of a memory access: bytes of an element, and elements.
  uint8_t bytes = 0, count = 1;
  /// Of a memory access: the element is sign-extended.
  bool isSigned = false;
  Space space = Space::Generic;
  Semantics semantics = Semantics::Weak;
  Scope scope = Scope::Device;
  /// Which of a family: an operation of `atom`, a mode of `shfl`.
  uint8_t variant = 0;
};

/// The part of a warp that arithmetic sees.
struct Lanes {
  /// By `Base`.
  uint8_t *bases[3] = {nullptr, nullptr, nullptr};
  /// The carry of `add.cc`, a bit per lane.
  uint32_t carry = 0;
};

/// A row of the instruction table. `names` holds full names, separated by
/// spaces, with alternatives in braces: `add{,.rn}.f32`.
///
/// `operands` has a character per operand: `p` a predicate, `2`, `4`, `8` a
/// register or an immediate of so many bytes, `>` and a digit: of at least so
/// many, `?` an optional `|p` after the one before, `a` an address, `{...}` a
/// vector, `l` a label, `t` a table of labels; what follows `:` may be left
/// out.
struct Form {
  const char *names;
  Handler run;
  const char *operands;
  Kind kind;
  Flow flow = Flow::None;
  int64_t immediate = 0;
  uint8_t variant = 0;
};

/// Rows of one file.
struct Forms {
  const Form *rows;
  size_t count;
};

} // namespace cambium::emulator
#endif
