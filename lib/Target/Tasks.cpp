//===-- lib/Target/Tasks.cpp - What tasks of parallel loops get ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tasks.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cambium;

namespace {
/// Follows memory to all that reads or writes a known place of it.
class PlaceFinder {
public:
  explicit PlaceFinder(const DataLayout &layout) : layout(layout) {}

  /// False if anything else is done with `memory` than calls of `except`.
  bool find(Value &memory, Value *except,
            function_ref<bool(Instruction &, uint64_t)> onAccess) {
    SmallVector<std::pair<Value *, uint64_t>> pointers{{&memory, 0}};
    while (!pointers.empty()) {
      auto [pointer, place] = pointers.pop_back_val();
      for (User *user : pointer->users()) {
        if (user == except)
          continue;
        APInt offset(64, place);
        auto *view = dyn_cast<GetElementPtrInst>(user);
        if (view && view->accumulateConstantOffset(layout, offset))
          pointers.push_back({view, offset.getZExtValue()});
        else if (!isa<Instruction>(user) ||
                 !onAccess(*cast<Instruction>(user), place))
          return false;
      }
    }
    return true;
  }

private:
  const DataLayout &layout;
};
} // namespace

/// The call of a service that runs a task with `memory`, if it is the only one.
static CallInst *launchWith(AllocaInst &memory) {
  CallInst *launch = nullptr;
  for (User *user : memory.users()) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call)
      continue;
    if (launch || call->getCalledFunction() || call->arg_size() < 3 ||
        call->getArgOperand(2) != &memory)
      return nullptr;
    launch = call;
  }
  return launch;
}

std::optional<Launch> cambium::findLaunch(AllocaInst &memory) {
  CallInst *call = launchWith(memory);
  auto *task = call ? dyn_cast<Function>(call->getArgOperand(1)) : nullptr;
  if (!task || task->isDeclaration() || task->arg_empty())
    return std::nullopt;
  Launch launch;
  launch.memory = &memory;
  launch.call = call;
  launch.task = task;
  PlaceFinder places(task->getParent()->getDataLayout());
  bool isRead = places.find(*task->getArg(0), nullptr,
                            [&](Instruction &op, uint64_t place) {
                              auto *load = dyn_cast<LoadInst>(&op);
                              launch.reads.push_back({load, place});
                              return load != nullptr;
                            });
  bool isWritten =
      places.find(memory, call, [&](Instruction &op, uint64_t place) {
        auto *store = dyn_cast<StoreInst>(&op);
        return store && store->getValueOperand() != &memory &&
               launch.writes.try_emplace(place, store).second;
      });
  if (!isRead || !isWritten)
    return std::nullopt;
  return launch;
}

void cambium::dropCaptures(Module &code) {
  SmallVector<AllocaInst *> memory;
  for (Function &function : code)
    for (Instruction &op : instructions(function))
      if (auto *allocation = dyn_cast<AllocaInst>(&op))
        memory.push_back(allocation);
  for (AllocaInst *allocation : memory) {
    std::optional<Launch> launch = findLaunch(*allocation);
    if (!launch)
      continue;
    DenseSet<uint64_t> places;
    for (auto [load, place] : launch->reads)
      places.insert(place);
    for (auto [place, store] : launch->writes)
      if (!places.contains(place))
        store->eraseFromParent();
  }
}
