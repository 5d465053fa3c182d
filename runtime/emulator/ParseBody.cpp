//===-- runtime/emulator/ParseBody.cpp - Bodies of functions --------------===//
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

constexpr uint32_t kMostRegisterBytes = 1u << 26;
constexpr uint32_t kMostParameterBytes = 1u << 16;
constexpr uint32_t kMostLocalBytes = 1u << 19;

uint32_t roundUp(uint32_t value, uint32_t align) {
  return (value + align - 1) / align * align;
}

} // namespace

BodyParser::BodyParser(TokenReader &tokens, Module &module, Function &function,
                       int index)
    : tokens(tokens), module(module), function(function), index(index) {
  scopes.emplace_back();
  for (const auto *list : {&function.parameters, &function.results})
    for (const Parameter &parameter : *list)
      scopes.back().parameters[parameter.name] = parameter;
  sink = addRegisters(8, 1);
}

Parameter BodyParser::parseParameter(TokenReader &tokens, uint32_t &end) {
  Parameter parameter;
  int bytes = 0;
  bool pointer = false;
  while (tokens.peek().kind == Token::Word && tokens.peek().text[0] == '.') {
    std::string word = tokens.take().text;
    if (word == ".align") {
      uint64_t align = tokens.count("an alignment", 1 << 12);
      if (!pointer)
        parameter.align = static_cast<uint32_t>(std::max<uint64_t>(align, 1));
    } else if (word == ".ptr") {
      pointer = true;
    } else if (!bytes && !pointer) {
      bytes = bytesOfType(word.substr(1));
    }
  }
  if (!bytes)
    tokens.fail("a type of a parameter");
  parameter.name = tokens.word("the name of a parameter");
  parameter.size = static_cast<uint32_t>(bytes);
  while (tokens.accept("[")) {
    parameter.size *=
        static_cast<uint32_t>(tokens.count("a size", kMostParameterBytes / 8));
    tokens.expect("]");
    if (parameter.size > kMostParameterBytes)
      tokens.fail("a smaller parameter");
  }
  parameter.align = std::max(parameter.align, static_cast<uint32_t>(bytes));
  parameter.offset = roundUp(end, parameter.align);
  end = parameter.offset + parameter.size;
  if (end > 16 * kMostParameterBytes)
    tokens.fail("smaller parameters");
  return parameter;
}

void BodyParser::run() {
  int depth = 1;
  while (depth) {
    if (tokens.peek().kind == Token::End)
      tokens.fail("'}'");
    if (tokens.accept("{")) {
      scopes.emplace_back();
      ++depth;
    } else if (tokens.accept("}")) {
      scopes.pop_back();
      --depth;
    } else {
      line = tokens.peek().line;
      parseStatement();
    }
  }
  finish();
}

bool BodyParser::parseStatement() {
  if (tokens.accept(";"))
    return true;
  const Token &token = tokens.peek();
  bool isLabel = token.kind == Token::Word && tokens.peek(1).is(":") &&
                 !tokens.peek(2).is(":");
  if (isLabel)
    parseLabel();
  else if (token.kind == Token::Word && token.text[0] == '.')
    parseDirective();
  else
    parseInstruction();
  return true;
}

void BodyParser::parseDirective() {
  if (tokens.peek().is(".loc") || tokens.peek().is(".file") ||
      tokens.peek().is(".pragma"))
    return tokens.skipLine();
  std::string word = tokens.take().text;
  if (word == ".reg")
    return parseRegisters();
  if (word == ".local")
    return parseLocal();
  if (word == ".shared" || word == ".global" || word == ".const") {
    if (word != ".shared")
      throw ParseError(line, "expected '" + word + "' outside of functions");
    parseVariable(tokens, module, Space::Shared, index, false);
    return;
  }
  if (word != ".param")
    throw ParseError(line, "expected a directive of a function, but got '" +
                               word + "'");
  Parameter parameter = parseParameter(tokens, function.parameterBytes);
  tokens.expect(";");
  scopes.back().parameters[parameter.name] = parameter;
}

