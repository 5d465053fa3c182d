//===-- test/Runtime/core/PanelsTest.cpp - Parameters in panels -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <cstring>
#include <limits>
#include <thread>
#include <vector>

using namespace cambium::test;

namespace {

using Numbers = std::vector<float>;

constexpr int64_t kSize = 3 * 2 * 4;

/// Writes the panels of the parameter, or -1 where there are none.
int32_t readPanels(cambium_abi_call_t *call) {
  auto *out = static_cast<float *>(call->outputs[0]);
  auto *panels = static_cast<const float *>(call->params[0].panels);
  for (int64_t i = 0; i < kSize; ++i)
    out[i] = panels ? panels[i] : -1;
  return 0;
}

/// The loss is 1 where there are panels.
int32_t accumulate(cambium_abi_call_t *call) {
  static_cast<float *>(call->outputs[0])[0] = call->params[0].panels ? 1 : 0;
  return 0;
}

/// Adds 100 to all elements.
int32_t apply(cambium_abi_call_t *call) {
  auto *value = static_cast<float *>(call->params[0].value);
  for (int64_t i = 0; i < 18; ++i)
    value[i] += 100;
  return 0;
}

/// Three matrices of 2 rows and 3 columns in panels of two columns.
class PanelsTest : public testing::Test {
protected:
  void SetUp() override {
    custom.abi.entries = entries;
    custom.abi.num_entries = 3;
    ASSERT_OK(custom.load(module));
    makeStore({});
  }

  void makeStore(cambium_store_options_t options) {
    cambium_store_t *handle = nullptr;
    ASSERT_OK(cambium_store_create(module.get(), &options, &handle));
    store.reset(handle);
    fill(1);
  }

  const float *value() {
    return static_cast<const float *>(cambium_store_value(store.get(), 0));
  }

  void fill(float first) {
    float numbers[18];
    for (int i = 0; i < 18; ++i)
      numbers[i] = first + static_cast<float>(i);
    EXPECT_OK(
        cambium_store_set_value(store.get(), 0, CAMBIUM_TYPE_F32, 18, numbers));
  }

  Numbers panels(cambium_session_t *session) {
    Numbers out(kSize);
    cambium_buffer_t buffer = {out.data(), kSize * int64_t{sizeof(float)}};
    Batch batch = oneExample(module.get(), "f");
    EXPECT_OK(cambium_call(session,
                           cambium_module_find_entry(module.get(), "f"),
                           store.get(), batch.get(), &buffer, 1));
    return out;
  }
  Numbers panels() { return panels(session.get()); }

  /// What they are to be where the first element is `first`.
  static Numbers expected(float first) {
    Numbers numbers;
    for (int matrix = 0; matrix < 3; ++matrix) {
      float m = first + static_cast<float>(6 * matrix);
      for (float x : {m, m + 1, m + 3, m + 4, m + 2, 0.0f, m + 5, 0.0f})
        numbers.push_back(x);
    }
    return numbers;
  }

  const cambium_abi_entry_t entries[3] = {
      {"f", readPanels}, {"t.accumulate", accumulate}, {"t.apply", apply}};
  CustomModule custom{
      "{\"abi\": 6, \"params\": [{\"name\": \"W\", \"type\": \"f32\", "
      "\"shape\": [3, 2, 3], \"panels\": 2}], \"entries\": ["
      "{\"name\": \"f\", \"outputs\": [{\"name\": \"y\", \"type\": \"f32\", "
      "\"shape\": [24], \"space\": -2}]}, " +
      kStepEntries + "]}"};
  Module module;
  Store store;
  Session session = makeSession();
};

} // namespace

TEST_F(PanelsTest, Layout) { EXPECT_EQ(panels(), expected(1)); }

TEST_F(PanelsTest, ValuesThatAreSet) {
  EXPECT_EQ(panels(), expected(1));
  fill(50);
  EXPECT_EQ(value()[17], 67.0f);
  EXPECT_EQ(panels(), expected(50));
}

TEST_F(PanelsTest, Updates) {
  EXPECT_EQ(panels(), expected(1));
  Batch batch = oneExample(module.get(), "t.accumulate");
  cambium_learning_rate_t rate = {nullptr, 1};
  for (float first : {101.0f, 201.0f}) {
    ASSERT_OK(cambium_step(session.get(), store.get(), batch.get(), &rate, 1,
                           nullptr));
    EXPECT_EQ(panels(), expected(first));
  }
}

/// A step reads copies that are there; it makes none, and reads none that are
/// old.
TEST_F(PanelsTest, StepsMakeNone) {
  Batch batch = oneExample(module.get(), "t.accumulate");
  cambium_learning_rate_t rate = {nullptr, 1};
  auto step = [&] {
    double hadPanels = -1;
    EXPECT_OK(cambium_step(session.get(), store.get(), batch.get(), &rate, 1,
                           &hadPanels));
    return hadPanels;
  };
  EXPECT_EQ(step(), 0);
  EXPECT_EQ(panels(), expected(101));
  EXPECT_EQ(step(), 1);
  EXPECT_EQ(step(), 0);
  EXPECT_EQ(panels(), expected(301));
  fill(1);
  EXPECT_EQ(step(), 0);
}

TEST_F(PanelsTest, Checkpoints) {
  TemporaryFolder folder;
  std::string path = folder.path() + "/a";
  ASSERT_OK(cambium_store_save(store.get(), path.c_str(), 0));
  fill(7);
  EXPECT_EQ(panels(), expected(7));
  ASSERT_OK(cambium_store_load(store.get(), path.c_str(), 0));
  EXPECT_EQ(panels(), expected(1));
}

