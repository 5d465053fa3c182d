//===-- runtime/lib/Json.cpp - Reading JSON with checks -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Json.h"

#include <cmath>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>

using namespace cambium::runtime;

void cambium::runtime::parseJson(const char *text, size_t size,
                                 JsonDocument &document, std::string &reason) {
  // No recursion on nested input, exact numbers.
  constexpr unsigned flags = rapidjson::kParseIterativeFlag |
                             rapidjson::kParseFullPrecisionFlag |
                             rapidjson::kParseValidateEncodingFlag;
  document.Parse<flags>(text, size);
  if (document.HasParseError())
    reason = format("%s (at byte %zu)",
                    rapidjson::GetParseError_En(document.GetParseError()),
                    document.GetErrorOffset());
}

bool cambium::runtime::isUtf8(const char *text) {
  rapidjson::StringStream input(text);
  rapidjson::StringBuffer output;
  while (input.Peek() != '\0')
    if (!rapidjson::UTF8<>::Validate(input, output))
      return false;
  return true;
}

static const char *kindOf(const JsonValue *value) {
  if (!value)
    return "nothing";
  switch (value->GetType()) {
  case rapidjson::kNullType:
    return "null";
  case rapidjson::kFalseType:
  case rapidjson::kTrueType:
    return "a truth value";
  case rapidjson::kObjectType:
    return "an object";
  case rapidjson::kArrayType:
    return "an array";
  case rapidjson::kStringType:
    return "a string";
  case rapidjson::kNumberType:
    return "another number";
  }
  return "something else";
}

cambium_status_t Json::expected(const char *what) const {
  return fail(CAMBIUM_STATUS_MALFORMED, "%s: expected %s, but got %s",
              path.empty() ? "top level" : path.c_str(), what, kindOf(value));
}

Json Json::operator[](const char *name) const {
  std::string place = path.empty() ? name : path + "." + name;
  if (!value || !value->IsObject())
    return {nullptr, std::move(place)};
  auto member = value->FindMember(name);
  return {member == value->MemberEnd() ? nullptr : &member->value,
          std::move(place)};
}

Json Json::at(unsigned index) const {
  return {&(*value)[index], path + "[" + std::to_string(index) + "]"};
}

cambium_status_t Json::expectObject() const {
  return value && value->IsObject() ? CAMBIUM_STATUS_OK
                                    : expected("an object");
}

cambium_status_t Json::readArray(unsigned &size) const {
  size = 0;
  if (!value)
    return CAMBIUM_STATUS_OK;
  if (!value->IsArray())
    return expected("an array");
  size = value->Size();
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Json::readInteger(int64_t &result) const {
  if (!value || !value->IsInt64())
    return expected("an integer");
  result = value->GetInt64();
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Json::readNumber(double &result) const {
  if (!value || !value->IsNumber() || !std::isfinite(value->GetDouble()))
    return expected("a number");
  result = value->GetDouble();
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Json::readBool(bool &result) const {
  if (!value || !value->IsBool())
    return expected("true or false");
  result = value->GetBool();
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Json::readString(const char *&result, size_t &size) const {
  if (!value || !value->IsString())
    return expected("a string");
  result = value->GetString();
  size = value->GetStringLength();
  return CAMBIUM_STATUS_OK;
}
