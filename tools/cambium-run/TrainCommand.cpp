//===-- tools/cambium-run/TrainCommand.cpp - cambium-run train ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Interrupt.h"
#include "Text.h"
#include "Trainer.h"

#include <cmath>

using namespace cambium;
using namespace cambium::run;

static const char kFooter[] =
    R"help(Example: a sentiment model, 20 epochs, stopping early
  cambium-run train model.so --data ptb --train train.txt --dev dev.txt \
    --test test.txt --out run --epochs 20 --batch-size 25 --lr 0.05 --patience 5
Killed or interrupted? The same with --resume goes on, to the same numbers:
  cambium-run train --out run --resume
A rate per parameter group, warm-up over one epoch, then linear decay:
  ... --lr 0.001 --lr embedding=0.01 --schedule linear --warmup 1epoch

The module must have the function 'predict' (output 0: class scores, or a number)
and a training step; with a function 'loss' the loss on the dev data is shown too.
Inputs are matched with the fields of the data by name; formats and their fields:)help";

static std::string footer() {
  std::string text = kFooter;
  for (const data::FormatInfo &format : data::formats())
    text += std::string("\n  ") + format.name + ": " + format.summary;
  return text;
}

static void addFileOptions(CLI::App &command, TrainOptions &options) {
  command.add_option("module", options.model.module,
                     "Module made by cambium-compile");
  command.add_option("--train", options.train, "Training data");
  command.add_option("--dev", options.dev, "Data to choose the best epoch by");
  command
      .add_option("--test", options.tests,
                  "Data that the best epoch is evaluated on at the end; may "
                  "be repeated")
      ->allow_extra_args(false);
  command.add_option("--out,--run", options.out, "Folder of this training")
      ->required();
  addDataOptions(command, options.data);
  command.add_option("--vocab", options.data.vocabulary,
                     "Vocabulary, a word per line (default: from the training "
                     "data)");
  command
      .add_option("--min-count", options.data.minCount,
                  "Words seen less often in training are unknown words")
      ->check(CLI::PositiveNumber);
  command.add_option("--data-dir", options.model.dataDir,
                     "Folder of files that parameters are initialized from");
  command.add_option("--predict", options.model.predict,
                     "The function that predicts (default: predict)");
  command.add_option("--step", options.step,
                     "The training step (default: the only one)");
  addThreadsOption(command, options.model);
  command.add_flag("--resume", options.resume,
                   "Go on where the training in the folder was stopped");
  command.add_flag("--overwrite", options.overwrite,
                   "Replace a training that is in the folder");
  command.add_flag("--quiet", options.quiet, "No progress line");
}

static void addLearningOptions(CLI::App &command, TrainOptions &options) {
  command.add_option("--epochs", options.epochs, "Passes over the data")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--batch-size", options.batchSize, "Examples of a batch")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      .add_option("--eval-batch-size", options.evalBatchSize,
                  "The same in evaluations")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      .add_option("--accumulate", options.accumulate,
                  "Batches of one update of the parameters")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_flag("--bucket", options.bucket,
                   "Put examples of similar size into a batch");
  command
      .add_option("--lr", options.rates,
                  "Learning rate, of all groups or of one; may be repeated "
                  "(default: 0.001)")
      ->type_name("RATE|GROUP=RATE")
      ->allow_extra_args(false);
  command
      .add_option("--schedule", options.schedule,
                  "How rates fall after the warm-up")
      ->capture_default_str()
      ->check(CLI::IsMember(Schedule::kinds()));
  command
      .add_option("--warmup", options.warmup,
                  "Updates (500) or epochs (1epoch) in which rates rise")
      ->capture_default_str();
  command.add_option("--power", options.power, "Of the polynomial schedule")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      .add_option("--final-factor", options.finalFactor,
                  "Rates fall to this part of their value")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--seed", options.seed, "Of all random numbers")
      ->capture_default_str();
  command.add_option(
      "--metric", options.metric,
      "Chooses the best epoch: accuracy, accuracy_all, rmse, loss "
      "(default: the usual one of the format)");
  command
      .add_option("--patience", options.patience,
                  "Stop after so many epochs without a better one (0: never)")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--checkpoint-every", options.checkpointSeconds,
                  "Seconds between checkpoints within an epoch")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--restart-after", options.restartAfter,
                  "Restart with a new seed if the training loss of this epoch "
                  "is not below that of the first (0: never; else from 2)")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--restart-gain", options.restartGain,
                  "The part of the loss by which it must be below")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--restarts", options.restarts, "Restarts at most")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
}

namespace {

/// Keeps what the user typed where it differs from the folder, and refuses what
/// a resumed training must not change.
struct ResumeCheck {
  const CLI::App &command;
  std::string refused;

