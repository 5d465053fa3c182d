//===-- test/Runtime/core/ManifestTest.cpp - Manifests that are wrong -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

using namespace cambium::test;

namespace {

int32_t nothing(cambium_abi_call_t *) { return 0; }

cambium_status_t loadText(const std::string &manifest) {
  CustomModule custom(manifest);
  const cambium_abi_entry_t entries[] = {{"f", nothing}, {"g", nothing}};
  custom.abi.entries = entries;
  custom.abi.num_entries = 2;
  Module module;
  return custom.load(module);
}

/// A manifest with these parameters.
std::string withParams(const std::string &params) {
  return "{\"abi\": 6, \"params\": [" + params + "], \"entries\": []}";
}

std::string withEntry(const std::string &entry) {
  return "{\"abi\": 6, \"entries\": [" + entry + "]}";
}

#define EXPECT_MANIFEST_ERROR(manifest, text)                                  \
  EXPECT_ERROR(loadText(manifest), MALFORMED,                                  \
               std::string("manifest of module 'static': ") + text)

} // namespace

TEST(ManifestTest, Text) {
  EXPECT_MANIFEST_ERROR("", "The document is empty. (at byte 0)");
  EXPECT_MANIFEST_ERROR(
      "{\"abi\": 6", "Missing a comma or '}' after an object member. (at byte "
                     "9)");
  EXPECT_MANIFEST_ERROR("[1]",
                        "top level: expected an object, but got an array");
  EXPECT_MANIFEST_ERROR("{}", "abi: expected an integer, but got nothing");
  EXPECT_MANIFEST_ERROR("{\"abi\": 6}",
                        "entries: expected an array, but got nothing");
  EXPECT_ERROR(loadText("{\"abi\": 1, \"entries\": []}"), INCOMPATIBLE,
               "manifest of module 'static': abi: expected 6, but got 1");
  EXPECT_OK(loadText("{\"abi\": 6, \"entries\": [{\"name\": \"f\"}]}"));
}

/// Nesting does not use the stack.
TEST(ManifestTest, DeepNesting) {
  constexpr size_t depth = 1000000;
  EXPECT_MANIFEST_ERROR(std::string(depth, '[') + std::string(depth, ']'),
                        "top level: expected an object, but got an array");
  EXPECT_EQ(loadText(std::string(depth, '[')), CAMBIUM_STATUS_MALFORMED);
}

TEST(ManifestTest, Parameters) {
  EXPECT_MANIFEST_ERROR(withParams("7"),
                        "params[0]: expected an object, but got an integer");
  EXPECT_MANIFEST_ERROR(withParams("{\"name\": \"\"}"),
                        "params[0].name: expected a name, but got \"\"");
  EXPECT_MANIFEST_ERROR(
      withParams("{\"name\": \"a#state0\"}"),
      "params[0].name: expected a name that is free in checkpoints, but got "
      "\"a#state0\"");
  EXPECT_MANIFEST_ERROR(
      withParams("{\"name\": \"a\", \"type\": \"f16\"}"),
      "params[0].type: expected f32, f64, i32, i64, i8 or i1, but got \"f16\"");
  EXPECT_MANIFEST_ERROR(
      withParams("{\"name\": \"a\", \"type\": \"f32\"}"),
      "params[0].shape: expected an array of sizes, but got nothing");
  EXPECT_MANIFEST_ERROR(
      withParams("{\"name\": \"a\", \"type\": \"f32\", \"shape\": [2, -1]}"),
      "params[0].shape[1]: expected a size that fits into memory, but got -1");
  EXPECT_MANIFEST_ERROR(
      withParams("{\"name\": \"a\", \"type\": \"f32\", \"shape\": [2, \"3\"]}"),
      "params[0].shape[1]: expected an integer, but got a string");
  EXPECT_MANIFEST_ERROR(
      withParams("{\"name\": \"a\", \"type\": \"f32\", \"shape\": "
                 "[1000000000, 1000000000, 1000000000]}"),
      "params[0].shape[1]: expected a size that fits into memory, but got "
      "1000000000");
  std::string good = "{\"name\": \"a\", \"type\": \"f32\", \"shape\": [2]}";
  EXPECT_MANIFEST_ERROR(
      withParams(good + "," + good),
      "params[1]: expected different names, but got \"a\" twice");
  std::string head = "{\"name\": \"a\", \"type\": \"f32\", \"shape\": [2], ";
  EXPECT_MANIFEST_ERROR(
      withParams(head + "\"slices\": 2}"),
      "params[0].slices: expected 0 to 1 dimensions, but got 2");
  EXPECT_MANIFEST_ERROR(
      withParams(head + "\"slices\": -1}"),
      "params[0].slices: expected 0 to 1 dimensions, but got -1");
  EXPECT_MANIFEST_ERROR(withParams(head + "\"state_slots\": 3}"),
                        "params[0].state_slots: expected 0, 1 or 2, but got 3");
  EXPECT_MANIFEST_ERROR(
      withParams(head + "\"trainable\": 1}"),
      "params[0].trainable: expected true or false, but got an integer");
  EXPECT_MANIFEST_ERROR(
      withParams("{\"name\": \"a\", \"type\": \"f32\", \"shape\": [], "
                 "\"row_sparse\": true}"),
      "params[0].row_sparse: expected 1 to 2147483647 rows");
}

