//===-- runtime/train/FileEvaluation.h - A model on files -------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_FILEEVALUATION_H
#define CAMBIUM_TRAIN_FILEEVALUATION_H

#include "Setup.h"

namespace cambium::train {

/// What is done with the evaluation of files.
struct FileEvaluationOptions {
  std::vector<std::string> files;
  const RunFolder *folder = nullptr; ///< Where it is logged; null: nowhere.
  std::string metric;                ///< The one that the log names.
  std::string
      predictions;     ///< Where those of the first file go; empty: nowhere.
  std::string splitBy; ///< A column; empty: evaluations are not split.
};

/// Evaluates a model on files, one after the other. With a folder, the first
/// one's trees are drawn there. Stops early where `events` says so.
Status evaluateFiles(Setup &setup, const FileEvaluationOptions &options,
                     Events &events, Result &result);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_FILEEVALUATION_H
