//===-- test/Runtime/cuda/DeviceTest.cpp - Calls on any device ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What holds with every driver: that of a GPU, the emulator, and the fake one.
/// CAMBIUM_CUDA_DRIVER names it. The CPU functions of the same module say what
/// is right, bit by bit.
///
//===----------------------------------------------------------------------===//
#include "DeviceTestSupport.h"

#include <thread>

using namespace cambium::test;

namespace {

struct DeviceTest : ::testing::Test {
  Module module = deviceModule();
  Device device = openDevice();
  Session here = makeSession();
  Session there = sessionOn(device.get());
  Store store = makeStore(module.get());

  void expectSame(const Batch &batch) {
    EXPECT_EQ(callOk(there.get(), store.get(), batch.get()),
              callOk(here.get(), store.get(), batch.get()));
  }
};

TEST_F(DeviceTest, SaysWhatItIs) {
  std::string text = cambium_device_describe(device.get());
  EXPECT_NE(text.find(", sm_"), std::string::npos) << text;
  EXPECT_NE(text.find(" multiprocessors, "), std::string::npos) << text;
  EXPECT_NE(text.find(" GiB, CUDA "), std::string::npos) << text;
  EXPECT_EQ(cambium_session_num_threads(there.get()), 1);
}

TEST_F(DeviceTest, RowsAndWorkspace) {
  expectSame(affineBatch(module.get(), {4}));
  expectSame(affineBatch(module.get(), {1, 0, 70, 3}));
  expectSame(affineBatch(module.get(), {1}));
}

TEST_F(DeviceTest, TreesChainsAndKeys) {
  for (unsigned number = 1; number < 6; ++number)
    expectSame(treeBatch(module.get(), number, static_cast<int>(3 * number)));
}

TEST_F(DeviceTest, SeveralKernelsOfAnEntry) {
  for (int32_t value : {3, 4, -9})
    expectSame(
        scalarBatch<int32_t>(module.get(), "twice", CAMBIUM_TYPE_I32, {value}));
}

TEST_F(DeviceTest, StagesOfTheLastCall) {
  cambium_stage_time_t stages[3] = {};
  EXPECT_EQ(cambium_session_stages(nullptr, stages, 3), 0);
  EXPECT_EQ(cambium_session_stages(here.get(), stages, 3), 0);
  EXPECT_EQ(cambium_session_stages(there.get(), stages, 3), 0);
  // Each call begins anew.
  for (int32_t value : {3, 4})
    expectSame(
        scalarBatch<int32_t>(module.get(), "twice", CAMBIUM_TYPE_I32, {value}));
  EXPECT_EQ(cambium_session_stages(there.get(), nullptr, 0), 2);
  EXPECT_EQ(cambium_session_stages(there.get(), stages, 1), 2);
  EXPECT_STREQ(stages[0].stage, "the sum");
  EXPECT_EQ(stages[0].count, 1);
  EXPECT_DOUBLE_EQ(stages[0].seconds, 1e-6);
  EXPECT_EQ(stages[1].stage, nullptr);
  EXPECT_EQ(cambium_session_stages(there.get(), stages, 3), 2);
  EXPECT_STREQ(stages[1].stage, "the product");
  EXPECT_EQ(stages[1].count, 2);
  EXPECT_DOUBLE_EQ(stages[1].seconds, 4e-6);
  EXPECT_DOUBLE_EQ(stages[1].waited, 2e-8);
  // Nor does a call that fails before it is there tell of the one before.
  Batch batch =
      scalarBatch<int32_t>(module.get(), "twice", CAMBIUM_TYPE_I32, {4});
  char byte = 0;
  cambium_buffer_t small = {&byte, sizeof(byte)};
  EXPECT_NE(cambium_call(there.get(), cambium_batch_entry(batch.get()),
                         store.get(), batch.get(), &small, 1),
            CAMBIUM_STATUS_OK);
  EXPECT_EQ(cambium_session_stages(there.get(), nullptr, 0), 0);
  // An entry that measures nothing has none.
  expectSame(affineBatch(module.get(), {2, 2}));
  EXPECT_EQ(cambium_session_stages(there.get(), stages, 3), 0);
}

TEST_F(DeviceTest, OutputsThatNobodyWants) {
  Batch batch = affineBatch(module.get(), {2, 2});
  float y[12], last = 0;
  cambium_buffer_t buffers[] = {{nullptr, 0}, {&last, sizeof(last)}};
  const cambium_entry_t *entry = cambium_batch_entry(batch.get());
  EXPECT_OK(
      cambium_call(there.get(), entry, store.get(), batch.get(), buffers, 2));
  buffers[0] = {y, sizeof(y)};
  EXPECT_OK(
      cambium_call(there.get(), entry, store.get(), batch.get(), buffers, 1));
  EXPECT_EQ(y[11], last);
  EXPECT_OK(
      cambium_call(there.get(), entry, store.get(), batch.get(), nullptr, 0));
  buffers[0].size = 47;
  EXPECT_ERROR(
      cambium_call(there.get(), entry, store.get(), batch.get(), buffers, 1),
      INVALID_ARGUMENT,
      "entry 'affine': output 'y' needs 48 bytes, but got a buffer of 47");
}

TEST_F(DeviceTest, FailuresOfKernels) {
  std::string out;
  auto report = [&](std::vector<int32_t> codes) {
    Batch batch =
        scalarBatch<int32_t>(module.get(), "report", CAMBIUM_TYPE_I32, codes);
    return call(there.get(), store.get(), batch.get(), out);
  };
  EXPECT_OK(report({0, 0}));
  EXPECT_ERROR(report({0, 0, 1, 2}), OUT_OF_RANGE,
               "entry 'report': expected a code below one: row 2");
  EXPECT_ERROR(report({2}), NOT_FINITE,
               "entry 'report': expected no code at all");
  EXPECT_ERROR(report({3}), FAILED,
               "entry 'report': a status of another release: row 0");
  EXPECT_ERROR(report({4}), FAILED, "entry 'report': failed with code 4");
  EXPECT_OK(report({0}));
}

TEST_F(DeviceTest, EntriesWithoutCode) {
  Batch batch = makeBatch(module.get(), "here");
  addExample(batch.get(), 0, [] {});
  ASSERT_OK(cambium_batch_finish(batch.get()));
  std::string out;
  EXPECT_OK(call(here.get(), store.get(), batch.get(), out));
  EXPECT_ERROR(call(there.get(), store.get(), batch.get(), out), INCOMPATIBLE,
               "entry 'here' has no code for devices");
}

TEST_F(DeviceTest, Memory) {
  auto run = [&](cambium_session_t *session, std::vector<int64_t> bytes) {
    Batch batch =
        scalarBatch<int64_t>(module.get(), "memory", CAMBIUM_TYPE_I64, bytes);
    std::string out;
    return call(session, store.get(), batch.get(), out);
  };
  EXPECT_EQ(cambium_session_memory_held(there.get()), 0);
  EXPECT_OK(run(there.get(), {10000, 2000}));
  int64_t held = cambium_session_memory_held(there.get());
  EXPECT_GT(held, 12000);
  EXPECT_EQ(cambium_session_memory_peak(there.get()), held);
  EXPECT_OK(run(there.get(), {800}));
  EXPECT_EQ(cambium_session_memory_held(there.get()), held);
  cambium_session_trim(there.get());
  EXPECT_EQ(cambium_session_memory_held(there.get()), 0);
  EXPECT_OK(run(there.get(), {0}));
  EXPECT_EQ(cambium_session_memory_peak(there.get()), held);

  cambium_session_options_t options = {};
  options.memory_limit = 20000;
  Session small = sessionOn(device.get(), options);
  EXPECT_OK(run(small.get(), {16000}));
  EXPECT_ERROR_PART(run(small.get(), {20000}), OUT_OF_MEMORY,
                    "20000 of them as workspace, but the limit is 20000");
  // What the first call left makes room for larger inputs.
  EXPECT_OK(run(small.get(), std::vector<int64_t>(600, 8)));
  EXPECT_LE(cambium_session_memory_held(small.get()), 20000);
  EXPECT_ERROR(run(small.get(), {-8}), OUT_OF_MEMORY,
               "entry 'memory': the workspace is larger than any memory");
  EXPECT_ERROR_PART(run(there.get(), {int64_t{1} << 50}), OUT_OF_MEMORY,
                    "entry 'memory': the workspace: expected 1125899906842624 "
                    "bytes of device memory, but got none");
  EXPECT_OK(run(there.get(), {16}));
}

TEST_F(DeviceTest, TrainingHasTheBitsOfTheCpu) {
  Store other = makeStore(module.get());
  for (unsigned i = 0; i < 10; ++i) {
    Batch batch = trainBatch(module.get(), i);
    double loss[2] = {};
    ASSERT_OK(step(there.get(), store.get(), batch.get(), loss[0]));
    ASSERT_OK(step(here.get(), other.get(), batch.get(), loss[1]));
    EXPECT_EQ(loss[0], loss[1]);
  }
  EXPECT_NE(contentsOf(store.get()), contentsOf(other.get())); // Not pulled.
  ASSERT_OK(cambium_store_pull(store.get()));
  EXPECT_EQ(contentsOf(store.get()), contentsOf(other.get()));
  EXPECT_EQ(cambium_store_step_count(store.get(), nullptr), 10);
}

TEST_F(DeviceTest, GradientsAndTouchedRows) {
  Store other = makeStore(module.get());
  const cambium_entry_t *entry =
      cambium_module_find_entry(module.get(), "train.accumulate");
  for (unsigned i = 0; i < 3; ++i) {
    Batch batch = trainBatch(module.get(), i);
    ASSERT_OK(cambium_step_accumulate(there.get(), entry, store.get(),
                                      batch.get(), nullptr, 0, nullptr));
    ASSERT_OK(cambium_step_accumulate(here.get(), entry, other.get(),
                                      batch.get(), nullptr, 0, nullptr));
  }
  ASSERT_OK(cambium_store_pull(store.get()));
  EXPECT_GT(cambium_store_touched_rows(store.get(), 0, nullptr), 0);
  EXPECT_EQ(contentsOf(store.get()), contentsOf(other.get()));
  // Cleared on the device alone, on both, and before the first step.
  for (bool isPulled : {false, true}) {
    Batch batch = trainBatch(module.get(), 7);
    ASSERT_OK(cambium_step_accumulate(there.get(), entry, store.get(),
                                      batch.get(), nullptr, 0, nullptr));
    if (isPulled) {
      ASSERT_OK(cambium_store_pull(store.get()));
    }
    cambium_store_clear_gradients(store.get());
    cambium_store_clear_gradients(other.get());
    ASSERT_OK(cambium_step_accumulate(there.get(), entry, store.get(),
                                      batch.get(), nullptr, 0, nullptr));
    ASSERT_OK(cambium_step_accumulate(here.get(), entry, other.get(),
                                      batch.get(), nullptr, 0, nullptr));
    ASSERT_OK(cambium_store_pull(store.get()));
    EXPECT_EQ(contentsOf(store.get()), contentsOf(other.get()));
  }
}

TEST_F(DeviceTest, OneStoreOnBothTargets) {
  Store other = makeStore(module.get());
  Batch rows = affineBatch(module.get(), {5});
  for (unsigned i = 0; i < 8; ++i) {
    Batch batch = trainBatch(module.get(), i);
    double loss = 0;
    cambium_session_t *session = i % 3 == 1 ? here.get() : there.get();
    ASSERT_OK(step(session, store.get(), batch.get(), loss));
    ASSERT_OK(step(here.get(), other.get(), batch.get(), loss));
    expectSame(rows);
    EXPECT_EQ(callOk(there.get(), store.get(), rows.get()),
              callOk(here.get(), other.get(), rows.get()));
  }
  ASSERT_OK(cambium_store_pull(store.get()));
  EXPECT_EQ(contentsOf(store.get()), contentsOf(other.get()));
}

TEST_F(DeviceTest, ValuesThatAreSet) {
  Batch batch = affineBatch(module.get(), {3});
  std::string before = callOk(there.get(), store.get(), batch.get());
  const cambium_parameter_info_t *info =
      cambium_module_parameter(module.get(), 1);
  const auto *now =
      static_cast<const float *>(cambium_store_value(store.get(), 1));
  const std::vector<float> usual(now, now + info->num_elements);
  std::vector<float> other = usual;
  other[3] += 2;
  auto set = [&](const std::vector<float> &values) {
    return cambium_store_set_value(store.get(), 1, CAMBIUM_TYPE_F32,
                                   info->num_elements, values.data());
  };
  ASSERT_OK(set(other));
  EXPECT_NE(callOk(there.get(), store.get(), batch.get()), before);
  EXPECT_NE(callOk(here.get(), store.get(), batch.get()), before);
  ASSERT_OK(set(usual));
  EXPECT_EQ(callOk(there.get(), store.get(), batch.get()), before);
}

/// Of the other parameters the newest values are on the device.
TEST_F(DeviceTest, ValuesThatAreSetAfterAStep) {
  Store other = makeStore(module.get());
  Batch batch = trainBatch(module.get(), 1);
  double loss = 0;
  ASSERT_OK(step(there.get(), store.get(), batch.get(), loss));
  ASSERT_OK(step(here.get(), other.get(), batch.get(), loss));
  const cambium_parameter_info_t *info =
      cambium_module_parameter(module.get(), 1);
  const std::vector<float> values(static_cast<size_t>(info->num_elements),
                                  0.25f);
  for (cambium_store_t *each : {store.get(), other.get()})
    ASSERT_OK(cambium_store_set_value(each, 1, CAMBIUM_TYPE_F32,
                                      info->num_elements, values.data()));
  EXPECT_EQ(contentsOf(store.get()), contentsOf(other.get()));
}

/// A host that adds the gradients of several machines.
TEST_F(DeviceTest, GradientsAreSeenAfterAPush) {
  Store other = makeStore(module.get());
  Batch batch = trainBatch(module.get(), 1);
  double loss = 0;
  const cambium_entry_t *accumulate =
      cambium_module_find_entry(module.get(), "train.accumulate");
  ASSERT_OK(cambium_step_accumulate(there.get(), accumulate, store.get(),
                                    batch.get(), nullptr, 0, &loss));
  ASSERT_OK(cambium_step_accumulate(here.get(), accumulate, other.get(),
                                    batch.get(), nullptr, 0, &loss));
  ASSERT_OK(cambium_store_pull(store.get()));
  for (cambium_store_t *each : {store.get(), other.get()})
    static_cast<float *>(cambium_store_gradient(each, 1))[3] += 2;
  ASSERT_OK(cambium_store_push(store.get(), device.get()));
  const cambium_entry_t *apply =
      cambium_module_find_entry(module.get(), "train.apply");
  const cambium_learning_rate_t rate = {nullptr, 0.125};
  ASSERT_OK(cambium_step_apply(there.get(), apply, store.get(), &rate, 1, 1));
  ASSERT_OK(cambium_step_apply(here.get(), apply, other.get(), &rate, 1, 1));
  ASSERT_OK(cambium_store_pull(store.get()));
  EXPECT_EQ(contentsOf(store.get()), contentsOf(other.get()));
}

TEST_F(DeviceTest, CheckpointsOfBothTargets) {
  TemporaryFolder folder;
  Store other = makeStore(module.get());
  Batch batch = trainBatch(module.get(), 1);
  double loss = 0;
  ASSERT_OK(step(there.get(), store.get(), batch.get(), loss));
  ASSERT_OK(step(here.get(), other.get(), batch.get(), loss));
  ASSERT_OK(
      cambium_store_save(store.get(), (folder / "gpu").c_str(), 0)); // Pulls.
  ASSERT_OK(cambium_store_save(other.get(), (folder / "cpu").c_str(), 0));
  EXPECT_EQ(readFile(folder / "gpu"), readFile(folder / "cpu"));
  // A step more, then back.
  ASSERT_OK(step(there.get(), store.get(), batch.get(), loss));
  ASSERT_OK(cambium_store_load(store.get(), (folder / "cpu").c_str(), 0));
  ASSERT_OK(step(there.get(), store.get(), batch.get(), loss));
  ASSERT_OK(step(here.get(), other.get(), batch.get(), loss));
  ASSERT_OK(cambium_store_pull(store.get()));
  EXPECT_EQ(contentsOf(store.get()), contentsOf(other.get()));
}

/// The first calls of the threads bring the store to the device.
TEST_F(DeviceTest, ConcurrentSessionsOfOneStore) {
  std::vector<Batch> batches;
  std::vector<std::string> right;
  for (unsigned i = 0; i < 3; ++i) {
    batches.push_back(treeBatch(module.get(), i, 4));
    batches.push_back(affineBatch(module.get(), {i + 2}));
  }
  for (const Batch &batch : batches)
    right.push_back(callOk(here.get(), store.get(), batch.get()));
  auto serve = [&](bool isThere) {
    Session own = isThere ? sessionOn(device.get()) : makeSession();
    for (int repeat = 0; repeat < 3; ++repeat)
      for (size_t i = 0; i < batches.size(); ++i)
        EXPECT_EQ(callOk(own.get(), store.get(), batches[i].get()), right[i]);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(serve, i != 1);
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(DeviceTest, AnyOrderOfDestruction) {
  Batch batch = affineBatch(module.get(), {3});
  std::string right = callOk(here.get(), store.get(), batch.get());
  device.reset();
  module.reset();
  EXPECT_EQ(callOk(there.get(), store.get(), batch.get()), right);
  there.reset();
  batch.reset();
  EXPECT_OK(cambium_store_pull(store.get()));
}

TEST_F(DeviceTest, ModuleOfAFile) {
  cambium_module_t *loaded = nullptr;
  ASSERT_OK(
      cambium_module_load(CAMBIUM_TEST_MODULES "/DeviceGood.so", &loaded));
  Module file(loaded);
  Store own = makeStore(file.get());
  Batch batch = treeBatch(file.get(), 4, 6);
  EXPECT_EQ(callOk(there.get(), own.get(), batch.get()),
            callOk(here.get(), own.get(), batch.get()));
}

TEST_F(DeviceTest, ModuleWithoutCode) {
  Module plain = fakeModule();
  Store own = makeStore(plain.get());
  Batch batch =
      scalarBatch<int32_t>(plain.get(), "fail", CAMBIUM_TYPE_I32, {0});
  std::string out;
  EXPECT_ERROR(call(there.get(), own.get(), batch.get(), out), INCOMPATIBLE,
               "module 'static' has no code for devices of version 2: compile "
               "the model with --gpu-arch");
  EXPECT_OK(call(here.get(), own.get(), batch.get(), out));
}

TEST_F(DeviceTest, WrongSessions) {
  EXPECT_ERROR(cambium_session_create_on(nullptr, nullptr, nullptr),
               INVALID_ARGUMENT,
               "cambium_session_create_on: argument 'out_session' is null");
  cambium_session_t *session = here.get();
  EXPECT_ERROR(cambium_session_create_on(nullptr, nullptr, &session),
               INVALID_ARGUMENT,
               "cambium_session_create_on: argument 'device' is null");
  EXPECT_EQ(session, nullptr);
  cambium_session_options_t options = {};
  options.memory_limit = -1;
  EXPECT_ERROR(cambium_session_create_on(device.get(), &options, &session),
               INVALID_ARGUMENT,
               "expected a memory limit of 0 or more, but got -1");
}

} // namespace