TEST(ManifestTest, Panels) {
  std::string vector = "{\"name\": \"a\", \"type\": \"f32\", \"shape\": [2], ";
  EXPECT_MANIFEST_ERROR(withParams(vector + "\"panels\": 1}"),
                        "params[0].panels: expected 0 to 0 columns, but got 1");
  std::string matrix =
      "{\"name\": \"a\", \"type\": \"f32\", \"shape\": [3, 2], ";
  EXPECT_OK(loadText(withParams(matrix + "\"panels\": 2}")));
  EXPECT_MANIFEST_ERROR(withParams(matrix + "\"panels\": 3}"),
                        "params[0].panels: expected 0 to 2 columns, but got 3");
  EXPECT_MANIFEST_ERROR(
      withParams(matrix + "\"panels\": -1}"),
      "params[0].panels: expected 0 to 2 columns, but got -1");
  EXPECT_OK(loadText(
      withParams(matrix + "\"panels\": 2, \"panel_format\": \"bf16\"}")));
  EXPECT_OK(
      loadText(withParams(matrix + "\"panels\": 2, \"panels_alone\": true}")));
  EXPECT_MANIFEST_ERROR(
      withParams(matrix + "\"panels_alone\": true}"),
      "params[0].panels_alone: expected panels of a parameter that is read in "
      "them alone");
  EXPECT_MANIFEST_ERROR(
      withParams(matrix + "\"panels\": 2, \"panel_format\": \"f8\"}"),
      "params[0].panel_format: expected bf16 or int8 for panels of f32, but "
      "got "
      "\"f8\" for 2 columns of f32");
  EXPECT_MANIFEST_ERROR(withParams(matrix + "\"panel_format\": \"int8\"}"),
                        "params[0].panel_format: expected bf16 or int8 for "
                        "panels of f32, but got "
                        "\"int8\" for 0 columns of f32");
  EXPECT_MANIFEST_ERROR(
      withParams("{\"name\": \"a\", \"type\": \"f64\", \"shape\": [3, 2], "
                 "\"panels\": 2, \"panel_format\": \"int8\"}"),
      "params[0].panel_format: expected bf16 or int8 for panels of f32, but "
      "got "
      "\"int8\" for 2 columns of f64");
}

TEST(ManifestTest, FactoredState) {
  std::string vector = "{\"name\": \"a\", \"type\": \"f32\", \"shape\": [2], ";
  std::string matrix =
      "{\"name\": \"a\", \"type\": \"f32\", \"shape\": [3, 2], ";
  EXPECT_OK(
      loadText(withParams(matrix + "\"state_slots\": 2, \"factored\": true}")));
  EXPECT_MANIFEST_ERROR(
      withParams(vector + "\"state_slots\": 2, \"factored\": true}"),
      "params[0].factored: expected two slots and two dimensions or more, but "
      "got 2 and 1");
  EXPECT_MANIFEST_ERROR(
      withParams(matrix + "\"state_slots\": 1, \"factored\": true}"),
      "params[0].factored: expected two slots and two dimensions or more, but "
      "got 1 and 2");
  EXPECT_MANIFEST_ERROR(
      withParams(matrix + "\"factored\": 1}"),
      "params[0].factored: expected true or false, but got an integer");
  EXPECT_MANIFEST_ERROR(
      withParams("{\"name\": \"a\", \"type\": \"f32\", \"shape\": "
                 "[1099511627776, 0, 1099511627776], \"state_slots\": 2, "
                 "\"factored\": true}"),
      "params[0].factored: expected sizes that fit into memory");
}

