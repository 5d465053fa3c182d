//===-- test/Runtime/core/JsonWriterTest.cpp - Written JSON ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../runtime/core/JsonWriter.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>

using cambium::runtime::JsonWriter;

namespace {

void writeAll(JsonWriter &json) {
  json.beginObject();
  json.key("empty");
  json.beginObject();
  json.endObject();
  json.key("list");
  json.beginArray();
  json.null();
  json.truth(true);
  json.beginArray();
  json.endArray();
  json.integer(-7);
  json.endArray();
  json.key("inner");
  json.beginObject();
  json.key("a");
  json.number(0.5);
  json.key("b");
  json.text("");
  json.endObject();
  json.endObject();
}

TEST(JsonWriterTest, Line) {
  JsonWriter json;
  writeAll(json);
  EXPECT_EQ(json.result(), R"({"empty":{},"list":[null,true,[],-7],)"
                           R"("inner":{"a":0.5,"b":""}})");
}

TEST(JsonWriterTest, Tree) {
  JsonWriter json(JsonWriter::Layout::Tree);
  writeAll(json);
  EXPECT_EQ(json.result(), R"({
  "empty": {},
  "list": [null, true, [], -7],
  "inner": {
    "a": 0.5,
    "b": ""
  }
})");
}

TEST(JsonWriterTest, Texts) {
  JsonWriter json;
  json.text("\"\\/\b\f\n\r\t\x01\x1f\x7f \xc3\xa4");
  EXPECT_EQ(json.result(),
            "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001F\x7f \xc3\xa4\"");
}

TEST(JsonWriterTest, Numbers) {
  auto written = [](auto write) {
    JsonWriter json;
    write(json);
    return json.result();
  };
  using Integers = std::numeric_limits<int64_t>;
  EXPECT_EQ(written([](JsonWriter &j) { j.integer(Integers::min()); }),
            "-9223372036854775808");
  EXPECT_EQ(written([](JsonWriter &j) { j.natural(~uint64_t{0}); }),
            "18446744073709551615");
  // A number that is read again is the same, and is no integer.
  for (double value : {0.0, -0.0, 1.0, 0.1, 1e-5, 1e300, 5e-324, -123456789.0,
                       std::numeric_limits<double>::max()}) {
    std::string text = written([&](JsonWriter &j) { j.number(value); });
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    EXPECT_NE(text.find_first_of(".e"), std::string::npos) << text;
  }
}

} // namespace
