//===-- runtime/emulator/ParseVariable.cpp - Variables and their values ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parser.h"

#include <algorithm>

using namespace cambium::emulator;

namespace {

constexpr uint64_t kLargestVariable = uint64_t{1} << 28;

uint64_t parseAlignment(TokenReader &tokens) {
  uint64_t align = tokens.count("an alignment", 1 << 20);
  if (!align || (align & (align - 1)))
    tokens.fail("an alignment that is a power of two");
  return align;
}

void append(std::vector<uint8_t> &bytes, uint64_t value, int size) {
  for (int i = 0; i < size; ++i)
    bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

/// A number, a function, or `generic(variable)` with an offset.
uint64_t parseInitialValue(TokenReader &tokens, Module &module) {
  if (tokens.peek().kind != Token::Word)
    return static_cast<uint64_t>(tokens.integer());
  bool generic = tokens.peek().is("generic") && tokens.peek(1).is("(");
  if (generic) {
    tokens.take();
    tokens.expect("(");
  }
  uint32_t line = tokens.peek().line;
  std::string name = tokens.word("a name");
  if (generic)
    tokens.expect(")");
  auto offset = tokens.peek().is("+") || tokens.peek().is("-")
                    ? static_cast<uint64_t>(tokens.integer())
                    : 0;
  auto variable = module.variablesByName.find(name);
  if (variable != module.variablesByName.end()) {
    const Variable &of =
        module.variables[static_cast<size_t>(variable->second)];
    uint64_t window =
        of.space == Space::Shared && generic ? kSharedWindow << kSpaceShift : 0;
    return window + of.address + offset;
  }
  int function = functionOf(module, name, line);
  return (kCodeWindow << kSpaceShift) + static_cast<uint64_t>(function);
}

void parseInitializer(TokenReader &tokens, Module &module, Variable &variable,
                      int size) {
  int depth = 0;
  do {
    while (tokens.accept("{"))
      ++depth;
    if (!tokens.peek().is("}"))
      append(variable.bytes, parseInitialValue(tokens, module), size);
    if (variable.bytes.size() > variable.size)
      tokens.fail("at most " + std::to_string(variable.size) +
                  " bytes of values");
    while (depth && tokens.accept("}"))
      --depth;
  } while (tokens.accept(",") || depth > 0);
}

} // namespace

int cambium::emulator::bytesOfType(const std::string &type) {
  static const std::unordered_map<std::string, int> bytes = {
      {"b8", 1},   {"u8", 1},    {"s8", 1},     {"b16", 2}, {"u16", 2},
      {"s16", 2},  {"f16", 2},   {"b32", 4},    {"u32", 4}, {"s32", 4},
      {"f32", 4},  {"b64", 8},   {"u64", 8},    {"s64", 8}, {"f64", 8},
      {"bf16", 2}, {"f16x2", 4}, {"bf16x2", 4}, {"pred", 1}};
  auto found = bytes.find(type);
  return found == bytes.end() ? 0 : found->second;
}

int cambium::emulator::parseVariable(TokenReader &tokens, Module &module,
                                     Space space, int owner, bool isExternal) {
  Variable variable;
  variable.space = space;
  variable.owner = owner;
  uint64_t vector = 1;
  int bytes = 0;
  while (tokens.peek().kind == Token::Word && tokens.peek().text[0] == '.') {
    if (tokens.accept(".align"))
      variable.align = parseAlignment(tokens);
    else if (tokens.accept(".v2"))
      vector = 2;
    else if (tokens.accept(".v4"))
      vector = 4;
    else if ((bytes = bytesOfType(tokens.peek().text.substr(1))))
      tokens.take();
    else
      tokens.fail("a type");
  }
  variable.align = std::max(variable.align, bytes * vector);
  uint32_t line = tokens.peek().line;
  variable.name = tokens.word("the name of a variable");
  if (!bytes)
    throw ParseError(line, "expected a type of '" + variable.name + "'");
  variable.size = static_cast<uint64_t>(bytes) * vector;
  while (tokens.accept("[")) {
    uint64_t count = 0;
    if (!tokens.peek().is("]"))
      count = tokens.count("a size", kLargestVariable);
    tokens.expect("]");
    variable.size *= count;
    if (variable.size > kLargestVariable)
      throw ParseError(line, "expected '" + variable.name +
                                 "' to have at most 256 MB");
  }
  variable.dynamic = space == Space::Shared && isExternal;
  if (isExternal && !variable.dynamic)
    throw ParseError(line, "expected '" + variable.name + "' to be defined");
  if (tokens.accept("="))
    parseInitializer(tokens, module, variable, bytes);
  tokens.expect(";");
  auto index = static_cast<int>(module.variables.size());
  if (!module.variablesByName.emplace(variable.name, index).second)
    throw ParseError(line, "expected one variable '" + variable.name + "'");
  module.variables.push_back(std::move(variable));
  return index;
}
