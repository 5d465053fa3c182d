//===-- runtime/train/Json.cpp - Writing and reading small objects --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Json.h"
#include "../core/Json.h"
#include "../core/JsonWriter.h"

#include <charconv>
#include <cmath>
#include <optional>

using namespace cambium;
using namespace cambium::train;

Json::Json(double number) {
  if (std::isfinite(number))
    value = number;
}

Json::Json(const std::vector<std::string> &items) {
  value = Array(items.begin(), items.end());
}

const Json &Json::operator[](const std::string &key) const {
  static const Json null;
  if (isObject())
    for (const auto &[name, member] : members())
      if (name == key)
        return member;
  return null;
}

const Json::Array &Json::items() const {
  static const Array none;
  const Array *array = std::get_if<Array>(&value);
  return array ? *array : none;
}

double Json::number(double otherwise) const {
  if (const double *real = std::get_if<double>(&value))
    return *real;
  if (const int64_t *whole = std::get_if<int64_t>(&value))
    return static_cast<double>(*whole);
  if (const uint64_t *whole = std::get_if<uint64_t>(&value))
    return static_cast<double>(*whole);
  return otherwise;
}

int64_t Json::integer(int64_t otherwise) const {
  const int64_t *whole = std::get_if<int64_t>(&value);
  return whole ? *whole : otherwise;
}

uint64_t Json::natural(uint64_t otherwise) const {
  if (const uint64_t *whole = std::get_if<uint64_t>(&value))
    return *whole;
  const int64_t *whole = std::get_if<int64_t>(&value);
  return whole && *whole >= 0 ? static_cast<uint64_t>(*whole) : otherwise;
}

bool Json::truth(bool otherwise) const {
  const bool *truth = std::get_if<bool>(&value);
  return truth ? *truth : otherwise;
}

std::string Json::text(const std::string &otherwise) const {
  const std::string *text = std::get_if<std::string>(&value);
  return text ? *text : otherwise;
}

void Json::write(runtime::JsonWriter &writer) const {
  if (const bool *truth = std::get_if<bool>(&value)) {
    writer.truth(*truth);
  } else if (const int64_t *whole = std::get_if<int64_t>(&value)) {
    writer.integer(*whole);
  } else if (const uint64_t *whole = std::get_if<uint64_t>(&value)) {
    writer.natural(*whole);
  } else if (const double *real = std::get_if<double>(&value)) {
    writer.number(*real);
  } else if (const std::string *text = std::get_if<std::string>(&value)) {
    writer.text(*text);
  } else if (const Array *array = std::get_if<Array>(&value)) {
    writer.beginArray();
    for (const Json &item : *array)
      item.write(writer);
    writer.endArray();
  } else if (isObject()) {
    writer.beginObject();
    for (const auto &[key, member] : members()) {
      writer.key(key);
      member.write(writer);
    }
    writer.endObject();
  } else {
    writer.null();
  }
}

std::string Json::compact() const {
  runtime::JsonWriter writer;
  write(writer);
  return writer.result();
}

std::string Json::pretty() const {
  runtime::JsonWriter writer(runtime::JsonWriter::Layout::Tree);
  write(writer);
  return writer.result() + "\n";
}

/// A value of a parsed document, whose depth is limited, and a key that an
/// object in it has twice.
static Json valueOf(const runtime::JsonDocument &document, int64_t index,
                    std::optional<std::string> &twice) {
  using runtime::JsonKind;
  const runtime::JsonValue &value = document.values[static_cast<size_t>(index)];
  auto forEachChild = [&](auto &&take) {
    for (int64_t child = value.firstChild; child >= 0;
         child = document.values[static_cast<size_t>(child)].next)
      take(child);
  };
  switch (value.kind) {
  case JsonKind::Null:
    return Json();
  case JsonKind::Bool:
    return Json(value.integer != 0);
  case JsonKind::Integer:
    return Json(value.integer);
  case JsonKind::Number: {
    // Seeds may be larger than signed numbers.
    uint64_t natural = 0;
    const char *end = value.text.data() + value.text.size();
    const auto parsed = std::from_chars(value.text.data(), end, natural);
    return parsed.ec == std::errc() && parsed.ptr == end ? Json(natural)
                                                         : Json(value.number);
  }
  case JsonKind::String:
    return Json(value.text);
  case JsonKind::Array: {
    Json::Array items;
    forEachChild([&](int64_t child) {
      items.push_back(valueOf(document, child, twice));
    });
    return Json(std::move(items));
  }
  case JsonKind::Object: {
    Json object = Json::object();
    forEachChild([&](int64_t child) {
      const std::string &name =
          document.values[static_cast<size_t>(child)].name;
      for (const auto &[key, member] : object.members())
        if (key == name)
          twice = name;
      object.set(name.c_str(), valueOf(document, child, twice));
    });
    return object;
  }
  }
  return Json();
}

Status Json::parseObject(const std::string &text, const std::string &source,
                         Json &result, bool isByHand) {
  runtime::JsonDocument document;
  // Values are converted, destroyed and written recursively.
  document.mostNested = 100;
  std::string reason;
  const size_t mark = text.rfind("\xEF\xBB\xBF", 0) == 0 ? 3 : 0;
  document.parse(text.data() + mark, text.size() - mark, reason);
  if (!reason.empty())
    return Status::error(source + ": expected JSON, but at byte " +
                         std::to_string(document.errorOffset + mark) + ": " +
                         document.error);
  std::optional<std::string> twice;
  Json value = valueOf(document, 0, twice);
  if (isByHand && twice)
    return Status::error(source + ": expected each key once, but got '" +
                         *twice + "' twice");
  if (!value.isObject())
    return Status::error(source +
                         ": expected a JSON object, but got another value");
  result = std::move(value);
  return Status();
}