uint32_t BodyParser::addRegisters(uint8_t width, uint64_t count) {
  uint32_t stride = width ? width * kLanes : 4;
  uint32_t begin = roundUp(function.registerBytes, width ? 64 : 4);
  if (count * stride + begin > kMostRegisterBytes)
    throw ParseError(line, "expected fewer registers");
  function.registerBytes = begin + static_cast<uint32_t>(count) * stride;
  return begin;
}

void BodyParser::parseRegisters() {
  std::string type = tokens.word("a type of registers");
  int bytes = bytesOfType(type.substr(1));
  if (bytes < 2 && type != ".pred" && type != ".b8" && type != ".u8" &&
      type != ".s8")
    throw ParseError(line,
                     "expected a type of registers, but got '" + type + "'");
  auto width = static_cast<uint8_t>(type == ".pred" ? 0
                                    : bytes == 1    ? 2
                                                    : bytes);
  do {
    std::string name = tokens.word("the name of a register");
    uint64_t count = 0;
    if (tokens.accept("<")) {
      count = tokens.count("a number of registers", 1 << 20);
      tokens.expect(">");
    }
    uint32_t offset = addRegisters(width, std::max<uint64_t>(count, 1));
    std::string key = count ? name + "<" : name;
    scopes.back().registers[key] = {width, offset,
                                    static_cast<uint32_t>(count)};
  } while (tokens.accept(","));
  tokens.expect(";");
}

/// The stack of a function, or what inline assembly declares.
void BodyParser::parseLocal() {
  uint32_t align = 1;
  uint64_t bytes = 0;
  while (tokens.peek().kind == Token::Word && tokens.peek().text[0] == '.') {
    if (tokens.accept(".align"))
      align = static_cast<uint32_t>(
          std::max<uint64_t>(tokens.count("an alignment", 1 << 12), 1));
    else
      bytes = static_cast<uint64_t>(bytesOfType(tokens.take().text.substr(1)));
  }
  std::string name = tokens.word("the name of a variable");
  while (tokens.accept("[")) {
    bytes = bytes * tokens.count("a size", kMostLocalBytes);
    tokens.expect("]");
    bytes = std::min<uint64_t>(bytes, kMostLocalBytes + 1);
  }
  tokens.expect(";");
  uint64_t begin =
      roundUp(function.localBytes, std::max(align, static_cast<uint32_t>(16)));
  if (!bytes || begin + bytes > kMostLocalBytes)
    throw ParseError(line, "expected from 1 to " +
                               std::to_string(kMostLocalBytes) +
                               " bytes of local memory");
  uint32_t pointer = addRegisters(8, 1);
  function.localPointers.push_back({pointer, static_cast<uint32_t>(begin)});
  function.localBytes = static_cast<uint32_t>(begin + bytes);
  locals[name] = pointer;
}

int32_t BodyParser::labelOf(const std::string &name) {
  auto known = labels.emplace(name, static_cast<int32_t>(places.size()));
  if (known.second) {
    places.push_back(-1);
    labelLines.push_back(line);
    labelNames.push_back(name);
  }
  return known.first->second;
}

void BodyParser::parseLabel() {
  std::string name = tokens.take().text;
  tokens.expect(":");
  if (tokens.accept(".branchtargets"))
    return parseTable(name);
  if (tokens.accept(".callprototype")) {
    // What it says is checked when the function is known.
    while (tokens.peek().kind != Token::End && !tokens.accept(";"))
      tokens.take();
    return;
  }
  if (tokens.peek().is(".calltargets"))
    throw ParseError(line, "expected no '.calltargets'");
  int32_t &place = places[static_cast<size_t>(labelOf(name))];
  if (place >= 0)
    throw ParseError(line, "expected one label '" + name + "'");
  place = static_cast<int32_t>(function.code.size());
}

void BodyParser::parseTable(const std::string &name) {
  std::vector<int32_t> targets;
  do {
    targets.push_back(labelOf(tokens.word("a label")));
  } while (tokens.accept(","));
  tokens.expect(";");
  tables[name] = static_cast<int32_t>(function.tables.size());
  function.tables.push_back(std::move(targets));
}