TEST(ManifestTest, Kept) {
  auto withKept = [](const std::string &kept) {
    return "{\"abi\": 6, \"kept\": " + kept + ", \"entries\": []}";
  };
  EXPECT_OK(loadText(withKept("{\"bytes\": 8, \"marks\": 8}")));
  EXPECT_MANIFEST_ERROR(withKept("7"),
                        "kept.bytes: expected an integer, but got nothing");
  EXPECT_MANIFEST_ERROR(withKept("{\"bytes\": 8}"),
                        "kept.marks: expected an integer, but got nothing");
  for (const char *marks : {"9", "-1"})
    EXPECT_MANIFEST_ERROR(
        withKept("{\"bytes\": 8, \"marks\": " + std::string(marks) + "}"),
        "kept: expected marks within the bytes, but got an object");
}

TEST(ManifestTest, Initializers) {
  std::string head =
      "{\"name\": \"a\", \"type\": \"f32\", \"shape\": [2], \"init\": ";
  EXPECT_MANIFEST_ERROR(
      withParams(head + "{\"kind\": \"random\"}}"),
      "params[0].init.kind: expected an initializer, but got \"random\"");
  EXPECT_MANIFEST_ERROR(
      withParams(head + "{\"kind\": \"uniform\", \"a\": 1}}"),
      "params[0].init.b: expected a finite number, but got nothing");
  EXPECT_MANIFEST_ERROR(
      withParams(head + "{\"kind\": \"constant\", \"a\": \"x\"}}"),
      "params[0].init.a: expected a finite number, but got a string");
  EXPECT_MANIFEST_ERROR(withParams(head + "{\"kind\": \"orthogonal\"}}"),
                        "params[0].init: expected at least two dimensions for "
                        "orthogonal, but got "
                        "1");
  EXPECT_MANIFEST_ERROR(
      withParams(head + "{\"kind\": \"file\", \"path\": \"x\"}}"),
      "params[0].init.tensor: expected a string, but got nothing");
  EXPECT_MANIFEST_ERROR(
      withParams("{\"name\": \"a\", \"type\": \"i32\", \"shape\": [2], "
                 "\"init\": {\"kind\": \"xavier_normal\"}}"),
      "params[0].init: expected an f32 or f64 parameter for xavier_normal, but "
      "got i32");
}

