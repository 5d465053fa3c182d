//===-- tools/cambium-run/Groups.h - Metrics of parts of a data set -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_GROUPS_H
#define CAMBIUM_RUN_GROUPS_H

#include "Evaluation.h"

namespace cambium::run {

/// The examples that have the same text in a column.
struct Group {
  std::string value;
  int64_t numExamples = 0;
  Metrics metrics;
};

/// The metrics of the examples with each value of a further column of the data
/// ("transformation"), in the order of the values.
Status groupMetrics(const data::Dataset &dataset, const Evaluator &evaluator,
                    const Evaluation &evaluation, const std::string &column,
                    std::vector<Group> &groups);

} // namespace cambium::run

#endif // CAMBIUM_RUN_GROUPS_H
