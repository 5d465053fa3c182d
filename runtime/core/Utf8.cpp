//===-- runtime/core/Utf8.cpp - Which bytes are UTF-8 ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Utf8.h"

size_t cambium::runtime::characterLength(std::string_view text, size_t at) {
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

size_t cambium::runtime::findNonUtf8(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    size_t length = characterLength(text, at);
    if (length == 0)
      break;
    at += length;
  }
  return at;
}
