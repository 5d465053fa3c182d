//===-- runtime/emulator/Parser.h - Reads PTX -------------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_PARSER_H
#define CAMBIUM_EMULATOR_PARSER_H

#include "Lexer.h"
#include "Module.h"
#include "Table.h"

namespace cambium::emulator {

/// Tokens with a place, and what is asked of them.
class TokenReader {
public:
  explicit TokenReader(std::vector<Token> tokens) : tokens(std::move(tokens)) {}

  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  Token take() {
    Token token = peek();
    at += at + 1 < tokens.size();
    return token;
  }
  bool accept(const char *what) {
    bool is = peek().is(what);
    if (is)
      take();
    return is;
  }
  void expect(const char *what);
  std::string word(const char *what);
  /// A sign and an integer.
  int64_t integer();
  uint64_t count(const char *what, uint64_t limit);
  void skipLine();
  [[noreturn]] void fail(const std::string &expected) const;

private:
  std::vector<Token> tokens;
  size_t at = 0;
};

/// The bits of a number: `12`, `0x1fU`, `0f3F800000`, `0d...`; false if it is
/// none.
bool bitsOfNumber(const std::string &text, uint64_t &bits);

/// Reads the bodies of functions.
class BodyParser {
public:
  BodyParser(TokenReader &tokens, Module &module, Function &function,
             int index);
  /// After `{`, up to its `}`.
  void run();
  static Parameter parseParameter(TokenReader &tokens, uint32_t &end);

private:
  struct Register {
    uint8_t width;
    uint32_t offset, count;
  };
  struct Names {
    std::unordered_map<std::string, Register> registers;
    std::unordered_map<std::string, Parameter> parameters;
  };

  bool parseStatement();
  void parseDirective();
  void parseRegisters();
  void parseLocal();
  void parseLabel();
  void parseTable(const std::string &name);
  void parseInstruction();
  void parseCall(Instruction &instruction);
  std::vector<Parameter> parseArguments();
  std::string parseName();
  void finish();

  void parseOperands(const std::string &codes, Instruction &instruction);
  void parseVector(const std::string &codes);
  Operand parseOperand(char code, bool atLeast);
  Operand parsePredicate();
  Operand parseAddress(int64_t &offset);
  Operand parseSymbol(const std::string &name, int64_t addend, uint8_t width);
  Operand constant(uint64_t bits, uint8_t width, int variable = -1);
  bool findRegister(const std::string &name, Operand &operand) const;
  const Parameter *findParameter(const std::string &name) const;
  uint32_t addRegisters(uint8_t width, uint64_t count);
  int32_t labelOf(const std::string &name);

  TokenReader &tokens;
  Module &module;
  Function &function;
  int index;
  std::vector<Names> scopes;
  std::vector<size_t> firstOperands;
  /// Labels by number; places, -1 while unknown.
  std::unordered_map<std::string, int32_t> labels;
  std::vector<int32_t> places;
  std::vector<uint32_t> labelLines;
  std::vector<std::string> labelNames;
  std::unordered_map<std::string, int32_t> tables;
  std::unordered_map<std::string, uint32_t> locals;
  std::unordered_map<std::string, uint32_t> constants;
  uint32_t sink = 0;
  uint32_t line = 0;
};

/// Reads a variable after its space; adds it to the module.
int parseVariable(TokenReader &tokens, Module &module, Space space, int owner,
                  bool isExternal);

/// The index of a function of this name, which need not be defined yet.
int functionOf(Module &module, const std::string &name, uint32_t line);

/// The special register of a name like `%tid.x`; false if there is none.
bool findSpecial(const std::string &name, Operand &operand);
/// `mov` from a register that changes by itself.
Handler clockHandler();
bool isClock(const Operand &operand);

} // namespace cambium::emulator
#endif
