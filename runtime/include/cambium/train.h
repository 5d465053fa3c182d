//===-- cambium/train.h - Training of compiled models -----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Trains a compiled model on data files: epochs, early stopping, checkpoints,
/// evaluation, a run folder (docs/RunFolder.md). It is what `cambium-run train`
/// does, as a library, `cambium_train`, above the runtime and `cambium_data`.
///
///   train::Options options;
///   options.model.module = "model.so";
///   options.data.format = "ptb";
///   options.train = "train.txt";
///   options.dev = "dev.txt";
///   options.out = "run";
///   options.patience = 3;
///   train::Events events;                  // Or a class that shows something.
///   train::Result result;
///   data::Status status = train::run(options, events, result);
///
/// Nothing is printed: what happens is told to an Events. Errors are those of
/// data::Status; a lack of memory is one too. One training uses one thread of
/// its own beside those of the runtime; several trainings may run at once, each
/// in its own folder.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_H
#define CAMBIUM_TRAIN_H

#include "cambium/data.h"

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cambium::train {

using data::Status;

/// No number: of a metric that is not defined, say.
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// Which model, and how to run it.
struct ModelOptions {
  std::string module;
  std::string dataDir;
  std::string predict = "predict", loss = "loss";
  int threads = 0; ///< 0: as many as the process may use.
  /// "cpu", or a name of cambium_device_open: "gpu", "gpu:1".
  std::string device = "cpu";
  bool interpret = false;
};

/// How data files become examples.
struct DataOptions {
  std::string format;
  std::string vocabulary, labels;
  std::vector<std::string> vocabularies; ///< Of tables: NAME=FILE
  int64_t set = 0;   ///< Lines of a set; 0: any number with `setBy`, else none.
  std::string setBy; ///< The column that the lines of a set have in common.
  std::vector<std::string> carry; ///< "input=output".
  std::string carryBy; ///< The column that the lines of a text have in common.
  bool lowercase = false;
  std::string binarize = "none", classes;
  bool collapseUnary = false;
  int64_t minCount = 1;
  std::string parses; ///< Folder with the trees of sentences.
  std::string layout; ///< Of pairs.
  std::vector<std::string> maps, values; ///< INPUT=FIELD, INPUT=NUMBER
  std::string tokenizer;                 ///< Of texts.
  int64_t maxTokens = 0;
};

/// A training. Every option is described in `optionTable`, from which the
/// command line, the saved run and the documentation are made.
struct Options {
  ModelOptions model;
  DataOptions data;
  std::string out, train, dev;
  std::vector<std::string> tests;
  int64_t epochs = 10, batchSize = 32, evalBatchSize = 256, accumulate = 1;
  std::vector<std::string> rates{"0.001"};
  std::vector<std::string> vectors; ///< PARAMETER=FILE
  std::string init;                 ///< A checkpoint to begin with.
  std::vector<std::string> weights; ///< Tensors made elsewhere, likewise.
  std::string names;                ///< What their names are here.
  std::string schedule = "constant", warmup = "0";
  double power = 1, finalFactor = 0;
  double decay = 0.5; ///< Of exponential, steps and plateau.
  std::string decayEvery = "1epoch";
  std::vector<std::string> groupSchedules; ///< GROUP=KIND
  std::vector<std::string> freeze;         ///< GROUP, GROUP=EPOCHS
  uint64_t seed = 1;
  int64_t seeds = 0;    ///< Trainings of a sweep; 0: it is none.
  int64_t folds = 0;    ///< Parts of the training data, each tested on in turn.
  std::string tasks;    ///< The list of tasks that are trained in turn.
  double memory = 0;    ///< The part of a task's examples that is kept.
  std::string memoryBy; ///< The function whose output chooses them.
  std::string replay;   ///< The step whose data they are.
  std::string before;   ///< The function whose outputs before a task are kept.
  int64_t keep = 0;     ///< Last epochs whose parameters are kept.
  int64_t keepBest = 0; ///< Best epochs whose parameters are kept.
  /// "last:5" or "best:5": the epochs whose mean is what a training ends with.
  std::string average;
  double movingAverage = 0; ///< The decay; 0: there is none.
  int64_t patience = 0;
  std::string metric, step;
  std::vector<std::string> stepData; ///< STEP=FILE
  int64_t batchNodes = 0, prefetch = 1;
  std::string bucket = "none";
  double checkpointSeconds = 60;
  int64_t restartAfter = 0, restarts = 3;
  double restartGain = 0.01;
  bool resume = false, overwrite = false;
  std::string command; ///< For config.json: how the training was started.

  /// The names of options that were given, also where the value is the default
  /// one: with `resume`, they are compared with those of the saved run, or
  /// replace them. Options whose value is not the default one count as given.
  std::set<std::string, std::less<>> given;

  /// Sets an option by its name ("batch-size") and notes it as given; a list is
  /// appended to. An unknown name, or a value that is none, is an error.
  Status set(std::string_view name, std::string_view value);
};

/// Where the value of an option is.
using OptionValue = std::variant<bool *, int *, int64_t *, uint64_t *, double *,
                                 std::string *, std::vector<std::string> *>;

/// What --resume does with an option that is given again.
enum class OnResume {
  Refuse, ///< Another value is an error: it would change the numbers.
  Change, ///< The new value holds from now on.
  NotKept ///< The option is no part of the saved run.
};

/// One option: all that is known about it.
struct OptionInfo {
  const char *name;  ///< Without dashes.
  const char *group; ///< "Data", "Batches": for help and documentation.
  OptionValue (*valueOf)(Options &options);
  OnResume onResume;
  const char *valueName; ///< "FILE", "N"; null for a switch.
  const char *summary;
  /// The values that a number may have.
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool excludesLeast = false;
  /// The words that a text may be, between commas; null for any text.
  const char *choices = nullptr;
  /// What a switch with a value (`--bucket`, `--bucket=height`) is without it.
  const char *implied = nullptr;
  /// Whether commands that only run a trained model take it too.
  bool isOfModel = false;
};

/// All options, by group.
const std::vector<OptionInfo> &optionTable();
/// The option of that name, or null.
const OptionInfo *findOption(std::string_view name);
/// An option as it would be typed; the elements of a list between commas.
std::string textOf(const OptionInfo &option, const Options &options);
/// Sets an option from a text; an error says what was expected.
Status setOption(const OptionInfo &option, std::string_view text,
                 Options &options);

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Numbers with names, in a fixed order: "accuracy", "rmse", "loss", ...
class Metrics {
public:
  void add(const std::string &name, double value) {
    values.emplace_back(name, value);
  }
  /// The number of that name, or NaN.
  double find(const std::string &name) const;
  /// "accuracy, loss".
  std::string names() const;
  /// "accuracy 0.53  loss 1.2".
  std::string text() const;
  /// The same without what only long lists show, but with `chosen`.
  std::string brief(const std::string &chosen) const {
    return shown(chosen).text();
  }
  Metrics shown(const std::string &chosen) const;

  std::vector<std::pair<std::string, double>> values;
};

/// A metric, for documentation.
struct MetricSummary {
  const char *name, *summary;
  bool moreIsBetter;
};
std::vector<MetricSummary> metrics();

/// The examples that have the same text in a column.
struct Group {
  std::string value;
  int64_t numExamples = 0;
  Metrics metrics;
};

/// What came out of a training.
struct Result {
  int64_t epochs = 0, bestEpoch = 0;
  double bestMetric = kNone; ///< Of `metric`, on the dev data.
  std::string metric;
  /// "epochs", "patience" or "interrupted".
  std::string stopped;
  /// The metrics of the best epoch on each test file.
  std::vector<std::pair<std::string, Metrics>> tests;
};

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// A training begins, or goes on.
struct BeginEvent {
  std::string model, metric;
  int64_t parameters = 0; ///< Their elements.
  int64_t trainExamples = 0, devExamples = 0;
  /// Which parameters came from where; lines.
  std::string initialValues;
  bool isResumed = false;
  int64_t epoch = 0, batch = 0; ///< Finished ones.
};

/// Within an epoch.
struct ProgressEvent {
  int64_t epoch = 0, epochs = 0;
  int64_t done = 0, total = 0; ///< Examples of this epoch.
  double loss = kNone;         ///< Mean of this epoch so far.
  double examplesPerSecond = 0;
  double secondsLeft = 0; ///< Of the whole training.
};

/// An epoch is over, and the dev data evaluated.
struct EpochEvent {
  int64_t epoch = 0, epochs = 0, updates = 0;
  double trainLoss = kNone, devLoss = kNone;
  Metrics dev;
  std::string metric;
  bool isBest = false;
  int64_t bestEpoch = 0;
  double bestMetric = kNone;
  double seconds = 0, examplesPerSecond = 0;
};

/// A file has been evaluated.
struct EvaluationEvent {
  std::string file;
  std::string digest; ///< Of the file's contents.
  int64_t examples = 0;
  Metrics metrics;
  double loss = kNone, seconds = 0;
  std::string splitBy; ///< A column of the data; empty: none.
  std::vector<Group> groups;
};

/// A training of a sweep.
struct SeedEvent {
  uint64_t seed = 0;
  std::string folder;
  bool isDone = false; ///< Nothing is left to do.
};

/// A task of several that are trained in turn.
struct TaskEvent {
  std::string name, folder;
  int64_t number = 0, count = 0; ///< From 1; in all.
  bool isDone = false;           ///< Nothing is left to do.
};

/// Is told what happens. Called from the thread that runs the training; the
/// default is to pass over everything, and never to stop.
class Events {
public:
  virtual ~Events();
  virtual void began(const BeginEvent &) {}
  /// Asked after every update; what `progressed` is then told costs a little.
  virtual bool wantsProgress() { return false; }
  virtual void progressed(const ProgressEvent &) {}
  /// The dev data is evaluated after an epoch.
  virtual void evaluating(int64_t /*epoch*/, int64_t /*epochs*/) {}
  virtual void finishedEpoch(const EpochEvent &) {}
  /// The loss has not moved in so many epochs: the training begins anew.
  virtual void restarted(int64_t /*epochs*/) {}
  /// The training is over; the evaluation of test files follows.
  virtual void finished(const Result &) {}
  virtual void evaluated(const EvaluationEvent &) {}
  /// `shouldStop` came true; everything is saved in the folder.
  virtual void interrupted(const std::string & /*folder*/) {}
  virtual void seed(const SeedEvent &) {}
  virtual void task(const TaskEvent &) {}
  /// A sweep or all tasks are over: rows of equally many cells, the first of
  /// them names.
  virtual void sweepFinished(const std::vector<std::vector<std::string>> &) {}
  /// Asked often; true ends the training after the batch at hand, saved.
  virtual bool shouldStop() { return false; }
};

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

/// Trains as the options say, or goes on with `options.resume`; with
/// `options.seeds`, once per seed, and with `options.tasks`, once per task. An
/// interrupted training is no error: `result.stopped` says so. `options` become
/// those that hold, which differ from the given ones where a run is resumed.
Status run(Options &options, Events &events, Result &result);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_H
