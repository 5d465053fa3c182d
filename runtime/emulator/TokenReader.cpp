//===-- runtime/emulator/TokenReader.cpp - What is asked of tokens --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parser.h"

#include <cstdlib>

using namespace cambium::emulator;

void TokenReader::fail(const std::string &expected) const {
  throw ParseError(peek().line,
                   "expected " + expected + ", but got '" + peek().text + "'");
}

void TokenReader::expect(const char *what) {
  if (!accept(what))
    fail(std::string("'") + what + "'");
}

std::string TokenReader::word(const char *what) {
  if (peek().kind != Token::Word)
    fail(what);
  return take().text;
}

int64_t TokenReader::integer() {
  bool negative = accept("-");
  if (!negative)
    accept("+");
  uint64_t bits;
  if (peek().kind != Token::Number || !bitsOfNumber(peek().text, bits))
    fail("a number");
  take();
  return static_cast<int64_t>(negative ? 0 - bits : bits);
}

uint64_t TokenReader::count(const char *what, uint64_t limit) {
  uint64_t bits;
  if (peek().kind != Token::Number || !bitsOfNumber(peek().text, bits) ||
      bits > limit)
    fail(std::string(what) + " of at most " + std::to_string(limit));
  take();
  return bits;
}

void TokenReader::skipLine() {
  uint32_t line = peek().line;
  while (peek().kind != Token::End && peek().line == line)
    take();
}

bool cambium::emulator::bitsOfNumber(const std::string &text, uint64_t &bits) {
  std::string digits = text;
  int base = 0;
  if (text.size() == 10 &&
      (!text.compare(0, 2, "0f") || !text.compare(0, 2, "0F")))
    base = 16;
  else if (text.size() == 18 &&
           (!text.compare(0, 2, "0d") || !text.compare(0, 2, "0D")))
    base = 16;
  if (base)
    digits = text.substr(2);
  else if (!digits.empty() && (digits.back() == 'U' || digits.back() == 'u'))
    digits.pop_back();
  if (digits.empty() || digits.find_first_of("-+ \t") != std::string::npos)
    return false;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] | 32) == 'b') {
    digits = digits.substr(2);
    base = 2;
  }
  char *end = nullptr;
  bits = std::strtoull(digits.c_str(), &end, base);
  return end == digits.c_str() + digits.size();
}
