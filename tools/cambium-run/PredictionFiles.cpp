//===-- tools/cambium-run/PredictionFiles.cpp - What a model said --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Text.h"

#include <cmath>

using namespace cambium;
using namespace cambium::run;

/// A number without more digits than it needs; "" for none.
static std::string cell(double value) {
  return std::isnan(value) ? "" : formatNumber(value, 9);
}

Status run::writePredictions(const std::string &path,
                             const data::Dataset &dataset,
                             const Evaluator &evaluator,
                             const Predictions &predictions) {
  std::string text = "example\ttarget\tprediction\tsize\theight";
  for (const std::string &name : dataset.extraNames)
    text += "\t" + plainColumn(name);
  text += "\n";
  for (int64_t i = 0; i < dataset.size(); ++i) {
    double target =
        dataset.hasTargets ? targetOf(dataset, evaluator, i) : kNone;
    text += std::to_string(i) + "\t" + cell(target) + "\t" +
            cell(predictions.values[i]) + "\t" +
            std::to_string(dataset.sizeOf(i)) + "\t" +
            std::to_string(dataset.heightOf(i));
    for (size_t k = 0; k < dataset.extraNames.size(); ++k)
      text += "\t" + (k < dataset.extras[i].size()
                          ? plainColumn(dataset.extras[i][k])
                          : std::string());
    text += "\n";
  }
  return data::writeFileAtomically(path, text);
}

/// An example of a size that makes a good picture, or else the first one.
static int64_t chooseExample(const data::Dataset &dataset) {
  constexpr int64_t kSmallest = 7, kLargest = 21;
  for (int64_t i = 0; i < dataset.size(); ++i)
    if (int64_t size = dataset.sizeOf(i); size >= kSmallest && size <= kLargest)
      return i;
  return 0;
}

/// The answers for the trees below each node, each as an example of its own.
static Status predictSubtrees(const Setup &setup, const data::TreeText &tree,
                              data::Dataset &subtrees, Evaluation &result) {
  std::string text;
  for (const std::string &line : tree.subtrees)
    text += line + "\n";
  subtrees.source = "tree.json";
  Status status = setup.reader->readText(text, subtrees.source, 1, subtrees);
  return status.ok() ? setup.evaluator.predictAll(subtrees, result) : status;
}

Status run::writeTree(const std::string &path, const data::Dataset &dataset,
                      const Setup &setup, const Predictions &predictions) {
  const int64_t example = chooseExample(dataset);
  const data::Field *parents = dataset.find("tree");
  data::TreeText tree;
  if (!parents || !setup.reader->describe(dataset.texts[example], tree))
    return Status();
  data::Dataset subtrees;
  Evaluation below;
  if (Status status = predictSubtrees(setup, tree, subtrees, below);
      !status.ok())
    return status;
  const int64_t count = parents->rows(example);
  Json::Array indices;
  std::vector<std::string> targets, said;
  for (int64_t node = 0; node < count; ++node) {
    indices.emplace_back(static_cast<int64_t>(parents->intsOf(example)[node]));
    if (subtrees.hasTargets)
      targets.push_back(cell(targetOf(subtrees, setup.evaluator, node)));
    // A model that answers for every node may look at the whole tree.
    const bool hasRows =
        !predictions.rowOffsets.empty() &&
        predictions.rowOffsets[example + 1] - predictions.rowOffsets[example] ==
            count;
    said.push_back(cell(
        hasRows ? predictions.rowValues[predictions.rowOffsets[example] + node]
                : below.predictions.values[node]));
  }
  Json object = Json::object();
  object.set("title", tree.title);
  object.set("parents", indices);
  object.set("labels", tree.nodes);
  if (subtrees.hasTargets)
    object.set("targets", targets);
  object.set("predictions", said);
  return data::writeFileAtomically(path, object.pretty());
}