/// What training may need comes first, and calls read the value.
TEST_F(PanelsTest, NoMemory) {
  constexpr int64_t arrays = 2 * 18 * 4, copy = 24 * 4;
  cambium_store_options_t options = {};
  options.memory_limit = arrays + 2 * copy - 1;
  makeStore(options);
  EXPECT_EQ(panels(), Numbers(kSize, -1));
  EXPECT_OK(cambium_store_prepare_training(store.get()));
  options.memory_limit = arrays + 2 * copy;
  makeStore(options);
  EXPECT_EQ(panels(), expected(1));
  EXPECT_OK(cambium_store_prepare_training(store.get()));
}

/// Calls at once of a store that others read through pointers.
TEST_F(PanelsTest, ManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this] {
      Session mine = makeSession();
      for (int round = 0; round < 50; ++round) {
        EXPECT_EQ(value()[0], 1.0f);
        EXPECT_EQ(panels(mine.get()), expected(1));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

namespace {

using Words = std::vector<uint32_t>;

/// Copies the words of the panels.
template <int64_t count> int32_t readWords(cambium_abi_call_t *call) {
  auto *panels = static_cast<const uint32_t *>(call->params[0].panels);
  auto *out = static_cast<uint32_t *>(call->outputs[0]);
  for (int64_t i = 0; i < count; ++i)
    out[i] = panels[i];
  return 0;
}

uint32_t bitsOf(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// A matrix of 5 rows and 3 columns in panels of two columns.
class WordsTest : public testing::Test {
protected:
  static std::string manifestOf(const std::string &format, int64_t words) {
    return R"({"abi": 6, "params": [{"name": "W", "type": "f32",
        "shape": [5, 3], "panels": 2, "panel_format": ")" +
           format + R"("}], "entries": [{"name": "f", "outputs": [{"name": "y",
        "type": "i32", "shape": [)" +
           std::to_string(words) + R"(], "space": -2}]}]})";
  }

  /// The words of the panels of `values`; none after an error.
  template <int64_t count>
  static Words wordsOf(const char *format, const float (&values)[15],
                       int64_t memoryLimit = 0) {
    const cambium_abi_entry_t entries[] = {{"f", readWords<count>}};
    CustomModule custom(manifestOf(format, count));
    custom.abi.entries = entries;
    custom.abi.num_entries = 1;
    Module module;
    EXPECT_OK(custom.load(module));
    cambium_store_options_t options = {};
    options.memory_limit = memoryLimit;
    cambium_store_t *handle = nullptr;
    EXPECT_OK(cambium_store_create(module.get(), &options, &handle));
    Store store(handle);
    EXPECT_OK(cambium_store_set_value(handle, 0, CAMBIUM_TYPE_F32, 15, values));
    Batch batch = makeBatch(module.get(), "f");
    EXPECT_OK(cambium_batch_begin_example(batch.get(), 0));
    EXPECT_OK(cambium_batch_end_example(batch.get()));
    EXPECT_OK(cambium_batch_finish(batch.get()));
    Session session = makeSession();
    Words words(count);
    cambium_buffer_t buffer = {words.data(), 4 * count};
    if (cambium_call(session.get(),
                     cambium_module_find_entry(module.get(), "f"), handle,
                     batch.get(), &buffer, 1))
      words.clear();
    return words;
  }
};

} // namespace

/// To nearest, a half to even; NaN stays NaN, and what is too large is
/// infinite.
TEST_F(WordsTest, Rounded) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), most = 3.4e38f;
  const float values[] = {1,    1.00390625f, 1.01171875f, -2, nan,
                          most, 0.5f,        -0.0f,       3,  4,
                          5,    6,           7,           8,  9};
  EXPECT_EQ(wordsOf<12>("bf16", values),
            (Words{0xc0003f80, 0x7fc03f80, 0x40803f00, 0x40a08000, 0x000040e0,
                   0x00004100, 0x7f803f82, 0, 0x40c04040, 0, 0x00004110, 0}));
}

/// By the largest absolute value of a column; one with NaN has no scale, and
/// one of nothing but zeros the scale 0.
TEST_F(WordsTest, Integers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float values[] = {127, nan,   0, -1, 1,    0, 63.5f, 1,
                          0,   64.5f, 1, 0,  -127, 1, 0};
  Words words = wordsOf<16>("int8", values);
  // Integers of the first column: 127, -1, 64, 64 and -127.
  int32_t sum = 127 - 1 + 64 + 64 - 127;
  ASSERT_EQ(words.size(), 16u);
  EXPECT_EQ(words[0], 0x4040ff7fu);
  EXPECT_EQ(words[2], 0x81u);
  EXPECT_EQ(words[4], bitsOf(1));
  EXPECT_EQ(words[6], static_cast<uint32_t>(-128 * sum));
  EXPECT_EQ(words[1], 0u);
  EXPECT_EQ(words[5] & 0x7fffffff, 0x7fc00000u);
  EXPECT_EQ(words[7], 0u);
  for (size_t i = 8; i < 16; ++i)
    EXPECT_EQ(words[i], 0u);
}

/// Products cannot do without them.
TEST_F(WordsTest, NoMemory) {
  const float values[15] = {};
  constexpr int64_t value = 15 * 4, copy = 2 * 4 * 2 * 4;
  EXPECT_EQ(wordsOf<16>("int8", values, value + copy).size(), 16u);
  EXPECT_TRUE(wordsOf<16>("int8", values, value + copy - 1).empty());
  EXPECT_STREQ(cambium_last_error(),
               "the rounded copy of parameter 'W' needs 64 bytes beside 60 of "
               "this store, but the limit is 123");
}
