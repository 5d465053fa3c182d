//===-- runtime/train/TreeFiles.h - Examples to draw ------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_TREEFILES_H
#define CAMBIUM_TRAIN_TREEFILES_H

#include "Setup.h"

namespace cambium::train {

/// Writes tree.json (docs/RunFolder.md), an example of the data set with the
/// predictions at its nodes, and trees.jsonl, the best and the worst examples.
/// Data without trees of a size to draw leaves no file; without targets, none
/// of examples.
Status writeTrees(const RunFolder &folder, const data::Dataset &dataset,
                  const Setup &setup, const Predictions &predictions);

/// The same with predictions of its own, where the model takes trees.
Status drawTrees(const RunFolder &folder, const data::Dataset &dataset,
                 const Setup &setup);

/// Writes predictions.tsv (docs/RunFolder.md).
Status writePredictions(const std::string &path, const data::Dataset &dataset,
                        const Evaluator &evaluator,
                        const Predictions &predictions);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TREEFILES_H
