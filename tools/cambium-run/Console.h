//===-- tools/cambium-run/Console.h - A training on the terminal -*- C++ -*-==//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_CONSOLE_H
#define CAMBIUM_RUN_CONSOLE_H

#include "Progress.h"

namespace cambium::run {

/// Prints what happens in a training; stops it after a signal.
class Console : public train::Events {
public:
  explicit Console(bool quiet) : progress(quiet) {}

  void began(const train::BeginEvent &event) override;
  bool wantsProgress() override { return progress.isDue(); }
  void progressed(const train::ProgressEvent &event) override {
    progress.show(event);
  }
  void evaluating(int64_t epoch, int64_t epochs) override;
  void finishedEpoch(const train::EpochEvent &event) override;
  void restarted(int64_t epochs) override;
  void finished(const train::Result &result) override;
  void evaluated(const train::EvaluationEvent &event) override;
  void interrupted(const std::string &folder) override;
  void seed(const train::SeedEvent &event) override;
  void task(const train::TaskEvent &event) override;
  void
  sweepFinished(const std::vector<std::vector<std::string>> &table) override;
  bool shouldStop() override;

private:
  Progress progress;
};

} // namespace cambium::run

#endif // CAMBIUM_RUN_CONSOLE_H
