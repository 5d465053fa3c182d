//===-- tools/cambium-run/Json.h - Writing and reading small objects -*- C++ -*-//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_JSON_H
#define CAMBIUM_RUN_JSON_H

#include "Engine.h"

#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

namespace cambium::run {

/// Builds a JSON object, key by key. Numbers that are not finite become null.
class JsonObject {
public:
  JsonObject() { document.SetObject(); }

  void set(const char *key, const std::string &value) {
    set(key, rapidjson::Value(value.c_str(), value.size(), allocator()));
  }
  void set(const char *key, const char *value) { set(key, std::string(value)); }
  void set(const char *key, double value);
  void set(const char *key, int64_t value) { set(key, rapidjson::Value(value)); }
  void set(const char *key, uint64_t value) {
    set(key, rapidjson::Value(value));
  }
  void set(const char *key, int value) { set(key, rapidjson::Value(value)); }
  void set(const char *key, bool value) { set(key, rapidjson::Value(value)); }
  void set(const char *key, const std::vector<std::string> &value);
  void set(const char *key, const std::vector<int64_t> &value);
  void set(const char *key, const JsonObject &value);
  void set(const char *key, const std::vector<JsonObject> &value);
  void set(const char *key, rapidjson::Value value);

  /// The text on one line, or over several lines.
  std::string text() const;
  std::string prettyText() const;

private:
  rapidjson::Document::AllocatorType &allocator() {
    return document.GetAllocator();
  }
  rapidjson::Document document;
};

/// Parses a text that is one object; `source` is its name in messages.
Status parseObject(const std::string &text, const std::string &source,
                   rapidjson::Document &document);

/// Members of an object; the default where there is none of that type.
double getNumber(const rapidjson::Value &object, const char *key,
                 double otherwise);
int64_t getInt(const rapidjson::Value &object, const char *key,
               int64_t otherwise);
bool getBool(const rapidjson::Value &object, const char *key, bool otherwise);
std::string getString(const rapidjson::Value &object, const char *key,
                      const std::string &otherwise = "");

} // namespace cambium::run

#endif // CAMBIUM_RUN_JSON_H
