//===-- Predicting.cpp - What a model says, example by example ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluation.h"

#include <algorithm>
#include <cmath>

using namespace cambium;
using namespace cambium::train;
using data::Dataset;
using data::Field;

static bool isInteger(const TensorSpec &output) {
  return output.type != CAMBIUM_TYPE_F32 && output.type != CAMBIUM_TYPE_F64;
}

/// Sequences are lists of a fixed length with an end, one per example or row,
/// or a list of them per example.
static bool isSequence(const TensorSpec &output) {
  const size_t rank = output.shape.size();
  return isInteger(output) && output.edgesOf < 0 &&
         (rank == 1 || (rank == 2 && output.space == CAMBIUM_SPACE_EXAMPLE));
}

AnswerKind Evaluator::answerKind() const {
  const TensorSpec &output = predict->outputs[0];
  if (isSequence(output))
    return AnswerKind::Sequence;
  const bool isChosen =
      isInteger(output) &&
      (output.name == targets.perExample || output.name == targets.perRow);
  return isChosen || !output.shape.empty() ? AnswerKind::Class
                                           : AnswerKind::Number;
}

/// Whether numbers are probabilities of classes, and not scores of which a
/// softmax makes some.
static bool areProbabilities(const Output &scores, int64_t first,
                             int64_t count) {
  double sum = 0;
  for (int64_t i = first; i < first + count; ++i) {
    if (!(scores.at(i) >= 0))
      return false;
    sum += scores.at(i);
  }
  return std::abs(sum - 1) < 1e-4;
}

/// The class with the highest score, and its probability. Where a score is no
/// number, there is no answer.
static std::pair<double, double> argmax(const Output &scores, int64_t first,
                                        int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (std::isnan(scores.at(first + i)))
      return {kNone, kNone};
  int64_t best = 0;
  double highest = scores.at(first);
  for (int64_t i = 1; i < count; ++i)
    if (double score = scores.at(first + i); score > highest) {
      best = i;
      highest = score;
    }
  if (areProbabilities(scores, first, count))
    return {double(best), highest};
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += std::exp(scores.at(first + i) - highest);
  return {double(best), 1 / sum};
}

/// What a row of an output says: a number or a class that was chosen, else the
/// class with the highest score.
static std::pair<double, double> readRow(const TensorSpec &spec,
                                         const Output &output, int64_t row) {
  if (spec.shape.empty())
    return {output.at(row), kNone};
  return argmax(output, row * spec.rowElements, spec.rowElements);
}

/// The row of the root among the rows of an example.
static int64_t rootRow(const Field *tree, int64_t example) {
  if (!tree || tree->kind != data::FieldKind::Tree)
    return 0;
  const int32_t *parents = tree->intsOf(example);
  int64_t rows = tree->rows(example);
  int64_t root = std::find(parents, parents + rows, -1) - parents;
  return root == rows ? 0 : root;
}

/// The outputs behind the first one that are compared with fields of their
/// names.
static std::vector<size_t> furtherOutputs(const EntrySpec &entry) {
  std::vector<size_t> found;
  for (size_t i = 0; i < entry.outputs.size(); ++i) {
    const TensorSpec &output = entry.outputs[i];
    if (output.space >= 0 && output.shape.size() <= 1 &&
        (output.name == "heads" || output.name == "relations"))
      found.push_back(i);
  }
  return found;
}

Status Evaluator::predictRows(const Dataset &dataset,
                              Evaluation &result) const {
  const TensorSpec &output = predict->outputs[0];
  const double offset =
      answerKind() == AnswerKind::Class ? targets.classOffset : 0;
  const Field *tree = nullptr;
  for (const TreeSpec &spec : predict->trees)
    if (spec.space == output.space)
      tree = fieldOf(dataset, feeds, spec.name);
  const std::vector<size_t> further = furtherOutputs(*predict);

  Predictions &all = result.predictions;
  auto take = [&](const Batch &batch, const std::vector<Output> &outputs,
                  int64_t first) {
    const int32_t *offsets =
        output.space >= 0 ? batch.spaceOffsets(output.space) : nullptr;
    if (offsets && all.rowOffsets.empty())
      all.rowOffsets.push_back(0);
    for (int64_t i = 0; i < batch.numExamples(); ++i) {
      int64_t row = i;
      bool hasRow = true;
      if (offsets) {
        for (int64_t r = offsets[i]; r < offsets[i + 1]; ++r) {
          const auto [value, probability] = readRow(output, outputs[0], r);
          all.rowValues.push_back(value + offset);
          all.rowProbabilities.push_back(probability);
        }
        all.rowOffsets.push_back(static_cast<int64_t>(all.rowValues.size()));
        hasRow = offsets[i] < offsets[i + 1];
        row = offsets[i] + rootRow(tree, first + i);
      }
      const auto [value, probability] =
          hasRow ? readRow(output, outputs[0], row) : std::pair(kNone, kNone);
      all.values.push_back(value + offset);
      all.probabilities.push_back(probability);
    }
    for (size_t number : further) {
      const TensorSpec &spec = predict->outputs[number];
      const int64_t rows = outputs[number].size() / spec.rowElements;
      for (int64_t row = 0; row < rows; ++row)
        all.further[spec.name].push_back(
            readRow(spec, outputs[number], row).first);
    }
    return Status();
  };
  return runBatches(*predict, dataset, further.empty() ? 1 : further.back() + 1,
                    result, take);
}

