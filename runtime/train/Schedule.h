//===-- runtime/train/Schedule.h - Learning rates ---------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_SCHEDULE_H
#define CAMBIUM_TRAIN_SCHEDULE_H

#include "Engine.h"

namespace cambium::train {

/// How learning rates change from update to update.
struct Schedule {
  std::string kind = "constant"; ///< See kinds().
  int64_t warmup = 0;            ///< Updates over which rates rise from 0.
  int64_t total = 1;             ///< Updates of the whole training.
  double power = 1;              ///< Of "polynomial".
  double floor = 0;              ///< The factor that decays end at.
  double decay = 0.5;            ///< Of "exponential", "steps" and "plateau".
  int64_t every = 1;             ///< Updates in which rates fall by it.

  /// What rates are multiplied with at update `update` (from 0), after so many
  /// epochs that were not better than those before.
  double factor(int64_t update, int64_t stalls = 0) const;
  /// Whether a kind is one of kinds().
  static Status check(const std::string &kind);
  static const std::vector<std::string> &kinds();
};

/// Parses "500" (updates) or "2epochs" of an option.
Status parseUpdates(const char *option, const std::string &text,
                    int64_t updatesPerEpoch, int64_t &updates);

/// Parses "0.001" (all groups) and "group=0.01".
Status parseRates(const std::vector<std::string> &texts,
                  std::vector<Rate> &rates);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_SCHEDULE_H
