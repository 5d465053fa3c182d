//===-- runtime/train/TaskList.h - The tasks of a course ------ -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_TASKLIST_H
#define CAMBIUM_TRAIN_TASKLIST_H

#include "Options.h"

namespace cambium::train {

/// One of several tasks that are trained in turn.
struct Task {
  std::string name;
  Options options; ///< Those for all tasks, and its own.
};

/// Reads the list of `common.tasks` (docs/Tasks.md).
Status readTasks(const Options &common, std::vector<Task> &tasks);

/// The steps of --step after so many tasks: `replay:earlier/10,train` becomes
/// `replay:3/10,train`, and `train` where there were none.
std::string stepsAfter(const std::string &steps, int64_t earlier);

/// An error that says which task it is about.
Status inTask(const Task &task, const Status &status);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TASKLIST_H
