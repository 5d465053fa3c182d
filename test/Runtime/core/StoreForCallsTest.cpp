//===-- test/Runtime/core/StoreForCallsTest.cpp - Copies alone ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

using namespace cambium::test;

namespace {

using Words = std::vector<uint32_t>;

/// How many words the panels of "W" have.
int64_t numWords = 0;

/// Copies the panels of "W", then the elements of "b".
int32_t readArrays(cambium_abi_call_t *call) {
  auto *panels = static_cast<const uint32_t *>(call->params[0].panels);
  auto *b = static_cast<const uint32_t *>(call->params[1].value);
  auto *out = static_cast<uint32_t *>(call->outputs[0]);
  for (int64_t i = 0; i < numWords; ++i)
    out[i] = panels[i];
  for (int64_t i = 0; i < 3; ++i)
    out[numWords + i] = b[i];
  return 0;
}

int32_t train(cambium_abi_call_t *) { return 0; }

struct Format {
  const char *text;
  int64_t words;
};

/// A matrix of 5 rows and 3 columns that functions read in panels of two
/// columns alone, and a row that they read.
class StoreForCallsTest : public testing::TestWithParam<Format> {
protected:
  void SetUp() override {
    numWords = GetParam().words;
    custom.abi.entries = entries;
    custom.abi.num_entries = 3;
    ASSERT_OK(custom.load(module));
  }

  Store make(bool isForCalls, cambium_store_options_t options = {}) {
    options.seed = 3;
    cambium_store_t *handle = nullptr;
    auto create =
        isForCalls ? cambium_store_create_for_calls : cambium_store_create;
    EXPECT_OK(create(module.get(), &options, &handle));
    return Store(handle);
  }

  /// What a call reads.
  Words wordsOf(const Store &store) {
    Batch batch = oneExample(module.get(), "f");
    Session session = makeSession();
    Words words(numWords + 3);
    cambium_buffer_t buffer = {words.data(), 4 * (numWords + 3)};
    EXPECT_OK(cambium_call(session.get(),
                           cambium_module_find_entry(module.get(), "f"),
                           store.get(), batch.get(), &buffer, 1));
    return words;
  }

  const cambium_abi_entry_t entries[3] = {
      {"f", readArrays}, {"t.accumulate", train}, {"t.apply", train}};
  CustomModule custom{R"({"abi": 6, "params": [
      {"name": "W", "type": "f32", "shape": [5, 3], "panels": 2,
       "panels_alone": true)" +
                      std::string(GetParam().text) +
                      R"(, "init": {"kind": "uniform", "a": -1, "b": 1}},
      {"name": "b", "type": "f32", "shape": [3], "state_slots": 1,
       "init": {"kind": "constant", "a": 2}}],
      "entries": [{"name": "f", "outputs": [{"name": "y", "type": "i32",
        "shape": [)" + std::to_string(GetParam().words + 3) +
                      R"(], "space": -2}]}, )" + kStepEntries + "]}"};
  Module module;
};

} // namespace

INSTANTIATE_TEST_SUITE_P(
    Formats, StoreForCallsTest,
    testing::Values(Format{"", 20}, Format{R"(, "panel_format": "bf16")", 12},
                    Format{R"(, "panel_format": "int8")", 16}));

/// The same numbers with less memory, and no value.
TEST_P(StoreForCallsTest, Initializers) {
  Store all = make(false), copies = make(true);
  EXPECT_EQ(wordsOf(copies), wordsOf(all));
  EXPECT_EQ(cambium_store_value(copies.get(), 0), nullptr);
  const auto *b =
      static_cast<const float *>(cambium_store_value(copies.get(), 1));
  EXPECT_EQ(b[2], 2.0f);
}

TEST_P(StoreForCallsTest, NoInitializers) {
  cambium_store_options_t options = {};
  options.skip_initializers = true;
  EXPECT_EQ(wordsOf(make(true, options)), wordsOf(make(false, options)));
}

TEST_P(StoreForCallsTest, ValuesThatAreSet) {
  Store all = make(false), copies = make(true);
  EXPECT_EQ(wordsOf(copies), wordsOf(all));
  std::vector<float> numbers;
  for (int i = 0; i < 15; ++i)
    numbers.push_back(static_cast<float>(i * i - 40));
  for (const Store *store : {&all, &copies}) {
    ASSERT_OK(cambium_store_set_value(store->get(), 0, CAMBIUM_TYPE_F32, 15,
                                      numbers.data()));
    ASSERT_OK(cambium_store_set_value(store->get(), 1, CAMBIUM_TYPE_F32, 3,
                                      numbers.data()));
  }
  EXPECT_EQ(wordsOf(copies), wordsOf(all));
}

/// State of an optimizer is left out.
TEST_P(StoreForCallsTest, Checkpoints) {
  TemporaryFolder folder;
  std::string path = folder.path() + "/a";
  cambium_store_options_t options = {};
  options.skip_initializers = true;
  Store all = make(false), copies = make(true, options);
  ASSERT_OK(cambium_store_prepare_training(all.get()));
  ASSERT_OK(cambium_store_save(all.get(), path.c_str(), 0));
  ASSERT_OK(cambium_store_load(copies.get(), path.c_str(), 0));
  EXPECT_EQ(wordsOf(copies), wordsOf(all));
  EXPECT_EQ(cambium_store_state(copies.get(), 1, 0), nullptr);
  EXPECT_ERROR(cambium_store_save(copies.get(), path.c_str(), 0), WRONG_STATE,
               "expected a store with all values for a checkpoint, but got one "
               "for calls, in which parameter 'W' is a copy alone");
}

TEST_P(StoreForCallsTest, NoTraining) {
  const std::string text = "training: expected a store of "
                           "cambium_store_create, but got one of "
                           "cambium_store_create_for_calls";
  Store store = make(true);
  EXPECT_ERROR(cambium_store_prepare_training(store.get()), WRONG_STATE, text);
  Batch batch = oneExample(module.get(), "t.accumulate");
  Session session = makeSession();
  cambium_learning_rate_t rate = {nullptr, 1};
  EXPECT_ERROR(
      cambium_step(session.get(), store.get(), batch.get(), &rate, 1, nullptr),
      WRONG_STATE, text);
}

/// There is memory for the copy, the row and, while it is made, the value.
TEST_P(StoreForCallsTest, MemoryLimit) {
  cambium_store_options_t options = {};
  const int64_t kept = 4 * GetParam().words + 4 * 3;
  options.memory_limit = kept + 4 * 15;
  make(true, options);
  cambium_store_t *none = nullptr;
  --options.memory_limit;
  EXPECT_ERROR(cambium_store_create_for_calls(module.get(), &options, &none),
               OUT_OF_MEMORY,
               "the value of parameter 'W' needs 60 bytes beside " +
                   std::to_string(kept) + " of this store, but the limit is " +
                   std::to_string(kept + 59));
  options.memory_limit = kept - 1;
  EXPECT_ERROR(cambium_store_create_for_calls(module.get(), &options, &none),
               OUT_OF_MEMORY,
               "the parameters of module 'static' need " +
                   std::to_string(kept) + " bytes, but the limit is " +
                   std::to_string(kept - 1));
}
