//===-- test/Runtime/core/StepTest.cpp - Training steps -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The fake module trains w and a table: loss_i = (w.1 + table[row].1 - t)^2
/// / 2.
///
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <cmath>
#include <limits>

using namespace cambium::test;

namespace {

class StepTest : public ::testing::Test {
protected:
  Module module = fakeModule();
  Store store = makeStore(module.get());
  Session session = makeSession();
  const cambium_entry_t *accumulate =
      cambium_module_find_entry(module.get(), "train.accumulate");
  const cambium_entry_t *apply =
      cambium_module_find_entry(module.get(), "train.apply");

  const float *w() {
    return static_cast<const float *>(cambium_store_value(store.get(), 1));
  }
  const float *table() {
    return static_cast<const float *>(cambium_store_value(store.get(), 0));
  }

  Batch makeExamples(std::vector<std::pair<int32_t, float>> examples) {
    Batch batch = makeBatch(module.get(), "train.accumulate");
    for (auto [row, target] : examples) {
      EXPECT_OK(cambium_batch_begin_example(batch.get(), 0));
      EXPECT_OK(
          cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I32, 1, &row));
      EXPECT_OK(cambium_batch_set_input(batch.get(), 1, CAMBIUM_TYPE_F32, 1,
                                        &target));
      EXPECT_OK(cambium_batch_end_example(batch.get()));
    }
    EXPECT_OK(cambium_batch_finish(batch.get()));
    return batch;
  }
};

} // namespace

TEST_F(StepTest, AccumulatesAndApplies) {
  Batch batch = makeExamples({{3, 4.0f}, {6, 2.0f}, {3, 0.0f}});
  EXPECT_EQ(cambium_store_gradient(store.get(), 1), nullptr);
  double loss = -1;
  float losses[3];
  const cambium_buffer_t outputs[] = {{nullptr, 0}, {losses, sizeof(losses)}};
  ASSERT_OK(cambium_step_accumulate(session.get(), accumulate, store.get(),
                                    batch.get(), outputs, 2, &loss));
  EXPECT_FLOAT_EQ(static_cast<float>(loss),
                  (losses[0] + losses[1] + losses[2]) / 3);
  const int32_t *rows = nullptr;
  ASSERT_EQ(cambium_store_touched_rows(store.get(), 0, &rows), 2);
  EXPECT_EQ(rows[0], 3);
  EXPECT_EQ(rows[1], 6);
  EXPECT_EQ(cambium_store_touched_rows(store.get(), 1, nullptr), 0);
  auto *gradient = static_cast<float *>(cambium_store_gradient(store.get(), 1));
  ASSERT_NE(gradient, nullptr);
  float before = w()[0], slope = gradient[0];
  EXPECT_NE(slope, 0.0f);
  const cambium_learning_rate_t rates[] = {{"embedding", 0.0}, {nullptr, 0.5}};
  float untouched = table()[6];
  ASSERT_OK(
      cambium_step_apply(session.get(), apply, store.get(), rates, 2, 0.5));
  EXPECT_FLOAT_EQ(w()[0], before - 0.25f * slope);
  EXPECT_EQ(table()[6], untouched);
  EXPECT_EQ(gradient[0], 0.0f);
  EXPECT_EQ(cambium_store_touched_rows(store.get(), 0, nullptr), 0);
  EXPECT_EQ(cambium_store_step_count(store.get(), nullptr), 1);
  EXPECT_EQ(cambium_store_step_count(store.get(), "train"), 1);
  EXPECT_EQ(static_cast<float *>(cambium_store_state(store.get(), 1, 1))[0],
            0.0f);
}

/// The count of updates reaches the module.
TEST_F(StepTest, CountsSteps) {
  Batch batch = makeExamples({{1, 1.0f}});
  const cambium_learning_rate_t rate = {nullptr, 0.01};
  ASSERT_OK(cambium_store_set_step_count(store.get(), "train", 41));
  for (int i = 0; i < 2; ++i)
    ASSERT_OK(cambium_step(session.get(), store.get(), batch.get(), &rate, 1,
                           nullptr));
  EXPECT_EQ(static_cast<float *>(cambium_store_state(store.get(), 1, 1))[0],
            42.0f);
  EXPECT_EQ(cambium_store_step_count(store.get(), nullptr), 43);
  EXPECT_EQ(cambium_store_step_count(store.get(), "other"), -1);
  EXPECT_ERROR(cambium_store_set_step_count(store.get(), "other", 1), NOT_FOUND,
               "module 'static' has no training step 'other'");
  EXPECT_ERROR(cambium_store_set_step_count(store.get(), "train", -1),
               INVALID_ARGUMENT,
               "expected a step count of 0 or more, but got -1");
}

