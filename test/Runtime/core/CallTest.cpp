//===-- test/Runtime/core/CallTest.cpp - Running functions ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <atomic>
#include <thread>

using namespace cambium::test;

namespace {

class CallTest : public ::testing::Test {
protected:
  Module module = fakeModule();
  Store store = makeStore(module.get());
  Session session = makeSession();
  const cambium_entry_t *sum = cambium_module_find_entry(module.get(), "sum");

  /// A tree of three nodes with these tokens; the rest follows from `number`.
  void add(cambium_batch_t *batch, std::vector<int32_t> tokens, int number,
           uint64_t ordinal = 0) {
    const int32_t parents[] = {2, 2, -1};
    const float vectors[] = {1, static_cast<float>(number)};
    const double weights[] = {0.5};
    const auto scale = static_cast<float>(number);
    const int64_t labels[] = {number, number + 1};
    ASSERT_OK(cambium_batch_begin_example(batch, ordinal));
    ASSERT_OK(cambium_batch_set_tree_parents(batch, 0, 3, parents));
    ASSERT_OK(
        cambium_batch_set_input(batch, 0, CAMBIUM_TYPE_I32, 3, tokens.data()));
    ASSERT_OK(cambium_batch_set_input(batch, 1, CAMBIUM_TYPE_F32, 1, vectors));
    ASSERT_OK(cambium_batch_set_input(batch, 2, CAMBIUM_TYPE_F64, 1, weights));
    ASSERT_OK(cambium_batch_set_input(batch, 3, CAMBIUM_TYPE_F32, 1, &scale));
    ASSERT_OK(cambium_batch_set_input(batch, 4, CAMBIUM_TYPE_I64, 2, labels));
    ASSERT_OK(cambium_batch_end_example(batch));
  }

  /// A finished batch of two examples.
  Batch twoExamples() {
    Batch batch = makeBatch(module.get(), "sum");
    cambium_batch_set_key_seed(batch.get(), 77);
    add(batch.get(), {1, 2, 3}, 10, 1000);
    add(batch.get(), {7, 0, 1}, 20, 2000);
    EXPECT_OK(cambium_batch_finish(batch.get()));
    return batch;
  }
};

} // namespace

TEST_F(CallTest, ComputesAllOutputs) {
  Batch batch = twoExamples();
  int32_t nodes[6];
  float roots[2];
  uint64_t keys[2];
  int64_t edges[4];
  double total[2];
  const cambium_buffer_t outputs[] = {{nodes, sizeof(nodes)},
                                      {roots, sizeof(roots)},
                                      {keys, sizeof(keys)},
                                      {edges, sizeof(edges)},
                                      {total, sizeof(total)}};
  ASSERT_OK(
      cambium_call(session.get(), sum, store.get(), batch.get(), outputs, 5));
  const int32_t expectedNodes[] = {1, 2, 6, 7, 0, 8};
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(nodes[i], expectedNodes[i]) << i;
  EXPECT_EQ(roots[0], 6 * 10 * 0.5f);
  EXPECT_EQ(roots[1], 8 * 20 * 0.5f);
  EXPECT_EQ(keys[0], cambium_mix(77, 1000));
  EXPECT_EQ(keys[1], cambium_mix(77, 2000));
  const int64_t expectedEdges[] = {10001, 11002, 20007, 21000};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(edges[i], expectedEdges[i]) << i;
  EXPECT_EQ(total[0], 1.0);
  EXPECT_EQ(total[1], 15.0);
}

TEST_F(CallTest, KeysCanBeGiven) {
  Batch batch = makeBatch(module.get(), "fail");
  ASSERT_OK(cambium_batch_begin_example(batch.get(), 5));
  ASSERT_OK(cambium_batch_set_example_key(batch.get(), 0xabcdef));
  int32_t code = 0;
  ASSERT_OK(
      cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I32, 1, &code));
  ASSERT_OK(cambium_batch_end_example(batch.get()));
  ASSERT_OK(cambium_batch_finish(batch.get()));
  ASSERT_OK(cambium_call(session.get(),
                         cambium_module_find_entry(module.get(), "fail"),
                         store.get(), batch.get(), nullptr, 0));
}

