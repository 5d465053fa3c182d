//===-- runtime/core/JsonWriter.h - Writing JSON ----------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one place where the runtime and its tools write JSON. What is written is
/// valid as long as calls of begin and end pair up and each member of an object
/// has its key before.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_JSONWRITER_H
#define CAMBIUM_RUNTIME_CORE_JSONWRITER_H

#include <cstdint>
#include <string>
#include <string_view>

namespace cambium::runtime {

class JsonWriter {
public:
  enum class Layout {
    Line, ///< Without spaces.
    Tree  ///< A line per member, two spaces per level; arrays on one line.
  };

  explicit JsonWriter(Layout layout = Layout::Line)
      : isTree(layout == Layout::Tree) {}

  void beginObject() { begin('{'); }
  void endObject() { end('}'); }
  void beginArray() { begin('['); }
  void endArray() { end(']'); }
  void key(std::string_view name);

  void null() { raw("null"); }
  void truth(bool value) { raw(value ? "true" : "false"); }
  void integer(int64_t value);
  void natural(uint64_t value);
  /// A finite number, as few digits as make it again.
  void number(double value);
  /// UTF-8.
  void text(std::string_view value);

  /// What was written so far.
  const std::string &result() const { return written; }

private:
  void begin(char bracket);
  void end(char bracket);
  void raw(std::string_view value);
  void quote(std::string_view value);
  /// What stands between this value or key and the one before.
  void separate();
  void startLine();

  std::string written;
  std::string open;    ///< The brackets that are open.
  bool isFirst = true; ///< In the innermost bracket.
  bool hasKey = false; ///< The next value is that of a key.
  const bool isTree;
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_JSONWRITER_H
