//===-- runtime/data/Encoding.cpp - Whether a text is UTF-8 ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include <algorithm>
#include <cstdio>

using namespace cambium::data;

/// The length of the character that begins at `at`; 0 if it is not UTF-8:
/// overlong, a surrogate, beyond U+10FFFF, or cut off.
static size_t characterLength(std::string_view text, size_t at) {
  auto byte = [&](size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const unsigned first = byte(at), second = byte(at + 1);
  if (first < 0x80)
    return 1;
  const size_t length = first < 0xC2   ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80)
      return 0;
  const bool isOutOfRange =
      (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return isOutOfRange ? 0 : length;
}

/// The place of a byte of a text.
static Status wrongByte(std::string_view text, size_t at,
                        const std::string &source, int64_t firstLine,
                        const char *what, const char *note) {
  const std::string_view before = text.substr(0, at);
  const size_t newline = before.rfind('\n');
  const size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  const int64_t number =
      firstLine + std::count(before.begin(), before.end(), '\n');
  const Line line = {text.substr(begin), &source, number};
  char got[24];
  snprintf(got, sizeof got, "the byte 0x%02X",
           static_cast<unsigned>(static_cast<unsigned char>(text[at])));
  return line.expected(at - begin, what, std::string(got) + note);
}

Status cambium::data::checkText(std::string_view text,
                                const std::string &source, int64_t firstLine) {
  const std::string_view mark = text.substr(0, 2);
  const bool isUtf16 = mark == "\xFF\xFE" || mark == "\xFE\xFF";
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\0')
      return wrongByte(text, at, source, firstLine, "a text", "");
    const size_t length = characterLength(text, at);
    if (length == 0)
      return wrongByte(text, at, source, firstLine, "UTF-8",
                       isUtf16 ? ", a byte order mark of UTF-16 (iconv -f "
                                 "UTF-16 -t UTF-8 converts it)"
                               : "");
    at += length;
  }
  return Status();
}

Status cambium::data::readTextFile(const std::string &path,
                                   std::string &contents) {
  if (Status status = readFile(path, contents); !status.ok())
    return status;
  return checkText(contents, path == "-" ? "<stdin>" : path, 1);
}
