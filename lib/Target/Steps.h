//===-- lib/Target/Steps.h - Entries as lists of steps ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_STEPS_H
#define CAMBIUM_TARGET_STEPS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace llvm {
class Argument;
class CallInst;
class Constant;
class Function;
class Module;
class Value;
} // namespace llvm

namespace cambium {

bool hasLoops(llvm::Function &function);

/// Whether `function` is the code of an entry.
bool isEntry(const llvm::Function &function);

/// Whether `function` is an entry without loops.
bool isPlainEntry(llvm::Function &function);

/// What a function that does nothing but to ask a service of the call asks.
struct Service {
  /// Of the service in the table of services.
  uint64_t offset;
  /// Whether the list of steps ends where the service gives null.
  bool isChecked;
};

/// The functions that ask a service, for all entries of a module.
using Services = llvm::DenseMap<const llvm::Function *, Service>;

/// Whether a call asks the service that stands at `offset` of their table.
bool asks(const Services &services, const llvm::CallInst &call,
          uint64_t offset);

/// Calls that follow each other, with nothing between them.
using Run = llvm::SmallVector<llvm::CallInst *>;

/// What of an entry, or of a function that an entry calls, are calls of
/// functions and services.
struct Steps {
  std::vector<Run> runs;
  /// The argument that is the struct of the call, if that is known.
  llvm::Argument *call = nullptr;
  /// What the entry returns when a service fails; null if none is asked.
  llvm::Constant *failure = nullptr;
};

/// Brings the calls of a function together: what is between them and does not
/// need them is computed before. Services that an entry asks become calls of
/// functions, which `services` knows then; where one fails is not looked at any
/// more: the list of steps ends there.
Steps findSteps(llvm::Function &function, llvm::Argument *call,
                Services &services);

/// The address of which a value is read in the structs of the call: the field
/// of the call that is followed, and how far behind that.
std::optional<std::pair<uint64_t, uint64_t>>
placeInCall(const llvm::Value *value, const llvm::Argument *call);

/// Entries keep in memory what they pass to functions, and have tables of what
/// is called with what of it: plain ones, and those that pass much.
void listSteps(llvm::Module &code);

} // namespace cambium

#endif // CAMBIUM_TARGET_STEPS_H
