//===-- runtime/train/Training.h - A training from start to end -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_TRAINING_H
#define CAMBIUM_TRAIN_TRAINING_H

#include "Digests.h"
#include "RunLock.h"
#include "Trainer.h"

#include <functional>

namespace cambium::train {

/// What is different for a training that is part of a sweep.
struct SweepPart {
  std::string folder;     ///< Of the sweep.
  std::string moduleFile; ///< Where the module is, if not at its name.
  /// Called when nothing is left that could be wrong with the options.
  std::function<Status(const Json &digests)> opened;
  Json digests; ///< Of the trainings before; null if there are none.
  /// Its data is in the folder of the sweep, which may be moved.
  bool ownsData = false;
  /// What words and classes are called is learned from this file; empty: from
  /// the training data.
  std::string learnFrom;
  /// The folder of a training that has learned it; empty: none.
  std::string learnedBy;
};

/// Trains once.
Status trainOnce(Options &options, Events &events, const SweepPart &part,
                 Result &result);

/// Trains on one task after the other (docs/Tasks.md).
Status trainTasks(Options &options, Events &events, Result &result);

/// Trains once per seed, each in a folder of its own, and sums up what came out
/// (docs/RunFolder.md).
Status trainSeeds(Options &options, Events &events, Result &result);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TRAINING_H
