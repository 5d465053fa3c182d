//===-- runtime/train/RunLock.h - One training per folder -------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_RUNLOCK_H
#define CAMBIUM_TRAIN_RUNLOCK_H

#include "cambium/data.h"

namespace cambium::train {

using data::Status;

/// Holds a run folder for one writer. The system gives the lock back when its
/// process ends, however that happens: a file `lock` that a killed training
/// left behind locks nothing.
class RunLock {
public:
  RunLock() = default;
  RunLock(const RunLock &) = delete;
  RunLock &operator=(const RunLock &) = delete;
  ~RunLock() { release(); }

  /// Makes the folder if there is none; does nothing if it is held already. An
  /// error names the process that holds it.
  Status acquire(const std::string &folder);
  void release();
  /// Whether a file is a lock, and not another one of its name.
  static bool isLock(const std::string &path);
  bool isHeld() const { return descriptor >= 0; }

private:
  std::string path;
  int descriptor = -1;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_RUNLOCK_H
