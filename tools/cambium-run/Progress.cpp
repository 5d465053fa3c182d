//===-- tools/cambium-run/Progress.cpp - How far a training is ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "runtime/train/Format.h"

#include <algorithm>
#include <unistd.h>

using namespace cambium::run;
using namespace cambium::train;

Progress::Progress(bool quiet)
    : quiet(quiet), isTerminal(isatty(STDERR_FILENO)) {}

bool Progress::isDue() const {
  const double interval = isTerminal ? 0.1 : 30;
  return !quiet && sinceStart.seconds() - lastShown >= interval;
}

void Progress::show(const ProgressEvent &state) {
  constexpr int kWidth = 20;
  double share = double(state.done) / double(std::max<int64_t>(state.total, 1));
  std::string bar;
  if (isTerminal) {
    int full = static_cast<int>(share * kWidth);
    bar = "[" + std::string(full, '=') + std::string(kWidth - full, ' ') + "] ";
  }
  char percent[16];
  snprintf(percent, sizeof percent, "%3d%%", static_cast<int>(share * 100));
  say("epoch " + std::to_string(state.epoch) + "/" +
      std::to_string(state.epochs) + " " + bar + percent + "  loss " +
      formatNumber(state.loss, 4) + "  " +
      formatCount(static_cast<int64_t>(state.examplesPerSecond)) +
      " examples/s  " + formatDuration(state.secondsLeft) + " left");
}

void Progress::say(const std::string &text) {
  if (quiet || !(isTerminal || isDue()))
    return;
  lastShown = sinceStart.seconds();
  if (!isTerminal) {
    fprintf(stderr, "%s\n", text.c_str());
    return;
  }
  fprintf(stderr, "\r\033[K%s", text.c_str());
  fflush(stderr);
  isShown = true;
}

void Progress::clear() {
  if (isShown) {
    fprintf(stderr, "\r\033[K");
    fflush(stderr);
  }
  isShown = false;
}
