//===-- runtime/emulator/Table.cpp - The instruction table ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Table.h"

#include "LaneForms.h"

#include <unordered_map>

using namespace cambium::emulator;

namespace {

using Rows = std::unordered_map<std::string, const Form *>;

/// Expands alternatives in braces: `add{.u32,.s32}`.
void expand(const std::string &pattern, const Form *form, Rows &rows) {
  size_t begin = pattern.find('{');
  if (begin == std::string::npos) {
    rows.emplace(pattern, form);
    return;
  }
  size_t end = pattern.find('}', begin);
  for (size_t at = begin + 1; at <= end;) {
    size_t comma = std::min(pattern.find(',', at), end);
    expand(pattern.substr(0, begin) + pattern.substr(at, comma - at) +
               pattern.substr(end + 1),
           form, rows);
    at = comma + 1;
  }
}

/// Rows of arithmetic for the processor at hand.
std::vector<Forms> laneForms() {
#ifdef CAMBIUM_EMULATOR_HAS_WIDE
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    return {wide::integerForms(), wide::bitForms(),  wide::floatForms(),
            wide::specialForms(), wide::halfForms(), wide::compareForms(),
            wide::convertForms()};
#endif
  return {baseline::integerForms(), baseline::bitForms(),
          baseline::floatForms(),   baseline::specialForms(),
          baseline::halfForms(),    baseline::compareForms(),
          baseline::convertForms()};
}

Rows makeRows() {
  Rows rows;
  std::vector<Forms> all = laneForms();
  all.insert(all.end(), {moveForms(), warpForms(), controlForms(), asyncForms(),
                         matrixForms()});
  for (const Forms &forms : all)
    for (size_t f = 0; f < forms.count; ++f)
      expand(forms.rows[f].names, &forms.rows[f], rows);
  return rows;
}

const Rows &table() {
  static const Rows rows = makeRows();
  return rows;
}

std::vector<std::string> split(const std::string &name) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= name.size();) {
    size_t dot = std::min(name.find('.', at), name.size());
    parts.push_back(name.substr(at, dot - at));
    at = dot + 1;
  }
  return parts;
}

} // namespace

bool cambium::emulator::findOpcode(const std::string &name, Opcode &opcode) {
  auto row = table().find(name);
  if (row == table().end()) {
    std::vector<std::string> parts = split(name);
    return decodeLoadStore(parts, opcode) || decodeAtomic(parts, opcode) ||
           decodeConvert(parts, opcode);
  }
  const Form &form = *row->second;
  Instruction &instruction = opcode.instruction;
  instruction.run = form.run;
  instruction.kind = form.kind;
  instruction.flow = form.flow;
  instruction.immediate = form.immediate;
  instruction.variant = form.variant;
  opcode.operands = form.operands;
  return true;
}

std::vector<std::string> cambium::emulator::opcodeNames() {
  std::vector<std::string> names;
  for (const auto &row : table())
    names.push_back(row.first);
  return names;
}
