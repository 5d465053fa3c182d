//===-- runtime/train/RowStatistics.h - Numbers of rows ---------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_ROWSTATISTICS_H
#define CAMBIUM_TRAIN_ROWSTATISTICS_H

#include "Evaluation.h"
#include "Json.h"

namespace cambium::train {

/// Number, mean and deviation (of a sample) of the rows that have something in
/// common.
struct RowGroup {
  std::string value; ///< What they have in common.
  int64_t rows = 0;
  double mean = kNone, deviation = kNone;
};

/// What a model says of the rows of a data set, one number per row (how often
/// each was computed, say), summed up.
struct RowStatistics {
  RowGroup all;
  /// Where the numbers count iterations (whole numbers from 1 to 10,000): for
  /// each iteration, the part of the rows that took part in it. Else empty.
  std::vector<double> active;
  /// For each field that rows are split by, its values, those with the most
  /// rows first.
  std::vector<std::pair<std::string, std::vector<RowGroup>>> by;
};

/// Sums up the rows of `predictions`, all and by the values of each field. A
/// field that has not these rows is an error that names those that have.
/// Examples without rows count as one row each.
Status summarizeRows(const data::Dataset &dataset, const data::Reader &reader,
                     const Predictions &predictions,
                     const std::vector<std::string> &fields,
                     RowStatistics &result);

/// The text of a value of a field: a word of the vocabulary, or its name.
std::string valueText(const data::Reader &reader, const data::Field &field,
                      int32_t value);

/// What stands at the rows of an example, `count` of them: words or tokens, by
/// the reader or by a text column with as many words; numbers from 1 where
/// nothing is known.
std::vector<std::string> rowNames(const data::Dataset &dataset,
                                  const data::Reader &reader, int64_t example,
                                  int64_t count);

/// The statistics as in rows.json (docs/RunFolder.md), without examples.
Json toJson(const RowStatistics &statistics);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_ROWSTATISTICS_H
