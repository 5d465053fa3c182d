//===-- lib/Target/StepFunction.h - Functions that read frames ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_STEPFUNCTION_H
#define CAMBIUM_TARGET_STEPFUNCTION_H

#include "Frame.h"

namespace cambium {

/// How a step is done.
struct Step {
  /// Null where the step does nothing but launch a task.
  llvm::Function *function = nullptr;
  /// That task, which gets the frame and the step's places in its list. The
  /// first of these says how many rows it has.
  llvm::Function *task = nullptr;
  int32_t grain = 0;
};

/// Makes of a function one that reads its arguments from a frame, and writes
/// its result there. `slots` says where each of the calls that are steps has
/// them; what the function does not need to be told is taken away. Where it may
/// fail, the list ends if it gives null.
Step makeStep(llvm::Function &callee, llvm::ArrayRef<Slots *> slots,
              bool mayFail);

} // namespace cambium

#endif // CAMBIUM_TARGET_STEPFUNCTION_H
