//===-- SequenceMetrics.h - How good sequences are --------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of sequences of tokens beside what they should be, and of classes that mark
/// spans. Held against the packages sacrebleu and seqeval by
/// test/Golden/metrics.test.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_SEQUENCEMETRICS_H
#define CAMBIUM_TRAIN_SEQUENCEMETRICS_H

#include <string>
#include <vector>

namespace cambium::train {

using Tokens = std::vector<std::string>;

/// A sequence beside the right one.
struct TokenPair {
  Tokens target, prediction;
  std::string targetText, predictionText;
};

/// Insertions, deletions and replacements of tokens, at least.
int64_t editDistance(const Tokens &a, const Tokens &b);

/// BLEU of a corpus (Papineni et al. 2002) with n-grams up to 4 tokens, as
/// sacrebleu's with smoothing `exp`: from 0 to 100.
double bleu(const std::vector<TokenPair> &pairs);

/// chrF2 of a corpus (Popović 2015), characters up to 6-grams without spaces,
/// as sacrebleu's: from 0 to 100.
double chrf(const std::vector<TokenPair> &pairs);

/// Spans that classes of rows mark: B-PER I-PER O.
struct SpanCounts {
  double targets = 0, predictions = 0, both = 0;
};
/// Counts those of a sequence of classes as conlleval does.
void countSpans(const Tokens &targets, const Tokens &predictions,
                SpanCounts &counts);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_SEQUENCEMETRICS_H
