//===-- test/Runtime/core/ConcurrencyTest.cpp - One module, many threads --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What runtime.h allows from several threads at once. Run under
/// ThreadSanitizer by `tools/check threads`.
///
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <atomic>
#include <cstring>
#include <functional>
#include <thread>

using namespace cambium::test;

namespace {

constexpr int kThreads = 4;

/// Runs `body` on several threads at once; the first argument is which one.
void onThreads(const std::function<void(int)> &body) {
  std::atomic<bool> go{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      while (!go.load())
        std::this_thread::yield();
      body(i);
    });
  go.store(true);
  for (std::thread &thread : threads)
    thread.join();
}

/// A batch of the entry "memory", whose task fills squares with the pool.
Batch memoryBatch(const cambium_module_t *module) {
  Batch batch = makeBatch(module, "memory");
  const int64_t bytes = 1000;
  EXPECT_OK(cambium_batch_begin_example(batch.get(), 0));
  EXPECT_OK(
      cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I64, 1, &bytes));
  EXPECT_OK(cambium_batch_end_example(batch.get()));
  EXPECT_OK(cambium_batch_finish(batch.get()));
  return batch;
}

/// Whether a call with that session gives the right squares.
bool isRight(cambium_session_t *session, const Module &module,
             const Store &store, const Batch &batch) {
  std::vector<int64_t> squares(1000);
  const cambium_buffer_t output = {
      squares.data(), static_cast<int64_t>(squares.size() * sizeof(int64_t))};
  if (cambium_call(session, cambium_module_find_entry(module.get(), "memory"),
                   store.get(), batch.get(), &output, 1))
    return false;
  for (int64_t i = 0; i < 1000; ++i)
    if (squares[static_cast<size_t>(i)] != i * i)
      return false;
  return true;
}

} // namespace

/// One module, store and batch; each thread has a session with its own pool.
TEST(ConcurrencyTest, PoolsOfSeveralThreads) {
  Module module = fakeModule();
  Store store = makeStore(module.get());
  Batch batch = memoryBatch(module.get());
  std::atomic<int> right{0};
  onThreads([&](int) {
    cambium_session_options_t options = {};
    options.num_threads = 3;
    Session session = makeSession(options);
    for (int i = 0; i < 50; ++i)
      right += isRight(session.get(), module, store, batch);
  });
  EXPECT_EQ(right, kThreads * 50);
}

/// Modules are loaded and given back while others use the same file.
TEST(ConcurrencyTest, LoadsAndUnloads) {
  const std::string path = std::string(CAMBIUM_TEST_MODULES) + "/FakeGood.so";
  std::atomic<int> right{0};
  onThreads([&](int) {
    for (int i = 0; i < 20; ++i) {
      cambium_module_t *handle = nullptr;
      EXPECT_OK(cambium_module_load(path.c_str(), &handle));
      Module module(handle);
      Store store = makeStore(handle);
      Batch batch = memoryBatch(handle);
      Session session = makeSession();
      right += isRight(session.get(), module, store, batch);
    }
  });
  EXPECT_EQ(right, kThreads * 20);
}

/// Objects of one module are made, used and dropped by every thread; the last
/// one drops the code.
TEST(ConcurrencyTest, ReferencesOfOneModule) {
  cambium_module_t *handle = nullptr;
  const std::string path = std::string(CAMBIUM_TEST_MODULES) + "/FakeGood.so";
  ASSERT_OK(cambium_module_load(path.c_str(), &handle));
  std::vector<Store> stores;
  for (int i = 0; i < kThreads; ++i)
    stores.push_back(makeStore(handle, static_cast<uint64_t>(i)));
  const cambium_entry_t *entry = cambium_module_find_entry(handle, "memory");
  std::vector<Batch> batches;
  for (int i = 0; i < kThreads; ++i)
    batches.push_back(memoryBatch(handle));
  cambium_module_destroy(handle);
  std::atomic<int> right{0};
  onThreads([&](int i) {
    auto index = static_cast<size_t>(i);
    {
      Session session = makeSession();
      right +=
          cambium_call(session.get(), entry, stores[index].get(),
                       batches[index].get(), nullptr, 0) == CAMBIUM_STATUS_OK;
    }
    batches[index].reset();
    stores[index].reset();
  });
  EXPECT_EQ(right, kThreads);
}

/// A store that nobody changes is read, called with and saved at once.
TEST(ConcurrencyTest, ReadsAndSavesOfOneStore) {
  TemporaryFolder folder;
  Module module = fakeModule();
  Store store = makeStore(module.get());
  Batch batch = memoryBatch(module.get());
  const std::string path = folder / "same.safetensors";
  std::atomic<int> right{0};
  onThreads([&](int i) {
    Session session = makeSession();
    for (int round = 0; round < 20; ++round)
      right += i % 2 ? isRight(session.get(), module, store, batch)
                     : !cambium_store_save(store.get(), path.c_str(), 0);
  });
  EXPECT_EQ(right, kThreads * 20);
  Store copy = makeStore(module.get(), 9);
  ASSERT_OK(cambium_store_load(copy.get(), path.c_str(), 0));
  EXPECT_EQ(std::memcmp(cambium_store_value(copy.get(), 0),
                        cambium_store_value(store.get(), 0), 64),
            0);
}

/// Each thread sees its own errors, whatever the others do, and whatever the
/// logger is at the moment.
TEST(ConcurrencyTest, ErrorsAndLoggers) {
  std::atomic<int> right{0}, messages{0};
  onThreads([&](int i) {
    for (int round = 0; round < 50; ++round) {
      cambium_module_t *module = nullptr;
      const std::string path = "/nowhere/" + std::to_string(i);
      (void)cambium_module_load(path.c_str(), &module);
      right += cambium_last_error() ==
               "cannot open module '" + path + "': No such file or directory";
      if (i == 0)
        cambium_set_logger(
            [](void *user, cambium_log_level_t, const char *) {
              ++*static_cast<std::atomic<int> *>(user);
            },
            &messages, round % 2 ? CAMBIUM_LOG_ERROR : CAMBIUM_LOG_DEBUG);
    }
  });
  cambium_set_logger(nullptr, nullptr, CAMBIUM_LOG_ERROR);
  EXPECT_EQ(right, kThreads * 50);
}

/// A session in use says so instead of mixing two calls.
TEST(ConcurrencyTest, OneSessionIsRefusedToTwoThreads) {
  Module module = fakeModule();
  Store store = makeStore(module.get());
  Batch batch = memoryBatch(module.get());
  Session session = makeSession();
  std::atomic<int> right{0}, refused{0};
  onThreads([&](int) {
    for (int i = 0; i < 50; ++i) {
      if (isRight(session.get(), module, store, batch))
        ++right;
      else if (std::string(cambium_last_error()) ==
               "entry 'memory': the session is in use by another call")
        ++refused;
    }
  });
  EXPECT_GT(right, 0);
  EXPECT_EQ(right + refused, kThreads * 50);
}