TEST(ManifestTest, Entries) {
  EXPECT_ERROR(loadText(withEntry("{\"name\": \"h\"}")), MALFORMED,
               "module 'static': the manifest names the entry 'h', but the "
               "module has no such function");
  EXPECT_MANIFEST_ERROR(
      withEntry("{\"name\": \"f\"}, {\"name\": \"f\"}"),
      "entries[1]: expected different names, but got \"f\" twice");
  EXPECT_MANIFEST_ERROR(
      withEntry("{\"name\": \"f\", \"kind\": \"loop\"}"),
      "entries[0].kind: expected function, accumulate or apply, but got "
      "\"loop\"");
  EXPECT_MANIFEST_ERROR(
      withEntry("{\"name\": \"f\", \"spaces\": [{\"name\": \"s\", \"of\": "
                "\"x\"}]}"),
      "entries[0].spaces[0].of: expected nodes, rows or rows of rows, but got "
      "\"x\"");
  EXPECT_MANIFEST_ERROR(
      withEntry("{\"name\": \"f\", \"forests\": [{\"name\": \"t\", \"space\": "
                "0}]}"),
      "entries[0].forests[0].space: expected the index of one of 0 spaces, but "
      "got 0");
  EXPECT_MANIFEST_ERROR(
      withEntry("{\"name\": \"f\", \"spaces\": [{\"name\": \"s\", \"of\": "
                "\"nodes\"}], \"forests\": [{\"name\": \"t\", \"space\": 0, "
                "\"arity\": -2}]}"),
      "entries[0].forests[0].arity: expected -1 or more, but got -2");
  std::string same = "{\"name\": \"x\", \"type\": \"f32\", \"shape\": [], "
                     "\"space\": -1}";
  EXPECT_MANIFEST_ERROR(
      withEntry("{\"name\": \"f\", \"inputs\": [" + same + "," + same + "]}"),
      "entries[0].inputs[1]: expected different names, but "
      "got \"x\" twice");
  std::string input = "{\"name\": \"f\", \"inputs\": [{\"name\": \"x\", "
                      "\"type\": \"f32\", \"shape\": [], ";
  EXPECT_MANIFEST_ERROR(withEntry(input + "\"space\": -3}]}"),
                        "entries[0].inputs[0].space: expected a number in [-2, "
                        "0), but got -3");
  EXPECT_MANIFEST_ERROR(
      withEntry(input + "\"space\": -1, \"limit\": 4}]}"),
      "entries[0].inputs[0].limit: expected a limit of i32 or "
      "i64 ids");
  EXPECT_MANIFEST_ERROR(withEntry(input + "\"edges_of\": 0}]}"),
                        "entries[0].inputs[0].edges_of: expected the index of "
                        "one of 0 forests, but got 0");
  EXPECT_MANIFEST_ERROR(
      withEntry("{\"name\": \"f\", \"scalars\": [\"lr.a\"]}"),
      "entries[0].scalars: expected scalars of apply entries only");
}

TEST(ManifestTest, Steps) {
  std::string loss = "\"outputs\": [{\"name\": \"loss\", \"type\": \"f32\", "
                     "\"shape\": [], \"space\": -2}]";
  std::string accumulate = "{\"name\": \"f\", \"kind\": \"accumulate\", "
                           "\"step\": \"s\", " +
                           loss + "}";
  std::string apply = "{\"name\": \"g\", \"kind\": \"apply\", \"step\": \"s\"";
  EXPECT_OK(loadText(withEntry(accumulate + "," + apply + "}")));
  EXPECT_MANIFEST_ERROR(
      withEntry(accumulate),
      "entries: expected one accumulate and one apply entry of step \"s\"");
  EXPECT_MANIFEST_ERROR(
      withEntry(accumulate + "," + apply + ", \"accumulate\": 1}"),
      "entries[1].accumulate: expected 0, but got 1");
  EXPECT_MANIFEST_ERROR(
      withEntry("{\"name\": \"f\", \"kind\": \"accumulate\", \"step\": \"s\"}"),
      "entries[0].outputs: expected the loss first, one f32 or f64 per call");
  EXPECT_ERROR(loadText(withEntry(accumulate + "," + apply +
                                  ", \"scalars\": [\"momentum\"]}")),
               INCOMPATIBLE,
               "manifest of module 'static': entries[1].scalars[0]: expected "
               "lr.<group> or gradient_scale, but got \"momentum\"");
}

/// Damaged texts are answered with an error or accepted, never with a crash.
TEST(ManifestTest, RandomDamage) {
  std::mt19937 random = makeGenerator();
  std::string good = fake_cambium_module_query()->manifest;
  int refused = 0;
  constexpr int rounds = 3000;
  for (int round = 0; round < rounds; ++round) {
    std::string text = good;
    for (unsigned i = 0, n = 1 + random() % 4; i < n; ++i) {
      size_t place = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[place] = static_cast<char>(1 + random() % 255);
        break;
      case 1:
        text.erase(place, 1 + random() % 40);
        break;
      case 2:
        text.insert(place, text.substr(random() % text.size(), random() % 40));
        break;
      default:
        text.insert(place, std::to_string(static_cast<int>(random())));
      }
      if (text.empty())
        break;
    }
    refused += loadText(text) != CAMBIUM_STATUS_OK;
  }
  EXPECT_GT(refused, rounds / 2);
}