  template <typename T>
  void compare(const char *name, const T &typed, const T &kept) {
    if (typed != kept && command.get_option("--" + std::string(name))->count())
      refused += (refused.empty() ? "--" : ", --") + std::string(name);
  }
};

} // namespace

/// The options of the folder, with those that were typed and may change.
static Status mergeResumed(const CLI::App &command, const RunFolder &folder,
                           TrainOptions &options) {
  Json config;
  if (Status status = folder.readConfig(config); !status.ok())
    return status;
  TrainOptions kept = options;
  RunFolder::applyConfig(config, kept);
  ResumeCheck check{command, ""};
  // Both visits run in the same order: first note the typed values, then
  // compare.
  std::vector<std::string> typed;
  auto toText = [](auto &value) { return Json(value).compact(); };
  options.forEach(
      [&](const char *, auto &value, bool) { typed.push_back(toText(value)); });
  size_t at = 0;
  kept.forEach([&](const char *name, auto &value, bool mayChange) {
    if (!mayChange)
      check.compare(name, typed[at], toText(value));
    ++at;
  });
  if (!check.refused.empty())
    return Status::error("expected the options of the training in " +
                         folder.path("config.json") +
                         ", but got other values for " + check.refused);
  TrainOptions merged = kept;
  if (command.get_option("--epochs")->count())
    merged.epochs = options.epochs;
  if (command.get_option("--patience")->count())
    merged.patience = options.patience;
  if (command.get_option("--checkpoint-every")->count())
    merged.checkpointSeconds = options.checkpointSeconds;
  if (command.get_option("--threads")->count())
    merged.model.threads = options.model.threads;
  if (command.get_option("--test")->count())
    merged.tests = options.tests;
  options = merged;
  return Status();
}

static Status checkOptions(const TrainOptions &options) {
  auto isMissing = [&](const std::string &text, const char *name) {
    return text.empty() ? std::string(name) : std::string();
  };
  for (const std::string &missing :
       {isMissing(options.model.module, "a module"),
        isMissing(options.data.format, "--data"),
        isMissing(options.train, "--train"), isMissing(options.dev, "--dev")})
    if (!missing.empty())
      return Status::error("expected " + missing +
                           " (cambium-run train --help shows an example)");
  if (options.restartAfter == 1)
    return Status::error("expected --restart-after of 0 or at least 2, but got "
                         "1");
  return Status();
}

/// Module, vocabulary and configuration into a new folder.
static Status fillFolder(const RunFolder &folder, TrainOptions &options,
                         Setup &setup) {
  if (Status status = folder.create(); !status.ok())
    return status;
  if (Status status = copyFile(options.model.module, folder.module());
      !status.ok())
    return status;
  data::Vocabulary *words = setup.reader->vocabulary();
  if (!words)
    return Status();
  Status status = options.data.vocabulary.empty()
                      ? setup.reader->fit(options.train)
                      : words->load(options.data.vocabulary);
  return status.ok() ? words->save(folder.vocabulary()) : status;
}

static Json factsOf(const Setup &setup, const data::Dataset &trainSet,
                    const data::Dataset &devSet) {
  Json examples = Json::object();
  examples.set("train", trainSet.size());
  examples.set("dev", devSet.size());
  int64_t parameters = 0;
  for (const ParameterSpec &parameter : setup.engine->parameters)
    parameters += parameter.numElements;
  Json facts = Json::object();
  facts.set("examples", examples);
  facts.set("parameters", parameters);
  return facts;
}

/// A metric that the model and the data cannot give is an error before
/// training.
static Status checkMetric(Setup &setup, const data::Dataset &devSet,
                          const std::string &metric) {
  data::Dataset one = devSet;
  Evaluation probe;
  if (Status status = setup.evaluator.run(one, probe); !status.ok())
    return status;
  if (probe.interrupted || !std::isnan(probe.metrics.find(metric)))
    return Status();
  for (const auto &[name, value] : probe.metrics.values)
    if (name == metric && name != "accuracy_all")
      return Status(); // Not a number now; it may be one later.
  return Status::error(
      "expected --metric as one of " + probe.metrics.names() + ", but got '" +
      metric + "'" +
      (metric == "loss" ? " (the module has no function 'loss')" : ""));
}

static void printStart(const Setup &setup, const TrainOptions &options,
                       const data::Dataset &trainSet,
                       const data::Dataset &devSet) {
  int64_t parameters = 0;
  for (const ParameterSpec &parameter : setup.engine->parameters)
    parameters += parameter.numElements;
  printf("%s: %s parameters; %s examples to train, %s to choose the best epoch "
         "by %s\n",
         options.model.module.c_str(), formatCount(parameters).c_str(),
         formatCount(trainSet.size()).c_str(),
         formatCount(devSet.size()).c_str(), options.metric.c_str());
  fflush(stdout);
}

