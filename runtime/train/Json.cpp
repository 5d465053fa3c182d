//===-- runtime/train/Json.cpp - Writing and reading small objects --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Json.h"
#include "../core/Json.h"

#include <charconv>
#include <cmath>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

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

template <typename Writer> void Json::write(Writer &writer) const {
  if (const bool *truth = std::get_if<bool>(&value)) {
    writer.Bool(*truth);
  } else if (const int64_t *whole = std::get_if<int64_t>(&value)) {
    writer.Int64(*whole);
  } else if (const uint64_t *whole = std::get_if<uint64_t>(&value)) {
    writer.Uint64(*whole);
  } else if (const double *real = std::get_if<double>(&value)) {
    writer.Double(*real);
  } else if (const std::string *text = std::get_if<std::string>(&value)) {
    writer.String(text->data(), static_cast<unsigned>(text->size()));
  } else if (const Array *array = std::get_if<Array>(&value)) {
    writer.StartArray();
    for (const Json &item : *array)
      item.write(writer);
    writer.EndArray();
  } else if (isObject()) {
    writer.StartObject();
    for (const auto &[key, member] : members()) {
      writer.Key(key.data(), static_cast<unsigned>(key.size()));
      member.write(writer);
    }
    writer.EndObject();
  } else {
    writer.Null();
  }
}

std::string Json::compact() const {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  write(writer);
  return std::string(buffer.GetString(), buffer.GetSize());
}

std::string Json::pretty() const {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  writer.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  write(writer);
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

/// A value of a parsed document, whose depth is limited.
static Json valueOf(const runtime::JsonDocument &document, int64_t index) {
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
    forEachChild(
        [&](int64_t child) { items.push_back(valueOf(document, child)); });
    return Json(std::move(items));
  }
  case JsonKind::Object: {
    Json object = Json::object();
    forEachChild([&](int64_t child) {
      object.set(document.values[static_cast<size_t>(child)].name.c_str(),
                 valueOf(document, child));
    });
    return object;
  }
  }
  return Json();
}

Status Json::parseObject(const std::string &text, const std::string &source,
                         Json &result) {
  runtime::JsonDocument document;
  // Values are converted, destroyed and written recursively.
  document.mostNested = 100;
  std::string reason;
  document.parse(text.data(), text.size(), reason);
  if (!reason.empty())
    return Status::error(source + ": expected JSON, but at byte " +
                         std::to_string(document.errorOffset) + ": " +
                         document.error);
  Json value = valueOf(document, 0);
  if (!value.isObject())
    return Status::error(source +
                         ": expected a JSON object, but got another value");
  result = std::move(value);
  return Status();
}