/// `add.s32`, `ld.global.L1::evict_last.b32`; a `mov` of several registers gets
/// a name of its own.
std::string BodyParser::parseName() {
  std::string name = tokens.word("an instruction");
  while (tokens.peek().is(":") && tokens.peek(1).is(":")) {
    tokens.take();
    tokens.take();
    if (tokens.peek().kind != Token::Number &&
        tokens.peek().kind != Token::Word)
      tokens.fail("a qualifier");
    name += "::" + tokens.take().text;
  }
  if (name.compare(0, 4, "mov."))
    return name;
  for (size_t at : {size_t{0}, size_t{2}}) {
    if (!tokens.peek(at).is("{"))
      continue;
    size_t count = 1;
    for (size_t i = at; i < at + 16 && !tokens.peek(i).is("}"); ++i)
      count += tokens.peek(i).is(",");
    return name + (at ? ".pack" : ".unpack") + std::to_string(count);
  }
  return name;
}

void BodyParser::parseInstruction() {
  int32_t guard = -1;
  bool negated = false;
  if (tokens.accept("@")) {
    Operand predicate = parsePredicate();
    if (predicate.base != Base::Registers)
      throw ParseError(line, "expected a predicate after '@'");
    guard = predicate.offset;
    negated = predicate.negated;
  }
  std::string name = parseName();
  Opcode opcode;
  if (!findOpcode(name, opcode))
    throw ParseError(line,
                     "expected a known instruction, but got '" + name + "'");
  Instruction instruction = opcode.instruction;
  instruction.line = line;
  instruction.guard = guard;
  instruction.guardNegated = negated;
  firstOperands.push_back(function.operands.size());
  if (instruction.flow == Flow::Call)
    parseCall(instruction);
  else
    parseOperands(opcode.operands, instruction);
  tokens.expect(";");
  size_t count = function.operands.size() - firstOperands.back();
  instruction.numOperands = static_cast<uint8_t>(count);
  if (count == 2 && name.compare(0, 4, "mov.") == 0 &&
      isClock(function.operands.back()))
    instruction.run = clockHandler();
  function.code.push_back(instruction);
}

std::vector<Parameter> BodyParser::parseArguments() {
  std::vector<Parameter> arguments;
  tokens.expect("(");
  if (tokens.accept(")"))
    return arguments;
  do {
    std::string name = tokens.word("a parameter");
    const Parameter *parameter = findParameter(name);
    if (!parameter)
      throw ParseError(line, "expected a parameter, but got '" + name + "'");
    arguments.push_back(*parameter);
  } while (tokens.accept(","));
  tokens.expect(")");
  return arguments;
}

/// `(results), callee, (arguments), prototype`.
void BodyParser::parseCall(Instruction &instruction) {
  CallSite site;
  if (tokens.peek().is("(")) {
    site.results = parseArguments();
    tokens.expect(",");
  }
  std::string name = tokens.word("a function");
  if (!findRegister(name, site.pointer))
    site.callee = functionOf(module, name, line);
  else if (site.pointer.width != 8)
    throw ParseError(line, "expected a function or a register of 64 bits, but "
                           "got '" +
                               name + "'");
  if (tokens.accept(",")) {
    if (tokens.peek().is("("))
      site.arguments = parseArguments();
    else
      tokens.word("a prototype");
  }
  if (tokens.accept(","))
    tokens.word("a prototype");
  instruction.target = static_cast<int32_t>(function.calls.size());
  function.calls.push_back(std::move(site));
}

/// Labels become places, indices of operands pointers.
void BodyParser::finish() {
  Instruction end;
  end.flow = Flow::End;
  end.kind = Kind::Control;
  end.line = line;
  firstOperands.push_back(function.operands.size());
  function.code.push_back(end);
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i] < 0)
      throw ParseError(labelLines[i],
                       "expected a label '" + labelNames[i] + "'");
  for (size_t i = 0; i < function.code.size(); ++i) {
    Instruction &instruction = function.code[i];
    instruction.operands = function.operands.data() + firstOperands[i];
    if (instruction.flow == Flow::Branch)
      instruction.target = places[static_cast<size_t>(instruction.target)];
  }
  for (std::vector<int32_t> &table : function.tables)
    for (int32_t &target : table)
      target = places[static_cast<size_t>(target)];
  function.registerBytes = roundUp(function.registerBytes, 64);
  function.parameterBytes = roundUp(function.parameterBytes, 16);
  if (function.parameterBytes > 16 * kMostParameterBytes)
    throw ParseError(line, "expected smaller parameters");
}
