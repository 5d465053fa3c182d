//===-- SequenceMetrics.cpp - How good sequences are ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SequenceMetrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

using namespace cambium;
using namespace cambium::train;

int64_t train::editDistance(const Tokens &a, const Tokens &b) {
  // Row i: the distances of the first i of `a` from all beginnings of `b`.
  std::vector<int64_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < a.size(); ++i) {
    int64_t diagonal = std::exchange(row[0], static_cast<int64_t>(i) + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const int64_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

//===----------------------------------------------------------------------===//
// n-grams
//===----------------------------------------------------------------------===//

namespace {

/// How many n-grams of one length a prediction and its target have, and share.
struct Overlap {
  int64_t prediction = 0, target = 0, both = 0;
};

} // namespace

static std::map<Tokens, int64_t> countNgrams(const Tokens &tokens, size_t n) {
  std::map<Tokens, int64_t> counts;
  for (size_t i = 0; i + n <= tokens.size(); ++i)
    ++counts[Tokens(tokens.begin() + i, tokens.begin() + i + n)];
  return counts;
}

static Overlap overlapOf(const Tokens &prediction, const Tokens &target,
                         size_t n) {
  Overlap result;
  const auto there = countNgrams(target, n);
  for (const auto &[ngram, count] : there)
    result.target += count;
  for (const auto &[ngram, count] : countNgrams(prediction, n)) {
    result.prediction += count;
    if (auto found = there.find(ngram); found != there.end())
      result.both += std::min(count, found->second);
  }
  return result;
}

double train::bleu(const std::vector<TokenPair> &pairs) {
  constexpr size_t kOrder = 4;
  double logSum = 0, smooth = 1;
  int64_t predicted = 0, wanted = 0, shared = 0;
  for (const TokenPair &pair : pairs) {
    predicted += static_cast<int64_t>(pair.prediction.size());
    wanted += static_cast<int64_t>(pair.target.size());
  }
  for (size_t n = 1; n <= kOrder; ++n) {
    int64_t total = 0, both = 0;
    for (const TokenPair &pair : pairs) {
      const Overlap overlap = overlapOf(pair.prediction, pair.target, n);
      total += overlap.prediction;
      both += overlap.both;
    }
    shared += both;
    if (total == 0)
      return 0; // Nothing is as long as that: the precision is 0.
    // Without a hit, half of what there was before.
    if (both == 0)
      smooth *= 2;
    logSum += std::log(both ? double(both) / double(total)
                            : 1 / (smooth * double(total)));
  }
  if (shared == 0)
    return 0;
  const double brevity =
      predicted < wanted ? std::exp(1 - double(wanted) / double(predicted)) : 1;
  return 100 * brevity * std::exp(logSum / double(kOrder));
}

/// The characters of a text without spaces.
static Tokens charactersOf(const std::string &text) {
  Tokens characters;
  for (char c : text) {
    const bool goesOn = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (goesOn && !characters.empty())
      characters.back() += c;
    else if (c != ' ' && c != '\t')
      characters.emplace_back(1, c);
  }
  return characters;
}

double train::chrf(const std::vector<TokenPair> &pairs) {
  constexpr size_t kOrder = 6;
  constexpr double kFactor = 4; // Recall counts twice as much.
  std::vector<Overlap> sums(kOrder);
  for (const TokenPair &pair : pairs) {
    const Tokens prediction = charactersOf(pair.predictionText),
                 target = charactersOf(pair.targetText);
    for (size_t n = 1; n <= kOrder; ++n) {
      const Overlap overlap = overlapOf(prediction, target, n);
      // What no target can have is no mistake.
      sums[n - 1].prediction += overlap.target ? overlap.prediction : 0;
      sums[n - 1].target += overlap.target;
      sums[n - 1].both += overlap.both;
    }
  }
  double precision = 0, recall = 0;
  int64_t orders = 0;
  for (const Overlap &sum : sums)
    if (sum.prediction > 0 && sum.target > 0) {
      precision += double(sum.both) / double(sum.prediction);
      recall += double(sum.both) / double(sum.target);
      ++orders;
    }
  if (orders == 0 || precision + recall == 0)
    return 0;
  precision /= double(orders);
  recall /= double(orders);
  return 100 * (1 + kFactor) * precision * recall /
         (kFactor * precision + recall);
}

//===----------------------------------------------------------------------===//
// Spans
//===----------------------------------------------------------------------===//

namespace {

using Span = std::tuple<std::string, size_t, size_t>; ///< Kind, begin, end.

} // namespace

/// "B-PER" is 'B' and "PER"; "O" is 'O' and nothing.
static std::pair<char, std::string> splitClass(const std::string &name) {
  const size_t dash = name.find('-');
  if (name.empty() || dash == std::string::npos)
    return {name.empty() ? 'O' : name[0], ""};
  return {name[0], name.substr(dash + 1)};
}

static std::set<Span> spansOf(const Tokens &classes) {
  std::set<Span> spans;
  std::pair<char, std::string> before = {'O', ""};
  size_t begin = 0;
  for (size_t i = 0; i <= classes.size(); ++i) {
    const auto here = i < classes.size()
                          ? splitClass(classes[i])
                          : std::pair<char, std::string>('O', "");
    const bool wasInside = before.first != 'O', isInside = here.first != 'O';
    const bool isOther = here.second != before.second;
    const bool ends = before.first == 'E' || before.first == 'S' ||
                      here.first == 'B' || here.first == 'S' || !isInside ||
                      isOther;
    if (wasInside && ends)
      spans.emplace(before.second, begin, i);
    if (isInside && (!wasInside || ends))
      begin = i;
    before = here;
  }
  return spans;
}

void train::countSpans(const Tokens &targets, const Tokens &predictions,
                       SpanCounts &counts) {
  const std::set<Span> wanted = spansOf(targets), found = spansOf(predictions);
  counts.targets += double(wanted.size());
  counts.predictions += double(found.size());
  for (const Span &span : found)
    counts.both += double(wanted.count(span));
}
