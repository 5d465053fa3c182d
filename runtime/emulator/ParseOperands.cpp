//===-- runtime/emulator/ParseOperands.cpp - Operands of instructions -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parser.h"

#include <cstring>

using namespace cambium::emulator;

namespace {

struct SpecialName {
  const char *name;
  uint8_t width;
};

/// In the order of their places; see Warp.cpp, which fills them.
constexpr SpecialName kSpecials[] = {{"%tid.x", 4},
                                     {"%tid.y", 4},
                                     {"%tid.z", 4},
                                     {"%ntid.x", 4},
                                     {"%ntid.y", 4},
                                     {"%ntid.z", 4},
                                     {"%ctaid.x", 4},
                                     {"%ctaid.y", 4},
                                     {"%ctaid.z", 4},
                                     {"%nctaid.x", 4},
                                     {"%nctaid.y", 4},
                                     {"%nctaid.z", 4},
                                     {"%laneid", 4},
                                     {"%warpid", 4},
                                     {"%nwarpid", 4},
                                     {"%smid", 4},
                                     {"%nsmid", 4},
                                     {"%lanemask_eq", 4},
                                     {"%lanemask_le", 4},
                                     {"%lanemask_lt", 4},
                                     {"%lanemask_ge", 4},
                                     {"%lanemask_gt", 4},
                                     {"%dynamic_smem_size", 4},
                                     {"%total_smem_size", 4},
                                     {"%gridid", 8},
                                     {"%clock", 4},
                                     {"%clock_hi", 4},
                                     {"%globaltimer_lo", 4},
                                     {"%globaltimer_hi", 4},
                                     {"%clock64", 8},
                                     {"%globaltimer", 8}};
constexpr int kFirstClock = 25;

} // namespace

bool cambium::emulator::findSpecial(const std::string &name, Operand &operand) {
  int place = 0;
  for (const SpecialName &special : kSpecials) {
    if (name == special.name) {
      operand.base = Base::Special;
      operand.width = special.width;
      operand.offset = place * 8 * kLanes;
      return true;
    }
    ++place;
  }
  return false;
}

bool cambium::emulator::isClock(const Operand &operand) {
  return operand.base == Base::Special &&
         operand.offset >= kFirstClock * 8 * kLanes;
}

bool BodyParser::findRegister(const std::string &name, Operand &operand) const {
  size_t digits = name.size();
  while (digits > 0 && std::strchr("0123456789", name[digits - 1]))
    --digits;
  std::string range = name.substr(0, digits) + "<";
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    uint64_t number = 0;
    auto found = scope->registers.find(name);
    if (found == scope->registers.end()) {
      if (digits == name.size() || name.size() - digits > 9)
        continue;
      found = scope->registers.find(range);
      number = std::strtoull(name.c_str() + digits, nullptr, 10);
      if (found == scope->registers.end() || number >= found->second.count)
        continue;
    }
    const Register &reg = found->second;
    operand.base = Base::Registers;
    operand.width = reg.width;
    operand.offset = static_cast<int32_t>(
        reg.offset + number * (reg.width ? reg.width * kLanes : 4));
    return true;
  }
  return false;
}

const Parameter *BodyParser::findParameter(const std::string &name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto found = scope->parameters.find(name);
    if (found != scope->parameters.end())
      return &found->second;
  }
  return nullptr;
}

Operand BodyParser::constant(uint64_t bits, uint8_t width, int variable) {
  if (width && width < 8)
    bits &= (uint64_t{1} << (8 * width)) - 1;
  std::string key = std::to_string(bits) + "/" + std::to_string(width) + "/" +
                    std::to_string(variable);
  auto known = constants.emplace(key, function.constantBytes);
  if (known.second) {
    function.constants.push_back(
        {bits, width, function.constantBytes, variable});
    function.constantBytes += width ? width * kLanes : 64;
    if (function.constantBytes > 1u << 26)
      throw ParseError(line, "expected fewer constants");
  }
  Operand operand;
  operand.base = Base::Constants;
  operand.width = width;
  operand.offset = static_cast<int32_t>(known.first->second);
  return operand;
}

/// A name that stands for an address.
Operand BodyParser::parseSymbol(const std::string &name, int64_t addend,
                                uint8_t width) {
  Operand operand;
  auto local = locals.find(name);
  if (local != locals.end() && !addend) {
    operand.width = 8;
    operand.offset = static_cast<int32_t>(local->second);
    return operand;
  }
  auto bits = static_cast<uint64_t>(addend);
  if (const Parameter *parameter = findParameter(name))
    return constant(parameter->offset + bits, width);
  auto variable = module.variablesByName.find(name);
  if (variable != module.variablesByName.end())
    return constant(bits, width, variable->second);
  auto known = module.functionsByName.find(name);
  if (known != module.functionsByName.end())
    return constant(
        (kCodeWindow << kSpaceShift) + static_cast<uint64_t>(known->second), 8);
  throw ParseError(line,
                   "expected a register or a variable, but got '" + name + "'");
}

