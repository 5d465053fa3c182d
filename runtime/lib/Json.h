//===-- runtime/lib/Json.h - Reading JSON with checks -----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thin layer over RapidJSON that answers every unexpected text with an error
/// that names the place: "params[3].shape: expected an array, but got a string".
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_LIB_JSON_H
#define CAMBIUM_RUNTIME_LIB_JSON_H

#include "Support.h"

#include <rapidjson/document.h>

#include <string>

namespace cambium::runtime {

using JsonDocument = rapidjson::Document;
using JsonValue = rapidjson::Value;

/// Parses a text without recursion. `reason` says what is wrong with it; empty
/// when nothing is.
void parseJson(const char *text, size_t size, JsonDocument &document,
               std::string &reason);

/// Whether a text is UTF-8, as everything in JSON must be.
bool isUtf8(const char *text);

/// A value together with its place in the text, for messages.
class Json {
public:
  Json(const JsonValue *value, std::string path)
      : value(value), path(std::move(path)) {}

  const std::string &where() const { return path; }
  bool isPresent() const { return value && !value->IsNull(); }
  bool isString() const { return value && value->IsString(); }
  const JsonValue &raw() const { return *value; }

  /// The member `name` of an object; absent if there is none.
  Json operator[](const char *name) const;
  Json at(unsigned index) const;

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
  const JsonValue *value;
  std::string path;
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_LIB_JSON_H
