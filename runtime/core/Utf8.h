//===-- runtime/core/Utf8.h - Which bytes are UTF-8 -------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_UTF8_H
#define CAMBIUM_RUNTIME_CORE_UTF8_H

#include <string_view>

namespace cambium::runtime {

/// The length of the character that begins at `at`; 0 if it is not UTF-8:
/// overlong, a surrogate, beyond U+10FFFF, or cut off.
size_t characterLength(std::string_view text, size_t at);

/// Where the first byte is that is not UTF-8; the size if there is none.
size_t findNonUtf8(std::string_view text);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_UTF8_H
