//===-- runtime/train/TreeWriter.h - Trees with answers ---------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_TREEWRITER_H
#define CAMBIUM_TRAIN_TREEWRITER_H

#include "Setup.h"

namespace cambium::train {

/// A tree input of the model with its field in the data.
struct DrawnTree {
  const TreeSpec *spec = nullptr;
  size_t index = 0; ///< Among the tree inputs.
  const data::Field *parents = nullptr;
};

/// Describes examples: their trees and what the model says about the nodes.
class TreeWriter {
public:
  TreeWriter(const data::Dataset &dataset, const Setup &setup,
             const Predictions &predictions);

  bool hasTrees() const { return !trees.empty(); }
  const DrawnTree &firstTree() const { return trees.front(); }
  /// Runs the model over these examples, which alone may then be described.
  Status evaluate(std::vector<int32_t> examples);
  /// A tree of an example, the `place`th of those evaluated.
  Status describe(const DrawnTree &tree, size_t place, Json &result) const;
  Status describe(size_t place, const char *rank, double error,
                  Json &result) const;

private:
  std::vector<std::string> labelsOf(const DrawnTree &tree,
                                    int64_t example) const;
  Status addAnswers(const DrawnTree &tree, int64_t example,
                    const data::TreeText &text, Json &result) const;
  Status addSubtreeAnswers(const data::TreeText &text, Json &result) const;
  void addRows(const DrawnTree &tree, size_t place, Json &result) const;
  Json edgeRow(const DrawnTree &tree, size_t place, size_t output,
               int64_t element) const;
  bool describeText(const DrawnTree &tree, int64_t example,
                    data::TreeText &text) const;

  const data::Dataset &dataset;
  const Setup &setup;
  Evaluator evaluator;
  const Predictions &predictions;
  std::vector<DrawnTree> trees;
  std::vector<int32_t> chosen;
  std::unique_ptr<Batch> batch;
  std::vector<Output> outputs;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TREEWRITER_H
