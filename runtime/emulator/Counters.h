//===-- runtime/emulator/Counters.h - What kernels did ----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_COUNTERS_H
#define CAMBIUM_EMULATOR_COUNTERS_H

#include "Instruction.h"

#include "cambium/emulator.h"

#include <string>

namespace cambium::emulator {

struct Function;
struct Loop;
struct Module;

/// Of all launches since they were cleared.
struct Counters : cambium_emulator_counters_t {
  Counters() : cambium_emulator_counters_t{} {}
  /// Adds what was executed since the last time, and forgets it.
  void collect(Module &module);
  /// What was counted after `before`.
  Counters since(const Counters &before) const;
  /// As lines `name value`.
  std::string text() const;
};

/// What warps executed in a loop.
cambium_emulator_loop_t measureLoop(const Function &function, const Loop &loop);

} // namespace cambium::emulator
#endif
