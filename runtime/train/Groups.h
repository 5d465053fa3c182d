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

#include <map>

namespace cambium::train {

/// The numbers of the examples with each value of a column.
using GroupedExamples = std::map<std::string, std::vector<int64_t>>;

/// Finds them by a further column of the data ("transformation"), before they
/// are evaluated.
Status findGroups(const data::Dataset &dataset, const data::Reader &reader,
                  const std::string &column, GroupedExamples &examples);

/// The metrics of each of these groups, in the order of the values.
std::vector<Group> groupMetrics(const data::Dataset &dataset,
                                const Evaluator &evaluator,
                                const Evaluation &evaluation,
                                const GroupedExamples &examples);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_GROUPS_H
