//===-- lib/Target/Tasks.h - What tasks of parallel loops get --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_TASKS_H
#define CAMBIUM_TARGET_TASKS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class AllocaInst;
class CallInst;
class Function;
class Instruction;
class LoadInst;
class Module;
class StoreInst;
} // namespace llvm

namespace cambium {

/// A task of a parallel loop, the memory that it gets, and by the place in it
/// what is written there and read by the task.
struct Launch {
  llvm::AllocaInst *memory;
  llvm::CallInst *call;
  llvm::Function *task;
  llvm::DenseMap<uint64_t, llvm::StoreInst *> writes;
  llvm::SmallVector<std::pair<llvm::LoadInst *, uint64_t>> reads;
};

/// The launch of the task that gets `memory`; none if more is done with it.
std::optional<Launch> findLaunch(llvm::AllocaInst &memory);

/// Writes nothing for a task that it does not read.
void dropCaptures(llvm::Module &code);

} // namespace cambium

#endif // CAMBIUM_TARGET_TASKS_H