/// After a resumed training has ended, more epochs or patience let it go on.
static void reopen(const TrainOptions &options, TrainState &state) {
  if (state.stopped == "epochs" && options.epochs > state.epoch)
    state.stopped.clear();
  if (state.stopped == "patience" &&
      (options.patience == 0 || options.patience > state.stale))
    state.stopped.clear();
}

static Status finish(Setup &setup, TrainOptions &options,
                     const RunFolder &folder, const Trainer &trainer) {
  printf("best epoch %lld: dev %s %s\n",
         static_cast<long long>(trainer.state.bestEpoch),
         options.metric.c_str(),
         formatNumber(trainer.state.bestMetric, 7).c_str());
  fflush(stdout);
  if (options.tests.empty())
    return Status();
  if (Status status = setup.engine->load(folder.best(), true); !status.ok())
    return status;
  return evaluateFiles(setup, options.tests, &folder, options.metric,
                       folder.path("predictions.tsv"));
}

static Status interrupt(const RunFolder &folder, const TrainOptions &options,
                        const Trainer &trainer) {
  Json event = Json::object();
  event.set("event", "stop");
  event.set("reason", "interrupted");
  event.set("best_epoch", trainer.state.bestEpoch);
  Status status = folder.log(event);
  fprintf(stderr,
          "interrupted; saved in %s. To go on:\n"
          "  cambium-run train --out %s --resume\n",
          options.out.c_str(), options.out.c_str());
  return status;
}

/// Opens model and data; in a new training, fills the folder too.
static Status open(const RunFolder &folder, bool resumed, TrainOptions &options,
                   Setup &setup, data::Dataset &trainSet,
                   data::Dataset &devSet) {
  ModelOptions model = options.model;
  if (resumed)
    model.module = folder.module();
  Status status = setup.loadModel(model);
  if (status.ok())
    status = setup.makeReader(options.data);
  if (status.ok() && !resumed)
    status = fillFolder(folder, options, setup);
  else if (status.ok() && setup.reader->vocabulary())
    status = setup.reader->vocabulary()->load(folder.vocabulary());
  if (status.ok())
    status = setup.read(options.train, trainSet);
  if (status.ok())
    status = setup.read(options.dev, devSet);
  if (status.ok() && options.metric.empty())
    options.metric = setup.evaluator.targets.metric;
  return status;
}

static Status train(const CLI::App &command, TrainOptions &options,
                    bool &interrupted) {
  RunFolder folder(options.out);
  const bool hasRun = folder.has(folder.path("config.json"));
  const bool resumed = options.resume && hasRun;
  if (hasRun && !options.resume && !options.overwrite)
    return Status::error(
        options.out + " holds a training already: give --resume to go on with "
                      "it, or --overwrite to replace it");
  if (resumed)
    if (Status status = mergeResumed(command, folder, options); !status.ok())
      return status;
  if (Status status = checkOptions(options); !status.ok())
    return status;

  Setup setup;
  data::Dataset trainSet, devSet;
  Trainer trainer(options, setup, folder);
  const bool hasCheckpoint = resumed && folder.has(folder.last());
  Status status = open(folder, resumed, options, setup, trainSet, devSet);
  if (status.ok())
    status = trainer.prepare(trainSet, devSet);
  if (status.ok())
    status = hasCheckpoint ? trainer.resume() : trainer.initialize();
  if (status.ok() && !hasCheckpoint)
    status = checkMetric(setup, devSet, options.metric);
  if (status.ok())
    status = folder.writeConfig(options, factsOf(setup, trainSet, devSet));
  if (status.ok() && !hasCheckpoint)
    status = folder.cutLog(0);
  if (!status.ok())
    return status;
  reopen(options, trainer.state);
  printStart(setup, options, trainSet, devSet);
  if (hasCheckpoint)
    printf("going on after %lld epochs and %lld batches\n",
           static_cast<long long>(trainer.state.epoch),
           static_cast<long long>(trainer.state.batch));
  status = trainer.run(interrupted);
  if (!status.ok())
    return status;
  return interrupted ? interrupt(folder, options, trainer)
                     : finish(setup, options, folder, trainer);
}

void run::addTrainCommand(CLI::App &app, const std::string &typed,
                          int &exitCode) {
  CLI::App *command = app.add_subcommand(
      "train", "Trains a model and keeps the best parameters");
  command->footer(footer());
  auto options = std::make_shared<TrainOptions>();
  options->command = typed;
  addFileOptions(*command, *options);
  addLearningOptions(*command, *options);
  command->callback([command, options, &exitCode] {
    catchInterrupts();
    bool interrupted = false;
    Status status = train(*command, *options, interrupted);
    exitCode = !status.ok()      ? fail(status)
               : interruptedBy() ? 128 + interruptedBy()
                                 : 0;
  });
}
