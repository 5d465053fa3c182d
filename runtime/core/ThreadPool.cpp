//===-- runtime/core/ThreadPool.cpp - Threads of parallel loops -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ThreadPool.h"
#include "Clock.h"
#include "Processors.h"

#include <algorithm>
#include <climits>
#include <csignal>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace cambium::runtime;

namespace {

/// Tens of microseconds: longer than what lies between most loops of a call,
/// and less than a time slice of another process.
constexpr int32_t kPauses = 2000;
/// While loops lose more than they gain, each is answered by running alone for
/// longer, which bounds the loss to a part in so many.
constexpr int64_t kMostPatience = 64;
/// A few, so that threads that finish early find more.
constexpr int64_t kPiecesPerThread = 4;
/// Of what loops lost or gained, this much is remembered (nanoseconds).
constexpr int64_t kMemory = 2000000;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Sleeps while the word holds that value, or for no reason.
void sleepWhile(std::atomic<uint32_t> &word, uint32_t value) {
  static_assert(sizeof(word) == sizeof(value), "the kernel compares 32 bits");
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

void wake(std::atomic<uint32_t> &word, uint32_t numThreads) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, numThreads, nullptr, nullptr,
          0);
}

/// The parts of Share::open.
uint64_t pack(uint32_t number, uint32_t begin, uint32_t end) {
  return uint64_t{number} << 32 | begin << 16 | end;
}
uint32_t numberOf(uint64_t open) { return static_cast<uint32_t>(open >> 32); }
uint32_t beginOf(uint64_t open) { return open >> 16 & 0xffff; }
uint32_t endOf(uint64_t open) { return open & 0xffff; }

/// Where a piece of a loop begins: at a multiple of `grain`, or at its end.
int64_t beginOf(int64_t piece, int64_t pieces, int64_t count, int64_t grain) {
  int64_t grains = (count - 1) / grain + 1;
  return std::min(count, grains * piece / pieces * grain);
}

} // namespace

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

bool ThreadPool::start(int32_t numThreads) {
  if (!workers.reserve(numThreads - 1) || !shares.resize(numThreads))
    return false;
  for (int32_t i = 0; i < numThreads; ++i)
    new (&shares[i]) Share{};
  process = getpid();
  pauses = numThreads <= numProcessors() ? kPauses : 0;
  callerProcessor = sched_getcpu();
  // Signals are for the threads of the host.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = true;
  while (started && workers.size() < numThreads - 1) {
    // Reserved, so that it stays where the worker finds it.
    (void)workers.push({this, static_cast<uint32_t>(workers.size()) + 1, {}});
    Worker &worker = workers.back();
    started = pthread_create(&worker.thread, nullptr, work, &worker) == 0;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!started) {
    workers.truncate(workers.size() - 1);
    stop();
  }
  return started;
}

ThreadPool::~ThreadPool() {
  if (process == getpid())
    stop();
}

void ThreadPool::stop() {
  ends = true;
  ++number;
  wake(number, INT_MAX);
  for (int64_t i = 0; i < workers.size(); ++i)
    pthread_join(workers[i].thread, nullptr);
  workers.clear();
}

void *ThreadPool::work(void *argument) {
  auto &worker = *static_cast<Worker *>(argument);
  ThreadPool &pool = *worker.pool;
  for (;;) {
    // Before `ends`, which is set before the number changes for the last time:
    // a worker that saw the new number only would wait for another one forever.
    uint32_t seen = pool.number;
    if (pool.ends)
      return nullptr;
    pool.runPieces(worker.index);
    pool.waitForLoop(seen);
  }
}

bool ThreadPool::isInTheWay() const {
  int processor = sched_getcpu();
  return processor >= 0 && processor == callerProcessor;
}

