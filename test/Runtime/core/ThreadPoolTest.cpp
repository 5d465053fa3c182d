//===-- test/Runtime/core/ThreadPoolTest.cpp - Loops on shared processors -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../../runtime/core/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using cambium::runtime::ThreadPool;

namespace {

/// A loop that counts how often each element was run.
struct Visits {
  explicit Visits(int64_t count, int64_t size)
      : visits(static_cast<size_t>(count)), size(size) {}

  static void visit(void *self, int64_t begin, int64_t end) {
    auto &loop = *static_cast<Visits *>(self);
    loop.rightBounds += begin % loop.size == 0 && begin < end;
    for (int64_t i = begin; i < end; ++i)
      ++loop.visits[static_cast<size_t>(i)];
    ++loop.pieces;
  }

  bool runOnce(ThreadPool &pool) {
    auto count = static_cast<int64_t>(visits.size());
    pool.run(visit, this, count, size);
    for (int32_t &times : visits) {
      if (times != 1)
        return false;
      times = 0;
    }
    return rightBounds == pieces;
  }

  std::vector<int32_t> visits;
  int64_t size;
  std::atomic<int64_t> pieces{0}, rightBounds{0};
};

/// Whether several loops in a row are right.
bool loopsAreRight(ThreadPool &pool, int rounds) {
  Visits large(1000, 7), small(3, 2), single(5, 8), many(8000, 1);
  bool right = true;
  for (int i = 0; i < rounds; ++i)
    right = right && large.runOnce(pool) && small.runOnce(pool) &&
            single.runOnce(pool) && (i % 64 || many.runOnce(pool));
  return right;
}

/// Lets this thread, and those that it starts, run on one processor: number
/// `wanted` of those that it may use. False if there are not so many.
bool bindTo(const cpu_set_t &all, int wanted) {
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &all) && wanted-- == 0)
      CPU_SET(i, &one);
  return CPU_COUNT(&one) && sched_setaffinity(0, sizeof(one), &one) == 0;
}

} // namespace

TEST(ThreadPoolTest, EveryElementOnce) {
  for (int32_t threads : {1, 2, 3, 8, 33}) {
    ThreadPool pool;
    ASSERT_TRUE(pool.start(threads));
    EXPECT_EQ(pool.numThreads(), threads);
    EXPECT_TRUE(loopsAreRight(pool, 500)) << threads << " threads";
  }
}

/// 20 grains for two threads: pieces of two or three, four for each.
TEST(ThreadPoolTest, PiecesOfAboutTheSameSize) {
  struct Sizes {
    std::mutex mutex;
    int64_t least = INT64_MAX, most = 0;
  } sizes;
  auto note = [](void *argument, int64_t begin, int64_t end) {
    auto &sizes = *static_cast<Sizes *>(argument);
    EXPECT_EQ(begin % 4, 0);
    std::lock_guard<std::mutex> lock(sizes.mutex);
    sizes.least = std::min(sizes.least, end - begin);
    sizes.most = std::max(sizes.most, end - begin);
  };
  ThreadPool pool;
  ASSERT_TRUE(pool.start(2));
  pool.run(note, &sizes, 20 * 4, 4);
  EXPECT_EQ(sizes.least, 2 * 4);
  EXPECT_EQ(sizes.most, 3 * 4);
}

/// Workers that have gone to sleep are woken.
TEST(ThreadPoolTest, LoopsFarApart) {
  ThreadPool pool;
  ASSERT_TRUE(pool.start(4));
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(loopsAreRight(pool, 2));
    usleep(3000);
  }
}

/// A pool that ends while its workers begin: none of them waits for ever.
TEST(ThreadPoolTest, EndsAtAnyTime) {
  for (int i = 0; i < 2000; ++i) {
    ThreadPool pool;
    ASSERT_TRUE(pool.start(i % 4 + 1));
    for (volatile int pause = 0; pause < i * 10; pause = pause + 1) {
    }
    if (i % 3 == 0) {
      EXPECT_TRUE(Visits(9, 2).runOnce(pool));
    }
  }
}

