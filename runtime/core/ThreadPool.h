//===-- runtime/core/ThreadPool.h - Threads of parallel loops ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A pool for loops of microseconds, on processors that others may use too.
///
/// Every thread has a share of the pieces, the same for loops of the same
/// length, so that it finds what it wrote in its cache; then it takes pieces of
/// others. The calling thread does too, and waits only for pieces that a worker
/// has begun: a worker that gets no processor costs nothing. Whoever waits
/// spins shortly, then sleeps. A worker that the system has put on the
/// processor of the calling thread takes nothing and does not spin: all that it
/// did there, the calling thread would wait for. A loop that took longer than
/// the calling thread would have needed alone (a worker was taken off its
/// processor in the middle of a piece, or had to be woken for little work) is
/// answered by running the next ones alone for a few times what was lost, and
/// no longer: what is left of a loop then is shared.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_THREADPOOL_H
#define CAMBIUM_RUNTIME_CORE_THREADPOOL_H

#include "Support.h"

#include <atomic>
#include <pthread.h>
#include <sys/types.h>

namespace cambium::runtime {

class ThreadPool {
public:
  /// A part of a loop: [begin, end) of its range.
  using PieceFn = void (*)(void *loop, int64_t begin, int64_t end);

  ThreadPool() = default;
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;
  /// Ends the workers.
  ~ThreadPool();

  /// Starts `numThreads - 1` workers. False when the system refuses one; then
  /// there is none.
  [[nodiscard]] bool start(int32_t numThreads);

  /// Of the workers and the calling thread.
  int32_t numThreads() const {
    return static_cast<int32_t>(workers.size()) + 1;
  }

  /// Runs `fn` over [0, count) in a few pieces for each thread, of about the
  /// same size, whose bounds are multiples of `grain` (or `count`); returns
  /// when all are done. One loop at a time.
  void run(PieceFn fn, void *loop, int64_t count, int64_t grain);

private:
  /// The share of a thread: the number of the loop, and [begin, end) of its
  /// pieces that nobody has taken, 16 bits each. Its owner takes the first one,
  /// others the last one, which fails if anything has changed in between.
  struct alignas(64) Share {
    std::atomic<uint64_t> open;
  };
  struct Worker {
    ThreadPool *pool;
    uint32_t index; ///< Of its share.
    pthread_t thread;
  };

  static void *work(void *worker);
  /// Takes and runs pieces until none is left; the number of those taken.
  uint32_t runPieces(uint32_t self);
  bool runPiece(Share &share, bool isOwn);
  /// Whether a worker is on the processor of the calling thread.
  bool isInTheWay() const;
  /// Opens the pieces of a loop but the first `numDone`.
  void openShares(uint32_t numDone, uint32_t numPieces);
  void wakeWorkers(uint32_t numPieces);
  /// Until there is another loop than the given one, or the pool ends.
  void waitForLoop(uint32_t seen);
  /// Until all pieces that others have begun are done.
  void waitForOthers();
  /// Decides whether the next loops run alone; `lost` may be below zero.
  void account(int64_t now, int64_t lost);
  void stop();

  static constexpr int64_t kLeastPatience = 4;

  Buffer<Worker> workers;
  Buffer<Share> shares;
  /// Pauses before a waiting thread sleeps; none where threads share
  /// processors.
  int32_t pauses = 0;
  /// The process that has the workers: a fork has none.
  pid_t process = 0;
  // Nanoseconds: loops run on the calling thread alone until then; what the
  // last loops lost in all, below zero what they gained; for how many times of
  // its loss a loop is answered.
  int64_t aloneUntil = 0, balance = 0, patience = kLeastPatience;

  // The loop at hand. Written while no piece is open, hence by nobody else.
  std::atomic<PieceFn> fn{nullptr};
  std::atomic<void *> loop{nullptr};
  std::atomic<int64_t> count{0}, grain{0}, pieces{0};

  /// The number of the loop, whose shares are open.
  alignas(64) std::atomic<uint32_t> number{0};
  /// Where the calling thread began the loop; below 0 where that is unknown.
  std::atomic<int> callerProcessor{-1};
  std::atomic<uint32_t> sleepers{0};
  std::atomic<bool> ends{false};
  /// Pieces that are not done.
  alignas(64) std::atomic<uint32_t> unfinished{0};
  std::atomic<bool> callerSleeps{false};
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_THREADPOOL_H
