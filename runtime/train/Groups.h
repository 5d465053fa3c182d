//===-- runtime/train/Groups.h - Metrics of parts of a data set -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_GROUPS_H
#define CAMBIUM_TRAIN_GROUPS_H

#include "Evaluation.h"

namespace cambium::train {

/// The metrics of the examples with each value of a further column of the data
/// ("transformation"), in the order of the values.
Status groupMetrics(const data::Dataset &dataset, const Evaluator &evaluator,
                    const Evaluation &evaluation, const std::string &column,
                    std::vector<Group> &groups);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_GROUPS_H
