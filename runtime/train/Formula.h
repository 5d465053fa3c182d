//===-- Formula.h - Numbers that change with a training ---------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_FORMULA_H
#define CAMBIUM_TRAIN_FORMULA_H

#include "cambium/data.h"

namespace cambium::train {

using data::Status;

/// Where a training is, from 0 at the first batch to 1 at the last one; outside
/// of trainings everything is at its end.
struct TrainingPoint {
  double epoch = 1, training = 1;
};

/// A number, or one that is computed of the progress:
/// `2/(1+exp(-10*training))`.
class Formula {
public:
  /// Numbers, `epoch`, `training`, + - * / ^, parentheses, exp, log and sqrt.
  static Status parse(const std::string &text, Formula &result);
  double at(const TrainingPoint &progress) const;
  /// Whether it reads the progress.
  bool changes() const { return readsProgress; }

private:
  std::string text;
  bool readsProgress = false;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_FORMULA_H
