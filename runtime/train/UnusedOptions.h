//===-- runtime/train/UnusedOptions.h - What would have no effect -*- C++ -*-=//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_UNUSEDOPTIONS_H
#define CAMBIUM_TRAIN_UNUSEDOPTIONS_H

#include "Options.h"

namespace cambium::train {

/// An error where an option of the data is given that its format does not read.
Status refuseUnusedByReader(const DataOptions &options);

/// An error where an option of the learning is given, and none that uses it.
Status refuseUnusedInTraining(const Options &options);

/// An error where an option of tasks in turn is given, but no tasks are.
Status refuseWithoutTasks(const Options &options);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_UNUSEDOPTIONS_H
