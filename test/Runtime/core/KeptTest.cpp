//===-- test/Runtime/core/KeptTest.cpp - Rows kept between calls ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <string>
#include <thread>
#include <vector>

using namespace cambium::test;

namespace {

constexpr int64_t kIds = 6, kWidth = 9, kMarks = 64;

/// What generated code does with a table: rows of ids that are not marked are
/// computed, and kept by who marks them first. A row is the parameter plus the
/// id, in all places; behind the rows stands how many were computed.
int32_t useTable(cambium_abi_call_t *call) {
  auto *out = static_cast<float *>(call->outputs[0]);
  const auto *value = static_cast<const float *>(call->params[0].value);
  auto *table = static_cast<char *>(call->params[1].value);
  auto *marks = reinterpret_cast<int32_t *>(table);
  auto *kept = reinterpret_cast<float *>(table + kMarks);
  float computed = 0;
  for (int64_t id = 0; id < kIds; ++id, kept += kWidth, out += kWidth) {
    if (__atomic_fetch_or(&marks[id], 0, __ATOMIC_ACQ_REL) == 3) {
      std::copy(kept, kept + kWidth, out);
      continue;
    }
    std::fill(out, out + kWidth, *value + static_cast<float>(id));
    computed += 1;
    if (__atomic_fetch_or(&marks[id], 1, __ATOMIC_ACQ_REL) != 0)
      continue;
    std::copy(out, out + kWidth, kept);
    __atomic_fetch_or(&marks[id], 2, __ATOMIC_ACQ_REL);
  }
  *out = computed;
  return 0;
}

int32_t accumulate(cambium_abi_call_t *call) {
  static_cast<float *>(call->outputs[0])[0] = 1;
  return 0;
}

/// Adds 100.
int32_t apply(cambium_abi_call_t *call) {
  *static_cast<float *>(call->params[0].value) += 100;
  return 0;
}

class KeptTest : public testing::Test {
protected:
  void SetUp() override {
    custom.abi.entries = entries;
    custom.abi.num_entries = 3;
    ASSERT_OK(custom.load(module));
    store = makeStore(module.get());
    set(1);
  }

  void set(float number) {
    EXPECT_OK(
        cambium_store_set_value(store.get(), 0, CAMBIUM_TYPE_F32, 1, &number));
  }

  cambium_status_t call(cambium_session_t *session, cambium_store_t *of,
                        std::vector<float> &out) {
    out.resize(kIds * kWidth + 1);
    cambium_buffer_t buffer = {out.data(),
                               static_cast<int64_t>(out.size() * 4)};
    Batch batch = oneExample(module.get(), "f");
    return cambium_call(session, cambium_module_find_entry(module.get(), "f"),
                        of, batch.get(), &buffer, 1);
  }

  /// Checks all rows; gives how many the call has computed.
  int rowsOf(cambium_session_t *session, float value) {
    std::vector<float> out;
    EXPECT_OK(call(session, store.get(), out));
    for (int64_t i = 0; i < kIds * kWidth; ++i)
      EXPECT_EQ(out[static_cast<size_t>(i)],
                value + static_cast<float>(i / kWidth));
    return static_cast<int>(out.back());
  }
  int rows(float value) { return rowsOf(session.get(), value); }

  const cambium_abi_entry_t entries[3] = {
      {"f", useTable}, {"t.accumulate", accumulate}, {"t.apply", apply}};
  CustomModule custom{
      "{\"abi\": 6, \"params\": [{\"name\": \"W\", \"type\": \"f32\", "
      "\"shape\": [1]}], \"kept\": {\"bytes\": 280, \"marks\": 24}, "
      "\"entries\": ["
      "{\"name\": \"f\", \"outputs\": [{\"name\": \"y\", \"type\": \"f32\", "
      "\"shape\": [55], \"space\": -2}]}, " +
      kStepEntries + "]}"};
  Module module;
  Store store;
  Session session = makeSession();
};

} // namespace

TEST_F(KeptTest, KeepRows) {
  EXPECT_EQ(rows(1), kIds);
  EXPECT_EQ(rows(1), 0);
  EXPECT_EQ(rows(1), 0);
}

/// Whatever changes a parameter leaves no row.
TEST_F(KeptTest, Changes) {
  EXPECT_EQ(rows(1), kIds);
  set(7);
  EXPECT_EQ(rows(7), kIds);
  Batch batch = oneExample(module.get(), "t.accumulate");
  cambium_learning_rate_t rate = {nullptr, 1};
  ASSERT_OK(
      cambium_step(session.get(), store.get(), batch.get(), &rate, 1, nullptr));
  EXPECT_EQ(rows(107), kIds);
  EXPECT_EQ(rows(107), 0);
  TemporaryFolder folder;
  std::string path = folder.path() + "/a";
  ASSERT_OK(cambium_store_save(store.get(), path.c_str(), 0));
  EXPECT_EQ(rows(107), 0);
  ASSERT_OK(cambium_store_load(store.get(), path.c_str(), 0));
  EXPECT_EQ(rows(107), kIds);
}

/// A store has a table of its own.
TEST_F(KeptTest, Stores) {
  EXPECT_EQ(rows(1), kIds);
  Store other = makeStore(module.get());
  std::vector<float> out;
  ASSERT_OK(call(session.get(), other.get(), out));
  EXPECT_EQ(out.front(), 0.0f);
  EXPECT_EQ(out.back(), static_cast<float>(kIds));
  EXPECT_EQ(rows(1), 0);
}

TEST_F(KeptTest, NoMemory) {
  cambium_store_options_t options = {};
  options.memory_limit = 4 + 279;
  cambium_store_t *handle = nullptr;
  ASSERT_OK(cambium_store_create(module.get(), &options, &handle));
  Store small(handle);
  std::vector<float> out;
  EXPECT_EQ(call(session.get(), small.get(), out),
            CAMBIUM_STATUS_OUT_OF_MEMORY);
  EXPECT_STREQ(cambium_last_error(),
               "rows that are kept need 280 bytes beside 4 of this "
               "store, but the limit is 283");
}

/// Calls at once fill one table, and read whole rows alone.
TEST_F(KeptTest, ManyThreads) {
  for (int round = 0; round < 20; ++round) {
    set(static_cast<float>(round));
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([this, round] {
        Session mine = makeSession();
        for (int times = 0; times < 3; ++times)
          rowsOf(mine.get(), static_cast<float>(round));
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(rows(static_cast<float>(round)), 0);
  }
}
