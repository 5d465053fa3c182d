//===-- runtime/train/TreeFiles.cpp - Trees to draw -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TreeFiles.h"
#include "TreeWriter.h"

#include <algorithm>
#include <cmath>

using namespace cambium;
using namespace cambium::train;
using data::Dataset;

/// How many examples of each kind are described, and which sizes make a good
/// picture.
static constexpr size_t kExamples = 4;
static constexpr int64_t kSmallest = 5, kLargest = 60;

/// Whether answers are numbers that may be near each other.
static bool isDistance(const Evaluator &evaluator) {
  return evaluator.answerKind() == AnswerKind::Number ||
         evaluator.targets.metric == "rmse";
}

/// How wrong the model is about an example: the distance of numbers, also where
/// classes stand for them; of other classes from 0 (right and sure) over 1 to 2
/// (wrong and sure).
static double errorOf(const Dataset &dataset, const Evaluator &evaluator,
                      const Predictions &predictions, int64_t example) {
  const double target = targetOf(dataset, evaluator, example);
  const double said = predictions.values[example];
  const double sure = predictions.probabilities[example];
  if (isDistance(evaluator))
    return std::abs(said - target);
  return said == target ? 1 - sure : 1 + sure;
}

/// The examples to draw with their errors, the best first.
static std::vector<std::pair<double, int32_t>>
sortByError(const Dataset &dataset, const Evaluator &evaluator,
            const Predictions &predictions) {
  std::vector<std::pair<double, int32_t>> order;
  for (int64_t smallest : {kSmallest, int64_t(1)}) {
    for (int64_t i = 0; i < dataset.size(); ++i) {
      const int64_t size = dataset.sizeOf(i);
      const double error = errorOf(dataset, evaluator, predictions, i);
      if (size >= smallest && size <= kLargest && !std::isnan(error))
        order.emplace_back(error, static_cast<int32_t>(i));
    }
    if (!order.empty())
      break;
  }
  std::sort(order.begin(), order.end());
  return order;
}

/// Writes trees.jsonl.
static Status writeExamples(const std::string &path, const Dataset &dataset,
                            const Setup &setup, const Predictions &predictions,
                            TreeWriter &writer) {
  if (!hasTargetOf(dataset, setup.evaluator))
    return Status();
  auto order = sortByError(dataset, setup.evaluator, predictions);
  // What the model is right about is no bad example.
  const double right = isDistance(setup.evaluator) ? 0 : 1;
  const size_t wrong =
      order.end() - std::find_if(order.begin(), order.end(), [&](auto &item) {
        return item.first > right;
      });
  const size_t worst =
      std::min({kExamples, wrong, order.size() - order.size() / 2});
  const size_t best = std::min(kExamples, order.size() - worst);
  std::vector<std::pair<double, int32_t>> kept(order.rbegin(),
                                               order.rbegin() + worst);
  kept.insert(kept.end(), order.begin(), order.begin() + best);
  std::vector<int32_t> examples;
  for (const auto &[error, example] : kept)
    examples.push_back(example);
  if (examples.empty())
    return Status();
  if (Status status = writer.evaluate(examples); !status.ok())
    return status;
  std::string text;
  for (size_t i = 0; i < kept.size(); ++i) {
    Json line;
    if (Status status = writer.describe(i, i < worst ? "worst" : "best",
                                        kept[i].first, line);
        !status.ok())
      return status;
    text += line.compact() + "\n";
  }
  return data::writeFileAtomically(path, text);
}

/// An example of a size that makes a good picture, or else the first one.
static int32_t chooseExample(const Dataset &dataset) {
  constexpr int64_t kGoodSmallest = 7, kGoodLargest = 21;
  for (int64_t i = 0; i < dataset.size(); ++i)
    if (int64_t size = dataset.sizeOf(i);
        size >= kGoodSmallest && size <= kGoodLargest)
      return static_cast<int32_t>(i);
  return 0;
}

/// Writes tree.json.
static Status writeTree(const std::string &path, const Dataset &dataset,
                        TreeWriter &writer) {
  const int32_t example = chooseExample(dataset);
  // The texts below all nodes grow with the square of the size.
  constexpr int64_t kLargestDrawn = 200;
  if (dataset.sizeOf(example) > kLargestDrawn)
    return Status();
  Json tree;
  Status status = writer.evaluate({example});
  if (status.ok())
    status = writer.describe(writer.firstTree(), 0, tree);
  return status.ok() ? data::writeFileAtomically(path, tree.pretty()) : status;
}

Status train::writeTrees(const RunFolder &folder, const Dataset &dataset,
                         const Setup &setup, const Predictions &predictions) {
  TreeWriter writer(dataset, setup, predictions);
  if (!writer.hasTrees())
    return Status();
  Status status = writeTree(folder.path("tree.json"), dataset, writer);
  return status.ok() ? writeExamples(folder.path("trees.jsonl"), dataset, setup,
                                     predictions, writer)
                     : status;
}

Status train::drawTrees(const RunFolder &folder, const Dataset &dataset,
                        const Setup &setup) {
  Evaluation evaluation;
  if (!TreeWriter(dataset, setup, evaluation.predictions).hasTrees())
    return Status();
  Status status = setup.evaluator.run(dataset, evaluation);
  return status.ok() && !evaluation.interrupted
             ? writeTrees(folder, dataset, setup, evaluation.predictions)
             : status;
}
