//===-- runtime/train/PredictionFiles.cpp - What a model said -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "TreeFiles.h"

#include <cmath>

using namespace cambium;
using namespace cambium::train;

/// A class by its name, a number without more digits than it needs; "" for
/// none.
static std::string cell(const Evaluator &evaluator, double value) {
  return std::isnan(value) ? "" : plainColumn(evaluator.nameOf(value, 9));
}

/// The columns that follow the target and the prediction.
static std::string restOf(const data::Dataset &dataset, int64_t example,
                          const std::string &probability) {
  std::string text = "\t" + std::to_string(dataset.sizeOf(example)) + "\t" +
                     std::to_string(dataset.heightOf(example)) + probability;
  const std::vector<std::string> &extras = dataset.extras[example];
  for (size_t k = 0; k < dataset.extraNames.size(); ++k)
    text += "\t" + (k < extras.size() ? plainColumn(extras[k]) : std::string());
  return text + "\n";
}

/// Where rows have targets and examples have none: a line per row with one.
static std::string rowLines(const data::Dataset &dataset,
                            const Evaluator &evaluator,
                            const Predictions &predictions,
                            const data::Field &targets) {
  const data::Field *weights = dataset.find(evaluator.targets.rowWeight);
  std::string text;
  for (int64_t i = 0; i < dataset.size(); ++i)
    for (int64_t row = targets.offsets[i]; row < targets.offsets[i + 1];
         ++row) {
      if (targets.ints[row] < 0 || (weights && weights->floats[row] == 0))
        continue;
      const double target = targets.ints[row] + evaluator.targets.classOffset;
      text += std::to_string(i) + "\t" +
              std::to_string(row - targets.offsets[i]) + "\t" +
              plainColumn(evaluator.nameOfRow(target, 9)) + "\t" +
              plainColumn(evaluator.nameOfRow(predictions.rowValues[row], 9)) +
              restOf(dataset, i,
                     "\t" + formatNumber(predictions.rowProbabilities[row], 6));
    }
  return text;
}

static std::string exampleLines(const data::Dataset &dataset,
                                const Evaluator &evaluator,
                                const Predictions &predictions, bool isClass) {
  std::string text;
  for (int64_t i = 0; i < dataset.size(); ++i) {
    const double target =
        dataset.hasTargets ? targetOf(dataset, evaluator, i) : kNone;
    text +=
        std::to_string(i) + "\t" + cell(evaluator, target) + "\t" +
        cell(evaluator, predictions.values[i]) +
        restOf(dataset, i,
               isClass ? "\t" + formatNumber(predictions.probabilities[i], 6)
                       : "");
  }
  return text;
}

/// Targets are empty where the data has none.
static std::string sequenceLines(const data::Dataset &dataset,
                                 const Evaluator &evaluator,
                                 const Predictions &predictions) {
  std::string text = "example\ttarget\tprediction\tsize\theight\tscore";
  for (const std::string &name : dataset.extraNames)
    text += "\t" + plainColumn(name);
  text += "\n";
  const data::Field *targets = evaluator.sequenceTargets(dataset);
  for (int64_t i = 0; i < dataset.size(); ++i) {
    const std::vector<Sequence> &found = predictions.sequences[i];
    Sequence target;
    if (targets)
      target.tokens.assign(targets->intsOf(i),
                           targets->intsOf(i) + targets->rows(i));
    const Sequence best = found.empty() ? Sequence() : found.front();
    text += std::to_string(i);
    for (const Sequence *each : {&std::as_const(target), &best})
      text += "\t" + plainColumn(evaluator.textOf(evaluator.tokensOf(*each)));
    text +=
        restOf(dataset, i,
               "\t" + (std::isnan(best.score) ? std::string()
                                              : formatNumber(best.score, 6)));
  }
  return text;
}

Status train::writePredictions(const std::string &path,
                               const data::Dataset &dataset,
                               const Evaluator &evaluator,
                               const Predictions &predictions) {
  const AnswerKind kind = evaluator.answerKind();
  if (kind == AnswerKind::Sequence)
    return data::writeFileAtomically(
        path, sequenceLines(dataset, evaluator, predictions));
  const bool isClass = kind == AnswerKind::Class;
  const data::Field *rows = isClass && !hasTargetOf(dataset, evaluator)
                                ? rowTargets(dataset, evaluator, predictions)
                                : nullptr;
  std::string text = std::string("example") + (rows ? "\trow" : "") +
                     "\ttarget\tprediction\tsize\theight" +
                     (isClass ? "\tprobability" : "");
  for (const std::string &name : dataset.extraNames)
    text += "\t" + plainColumn(name);
  text += "\n";
  text += rows ? rowLines(dataset, evaluator, predictions, *rows)
               : exampleLines(dataset, evaluator, predictions, isClass);
  return data::writeFileAtomically(path, text);
}
