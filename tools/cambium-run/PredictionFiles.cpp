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
  const bool isClass = !evaluator.predict->outputs[0].shape.empty();
  std::string text = "example\ttarget\tprediction\tsize\theight";
  if (isClass)
    text += "\tprobability";
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
    if (isClass)
      text += "\t" + formatNumber(predictions.probabilities[i], 6);
    for (size_t k = 0; k < dataset.extraNames.size(); ++k)
      text += "\t" + (k < dataset.extras[i].size()
                          ? plainColumn(dataset.extras[i][k])
                          : std::string());
    text += "\n";
  }
  return data::writeFileAtomically(path, text);
}