void ThreadPool::waitForLoop(uint32_t seen) {
  int32_t spins = isInTheWay() ? 0 : pauses;
  for (int32_t i = 0; i < spins; ++i) {
    if (number.load(std::memory_order_relaxed) != seen)
      return;
    relax();
  }
  // The caller looks for sleepers after it has changed the number.
  ++sleepers;
  sleepWhile(number, seen);
  --sleepers;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool ThreadPool::runPiece(Share &share, bool isOwn) {
  uint64_t seen = share.open.load(std::memory_order_acquire);
  for (;;) {
    uint32_t begin = beginOf(seen), end = endOf(seen);
    if (begin == end)
      return false;
    PieceFn run = fn.load(std::memory_order_relaxed);
    void *argument = loop.load(std::memory_order_relaxed);
    int64_t length = count.load(std::memory_order_relaxed);
    int64_t step = grain.load(std::memory_order_relaxed);
    int64_t parts = pieces.load(std::memory_order_relaxed);
    uint64_t rest = pack(numberOf(seen), begin + isOwn, end - !isOwn);
    if (!share.open.compare_exchange_weak(seen, rest, std::memory_order_acq_rel,
                                          std::memory_order_acquire))
      continue;
    int64_t piece = isOwn ? begin : end - 1;
    run(argument, beginOf(piece, parts, length, step),
        beginOf(piece + 1, parts, length, step));
    if (--unfinished == 0 && callerSleeps)
      wake(unfinished, 1);
    return true;
  }
}

uint32_t ThreadPool::runPieces(uint32_t self) {
  uint32_t taken = 0;
  auto mayTake = [&] { return self == 0 || !isInTheWay(); };
  auto numShares = static_cast<uint32_t>(shares.size());
  for (uint32_t i = 0; i < numShares; ++i) {
    uint32_t index = (self + i) % numShares;
    while (mayTake() && runPiece(shares[index], /*isOwn=*/i == 0))
      ++taken;
  }
  return taken;
}

void ThreadPool::openShares(uint32_t numDone, uint32_t numPieces) {
  uint32_t next = number.load(std::memory_order_relaxed) + 1;
  auto numShares = static_cast<uint32_t>(shares.size());
  uint32_t begin = 0;
  for (uint32_t i = 0; i < numShares; ++i) {
    uint32_t end = numPieces * (i + 1) / numShares;
    shares[i].open.store(pack(next, std::clamp(numDone, begin, end), end),
                         std::memory_order_release);
    begin = end;
  }
  number = next;
}

/// As many as there are pieces for, beside the calling thread and those awake.
void ThreadPool::wakeWorkers(uint32_t numPieces) {
  auto all = static_cast<uint32_t>(workers.size());
  uint32_t awake = all - std::min<uint32_t>(sleepers, all);
  uint32_t wanted = std::min(all, numPieces - 1);
  if (wanted > awake)
    wake(number, wanted - awake);
}

void ThreadPool::waitForOthers() {
  for (int32_t i = 0; i < pauses; ++i) {
    if (unfinished.load(std::memory_order_acquire) == 0)
      return;
    relax();
  }
  callerSleeps = true;
  while (uint32_t left = unfinished)
    sleepWhile(unfinished, left);
  callerSleeps = false;
}

void ThreadPool::run(PieceFn body, void *argument, int64_t length,
                     int64_t step) {
  int64_t grains = (length - 1) / step + 1;
  auto numPieces = static_cast<uint32_t>(
      std::min(grains, kPiecesPerThread * int64_t{numThreads()}));
  // Alone for no longer than that: a loop of milliseconds is not to pay for one
  // of microseconds. If there is time for all pieces, they are one.
  uint32_t numDone = 0, numNext = 1;
  int64_t before = nanoseconds();
  while (before < aloneUntil) {
    body(argument, beginOf(numDone, numPieces, length, step),
         beginOf(numDone + numNext, numPieces, length, step));
    numDone += numNext;
    uint32_t numLeft = numPieces - numDone;
    if (!numLeft)
      return;
    int64_t now = nanoseconds();
    numNext = (now - before) * numLeft < aloneUntil - now ? numLeft : 1;
    before = now;
  }
  callerProcessor.store(sched_getcpu(), std::memory_order_relaxed);
  fn.store(body, std::memory_order_relaxed);
  loop.store(argument, std::memory_order_relaxed);
  count.store(length, std::memory_order_relaxed);
  grain.store(step, std::memory_order_relaxed);
  pieces.store(numPieces, std::memory_order_relaxed);
  uint32_t numOpen = numPieces - numDone;
  unfinished.store(numOpen, std::memory_order_relaxed);
  openShares(numDone, numPieces);
  wakeWorkers(numOpen);
  int64_t ready = nanoseconds();
  uint32_t taken = runPieces(0);
  int64_t done = nanoseconds();
  waitForOthers();
  if (!taken)
    return;
  int64_t after = nanoseconds();
  int64_t lost = (after - before) - (done - ready) * numOpen / taken;
  account(after, lost);
}

void ThreadPool::account(int64_t now, int64_t lost) {
  balance = std::clamp(balance + lost, -kMemory, kMemory);
  if (lost <= 0)
    return;
  patience =
      balance > 0 ? std::min(2 * patience, kMostPatience) : kLeastPatience;
  aloneUntil = now + patience * lost;
}