/// Numbers that no initializer or store can mean.
TEST_F(StepTest, OptionsOutOfRange) {
  cambium_store_t *made = nullptr;
  cambium_store_options_t options = {};
  options.memory_limit = -1;
  EXPECT_ERROR_PART(cambium_store_create(module.get(), &options, &made),
                    INVALID_ARGUMENT, "expected a memory limit");
  options.memory_limit = 0;
  options.num_threads = -3;
  EXPECT_ERROR_PART(cambium_store_create(module.get(), &options, &made),
                    INVALID_ARGUMENT, "of 0 or more, but got 0 and -3");
  const int64_t shape[] = {1};
  float out = 0;
  const cambium_init_t init = {CAMBIUM_INIT_UNIFORM, 0, INFINITY, nullptr,
                               nullptr};
  EXPECT_ERROR(
      cambium_initialize(&init, 1, "w", CAMBIUM_TYPE_F32, 1, shape, &out),
      INVALID_ARGUMENT,
      "initializer 2 of 'w': expected finite numbers, but got 0 and "
      "inf");
}

TEST_F(StepTest, TrainingConverges) {
  Batch batch = makeExamples({{0, 1.0f}, {1, -2.0f}, {2, 5.0f}, {0, 1.0f}});
  const cambium_learning_rate_t rate = {nullptr, 0.3};
  double first = 0, last = 0;
  ASSERT_OK(
      cambium_step(session.get(), store.get(), batch.get(), &rate, 1, &first));
  for (int i = 0; i < 300; ++i)
    ASSERT_OK(
        cambium_step(session.get(), store.get(), batch.get(), &rate, 1, &last));
  EXPECT_GT(first, 0.1);
  EXPECT_LT(last, 1e-6);
}

TEST_F(StepTest, RatesMustFit) {
  Batch batch = makeExamples({{1, 1.0f}});
  const cambium_learning_rate_t some = {"default", 1}, all = {nullptr, 1};
  const cambium_learning_rate_t unknown[] = {{nullptr, 1}, {"head", 1}};
  const cambium_learning_rate_t endless = {nullptr, INFINITY};
  EXPECT_ERROR(
      cambium_step_apply(session.get(), apply, store.get(), &all, 1, 1),
      WRONG_STATE,
      "step 'train': no gradient was accumulated since the last "
      "update");
  ASSERT_OK(cambium_step_accumulate(session.get(), accumulate, store.get(),
                                    batch.get(), nullptr, 0, nullptr));
  EXPECT_ERROR(
      cambium_step_apply(session.get(), apply, store.get(), &some, 1, 1),
      INVALID_ARGUMENT,
      "step 'train': expected a learning rate for group 'embedding'");
  EXPECT_ERROR(
      cambium_step_apply(session.get(), apply, store.get(), unknown, 2, 1),
      NOT_FOUND, "step 'train' has no parameter group 'head'");
  EXPECT_ERROR(
      cambium_step_apply(session.get(), apply, store.get(), &endless, 1, 1),
      INVALID_ARGUMENT,
      "entry 'train.apply': expected a learning rate of at most 3.40282e+38, "
      "but got inf");
  const cambium_learning_rate_t huge = {nullptr, 1e300};
  EXPECT_ERROR(
      cambium_step_apply(session.get(), apply, store.get(), &huge, 1, 1),
      INVALID_ARGUMENT,
      "entry 'train.apply': expected a learning rate of at most 3.40282e+38, "
      "but got 1e+300");
  EXPECT_ERROR(
      cambium_step_apply(session.get(), apply, store.get(), &all, 1, NAN),
      INVALID_ARGUMENT,
      "step 'train': expected a gradient scale of at most 3.40282e+38, but got "
      "nan");
  EXPECT_OK(cambium_step_apply(session.get(), apply, store.get(), &all, 1, 1));
}

