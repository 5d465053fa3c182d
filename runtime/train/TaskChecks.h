//===-- runtime/train/TaskChecks.h - What a course demands ---- -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_TASKCHECKS_H
#define CAMBIUM_TRAIN_TASKCHECKS_H

#include "TaskList.h"
#include "Training.h"

namespace cambium::train {

/// What could be wrong with a later task is found before the first one. Makes
/// the file of which the first training learns words and classes; `hasLearn`
/// says whether that may be there.
Status checkTasks(const Options &options, const std::vector<Task> &tasks,
                  const RunFolder &folder, Events &events, bool &hasLearn);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TASKCHECKS_H