Operand BodyParser::parseAddress(int64_t &offset) {
  tokens.expect("[");
  Operand operand;
  if (tokens.peek().kind == Token::Word) {
    std::string name = tokens.take().text;
    if (!findRegister(name, operand))
      operand = parseSymbol(name, 0, 8);
    if (operand.width != 4 && operand.width != 8)
      throw ParseError(line, "expected an address of 32 or 64 bits, but got '" +
                                 name + "'");
  } else {
    operand = constant(static_cast<uint64_t>(tokens.integer()), 8);
  }
  if (tokens.accept("+"))
    offset = tokens.integer();
  else if (tokens.peek().is("-"))
    offset = tokens.integer();
  tokens.expect("]");
  return operand;
}

Operand BodyParser::parsePredicate() {
  Operand operand;
  bool negated = tokens.accept("!");
  if (tokens.peek().kind == Token::Number || tokens.peek().is("-"))
    return constant(tokens.integer() ? 1 : 0, 0);
  Token token = tokens.peek();
  std::string name = tokens.word("a predicate");
  if (name == "_")
    operand.offset = static_cast<int32_t>(sink);
  else if (!findRegister(name, operand) || operand.width)
    throw ParseError(token.line,
                     "expected a predicate, but got '" + name + "'");
  operand.negated = negated;
  return operand;
}

Operand BodyParser::parseOperand(char code, bool atLeast) {
  if (code == 'p')
    return parsePredicate();
  auto width = static_cast<uint8_t>(code - '0');
  const Token token = tokens.peek();
  Operand operand;
  if (token.kind != Token::Word) {
    bool isFloat = token.text.size() == 18 && (token.text[1] | 32) == 'd';
    auto bits = static_cast<uint64_t>(tokens.integer());
    if (isFloat && width != 8)
      throw ParseError(line, "expected a number of " +
                                 std::to_string(8 * width) +
                                 " bits, but got '" + token.text + "'");
    return constant(bits, width < 2 ? 2 : width);
  }
  std::string name = tokens.take().text;
  if (name == "_") {
    operand.width = width;
    operand.offset = static_cast<int32_t>(sink);
    return operand;
  }
  if (name == "WARP_SZ")
    return constant(kLanes, width);
  if (!findRegister(name, operand) && !findSpecial(name, operand))
    operand = parseSymbol(name, tokens.accept("+") ? tokens.integer() : 0,
                          width == 4 ? 4 : 8);
  if (atLeast ? operand.width < width : operand.width != width)
    throw ParseError(line, "expected " + std::to_string(8 * width) +
                               " bits, but got '" + name + "' of " +
                               std::to_string(8 * operand.width));
  return operand;
}

/// `codes` begins behind `{`.
void BodyParser::parseVector(const std::string &codes) {
  tokens.expect("{");
  for (size_t i = 0; codes[i] && codes[i] != '}'; ++i) {
    if (i)
      tokens.expect(",");
    bool atLeast = codes[i] == '>';
    function.operands.push_back(parseOperand(codes[i += atLeast], atLeast));
  }
  tokens.expect("}");
}

void BodyParser::parseOperands(const std::string &codes,
                               Instruction &instruction) {
  bool first = true;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] == ':') {
      if (tokens.peek().is(";"))
        return;
      continue;
    }
    if (codes[i] == '?') {
      Operand absent;
      absent.absent = true;
      function.operands.push_back(tokens.accept("|") ? parsePredicate()
                                                     : absent);
      continue;
    }
    if (!first)
      tokens.expect(",");
    first = false;
    if (codes[i] == '{') {
      parseVector(codes.substr(i + 1));
      i = codes.find('}', i);
    } else if (codes[i] == 'a') {
      int64_t offset = 0;
      function.operands.push_back(parseAddress(offset));
      if (i && codes[i - 1] == 'a')
        instruction.secondOffset = static_cast<int32_t>(offset);
      else
        instruction.immediate = offset;
    } else if (codes[i] == 'l') {
      instruction.target = labelOf(tokens.word("a label"));
    } else if (codes[i] == 't') {
      std::string name = tokens.word("a table of labels");
      auto table = tables.find(name);
      if (table == tables.end())
        throw ParseError(line,
                         "expected a table of labels, but got '" + name + "'");
      instruction.target = table->second;
    } else {
      bool atLeast = codes[i] == '>';
      function.operands.push_back(parseOperand(codes[i += atLeast], atLeast));
    }
  }
}