TEST_F(StepTest, CountMustGrow) {
  Batch batch = makeExamples({{1, 1.0f}});
  const cambium_learning_rate_t all = {nullptr, 1};
  ASSERT_OK(cambium_step_accumulate(session.get(), accumulate, store.get(),
                                    batch.get(), nullptr, 0, nullptr));
  // A count that cannot grow: the step after it would be the first one again.
  const int64_t count = cambium_store_step_count(store.get(), "train");
  ASSERT_EQ(cambium_store_set_step_count(store.get(), "train", INT64_MAX),
            CAMBIUM_STATUS_OK);
  EXPECT_ERROR(
      cambium_step_apply(session.get(), apply, store.get(), &all, 1, 1),
      OUT_OF_RANGE,
      "step 'train': expected a step count that can grow, but got "
      "9223372036854775807");
  ASSERT_EQ(cambium_store_set_step_count(store.get(), "train", count),
            CAMBIUM_STATUS_OK);
  EXPECT_OK(cambium_step_apply(session.get(), apply, store.get(), &all, 1, 1));
}

TEST_F(StepTest, EntriesAndStoresMustFit) {
  Batch batch = makeExamples({{1, 1.0f}});
  const cambium_learning_rate_t all = {nullptr, 1};
  ASSERT_OK(cambium_step_accumulate(session.get(), accumulate, store.get(),
                                    batch.get(), nullptr, 0, nullptr));
  EXPECT_ERROR(
      cambium_step_apply(session.get(), apply, store.get(), nullptr, 1, 1),
      INVALID_ARGUMENT, "entry 'train.apply': argument 'rates' is null");
  EXPECT_ERROR(
      cambium_step_apply(session.get(), accumulate, store.get(), &all, 1, 1),
      INVALID_ARGUMENT,
      "entry 'train.accumulate' is called with cambium_step_accumulate, not "
      "with cambium_step_apply");
  Batch other = makeBatch(module.get(), "fail");
  EXPECT_ERROR(
      cambium_step(session.get(), store.get(), other.get(), &all, 1, nullptr),
      INVALID_ARGUMENT,
      "entry 'fail' is called with cambium_call, not with "
      "cambium_step_accumulate");
  Module otherModule = fakeModule();
  Store foreign = makeStore(otherModule.get());
  EXPECT_ERROR(
      cambium_step_apply(session.get(), apply, foreign.get(), &all, 1, 1),
      INVALID_ARGUMENT,
      "entry 'train.apply': the store belongs to another module ('static')");
  EXPECT_OK(cambium_step_apply(session.get(), apply, store.get(), &all, 1, 1));
}

TEST_F(StepTest, LossMustBeFinite) {
  cambium_session_options_t options = {};
  options.check_loss = true;
  Session checking = makeSession(options);
  Batch bad = makeExamples({{1, std::numeric_limits<float>::quiet_NaN()}});
  Batch good = makeExamples({{2, 1.0f}});
  const cambium_learning_rate_t rate = {nullptr, 0.1};
  float before = w()[0];
  double loss = 0;
  EXPECT_ERROR(
      cambium_step(checking.get(), store.get(), bad.get(), &rate, 1, &loss),
      NOT_FINITE,
      "entry 'train.accumulate': expected a finite loss, but got nan (step 0)");
  EXPECT_TRUE(std::isnan(loss));
  EXPECT_EQ(w()[0], before);
  EXPECT_EQ(cambium_store_step_count(store.get(), nullptr), 0);
  ASSERT_OK(
      cambium_step(checking.get(), store.get(), good.get(), &rate, 1, &loss));
  EXPECT_TRUE(std::isfinite(w()[0]));
  EXPECT_NE(w()[0], before);
}

TEST_F(StepTest, GradientsCanBeThrownAway) {
  Batch batch = makeExamples({{5, 9.0f}, {2, 9.0f}});
  ASSERT_OK(cambium_step_accumulate(session.get(), accumulate, store.get(),
                                    batch.get(), nullptr, 0, nullptr));
  cambium_store_clear_gradients(store.get());
  auto *dense = static_cast<float *>(cambium_store_gradient(store.get(), 1));
  auto *sparse = static_cast<float *>(cambium_store_gradient(store.get(), 0));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(dense[i], 0.0f);
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(sparse[i], 0.0f);
  EXPECT_EQ(cambium_store_touched_rows(store.get(), 0, nullptr), 0);
  const cambium_learning_rate_t rate = {nullptr, 0.1};
  EXPECT_EQ(cambium_step_apply(session.get(), apply, store.get(), &rate, 1, 1),
            CAMBIUM_STATUS_WRONG_STATE);
  // Rows are found again after clearing.
  ASSERT_OK(cambium_step_accumulate(session.get(), accumulate, store.get(),
                                    batch.get(), nullptr, 0, nullptr));
  EXPECT_EQ(cambium_store_touched_rows(store.get(), 0, nullptr), 2);
}
