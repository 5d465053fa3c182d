//===-- runtime/core/JsonWriter.cpp - Writing JSON ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "JsonWriter.h"

#include <charconv>

using namespace cambium::runtime;

void JsonWriter::startLine() {
  written += '\n';
  written.append(2 * open.size(), ' ');
}

void JsonWriter::separate() {
  if (hasKey) {
    hasKey = false;
    return;
  }
  if (!isFirst)
    written += ',';
  bool isInArray = open.empty() || open.back() == '[';
  if (isTree && !isInArray)
    startLine();
  else if (isTree && !isFirst)
    written += ' ';
  isFirst = false;
}

void JsonWriter::begin(char bracket) {
  separate();
  written += bracket;
  open += bracket;
  isFirst = true;
}

void JsonWriter::end(char bracket) {
  open.pop_back();
  if (isTree && !isFirst && bracket == '}')
    startLine();
  written += bracket;
  isFirst = false;
}

void JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  written += isTree ? ": " : ":";
  hasKey = true;
}

void JsonWriter::raw(std::string_view value) {
  separate();
  written += value;
}

void JsonWriter::text(std::string_view value) {
  separate();
  quote(value);
}

void JsonWriter::quote(std::string_view value) {
  constexpr std::string_view kShort = "\b\t\n\f\r\"\\";
  constexpr std::string_view kLetters = "btnfr\"\\";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  written += '"';
  for (char c : value) {
    size_t place = kShort.find(c);
    if (place != std::string_view::npos) {
      written += '\\';
      written += kLetters[place];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      written += "\\u00";
      written += kDigits[static_cast<size_t>(c) >> 4];
      written += kDigits[static_cast<size_t>(c) & 15];
    } else {
      written += c;
    }
  }
  written += '"';
}

void JsonWriter::integer(int64_t value) {
  char digits[24];
  raw({digits,
       static_cast<size_t>(
           std::to_chars(digits, digits + sizeof digits, value).ptr - digits)});
}

void JsonWriter::natural(uint64_t value) {
  char digits[24];
  raw({digits,
       static_cast<size_t>(
           std::to_chars(digits, digits + sizeof digits, value).ptr - digits)});
}

void JsonWriter::number(double value) {
  char digits[32];
  std::string_view text(
      digits,
      static_cast<size_t>(
          std::to_chars(digits, digits + sizeof digits, value).ptr - digits));
  raw(text);
  // So that whoever reads it again has a number that is no integer.
  if (text.find_first_of(".e") == std::string_view::npos)
    written += ".0";
}
