//===-- tools/cambium-run/Console.cpp - A training on the terminal --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Console.h"
#include "Interrupt.h"
#include "Output.h"
#include "runtime/train/Format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace cambium;
using namespace cambium::run;
using namespace cambium::train;

/// Failures are found at the end of the command: a training goes on without
/// anybody to read its output (outliveReaders).
static void flush() { (void)flushOutput(); }

void Console::began(const BeginEvent &event) {
  // Before, while data is read, there is nothing to save: a signal ends it.
  catchInterrupts();
  print("%s: %s parameters; %s examples to train, %s to choose the best epoch "
        "by %s\n",
        event.model.c_str(), formatCount(event.parameters).c_str(),
        formatCount(event.trainExamples).c_str(),
        formatCount(event.devExamples).c_str(), event.metric.c_str());
  printText(event.initialValues);
  if (event.isResumed)
    print("going on after %lld epochs and %lld batches\n",
          static_cast<long long>(event.epoch),
          static_cast<long long>(event.batch));
  flush();
}

void Console::evaluating(int64_t epoch, int64_t epochs) {
  progress.say("epoch " + std::to_string(epoch) + "/" + std::to_string(epochs) +
               "  evaluating");
}

void Console::finishedEpoch(const EpochEvent &event) {
  progress.clear();
  const std::string best = event.isBest ? "*"
                           : event.bestEpoch == 0
                               ? " (no best yet)"
                               : " (best " + formatNumber(event.bestMetric, 5) +
                                     " in " + std::to_string(event.bestEpoch) +
                                     ")";
  print("epoch %lld/%lld  train loss %s  dev %s%s  %s examples/s  %s\n",
        static_cast<long long>(event.epoch),
        static_cast<long long>(event.epochs),
        formatNumber(event.trainLoss, 5).c_str(),
        event.dev.brief(event.metric).c_str(), best.c_str(),
        formatCount(std::llround(event.examplesPerSecond)).c_str(),
        formatDuration(event.seconds).c_str());
  flush();
}

void Console::restarted(int64_t epochs) {
  print("the loss has not moved in %lld epochs: restarting with a new seed\n",
        static_cast<long long>(epochs));
  flush();
}

void Console::finished(const Result &result) {
  print("best epoch %lld: dev %s %s\n",
        static_cast<long long>(result.bestEpoch), result.metric.c_str(),
        formatNumber(result.bestMetric, 7).c_str());
  flush();
  // All is saved: a signal ends what follows, also while it waits for data.
  releaseInterrupts();
}

void Console::evaluated(const EvaluationEvent &event) {
  const double rate = double(event.examples) / std::max(event.seconds, 1e-9);
  print("%s: %s examples  %s  %s examples/s\n", event.file.c_str(),
        formatCount(event.examples).c_str(), event.metrics.text().c_str(),
        formatCount(std::llround(rate)).c_str());
  for (const Group &group : event.groups)
    print("  %s %s: %s examples  %s\n", event.splitBy.c_str(),
          plainColumn(group.value).c_str(),
          formatCount(group.numExamples).c_str(), group.metrics.text().c_str());
  flush();
}

void Console::interrupted(const std::string &folder) {
  progress.clear();
  flush();
  fprintf(stderr,
          "interrupted; saved in %s. To go on:\n"
          "  cambium-run train --out %s --resume\n",
          folder.c_str(), folder.c_str());
}

void Console::seed(const SeedEvent &event) {
  if (event.isDone)
    print("seed %llu is done\n", static_cast<unsigned long long>(event.seed));
  else
    print("seed %llu, in %s\n", static_cast<unsigned long long>(event.seed),
          event.folder.c_str());
}

void Console::task(const TaskEvent &event) {
  if (event.isDone)
    print("task %s is done\n", event.name.c_str());
  else
    print("task %s (%lld of %lld), in %s\n", event.name.c_str(),
          static_cast<long long>(event.number),
          static_cast<long long>(event.count), event.folder.c_str());
}

void Console::sweepFinished(
    const std::vector<std::vector<std::string>> &table) {
  printText("\n" + formatTable(table));
  flush();
}

bool Console::shouldStop() { return interruptedBy() != 0; }
