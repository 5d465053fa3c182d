//===-- runtime/train/SweepSummary.h - Several seeds together ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_SWEEPSUMMARY_H
#define CAMBIUM_TRAIN_SWEEPSUMMARY_H

#include "Evaluation.h"
#include "RunFolder.h"

namespace cambium::train {

/// What came out of one training, by its log.
struct SeedResult {
  uint64_t seed = 0;
  std::string folder; ///< Within the folder of the sweep.
  int64_t epochs = 0, bestEpoch = 0;
  std::string stopped; ///< Empty while the training is not over.
  /// "dev" (of the best epoch), then each test file: its metrics.
  std::vector<std::pair<std::string, Metrics>> results;

  /// The metrics of "dev" or of a file; null if there are none.
  const Metrics *find(const std::string &data) const;
  /// Whether nothing is left to do: not an epoch, and no test file.
  bool isComplete(const Options &options) const;
  /// A fold has one test file, whatever it was called where the folder was
  /// before: its last result is that of `file`.
  void nameTest(const std::string &file);
};

/// Reads what the log of a training says; a folder without one is no error.
Status readSeedResult(const RunFolder &folder, SeedResult &result);

/// Mean and deviation (of a sample; none of a single number) of a metric over
/// the results that have it.
struct Spread {
  double mean = kNone, deviation = kNone;
};
Spread spreadOf(const std::vector<SeedResult> &results, const std::string &data,
                const std::string &metric);

/// Writes summary.json (docs/RunFolder.md).
Status writeSummary(const RunFolder &folder, const Options &options,
                    const std::vector<SeedResult> &results);

/// The results as rows of a table, with their mean and deviation below.
std::vector<std::vector<std::string>>
tableOf(const Options &options, const std::vector<SeedResult> &results);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_SWEEPSUMMARY_H
