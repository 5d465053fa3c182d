//===-- tools/cambium-run/Progress.h - How far a training is ----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_PROGRESS_H
#define CAMBIUM_RUN_PROGRESS_H

#include "cambium/train.h"
#include "runtime/train/Stopwatch.h"

namespace cambium::run {

/// Shows on the standard error stream how far a training is: on a terminal one
/// line that is rewritten, elsewhere a line now and then.
class Progress {
public:
  explicit Progress(bool quiet);
  ~Progress() { clear(); }

  /// Whether it is time for another line.
  bool isDue() const;
  void show(const train::ProgressEvent &state);
  /// A few words instead: "evaluating".
  void say(const std::string &text);
  /// Removes the line, so that other output may follow.
  void clear();

private:
  bool quiet, isTerminal, isShown = false;
  train::Stopwatch sinceStart;
  double lastShown = 0;
};

} // namespace cambium::run

#endif // CAMBIUM_RUN_PROGRESS_H
