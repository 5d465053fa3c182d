//===-- runtime/emulator/Lexer.cpp - Words of PTX -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Lexer.h"

#include "Module.h"

#include <cctype>
#include <cstring>

using namespace cambium::emulator;

namespace {

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ||
         (c && std::strchr("_.$%", c));
}

class Lexer {
public:
  explicit Lexer(const std::string &text) : text(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    for (skipBlanks(); at < text.size(); skipBlanks())
      tokens.push_back(next());
    tokens.push_back({Token::End, "the end of the text", line});
    return tokens;
  }

private:
  char peek(size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : '\0';
  }

  void skipBlanks() {
    while (at < text.size()) {
      if (text[at] == '\n')
        ++line;
      if (std::isspace(static_cast<unsigned char>(text[at])) || !text[at])
        ++at;
      else if (peek() == '/' && peek(1) == '/')
        at = std::min(text.find('\n', at), text.size());
      else if (peek() == '/' && peek(1) == '*')
        skipComment();
      else
        return;
    }
  }

  void skipComment() {
    uint32_t begin = line;
    size_t end = text.find("*/", at + 2);
    if (end == std::string::npos)
      throw ParseError(begin, "expected '*/' after '/*'");
    for (; at < end + 2; ++at)
      line += text[at] == '\n';
  }

  Token next() {
    size_t begin = at;
    char c = text[at];
    if (c == '"') {
      size_t end = text.find_first_of("\"\n", at + 1);
      if (end == std::string::npos || text[end] == '\n')
        throw ParseError(line, "expected '\"' at the end of a string");
      at = end + 1;
      return {Token::Text, text.substr(begin + 1, end - begin - 1), line};
    }
    if (!isWord(c)) {
      ++at;
      return {Token::Mark, std::string(1, c), line};
    }
    while (isWord(peek()))
      ++at;
    auto kind = std::isdigit(static_cast<unsigned char>(c)) ? Token::Number
                                                            : Token::Word;
    return {kind, text.substr(begin, at - begin), line};
  }

  const std::string &text;
  size_t at = 0;
  uint32_t line = 1;
};

} // namespace

std::vector<Token> cambium::emulator::tokenize(const std::string &text) {
  return Lexer(text).run();
}
