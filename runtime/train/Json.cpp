//===-- runtime/train/Json.cpp - Writing and reading small objects --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Json.h"

#include <charconv>
#include <cmath>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>

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

namespace cambium::train {

/// Receives the parser's events and builds the value; no recursion.
class JsonBuilder {
public:
  bool Null() { return add(Json()); }
  bool Bool(bool value) { return add(value); }
  // Numbers arrive as texts, see RawNumber.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(int64_t) { return false; }
  bool Uint64(uint64_t) { return false; }
  bool Double(double) { return false; }
  /// RapidJSON's own conversion is not defined for all texts of numbers.
  bool RawNumber(const char *text, unsigned size, bool) {
    int64_t integer = 0;
    uint64_t natural = 0;
    double number = 0;
    const char *end = text + size;
    auto isWhole = [&](std::from_chars_result result) {
      return result.ec == std::errc() && result.ptr == end;
    };
    if (isWhole(std::from_chars(text, end, integer)))
      return add(integer);
    if (isWhole(std::from_chars(text, end, natural)))
      return add(natural);
    refusal = "Number too large or too small to be stored in a double.";
    return isWhole(std::from_chars(text, end, number)) && add(number);
  }
  bool String(const char *text, unsigned size, bool) {
    return add(std::string(text, size));
  }
  bool Key(const char *text, unsigned size, bool) {
    keys.back().assign(text, size);
    return true;
  }
  bool StartObject() { return open(Json::object()); }
  bool StartArray() { return open(Json::Array()); }
  bool EndObject(unsigned) { return close(); }
  bool EndArray(unsigned) { return close(); }

  Json result;
  /// Why a value was refused.
  const char *refusal = "";

private:
  bool open(Json value) {
    // Values are destroyed and written recursively.
    constexpr size_t kDeepest = 100;
    if (nested.size() == kDeepest) {
      refusal = "Nested deeper than 100 values.";
      return false;
    }
    nested.push_back(std::move(value));
    keys.emplace_back();
    return true;
  }
  bool close() {
    Json value = std::move(nested.back());
    nested.pop_back();
    keys.pop_back();
    return add(std::move(value));
  }
  bool add(Json value) {
    if (nested.empty())
      result = std::move(value);
    else if (auto *array = std::get_if<Json::Array>(&nested.back().value))
      array->push_back(std::move(value));
    else
      nested.back().set(keys.back().c_str(), std::move(value));
    return true;
  }

  std::vector<Json> nested;
  std::vector<std::string> keys;
};

} // namespace cambium::train

Status Json::parseObject(const std::string &text, const std::string &source,
                         Json &result) {
  constexpr unsigned flags = rapidjson::kParseIterativeFlag |
                             rapidjson::kParseNumbersAsStringsFlag |
                             rapidjson::kParseValidateEncodingFlag;
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  JsonBuilder builder;
  if (rapidjson::ParseResult parsed = reader.Parse<flags>(stream, builder);
      !parsed)
    return Status::error(source + ": expected JSON, but at byte " +
                         std::to_string(parsed.Offset()) + ": " +
                         (parsed.Code() == rapidjson::kParseErrorTermination
                              ? builder.refusal
                              : rapidjson::GetParseError_En(parsed.Code())));
  if (!builder.result.isObject())
    return Status::error(source +
                         ": expected a JSON object, but got another value");
  result = std::move(builder.result);
  return Status();
}
