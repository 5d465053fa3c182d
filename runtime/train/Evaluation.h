//===-- Evaluation.h - Predictions and what they are worth -*- C++ -*- ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_EVALUATION_H
#define CAMBIUM_TRAIN_EVALUATION_H

#include "Binding.h"
#include "Ensemble.h"
#include "MetricTable.h"

#include <functional>

namespace cambium::train {

/// Whether more of a metric is better.
bool isBetter(const std::string &metric, double value, double than);

/// What output 0 of a function says.
enum class AnswerKind {
  Number,
  Class,   ///< By a score of each; or the class itself, named as its target.
  Sequence ///< Tokens, best sequences first where there are several.
};

/// A sequence that a model answers with.
struct Sequence {
  std::vector<int32_t> tokens;
  double score = kNone;
};

/// What a model says about each example.
struct Predictions {
  /// Per example: the number that a user reads (class + offset), and how
  /// probable the model takes it (NaN where the output is a number).
  std::vector<double> values, probabilities;
  /// The same per row (node) where the output has rows; else empty.
  std::vector<double> rowValues, rowProbabilities;
  std::vector<int64_t> rowOffsets;
  /// By the names of further outputs that are compared with fields of these
  /// names (heads, relations): a class per row.
  std::map<std::string, std::vector<double>> further;
  std::vector<std::vector<Sequence>> sequences;
};

/// Metrics and predictions of one data set.
struct Evaluation {
  Predictions predictions;
  Metrics metrics;
  double loss = kNone;
  bool interrupted = false;
  double seconds = 0;
};

/// Runs a model over data sets.
class Evaluator {
public:
  Engine *engine = nullptr;
  const EntrySpec *predict = nullptr;
  const EntrySpec *loss = nullptr;      ///< Or null.
  const data::Reader *reader = nullptr; ///< Of what it evaluates; or null.
  data::TargetFields targets;
  Feeds feeds;
  int64_t batchSize = 256;
  std::function<bool()> shouldStop = [] { return false; };
  Ensemble ensemble; ///< Answers instead of the engine, if any.
  /// Where the data set before has ended, if this one goes on with its text.
  std::shared_ptr<Carry::End> before;
  bool takesAnyOutput = false; ///< Whether `predict` need not be usable.

  AnswerKind answerKind() const;
  /// A sequence for a reader of it: words, characters, or numbers.
  std::vector<std::string> tokensOf(const Sequence &sequence) const;
  std::string textOf(const std::vector<std::string> &tokens) const;
  /// The sequences that answers are compared with; null if there are none.
  const data::Field *sequenceTargets(const data::Dataset &dataset) const;

  /// Calls `take` with all outputs of `predict` about each batch of a data set.
  using Taker = std::function<Status(const Batch &, const std::vector<Output> &,
                                     int64_t first)>;
  Status forEachBatch(const data::Dataset &dataset, const Taker &take) const;

  /// Finds the entries: `predict` must be a function whose first output is
  /// usable; the loss is taken if the model has it.
  Status findEntries(const std::string &predictName,
                     const std::string &lossName);
  /// A prediction or a target for a reader of it: the name of its class, or the
  /// number in at most `digits` digits.
  std::string nameOf(double value, int digits = 7) const;
  /// The same of a row.
  std::string nameOfRow(double value, int digits = 7) const;
  /// Predictions, and metrics where the data has targets.
  Status run(const data::Dataset &dataset, Evaluation &result) const;
  Status predictAll(const data::Dataset &dataset, Evaluation &result) const;
  /// Output 0 of every example, which must be one vector: a row each.
  Status vectorsOf(const data::Dataset &dataset,
                   std::vector<float> &vectors) const;
  /// All outputs for a few examples, which fill `batch` in this order.
  Status callAll(const data::Dataset &dataset,
                 const std::vector<int32_t> &examples,
                 std::unique_ptr<Batch> &batch,
                 std::vector<Output> &outputs) const;

private:
  std::string nameIn(const std::string &field, double value, int digits) const;
  Status openCarry(const EntrySpec &entry, const data::Dataset &dataset,
                   Carry &carry) const;
  Status lossOf(const data::Dataset &dataset, Evaluation &result) const;
  Status predictRows(const data::Dataset &dataset, Evaluation &result) const;
  Status predictSequences(const data::Dataset &dataset,
                          Evaluation &result) const;
  Status runBatches(const EntrySpec &entry, const data::Dataset &dataset,
                    size_t numOutputs, Evaluation &result,
                    const Taker &take) const;
};

/// The predictions of a data set with targets beside them.
Answers collectAnswers(const data::Dataset &dataset, const Evaluator &evaluator,
                       const Evaluation &result);

/// What predictions are compared with, as a user reads it: the class + offset,
/// or the number. NaN where the data set has no such field.
double targetOf(const data::Dataset &dataset, const Evaluator &evaluator,
                int64_t example);

/// A field of classes, of examples or of their rows; null if it is none.
const data::Field *classField(const data::Dataset &dataset,
                              const std::string &name, bool perRow);

/// Whether examples have such a target.
bool hasTargetOf(const data::Dataset &dataset, const Evaluator &evaluator);

/// The classes of the rows that predictions are about; null if there are none.
const data::Field *rowTargets(const data::Dataset &dataset,
                              const Evaluator &evaluator,
                              const Predictions &predictions);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_EVALUATION_H
