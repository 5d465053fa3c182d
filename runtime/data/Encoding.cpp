//===-- runtime/data/Encoding.cpp - Whether a text is UTF-8 ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../core/Utf8.h"
#include "Text.h"

#include <algorithm>
#include <cstdio>

using namespace cambium::data;

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
    const size_t length = runtime::characterLength(text, at);
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
