//===-- ServicesTest.cpp - Memory, threads and forests of calls -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../../runtime/core/Processors.h"
#include "TestSupport.h"

#include <algorithm>
#include <mutex>
#include <random>
#include <sched.h>

using namespace cambium::test;

namespace {

class ServicesTest : public ::testing::Test {
public:
  Module module = fakeModule();
  Store store = makeStore(module.get());

  /// A batch of an entry whose input is a number for each example.
  Batch makeNumbers(const char *entry, const std::vector<int64_t> &numbers) {
    Batch batch = makeBatch(module.get(), entry);
    for (int64_t number : numbers) {
      EXPECT_OK(cambium_batch_begin_example(batch.get(), 0));
      EXPECT_OK(cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I64, 1,
                                        &number));
      EXPECT_OK(cambium_batch_end_example(batch.get()));
    }
    EXPECT_OK(cambium_batch_finish(batch.get()));
    return batch;
  }

  /// Runs the entry "reuse": what it allocates and releases.
  cambium_status_t reuse(cambium_session_t *session,
                         const std::vector<int64_t> &orders) {
    Batch batch = makeNumbers("reuse", orders);
    return cambium_call(session,
                        cambium_module_find_entry(module.get(), "reuse"),
                        store.get(), batch.get(), nullptr, 0);
  }

  /// Runs the entry "memory": two allocations of each size.
  cambium_status_t allocate(cambium_session_t *session,
                            std::vector<int64_t> sizes) {
    Batch batch = makeNumbers("memory", sizes);
    std::vector<int64_t> squares(1000);
    const cambium_buffer_t output = {squares.data(), 8000};
    cambium_status_t status =
        cambium_call(session, cambium_module_find_entry(module.get(), "memory"),
                     store.get(), batch.get(), &output, 1);
    for (int64_t i = 0; !status && i < 1000; ++i)
      EXPECT_EQ(squares[static_cast<size_t>(i)], i * i);
    return status;
  }

  /// Runs the entry "chains" over segments of parents.
  cambium_status_t chains(std::vector<std::vector<int32_t>> segments,
                          std::vector<int32_t> (&levels)[3]) {
    Batch batch = makeBatch(module.get(), "chains");
    for (const std::vector<int32_t> &parents : segments) {
      EXPECT_OK(cambium_batch_begin_example(batch.get(), 0));
      EXPECT_OK(cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I32,
                                        static_cast<int64_t>(parents.size()),
                                        parents.data()));
      EXPECT_OK(cambium_batch_end_example(batch.get()));
    }
    EXPECT_OK(cambium_batch_finish(batch.get()));
    cambium_buffer_t outputs[3];
    for (int i = 0; i < 3; ++i) {
      int64_t bytes = cambium_batch_output_bytes(batch.get(), i);
      levels[i].assign(static_cast<size_t>(bytes / 4), -1);
      outputs[i] = {levels[i].data(), bytes};
    }
    Session session = makeSession();
    return cambium_call(session.get(),
                        cambium_module_find_entry(module.get(), "chains"),
                        store.get(), batch.get(), outputs, 3);
  }
};

using Levels = std::vector<int32_t>;

} // namespace

TEST_F(ServicesTest, ChainsAndParents) {
  Levels levels[3];
  ASSERT_OK(chains({{1, 2, -1}, {-1}, {-1, 0, 0, 1}}, levels));
  EXPECT_EQ(levels[0], (Levels{0, 1, 2, 0, 0, 1, 2, 3}));
  EXPECT_EQ(levels[1], (Levels{2, 1, 0, 0, 3, 2, 1, 0}));
  EXPECT_EQ(levels[2], (Levels{0, 1, 2, 0, 2, 1, 0, 0}));
}

TEST_F(ServicesTest, ParentsOfTheModelAreChecked) {
  Levels levels[3];
  EXPECT_ERROR(
      chains({{-1}, {1, 0}}, levels), INVALID_ARGUMENT,
      "entry 'chains': example 1, tree 'from_parents': nodes 0 -> 1 -> "
      "0 form a cycle");
  EXPECT_ERROR(chains({{-1}, {2, -1}}, levels), OUT_OF_RANGE,
               "entry 'chains': example 1, tree 'from_parents': the parent of "
               "node 0 is 2, expected -1 or a node in [0, 2)");
  EXPECT_ERROR(chains({{-1}, {-1, 0, 0, 0}}, levels), INVALID_ARGUMENT,
               "entry 'chains': example 1, tree 'from_parents': node 0 has 3 "
               "children, expected at most 2");
  EXPECT_ERROR(chains({{-1}, {}}, levels), INVALID_ARGUMENT,
               "entry 'chains': chain: expected at least one row in example 1, "
               "but got none");
}

