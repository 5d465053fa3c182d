//===-- runtime/emulator/Machine.h - Warps, blocks, grids -------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_MACHINE_H
#define CAMBIUM_EMULATOR_MACHINE_H

#include "Counters.h"
#include "Heap.h"
#include "Module.h"
#include "Order.h"

#include <array>
#include <deque>
#include <functional>

namespace cambium::emulator {

struct Grid;
struct Block;

/// What goes wrong in a kernel, with the place.
class Fault : public std::runtime_error {
public:
  enum class Reason {
    Address,
    Misaligned,
    Instruction,
    Stack,
    Hang,
    Divergence,
    Uninitialized,
    Race,
    Trap
  };
  Fault(Reason reason, const std::string &text)
      : std::runtime_error(text), reason(reason) {}
  Reason reason;
};

/// A function that lanes are in.
struct Frame {
  Function *function = nullptr;
  Frame *parent = nullptr;
  const CallSite *site = nullptr;
  int32_t returnTo = 0;
  int depth = 0;
  /// Splits in it and frames above it.
  int users = 0;
  uint32_t localBase = 0;
  std::unique_ptr<uint64_t[]> memory;
  uint8_t *registers = nullptr, *parameters = nullptr;
};

/// Lanes at one place.
struct Split {
  enum State : uint8_t { Running, AtBarrier, Gathering };
  uint32_t mask = 0;
  int32_t at = 0;
  Frame *frame = nullptr;
  State state = Running;
  int barrier = 0;
};

/// A `cp.async` that has not been done.
struct PendingCopy {
  const Instruction *instruction;
  uint32_t mask;
  uint64_t from[kLanes], to[kLanes];
  uint32_t sourceBytes[kLanes];
  /// Of each lane: how many groups it had committed.
  uint32_t group[kLanes];
};

struct Warp : Lanes {
  Grid *grid = nullptr;
  Block *block = nullptr;
  uint32_t index = 0, live = 0;
  std::vector<Split> splits;
  Frame *frame = nullptr, *entry = nullptr;
  const Instruction *current = nullptr;
  std::unique_ptr<uint64_t[]> special;
  /// Local memory of all lanes, one after the other.
  std::vector<uint8_t> local;
  uint32_t localStride = 0;
  std::vector<PendingCopy> copies;
  uint32_t copyGroups[kLanes] = {};
  Allocation *lastAllocation = nullptr;

  void start(Function &kernel, uint32_t mask,
             const std::vector<uint8_t> &parameters);
  /// Runs up to `budget` instructions; false if no split can run.
  bool run(int64_t budget);
  bool isDone() const { return splits.empty(); }
  bool canRun() const;
  [[noreturn]] void fail(Fault::Reason reason, const std::string &text,
                         const Instruction *at = nullptr) const;
  std::string place(const Instruction &instruction) const;
  std::string places() const;
  uint32_t threadOf(int lane) const {
    return index * kLanes + static_cast<uint32_t>(lane);
  }
  void growLocal(uint32_t bytes);
  /// A strong read: one that is repeated while no memory changes waits for
  /// others, whose turn it is at the next branch.
  void poll(const Instruction &i);

private:
  Split *pick();
  Split *merge(Split *split);
  [[noreturn]] void failDivergent() const;
  Frame *enterFunction(Function &function, Frame *parent);
  int64_t execute(Split &split, int64_t budget);
  void fillSpecial();
  bool control(Split &split, const Instruction &i, uint32_t taken);
  bool branch(Split &split, const Instruction &i, uint32_t taken);
  void branchByIndex(Split &split, const Instruction &i, uint32_t taken);
  void call(Split &split, const Instruction &i, uint32_t taken);
  void callOne(uint32_t mask, const CallSite &site, Function &callee,
               Frame *from, int32_t returnTo);
  void leave(Split &split, uint32_t mask, bool all);
  void drop(Frame *frame);
  bool gather(Split &split, const Instruction &i, uint32_t taken);
  void removeLanes(Split &split, uint32_t mask);
  bool yielded = false, polls = false;
  const Instruction *polled = nullptr;
  uint64_t eventsAtPoll = 0;
};

struct NamedBarrier {
  /// 0: all threads.
  uint32_t expected = 0, arrived = 0;
  /// Of `bar.red`.
  uint32_t sum = 0;
  bool isUsed = false;
};

struct Block {
  Grid *grid = nullptr;
  uint32_t index = 0;
  uint32_t id[3] = {0, 0, 0};
  std::vector<uint8_t> shared, sharedDefined;
  std::vector<WordStamps> sharedStamps;
  uint32_t staticEnd = 0;
  std::vector<std::unique_ptr<Warp>> warps;
  std::array<NamedBarrier, 16> barriers;
  uint32_t live = 0, ended = 0;
  BlockOrder order;

