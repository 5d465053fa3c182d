//===-- test/Runtime/core/PanelsTest.cpp - Parameters in panels -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

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

  Batch oneExample(const char *entry) {
    Batch batch = makeBatch(module.get(), entry);
    EXPECT_OK(cambium_batch_begin_example(batch.get(), 0));
    EXPECT_OK(cambium_batch_end_example(batch.get()));
    EXPECT_OK(cambium_batch_finish(batch.get()));
    return batch;
  }

  Numbers panels(cambium_session_t *session) {
    Numbers out(kSize);
    cambium_buffer_t buffer = {out.data(), kSize * int64_t{sizeof(float)}};
    Batch batch = oneExample("f");
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
      "{\"abi\": 4, \"params\": [{\"name\": \"W\", \"type\": \"f32\", "
      "\"shape\": [3, 2, 3], \"panels\": 2}], \"entries\": ["
      "{\"name\": \"f\", \"outputs\": [{\"name\": \"y\", \"type\": \"f32\", "
      "\"shape\": [24], \"space\": -2}]}, "
      "{\"name\": \"t.accumulate\", \"kind\": \"accumulate\", \"step\": \"t\", "
      "\"outputs\": [{\"name\": \"loss\", \"type\": \"f32\", \"shape\": [], "
      "\"space\": -2}]}, "
      "{\"name\": \"t.apply\", \"kind\": \"apply\", \"step\": \"t\", "
      "\"accumulate\": 1, \"scalars\": [\"lr.default\", "
      "\"gradient_scale\"]}]}"};
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
  Batch batch = oneExample("t.accumulate");
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
  Batch batch = oneExample("t.accumulate");
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
