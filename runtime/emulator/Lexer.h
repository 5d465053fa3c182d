//===-- runtime/emulator/Lexer.h - Words of PTX -----------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_LEXER_H
#define CAMBIUM_EMULATOR_LEXER_H

#include <cstdint>
#include <string>
#include <vector>

namespace cambium::emulator {

struct Token {
  enum Kind { Word, Number, Text, Mark, End };
  Kind kind = End;
  std::string text;
  uint32_t line = 0;

  bool is(const char *what) const { return kind != Text && text == what; }
};

/// The words of a text: identifiers with dots, `$` and `%` in them, numbers,
/// strings, and single marks. Throws ParseError.
std::vector<Token> tokenize(const std::string &text);

} // namespace cambium::emulator
#endif