/// The first output behind output 0 that has a number for each of its
/// sequences: of integers their lengths, else their scores. 0 if there is none.
static size_t numbersOf(const EntrySpec &entry, bool isLength) {
  const TensorSpec &sequences = entry.outputs[0];
  const std::vector<int64_t> shape(sequences.shape.begin(),
                                   sequences.shape.end() - 1);
  for (size_t i = 1; i < entry.outputs.size(); ++i) {
    const TensorSpec &output = entry.outputs[i];
    if (output.space == sequences.space && output.edgesOf < 0 &&
        output.shape == shape && isInteger(output) == isLength)
      return i;
  }
  return 0;
}

Status Evaluator::predictSequences(const Dataset &dataset,
                                   Evaluation &result) const {
  const TensorSpec &spec = predict->outputs[0];
  const int64_t most = spec.shape.back();
  const int64_t perRow = spec.rowElements / most;
  const size_t lengths = numbersOf(*predict, true),
               scores = numbersOf(*predict, false);
  Predictions &all = result.predictions;
  auto take = [&](const Batch &batch, const std::vector<Output> &outputs,
                  int64_t) {
    const int32_t *offsets =
        spec.space >= 0 ? batch.spaceOffsets(spec.space) : nullptr;
    for (int64_t i = 0; i < batch.numExamples(); ++i) {
      const int64_t begin = (offsets ? offsets[i] : i) * perRow;
      const int64_t end = (offsets ? offsets[i + 1] : i + 1) * perRow;
      std::vector<Sequence> found;
      for (int64_t at = begin; at < end; ++at) {
        Sequence sequence;
        const double length = lengths ? outputs[lengths].at(at) : double(most);
        const int64_t count =
            std::clamp<int64_t>(static_cast<int64_t>(length), 0, most);
        for (int64_t k = 0; k < count; ++k)
          sequence.tokens.push_back(
              static_cast<int32_t>(outputs[0].at(at * most + k)));
        if (scores)
          sequence.score = outputs[scores].at(at);
        // What a search has not found has no score.
        if (!(sequence.score == -std::numeric_limits<double>::infinity()))
          found.push_back(std::move(sequence));
      }
      all.sequences.push_back(std::move(found));
      all.values.push_back(kNone);
      all.probabilities.push_back(kNone);
    }
    return Status();
  };
  return runBatches(*predict, dataset, std::max(lengths, scores) + 1, result,
                    take);
}

Status Evaluator::predictAll(const Dataset &dataset, Evaluation &result) const {
  return answerKind() == AnswerKind::Sequence
             ? predictSequences(dataset, result)
             : predictRows(dataset, result);
}

std::vector<std::string> Evaluator::tokensOf(const Sequence &sequence) const {
  const int64_t count = static_cast<int64_t>(sequence.tokens.size());
  if (reader)
    return reader->tokensOf(targets.value, sequence.tokens.data(), count);
  std::vector<std::string> numbers;
  for (int32_t token : sequence.tokens)
    numbers.push_back(std::to_string(token));
  return numbers;
}

std::string Evaluator::textOf(const std::vector<std::string> &tokens) const {
  const bool isTight = reader && reader->isOfCharacters(targets.value);
  std::string text;
  for (const std::string &token : tokens)
    text += (text.empty() || isTight ? "" : " ") + token;
  return text;
}

const Field *Evaluator::sequenceTargets(const Dataset &dataset) const {
  const Field *field = dataset.find(targets.value);
  const bool isSequence =
      field && field->kind == data::FieldKind::I32 && field->perRow;
  return isSequence && dataset.hasTargets ? field : nullptr;
}
