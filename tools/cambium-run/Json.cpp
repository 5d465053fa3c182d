//===-- tools/cambium-run/Json.cpp - Writing and reading small objects ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Json.h"

#include <cmath>
#include <rapidjson/error/en.h>
#include <rapidjson/writer.h>

using namespace cambium::run;
using rapidjson::Value;

void JsonObject::set(const char *key, Value value) {
  document.AddMember(Value(key, allocator()), value, allocator());
}

void JsonObject::set(const char *key, double value) {
  set(key, std::isfinite(value) ? Value(value) : Value());
}

void JsonObject::set(const char *key, const std::vector<std::string> &value) {
  Value array(rapidjson::kArrayType);
  for (const std::string &text : value)
    array.PushBack(Value(text.c_str(), text.size(), allocator()), allocator());
  set(key, std::move(array));
}

void JsonObject::set(const char *key, const std::vector<int64_t> &value) {
  Value array(rapidjson::kArrayType);
  for (int64_t number : value)
    array.PushBack(Value(number), allocator());
  set(key, std::move(array));
}

void JsonObject::set(const char *key, const JsonObject &value) {
  set(key, Value(value.document, allocator()));
}

void JsonObject::set(const char *key, const std::vector<JsonObject> &value) {
  Value array(rapidjson::kArrayType);
  for (const JsonObject &object : value)
    array.PushBack(Value(object.document, allocator()), allocator());
  set(key, std::move(array));
}

std::string JsonObject::text() const {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  document.Accept(writer);
  return buffer.GetString();
}

std::string JsonObject::prettyText() const {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  writer.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  document.Accept(writer);
  return std::string(buffer.GetString()) + "\n";
}

Status cambium::run::parseObject(const std::string &text,
                                 const std::string &source,
                                 rapidjson::Document &document) {
  document.Parse<rapidjson::kParseFullPrecisionFlag |
                 rapidjson::kParseIterativeFlag>(text.c_str(), text.size());
  if (document.HasParseError())
    return Status::error(
        source + ": expected JSON, but got at byte " +
        std::to_string(document.GetErrorOffset()) + ": " +
        rapidjson::GetParseError_En(document.GetParseError()));
  if (!document.IsObject())
    return Status::error(source + ": expected a JSON object, but got another "
                                  "value");
  return Status();
}

static const Value *member(const Value &object, const char *key) {
  auto found = object.FindMember(key);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

double cambium::run::getNumber(const Value &object, const char *key,
                               double otherwise) {
  const Value *value = member(object, key);
  return value && value->IsNumber() ? value->GetDouble() : otherwise;
}

int64_t cambium::run::getInt(const Value &object, const char *key,
                             int64_t otherwise) {
  const Value *value = member(object, key);
  return value && value->IsInt64() ? value->GetInt64() : otherwise;
}

bool cambium::run::getBool(const Value &object, const char *key,
                           bool otherwise) {
  const Value *value = member(object, key);
  return value && value->IsBool() ? value->GetBool() : otherwise;
}

std::string cambium::run::getString(const Value &object, const char *key,
                                    const std::string &otherwise) {
  const Value *value = member(object, key);
  return value && value->IsString()
             ? std::string(value->GetString(), value->GetStringLength())
             : otherwise;
}
