//===-- tools/cambium-run/Progress.h - How far a training is ----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_PROGRESS_H
#define CAMBIUM_RUN_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <string>

namespace cambium::run {

/// Seconds since its construction.
class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

/// Shows on the standard error stream how far a training is: on a terminal one
/// line that is rewritten, elsewhere a line now and then.
class Progress {
public:
  explicit Progress(bool quiet);
  ~Progress() { clear(); }

  /// What a line says.
  struct State {
    int64_t epoch, epochs;
    int64_t done, total; ///< Examples of this epoch.
    double loss;         ///< Mean of this epoch so far.
    double examplesPerSecond;
    double secondsLeft; ///< Of the whole training.
  };
  /// Whether it is time for another line.
  bool isDue() const;
  void show(const State &state);
  /// A few words instead: "evaluating".
  void say(const std::string &text);
  /// Removes the line, so that other output may follow.
  void clear();

private:
  bool quiet, isTerminal, isShown = false;
  Stopwatch sinceStart;
  double lastShown = 0;
};

} // namespace cambium::run

#endif // CAMBIUM_RUN_PROGRESS_H
