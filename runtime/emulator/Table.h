//===-- runtime/emulator/Table.h - The instruction table --------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_TABLE_H
#define CAMBIUM_EMULATOR_TABLE_H

#include "Instruction.h"

#include <string>
#include <vector>

namespace cambium::emulator {

/// What a name means: a row, or a member of a family that is too large for rows
/// (`ld`, `st`, `atom`, `red`, `cvt`).
struct Opcode {
  Instruction instruction;
  std::string operands;
};

/// Finds the instruction of a name like `add.s32`; false if there is none.
bool findOpcode(const std::string &name, Opcode &opcode);

/// All names that rows stand for, for the test that runs each of them.
std::vector<std::string> opcodeNames();

// Families: false if `parts`, the name between its dots, is none of theirs.
bool decodeLoadStore(const std::vector<std::string> &parts, Opcode &opcode);
bool decodeAtomic(const std::vector<std::string> &parts, Opcode &opcode);
bool decodeConvert(const std::vector<std::string> &parts, Opcode &opcode);

// Rows.
Forms arithmeticForms();
Forms moveForms();
Forms warpForms();
Forms controlForms();
Forms asyncForms();
Forms matrixForms();

/// The bytes of a type like `u32`, or 0.
int bytesOfType(const std::string &type);

} // namespace cambium::emulator
#endif
