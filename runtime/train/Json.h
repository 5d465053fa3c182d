//===-- runtime/train/Json.h - Writing and reading small objects ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_JSON_H
#define CAMBIUM_TRAIN_JSON_H

#include "cambium/data.h"

#include <variant>

namespace cambium::runtime {
class JsonWriter;
}

namespace cambium::train {

using data::Status;

/// A JSON value: null, a truth value, a number, a text, an array, an object.
/// Members of objects keep their order.
class Json {
public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;
  Json(bool value) : value(value) {}
  Json(int value) : value(static_cast<int64_t>(value)) {}
  Json(int64_t value) : value(value) {}
  Json(uint64_t value) : value(value) {}
  /// Numbers that are not finite become null.
  Json(double number);
  Json(const char *text) : value(std::string(text)) {}
  Json(std::string text) : value(std::move(text)) {}
  Json(Array items) : value(std::move(items)) {}
  Json(const std::vector<std::string> &items);
  static Json object() {
    Json result;
    result.value = Object();
    return result;
  }

  /// Adds a member to an object.
  void set(const char *key, Json member) {
    std::get<Object>(value).emplace_back(key, std::move(member));
  }

  /// The member of an object; a null value where there is none.
  const Json &operator[](const std::string &key) const;
  bool isNull() const { return value.index() == 0; }
  bool isText() const { return std::holds_alternative<std::string>(value); }
  bool isTruth() const { return std::holds_alternative<bool>(value); }
  bool isArray() const { return std::holds_alternative<Array>(value); }
  bool isInteger() const { return std::holds_alternative<int64_t>(value); }
  bool isNatural() const {
    return std::holds_alternative<uint64_t>(value) ||
           (isInteger() && std::get<int64_t>(value) >= 0);
  }
  bool isNumber() const {
    return isInteger() || isNatural() || std::holds_alternative<double>(value);
  }
  bool isObject() const { return std::holds_alternative<Object>(value); }
  const Object &members() const { return std::get<Object>(value); }
  /// The items of an array; none if it is something else.
  const Array &items() const;
  /// The value; `otherwise` if it is of another type.
  double number(double otherwise) const;
  int64_t integer(int64_t otherwise) const;
  uint64_t natural(uint64_t otherwise) const;
  bool truth(bool otherwise) const;
  std::string text(const std::string &otherwise = "") const;

  /// As JSON, on one line, or over several lines with a line end.
  std::string compact() const;
  std::string pretty() const;

  /// Parses a text that is one object; `source` is its name in messages. What
  /// is written by hand must have each key once.
  static Status parseObject(const std::string &text, const std::string &source,
                            Json &result, bool isByHand = false);

private:
  void write(runtime::JsonWriter &writer) const;

  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string,
               Array, Object>
      value;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_JSON_H