TEST_F(ServicesTest, WorkspaceGrowsAndStays) {
  Session session = makeSession();
  EXPECT_EQ(cambium_session_memory_held(session.get()), 0);
  ASSERT_OK(allocate(session.get(), {100, 0, 5000000, 64, 3000000}));
  int64_t held = cambium_session_memory_held(session.get());
  EXPECT_GE(cambium_session_memory_peak(session.get()), 2 * 8000164);
  EXPECT_GE(held, 2 * 8000164);
  // Warm calls find what they need.
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(allocate(session.get(), {3000000, 5000000, 100, 64, 0}));
    EXPECT_EQ(cambium_session_memory_held(session.get()), held);
  }
  cambium_session_trim(session.get());
  EXPECT_EQ(cambium_session_memory_held(session.get()), 0);
  EXPECT_OK(allocate(session.get(), {100}));
}

/// Large arrays have mappings of their own, which the next call finds.
TEST_F(ServicesTest, LargeArraysStay) {
  Session session = makeSession();
  constexpr int64_t kLarge = 40 << 20;
  ASSERT_OK(allocate(session.get(), {kLarge, 100, 2 * kLarge}));
  int64_t held = cambium_session_memory_held(session.get());
  EXPECT_GE(held, 2 * 3 * kLarge);
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(allocate(session.get(), {kLarge, 2 * kLarge - 4096, 100}));
    EXPECT_EQ(cambium_session_memory_held(session.get()), held);
  }
  // A larger one takes the place of a smaller one.
  ASSERT_OK(allocate(session.get(), {3 * kLarge}));
  EXPECT_GT(cambium_session_memory_held(session.get()), held);
  cambium_session_trim(session.get());
  EXPECT_EQ(cambium_session_memory_held(session.get()), 0);
  cambium_session_options_t options = {};
  options.memory_limit = 3 * kLarge;
  Session limited = makeSession(options);
  EXPECT_ERROR_PART(allocate(limited.get(), {2 * kLarge}), OUT_OF_MEMORY,
                    "out of workspace memory: 83886080 bytes are needed");
  EXPECT_EQ(cambium_session_memory_held(limited.get()), 0);
  EXPECT_OK(allocate(limited.get(), {kLarge}));
}

/// What was released is taken again, whatever the sizes.
TEST_F(ServicesTest, ReleasedMemoryIsTakenAgain) {
  constexpr int64_t kMega = 1 << 20;
  auto peakOf = [&](const std::vector<int64_t> &orders) {
    Session session = makeSession();
    for (int i = 0; i < 2; ++i)
      EXPECT_OK(reuse(session.get(), orders));
    return cambium_session_memory_peak(session.get());
  };
  // Four in a row, of which two are alive at a time.
  EXPECT_LT(peakOf({kMega, kMega, -1, kMega, -2, kMega, -4, -6}),
            2 * kMega + kMega / 2);
  // Neighbours become one gap, in whichever order they were released.
  for (std::vector<int64_t> order : {std::vector<int64_t>{-1, -2, -3},
                                     {-3, -2, -1},
                                     {-1, -3, -2},
                                     {-2, -1, -3}}) {
    std::vector<int64_t> orders = {kMega, kMega, kMega, 64};
    orders.insert(orders.end(), order.begin(), order.end());
    orders.push_back(3 * kMega);
    EXPECT_LT(peakOf(orders), 3 * kMega + kMega / 2);
  }
  // The smallest gap that is large enough.
  EXPECT_LT(peakOf({2 * kMega, 64, kMega, 64, -1, -3, kMega, 2 * kMega, 64}),
            3 * kMega + kMega / 2);
  // Arrays with mappings of their own, too: a larger one grows in place.
  EXPECT_LT(peakOf({40 * kMega, -1, 60 * kMega, -3, 50 * kMega}), 61 * kMega);
}

/// Whatever is allocated and released in whichever order, nothing that is
/// alive is given twice, and a session that has seen it needs nothing more.
TEST_F(ServicesTest, ReleasedMemoryInAnyOrder) {
  std::mt19937 random(7);
  Session session = makeSession();
  for (int round = 0; round < 40; ++round) {
    std::vector<int64_t> orders, alive;
    for (int64_t i = 0; i < 150; ++i) {
      if (alive.size() > 3 && random() % 2) {
        std::swap(alive[random() % alive.size()], alive.back());
        orders.push_back(-1 - alive.back());
        alive.pop_back();
      } else {
        alive.push_back(i);
        orders.push_back(1 + static_cast<int64_t>(random() % (1 << 17)));
      }
    }
    ASSERT_OK(reuse(session.get(), orders));
    int64_t held = cambium_session_memory_held(session.get());
    ASSERT_OK(reuse(session.get(), orders));
    EXPECT_EQ(cambium_session_memory_held(session.get()), held);
  }
}

