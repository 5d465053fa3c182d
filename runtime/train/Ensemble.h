//===-- Ensemble.h - Several parameters of one model ------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_ENSEMBLE_H
#define CAMBIUM_TRAIN_ENSEMBLE_H

#include "Engine.h"

namespace cambium::train {

/// Gives an engine the mean of the parameters of several checkpoints; of those
/// that are integers, the ones of the first.
Status loadMean(const std::vector<std::string> &checkpoints, Engine &engine);

/// Parameters of several trainings of one module, which answer together: of
/// classes the mean of the probabilities, of numbers that of the numbers.
class Ensemble {
public:
  /// Keeps the parameters that the engine has now.
  Status add(Engine &engine);
  bool empty() const { return members.empty(); }
  /// Calls an entry with the parameters of each member. `hasScores`: output 0
  /// has scores of classes.
  Status call(Engine &engine, const EntrySpec &entry, const Batch &batch,
              bool hasScores, std::vector<Output> &outputs) const;

private:
  using Parameters = std::vector<std::vector<char>>;
  std::vector<Parameters> members;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_ENSEMBLE_H