/// Outputs that nobody wants go to the workspace.
TEST_F(CallTest, OutputsMayBeLeftOut) {
  Batch batch = twoExamples();
  float roots[2] = {};
  const cambium_buffer_t outputs[] = {{nullptr, 0}, {roots, sizeof(roots)}};
  ASSERT_OK(
      cambium_call(session.get(), sum, store.get(), batch.get(), outputs, 2));
  EXPECT_EQ(roots[1], 80.0f);
  ASSERT_OK(
      cambium_call(session.get(), sum, store.get(), batch.get(), nullptr, 0));
}

TEST_F(CallTest, ArgumentsMustFit) {
  Batch batch = twoExamples();
  float roots[1];
  const cambium_buffer_t outputs[] = {{nullptr, 0}, {roots, sizeof(roots)}};
  auto call = [&](const cambium_entry_t *entry, const cambium_store_t *store,
                  const cambium_batch_t *batch, int64_t count) {
    return cambium_call(session.get(), entry, store, batch, outputs, count);
  };
  EXPECT_ERROR(call(sum, store.get(), batch.get(), 2), INVALID_ARGUMENT,
               "entry 'sum': output 'roots' needs 8 bytes, but got a buffer of "
               "4");
  EXPECT_ERROR(call(sum, store.get(), batch.get(), 6), INVALID_ARGUMENT,
               "entry 'sum' has 5 outputs, but got 6 buffers");
  Batch open = makeBatch(module.get(), "sum");
  EXPECT_ERROR(call(sum, store.get(), open.get(), 0), WRONG_STATE,
               "entry 'sum': the batch is not finished: call "
               "cambium_batch_finish first");
  const cambium_entry_t *chains =
      cambium_module_find_entry(module.get(), "chains");
  EXPECT_ERROR(call(chains, store.get(), batch.get(), 0), INVALID_ARGUMENT,
               "entry 'chains': the batch was made for entry 'sum', which has "
               "other inputs");
  Module other = fakeModule();
  Store foreign = makeStore(other.get());
  EXPECT_ERROR(call(sum, foreign.get(), batch.get(), 0), INVALID_ARGUMENT,
               "entry 'sum': the store belongs to another module ('static')");
  EXPECT_ERROR(call(cambium_module_find_entry(module.get(), "train.accumulate"),
                    store.get(), batch.get(), 0),
               INVALID_ARGUMENT,
               "entry 'train.accumulate' is called with "
               "cambium_step_accumulate, not with cambium_call");
  EXPECT_ERROR(call(nullptr, store.get(), batch.get(), 0), INVALID_ARGUMENT,
               "cambium_call: argument 'entry' is null");
}

/// A batch fits every entry with the same inputs, also of another module.
TEST_F(CallTest, BatchOfAnEqualEntry) {
  Module other = fakeModule();
  Store otherStore = makeStore(other.get());
  Batch batch = twoExamples();
  EXPECT_OK(cambium_call(session.get(),
                         cambium_module_find_entry(other.get(), "sum"),
                         otherStore.get(), batch.get(), nullptr, 0));
}

TEST_F(CallTest, ErrorsOfCompiledCode) {
  const cambium_entry_t *fail = cambium_module_find_entry(module.get(), "fail");
  Batch batch = makeBatch(module.get(), "fail");
  auto run = [&](int32_t code) {
    cambium_batch_clear(batch.get());
    EXPECT_OK(cambium_batch_begin_example(batch.get(), 0));
    EXPECT_OK(
        cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I32, 1, &code));
    EXPECT_OK(cambium_batch_end_example(batch.get()));
    EXPECT_OK(cambium_batch_finish(batch.get()));
    return cambium_call(session.get(), fail, store.get(), batch.get(), nullptr,
                        0);
  };
  EXPECT_ERROR(run(CAMBIUM_STATUS_OUT_OF_RANGE), OUT_OF_RANGE,
               "entry 'fail': the example asked for it");
  EXPECT_ERROR(run(1234), FAILED, "entry 'fail': the example asked for it");
  EXPECT_ERROR(run(-3), FAILED, "entry 'fail' failed with code -3");
  EXPECT_OK(run(0));
}

/// One store and one batch serve many sessions at once.
TEST_F(CallTest, ManySessionsAtOnce) {
  Batch batch = twoExamples();
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      Session own = makeSession();
      for (int i = 0; i < 200; ++i) {
        float roots[2] = {};
        const cambium_buffer_t outputs[] = {{nullptr, 0},
                                            {roots, sizeof(roots)}};
        if (cambium_call(own.get(), sum, store.get(), batch.get(), outputs,
                         2) == CAMBIUM_STATUS_OK)
          right += roots[0] == 30.0f && roots[1] == 80.0f;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 800);
}
