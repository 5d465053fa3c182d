//===-- runtime/core/Json.h - Reading JSON with checks ----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// JSON as a flat list of values, and a view of a value that answers everything
/// unexpected with an error that names the place:
/// "params[3].shape: expected an array, but got a string".
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_JSON_H
#define CAMBIUM_RUNTIME_CORE_JSON_H

#include "Support.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cambium::runtime {

enum class JsonKind { Null, Bool, Integer, Number, String, Array, Object };

/// One value. Elements and members are linked: no value owns another, so that
/// nesting of any depth is no matter.
struct JsonValue {
  JsonKind kind = JsonKind::Null;
  int64_t integer = 0; // also of Bool
  double number = 0;   // also of Integer
  std::string text;    // of a Number as it is written
  std::string name;    // of a member of an object
  int64_t firstChild = -1;
  int64_t lastChild = -1;
  int64_t next = -1;
  unsigned numChildren = 0;
};

/// A parsed text. Value 0 is the outermost one.
struct JsonDocument {
  std::vector<JsonValue> values;
  /// Values in values, at most: for readers that recurse over them.
  size_t mostNested = static_cast<size_t>(-1);
  /// What is wrong with the text, and the byte where; empty when nothing is.
  std::string error;
  size_t errorOffset = 0;

  /// Parses without recursion. `reason` is the error with its place.
  void parse(const char *text, size_t size, std::string &reason);
};

/// A value, or the lack of one, together with its place in the text.
class Json {
public:
  Json(const JsonDocument &document, std::string path)
      : document(&document), index(0), path(std::move(path)) {}

  const std::string &where() const { return path; }
  bool isPresent() const {
    return index >= 0 && value().kind != JsonKind::Null;
  }

  /// The member `name` of an object; absent if there is none.
  Json operator[](const char *name) const;
  /// The first element or member, and the one after this; absent at the end.
  Json first() const;
  Json next() const;
  bool exists() const { return index >= 0; }
  const std::string &name() const { return value().name; }

  cambium_status_t expectObject() const;
  /// The number of elements of an array; an absent one has none.
  cambium_status_t readArray(unsigned &size) const;
  cambium_status_t readInteger(int64_t &result) const;
  cambium_status_t readNumber(double &result) const;
  cambium_status_t readBool(bool &result) const;
  /// The text belongs to the document.
  cambium_status_t readString(const char *&result, size_t &size) const;

  /// An error at this place.
  cambium_status_t expected(const char *what) const;

private:
  Json(const JsonDocument *document, int64_t index, std::string path)
      : document(document), index(index), path(std::move(path)) {}
  const JsonValue &value() const {
    return document->values[static_cast<size_t>(index)];
  }

  const JsonDocument *document;
  int64_t index;      // -1: absent
  std::string path;   // of this value
  std::string parent; // of what this is an element or member of
  unsigned position = 0;
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_JSON_H
