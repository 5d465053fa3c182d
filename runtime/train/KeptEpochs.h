//===-- KeptEpochs.h - Epochs that a run keeps ------------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_KEPTEPOCHS_H
#define CAMBIUM_TRAIN_KEPTEPOCHS_H

#include "Engine.h"
#include "RunFolder.h"

namespace cambium::train {

/// Some of the epochs that a run keeps.
struct EpochChoice {
  bool areBest = false; ///< By the metric; else they are the last ones.
  int64_t count = 0;
};

/// Reads `5`, `last:5` or `best:5`.
Status parseEpochs(const std::string &text, EpochChoice &choice);

/// Whether a training keeps any.
bool keepsEpochs(const Options &options);
/// The numbers of those that it keeps, as its log says.
Status epochsToKeep(const Options &options, const RunFolder &folder,
                    std::vector<int64_t> &numbers);

/// The numbers of the epochs chosen of those that the folder keeps, the best or
/// the last one first; all of them, where there are fewer.
Status chooseEpochs(const RunFolder &folder, const EpochChoice &choice,
                    const std::string &metric, std::vector<int64_t> &numbers);
/// Loads the mean of their parameters.
Status loadMeanOf(const RunFolder &folder, const std::vector<int64_t> &numbers,
                  Engine &engine);
/// With --average: loads the mean that a training ends with, and writes it into
/// the folder, from which it is removed without that option.
Status makeMean(const Options &options, const RunFolder &folder,
                Engine &engine);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_KEPTEPOCHS_H