/// All threads on one processor: the workers leave it to the caller.
TEST(ThreadPoolTest, OneProcessorForManyThreads) {
  std::thread bound([] {
    cpu_set_t all;
    ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
    ASSERT_TRUE(bindTo(all, 0));
    ThreadPool pool;
    ASSERT_TRUE(pool.start(8));
    EXPECT_TRUE(loopsAreRight(pool, 500));
    struct Look {
      std::atomic<int32_t> byCaller{0}, byOthers{0};
      pthread_t caller = pthread_self();
    } look;
    for (int i = 0; i < 20; ++i) {
      pool.run(
          [](void *argument, int64_t, int64_t) {
            auto &look = *static_cast<Look *>(argument);
            usleep(20); // The others may have the processor.
            ++(pthread_equal(pthread_self(), look.caller) ? look.byCaller
                                                          : look.byOthers);
          },
          &look, 50, 1);
      usleep(1000);
    }
    EXPECT_GT(look.byCaller, 0);
    EXPECT_EQ(look.byOthers, 0);
  });
  bound.join();
}

/// Nobody waits for a worker that has not begun: a forked process has none, and
/// its loops are right.
TEST(ThreadPoolTest, WorkersThatNeverCome) {
  ThreadPool pool;
  ASSERT_TRUE(pool.start(4));
  EXPECT_TRUE(loopsAreRight(pool, 10));
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    bool right = loopsAreRight(pool, 100);
    pool.~ThreadPool();
    _exit(right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

namespace {

using Clock = std::chrono::steady_clock;

/// Two loops, of which the worker delays the first one.
struct Delayed {
  bool isOther() const { return !pthread_equal(pthread_self(), caller); }

  /// The calling thread waits until the other one has come, which then takes
  /// more than twice as long: the calling thread would have been faster alone.
  static void delay(void *argument, int64_t, int64_t) {
    auto &self = *static_cast<Delayed *>(argument);
    if (self.isOther()) {
      self.lost = Clock::now() - self.begin + std::chrono::milliseconds(2);
      self.othersCame = true;
      std::this_thread::sleep_for(2 * self.lost);
    }
    while (!self.othersCame)
      usleep(100);
  }

  /// A piece takes about half as long as the calling thread stays alone.
  static void work(void *argument, int64_t begin, int64_t) {
    auto &self = *static_cast<Delayed *>(argument);
    self.byOthers += self.isOther();
    if (begin == 0)
      self.beganAlone = !self.isOther() && self.byOthers == 0;
    std::this_thread::sleep_for(4 * self.lost);
  }

  pthread_t caller = pthread_self();
  Clock::time_point begin = Clock::now();
  Clock::duration lost{};
  std::atomic<bool> othersCame{false}, beganAlone{false};
  std::atomic<int32_t> byOthers{0};
};

} // namespace

/// A worker that delays a short loop is not asked for a while; a long loop that
/// begins then is shared when that is over.
TEST(ThreadPoolTest, AloneForAWhile) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  if (CPU_COUNT(&all) < 2)
    GTEST_SKIP() << "there is no processor for a worker";
  std::thread bound([&] {
    // Where other processes take its processor, the worker comes too late. Each
    // try has its own pool: one that a try left alone would wait for nobody.
    bool isShared = false;
    for (int32_t i = 0; i < 50 && !isShared; ++i) {
      ASSERT_TRUE(bindTo(all, 1));
      ThreadPool pool;
      ASSERT_TRUE(pool.start(2));
      ASSERT_TRUE(bindTo(all, 0));
      Delayed loops;
      pool.run(Delayed::delay, &loops, 2, 1);
      pool.run(Delayed::work, &loops, 8, 1);
      isShared = loops.beganAlone && loops.byOthers > 0 && loops.byOthers < 7;
    }
    EXPECT_TRUE(isShared);
  });
  bound.join();
}

/// Signals are for the threads of the host.
TEST(ThreadPoolTest, WorkersTakeNoSignals) {
  ThreadPool pool;
  ASSERT_TRUE(pool.start(2));
  std::atomic<int32_t> blocked{0}, ran{0};
  struct Look {
    std::atomic<int32_t> &blocked, &ran;
    pthread_t caller;
  } look = {blocked, ran, pthread_self()};
  pool.run(
      [](void *argument, int64_t, int64_t) {
        auto &look = *static_cast<Look *>(argument);
        usleep(100);
        if (pthread_equal(pthread_self(), look.caller))
          return;
        sigset_t set;
        pthread_sigmask(SIG_BLOCK, nullptr, &set);
        ++look.ran;
        look.blocked += sigismember(&set, SIGTERM) && sigismember(&set, SIGINT);
      },
      &look, 1000, 1);
  EXPECT_EQ(blocked, ran);
}
