//===-- runtime/train/TaskData.h - What a task is trained on -- -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_TASKDATA_H
#define CAMBIUM_TRAIN_TASKDATA_H

#include "Setup.h"
#include "TaskList.h"

namespace cambium::train {

/// Opens the model that a training of a task has left, as `options` say, with
/// `predict` as what it is asked for.
Status openTrained(const RunFolder &run, const Options &options,
                   const std::string &predict, Setup &setup);

/// The files that a course writes for one task, in a folder of their own.
class TaskData {
public:
  TaskData(const RunFolder &folder, const Task &task)
      : path(folder.path(("data-" + task.name).c_str())), task(task) {}

  std::string train() const { return fileOf("train"); }
  std::string replay() const { return fileOf("replay"); }
  std::string memory() const { return fileOf("memory"); }
  /// All training data, for what is learned of it.
  std::string learn() const { return fileOf("learn"); }

  /// Whether a file lies in this folder.
  bool holds(const std::string &file) const;
  Status create() const;
  /// Removes these files, and the folder where it is empty then.
  void remove() const;
  void removeLearn() const;
  Status writeLearn(const std::vector<Task> &tasks,
                    const data::Reader &reader) const;
  /// Writes a file with the outputs of --before as columns old.NAME.
  Status writeBefore(const RunFolder &lastRun, const std::string &from,
                     const std::string &to) const;
  /// Writes the memory: some examples of this task behind those of the file
  /// `before` (empty: none). `number` is that of the task, from 1.
  /// Asked to stop, it writes nothing.
  Status writeMemory(const RunFolder &run, const std::string &before,
                     int64_t number,
                     const std::function<bool()> &shouldStop) const;

private:
  std::string fileOf(const char *name) const;

  const std::string path;
  const Task &task;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TASKDATA_H
