//===-- runtime/core/Json.cpp - Reading JSON with checks ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Json.h"
#include "Utf8.h"

#include <charconv>
#include <cmath>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

using namespace cambium::runtime;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

/// The allocator of RapidJSON, whose own ones ignore that memory may run out.
class JsonAllocator {
public:
  void *Malloc(size_t size) {
    return size ? check(std::malloc(size)) : nullptr;
  }
  void *Realloc(void *memory, size_t, size_t size) {
    if (size)
      return check(std::realloc(memory, size));
    std::free(memory);
    return nullptr;
  }
  static void Free(void *memory) { std::free(memory); }

private:
  static void *check(void *memory) {
    if (!memory)
      throw std::bad_alloc();
    return memory;
  }
};

/// Receives the events of the parser. Functions are named by RapidJSON.
class Builder
    : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Builder> {
public:
  explicit Builder(JsonDocument &document)
      : values(document.values), mostNested(document.mostNested) {}

  /// Why a value was refused.
  std::string refusal =
      "Number too large or too small to be stored in a double.";

  bool Null() { return add(JsonKind::Null); }
  bool Bool(bool value) {
    add(JsonKind::Bool);
    values.back().integer = value;
    return true;
  }
  /// Numbers arrive as texts: RapidJSON's own conversion is not defined for all
  /// of them.
  bool RawNumber(const char *text, unsigned size, bool) {
    int64_t integer = 0;
    double number = 0;
    const char *end = text + size;
    bool isInteger = std::from_chars(text, end, integer).ptr == end &&
                     std::from_chars(text, end, integer).ec == std::errc();
    if (!isInteger && std::from_chars(text, end, number).ec != std::errc())
      return false;
    add(isInteger ? JsonKind::Integer : JsonKind::Number);
    values.back().integer = integer;
    values.back().number = isInteger ? static_cast<double>(integer) : number;
    if (!isInteger)
      values.back().text.assign(text, size);
    return true;
  }
  bool String(const char *text, unsigned size, bool) {
    add(JsonKind::String);
    values.back().text.assign(text, size);
    return true;
  }
  bool Key(const char *text, unsigned size, bool) {
    key.assign(text, size);
    return true;
  }
  bool StartObject() { return open(JsonKind::Object); }
  bool StartArray() { return open(JsonKind::Array); }
  bool EndObject(unsigned) { return close(); }
  bool EndArray(unsigned) { return close(); }

private:
  bool add(JsonKind kind) {
    auto index = static_cast<int64_t>(values.size());
    values.emplace_back();
    JsonValue &value = values.back();
    value.kind = kind;
    if (parents.empty())
      return true;
    JsonValue &parent = values[parents.back()];
    if (parent.kind == JsonKind::Object)
      value.name = std::move(key);
    if (parent.lastChild < 0)
      parent.firstChild = index;
    else
      values[static_cast<size_t>(parent.lastChild)].next = index;
    parent.lastChild = index;
    ++parent.numChildren;
    return true;
  }
  bool open(JsonKind kind) {
    if (parents.size() == mostNested) {
      refusal = format("Nested deeper than %zu values.", mostNested);
      return false;
    }
    add(kind);
    parents.push_back(values.size() - 1);
    return true;
  }
  bool close() {
    parents.pop_back();
    return true;
  }

  std::vector<JsonValue> &values;
  const size_t mostNested;
  std::vector<size_t> parents;
  std::string key;
};

} // namespace

void JsonDocument::parse(const char *text, size_t size, std::string &reason) {
  constexpr unsigned flags =
      rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
  errorOffset = findNonUtf8({text, size});
  if (errorOffset != size) {
    error = "Not UTF-8.";
    reason = format("%s (at byte %zu)", error.c_str(), errorOffset);
    return;
  }
  rapidjson::MemoryStream stream(text, size);
  rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>, JsonAllocator>
      reader;
  Builder builder(*this);
  rapidjson::ParseResult result = reader.Parse<flags>(stream, builder);
  if (!result.IsError())
    return;
  error = result.Code() == rapidjson::kParseErrorTermination
              ? builder.refusal
              : rapidjson::GetParseError_En(result.Code());
  errorOffset = result.Offset();
  reason = format("%s (at byte %zu)", error.c_str(), errorOffset);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Json Json::operator[](const char *name) const {
  std::string place = path.empty() ? name : path + "." + name;
  int64_t child = -1;
  if (index >= 0 && value().kind == JsonKind::Object) {
    child = value().firstChild;
    while (child >= 0 &&
           document->values[static_cast<size_t>(child)].name != name)
      child = document->values[static_cast<size_t>(child)].next;
  }
  return Json(document, child, std::move(place));
}

/// Elements are named by their position, members by their name.
static std::string childPath(const std::string &parent, const JsonValue *child,
                             unsigned position) {
  if (!child)
    return parent;
  if (child->name.empty())
    return parent + "[" + std::to_string(position) + "]";
  return parent.empty() ? child->name : parent + "." + child->name;
}

Json Json::first() const {
  Json child(document, index < 0 ? -1 : value().firstChild, path);
  child.parent = path;
  child.path = childPath(path, child.exists() ? &child.value() : nullptr, 0);
  return child;
}

Json Json::next() const {
  Json sibling(document, index < 0 ? -1 : value().next, parent);
  sibling.parent = parent;
  sibling.position = position + 1;
  sibling.path = childPath(
      parent, sibling.exists() ? &sibling.value() : nullptr, sibling.position);
  return sibling;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static const char *kindName(const JsonValue &value) {
  switch (value.kind) {
  case JsonKind::Null:
    return "null";
  case JsonKind::Bool:
    return "a truth value";
  case JsonKind::Integer:
    return "an integer";
  case JsonKind::Number:
    return "a number";
  case JsonKind::String:
    return "a string";
  case JsonKind::Array:
    return "an array";
  case JsonKind::Object:
    return "an object";
  }
  return "something else";
}

cambium_status_t Json::expected(const char *what) const {
  return fail(CAMBIUM_STATUS_MALFORMED, "%s: expected %s, but got %s",
              path.empty() ? "top level" : path.c_str(), what,
              index < 0 ? "nothing" : kindName(value()));
}

cambium_status_t Json::expectObject() const {
  return index >= 0 && value().kind == JsonKind::Object ? CAMBIUM_STATUS_OK
                                                        : expected("an object");
}

cambium_status_t Json::readArray(unsigned &size) const {
  size = 0;
  if (index < 0)
    return CAMBIUM_STATUS_OK;
  if (value().kind != JsonKind::Array)
    return expected("an array");
  size = value().numChildren;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Json::readInteger(int64_t &result) const {
  if (index < 0 || value().kind != JsonKind::Integer)
    return expected("an integer");
  result = value().integer;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Json::readNumber(double &result) const {
  bool isNumber = index >= 0 && (value().kind == JsonKind::Integer ||
                                 value().kind == JsonKind::Number);
  if (!isNumber || !std::isfinite(value().number))
    return expected("a finite number");
  result = value().number;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Json::readBool(bool &result) const {
  if (index < 0 || value().kind != JsonKind::Bool)
    return expected("true or false");
  result = value().integer != 0;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Json::readString(const char *&result, size_t &size) const {
  if (index < 0 || value().kind != JsonKind::String)
    return expected("a string");
  result = value().text.c_str();
  size = value().text.size();
  return CAMBIUM_STATUS_OK;
}