  bool isDone() const { return live == 0; }
  /// Lanes wait at a barrier; releases it if they are the last.
  void arrive(Warp &warp, Split *split, const Instruction &i, uint32_t mask);
  void tryRelease(int number, const Warp &warp);
};

/// What is looked for.
struct Checks {
  bool races = true, uninitialized = true;
};

struct LaunchShape {
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  uint32_t dynamicShared = 0;
  uint32_t resident = 1;
};

/// What outlives a launch.
struct DeviceClock {
  uint32_t clock = 0, sets = 0;
  /// What %globaltimer says: an instruction of a warp takes a nanosecond.
  uint64_t timer = 1000000000;
};

/// A launch.
struct Grid {
  Grid(Module &module, Function &kernel, const LaunchShape &shape, Heap &heap,
       DeviceClock &clock, Counters &counters);
  ~Grid();

  /// Throws Fault.
  void run(const std::vector<uint8_t> &parameters, uint64_t seed);

  Module &module;
  Function &kernel;
  LaunchShape shape;
  Heap &heap;
  DeviceClock &deviceClock;
  Counters &counters;
  Checks checks;
  Order order;
  uint32_t numBlocks, threadsPerBlock, warpsPerBlock, sharedBytes;
  uint64_t hangLimit = 100000000;
  /// Goes on when memory changes or lanes move on that waited.
  uint64_t events = 0, instructions = 0;
  /// The texts of the first findings, one for each line.
  std::vector<std::string> findings;
  std::unordered_map<uint32_t, uint64_t> findingsOfLine;
  uint32_t multiprocessors = 1;

  Frame *makeFrame(Function &function);
  void recycle(Frame *frame);
  /// What does not end the launch, but makes it fail.
  void report(const Warp &warp, const Instruction &i, const std::string &text);

private:
  std::unique_ptr<Block> startBlock(uint32_t index);
  void checkHang(uint64_t &eventsSeen, uint64_t &since);
  void forgetSets();
  [[noreturn]] void reportStop(Fault::Reason reason, const std::string &what);

  const std::vector<uint8_t> *parameters = nullptr;
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<std::unique_ptr<Frame>> frames;
  std::unordered_map<const Function *, std::vector<Frame *>> unused;
};

enum class Access : uint8_t { Read, Write, Atomic };

/// Checks and counts an access of the lanes of `mask`, and finds its bytes.
/// Addresses are those of the instruction's space.
void resolve(Warp &warp, const Instruction &i, uint32_t mask,
             const uint64_t *addresses, uint32_t bytes, Access access,
             uint8_t **host);
/// The addresses of an operand, with the instruction's offset.
void addressesOf(const Lanes &lanes, const Operand &operand, int64_t offset,
                 uint64_t *addresses);
/// A lane of a source operand, by its width.
uint64_t readLane(const Lanes &lanes, const Operand &operand, int lane);
void writeLane(Lanes &lanes, const Operand &operand, int lane, uint64_t value);
uint32_t predicateOf(const Lanes &lanes, const Operand &operand);
void writePredicate(Lanes &lanes, const Operand &operand, uint32_t bits,
                    uint32_t mask);

} // namespace cambium::emulator
#endif
