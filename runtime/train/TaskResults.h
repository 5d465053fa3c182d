//===-- runtime/train/TaskResults.h - How good it is at each -- -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_TASKRESULTS_H
#define CAMBIUM_TRAIN_TASKRESULTS_H

#include "RunFolder.h"

namespace cambium::train {

/// A row per task that was trained, a column per task that was evaluated then.
struct TaskResults {
  std::vector<std::string> names; ///< Of all tasks.
  std::string metric;
  std::vector<std::vector<double>> matrix;

  /// What tasks.json says; none where there is no such file.
  Status read(const RunFolder &folder);
  Status write(const RunFolder &folder) const;
  /// The same for a reader, with what sums it up.
  std::vector<std::vector<std::string>> table() const;

  /// After all tasks: by how much the training on later tasks has changed each
  /// one but the last (Lopez-Paz and Ranzato 2017), and by how much each was
  /// better at best (Chaudhry et al. 2018); more is better, and worse.
  std::vector<double> transfer() const;
  std::vector<double> forgotten() const;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TASKRESULTS_H