TEST_F(ServicesTest, WorkspaceLimit) {
  cambium_session_options_t options = {};
  options.memory_limit = 5 << 20;
  Session session = makeSession(options);
  EXPECT_ERROR(allocate(session.get(), {3 << 20}), OUT_OF_MEMORY,
               "entry 'memory': out of workspace memory: 3145728 bytes are "
               "needed beside 3145792 in use, but the limit is 5242880");
  // The failed call leaves nothing behind that others would lack.
  EXPECT_EQ(cambium_session_memory_held(session.get()), 0);
  EXPECT_OK(allocate(session.get(), {1 << 20}));
  // Nothing is so large that it wraps around.
  EXPECT_ERROR_PART(allocate(session.get(), {INT64_MAX}), OUT_OF_MEMORY,
                    "expected a workspace size in [0, 2^60]");
  EXPECT_ERROR_PART(allocate(session.get(), {-1}), OUT_OF_MEMORY,
                    "expected a workspace size in [0, 2^60], but got -1");
  Session unlimited = makeSession();
  EXPECT_ERROR_PART(allocate(unlimited.get(), {int64_t{1} << 59}),
                    OUT_OF_MEMORY, "the system has no");
}

TEST_F(ServicesTest, ThreadsOfThePool) {
  // As many as are asked for, but not more than processors.
  for (int32_t threads : {1, 2, 5}) {
    cambium_session_options_t options = {};
    options.num_threads = threads;
    Session session = makeSession(options);
    EXPECT_EQ(cambium_session_num_threads(session.get()),
              std::min(threads, cambium::runtime::numProcessors()));
    for (int i = 0; i < 20; ++i)
      ASSERT_OK(allocate(session.get(), {10}));
  }
  cambium_session_t *session = nullptr;
  ASSERT_OK(cambium_session_create(nullptr, &session));
  EXPECT_GE(cambium_session_num_threads(session), 1);
  cambium_session_destroy(session);
}

TEST_F(ServicesTest, OneThreadOnOneProcessor) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before))
      CPU_SET(cpu, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  cambium_session_options_t options = {};
  options.num_threads = 4;
  Session session = makeSession(options);
  EXPECT_EQ(cambium_session_num_threads(session.get()), 1);
  EXPECT_OK(allocate(session.get(), {10}));
  EXPECT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

TEST_F(ServicesTest, ThreadsOfTheHost) {
  using Pieces = std::vector<std::pair<int64_t, int64_t>>;
  Pieces pieces;
  cambium_session_options_t options = {};
  options.parallel_for_user = &pieces;
  options.parallel_for = [](void *user, cambium_task_fn fn, void *task,
                            int64_t count, int64_t grain) {
    for (int64_t begin = 0; begin < count; begin += 10 * grain) {
      int64_t end = std::min(count, begin + 10 * grain);
      static_cast<Pieces *>(user)->emplace_back(begin, end);
      fn(task, begin, end);
    }
  };
  Session session = makeSession(options);
  EXPECT_EQ(cambium_session_num_threads(session.get()), 0);
  ASSERT_OK(allocate(session.get(), {10}));
  EXPECT_EQ(pieces.size(), 7u);
  EXPECT_EQ(pieces.back(), (std::pair<int64_t, int64_t>(960, 1000)));
}

TEST_F(ServicesTest, SessionOptions) {
  cambium_session_options_t options = {};
  options.num_threads = -1;
  cambium_session_t *session = nullptr;
  EXPECT_ERROR(cambium_session_create(&options, &session), INVALID_ARGUMENT,
               "expected 0 to 4096 threads, but got -1");
  options.num_threads = 1;
  options.memory_limit = -5;
  EXPECT_ERROR(cambium_session_create(&options, &session), INVALID_ARGUMENT,
               "expected a memory limit of 0 or more, but got -5");
}

/// A session that is already in a call refuses another one.
TEST_F(ServicesTest, NoCallInsideACall) {
  struct Inner {
    ServicesTest *test;
    cambium_session_t *session;
    cambium_status_t status;
  } inner = {this, nullptr, CAMBIUM_STATUS_OK};
  cambium_session_options_t options = {};
  options.parallel_for_user = &inner;
  options.parallel_for = [](void *user, cambium_task_fn fn, void *task,
                            int64_t count, int64_t) {
    auto *inner = static_cast<Inner *>(user);
    inner->status = inner->test->allocate(inner->session, {1});
    fn(task, 0, count);
  };
  Session session = makeSession(options);
  inner.session = session.get();
  ASSERT_OK(allocate(session.get(), {10}));
  EXPECT_EQ(inner.status, CAMBIUM_STATUS_WRONG_STATE);
}
