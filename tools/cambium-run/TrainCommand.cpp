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
  if (options.bucket != "none" && options.bucket != "size" &&
      options.bucket != "height")
    return Status::error(
        "expected --bucket=size or --bucket=height, but got '" +
        options.bucket + "'");
  if (options.restartAfter == 1)
    return Status::error("expected --restart-after of 0 or at least 2, but got "
                         "1");
  return Status();
}

namespace {

/// The command `train` from its options to its last line.
class Training {
public:
  Training(TrainOptions &options)
      : options(options), folder(options.out), trainer(options, setup, folder) {
  }

  /// Everything that can go wrong before the first batch; then the folder is
  /// filled.
  Status open(const CLI::App &command);
  Status run(bool &interrupted);

private:
  Status openModel();
  Status openData();
  Status addWordsOfVectors();
  Status fillFolder();
  void printStart() const;
  void reopen();
  Status finish();
  Status saveInterrupted();
  int64_t numElements() const;

  TrainOptions &options;
  RunFolder folder;
  Setup setup;
  data::Dataset trainSet, devSet;
  Trainer trainer;
  bool resumed = false, hasCheckpoint = false;
};

} // namespace

int64_t Training::numElements() const {
  int64_t elements = 0;
  for (const ParameterSpec &parameter : setup.engine->parameters)
    elements += parameter.numElements;
  return elements;
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
    if (name == metric && metric.find("_all") == std::string::npos)
      return Status(); // Not a number now; it may be one later.
  return Status::error(
      "expected --metric as one of " + probe.metrics.names() + ", but got '" +
      metric + "'" +
      (metric == "loss" ? " (the module has no function 'loss')" : ""));
}

Status Training::openModel() {
  ModelOptions model = options.model;
  if (resumed)
    model.module = folder.model(model.interpret);
  else if (!options.moduleFile.empty())
    model.module = options.moduleFile;
  DataOptions data = options.data;
  if (resumed && !data.tokenizer.empty())
    data.tokenizer = folder.tokenizer(data.tokenizer);
  Status status = setup.loadModel(model);
  return status.ok() ? setup.makeReader(data) : status;
}

Status Training::openData() {
  Status status;
  if (data::Vocabulary *words = setup.reader->vocabulary())
    status = resumed ? words->load(folder.vocabulary())
             : options.data.vocabulary.empty()
                 ? setup.reader->fit(options.train)
                 : words->load(options.data.vocabulary);
  if (status.ok() && !resumed && options.data.vocabulary.empty())
    status = addWordsOfVectors();
  if (status.ok())
    status = setup.read(options.train, trainSet);
  if (status.ok())
    status = setup.read(options.dev, devSet);
  if (status.ok() && options.metric.empty())
    options.metric = setup.evaluator.targets.metric;
  return status;
}

/// The vocabulary of the training data is extended by the words that have
/// vectors, for the sake of other data.
Status Training::addWordsOfVectors() {
  data::Vocabulary *words = setup.reader->vocabulary();
  std::vector<VectorSource> sources;
  Status status = parseVectorSources(options.vectors, *setup.engine, sources);
  for (const VectorSource &source : sources)
    if (status.ok() && words)
      status = data::addVectorWords(
          source.path, setup.reader->options.vocabularyLimit, *words);
  return status;
}

/// Module, vocabulary and, last, the configuration: with it, there is a
/// training to resume.
Status Training::fillFolder() {
  Status status = folder.create();
  if (status.ok())
    status = copyFile(options.moduleFile.empty() ? options.model.module
                                                 : options.moduleFile,
                      folder.model(options.model.interpret));
  if (data::Vocabulary *words = setup.reader->vocabulary();
      status.ok() && words)
    status = words->save(folder.vocabulary());
  if (status.ok() && !options.data.tokenizer.empty())
    status = copyFile(options.data.tokenizer,
                      folder.tokenizer(options.data.tokenizer));
  return status;
}

Status Training::open(const CLI::App &command) {
  const bool hasRun = folder.has(folder.path("config.json"));
  resumed = options.resume && hasRun;
  if (hasRun && !options.resume && !options.overwrite)
    return Status::error(
        options.out + " holds a training already: give --resume to go on with "
                      "it, or --overwrite to replace it");
  Status status;
  if (resumed) {
    folder.removeLeftovers();
    status = mergeResumed(command, folder, options);
  }
  if (status.ok())
    status = checkOptions(options);
  if (status.ok())
    status = openModel();
  if (status.ok())
    status = openData();
  if (status.ok())
    status = trainer.prepare(trainSet, devSet);
  hasCheckpoint = resumed && folder.has(folder.last());
  if (status.ok())
    status = hasCheckpoint ? trainer.resume() : trainer.initialize();
  if (status.ok() && !hasCheckpoint)
    status = checkMetric(setup, devSet, options.metric);
  if (status.ok() && !resumed)
    status = fillFolder();
  if (status.ok() && !hasCheckpoint)
    status = folder.cutLog(0);
  if (status.ok())
    status = trainer.startEvents();
  if (!status.ok())
    return status;
  Json examples = Json::object();
  examples.set("train", trainSet.size());
  examples.set("dev", devSet.size());
  Json facts = Json::object();
  facts.set("examples", examples);
  facts.set("parameters", numElements());
  return folder.writeConfig(options, facts);
}

void Training::printStart() const {
  printf("%s: %s parameters; %s examples to train, %s to choose the best epoch "
         "by %s\n",
         options.model.module.c_str(), formatCount(numElements()).c_str(),
         formatCount(trainSet.size()).c_str(),
         formatCount(devSet.size()).c_str(), options.metric.c_str());
  printf("%s%s", trainer.initSummary.c_str(), trainer.vectorSummary.c_str());
  if (hasCheckpoint)
    printf("going on after %lld epochs and %lld batches\n",
           static_cast<long long>(trainer.state.epoch),
           static_cast<long long>(trainer.state.batch));
  fflush(stdout);
}

/// After a training has ended, more epochs or patience let it go on.
void Training::reopen() {
  TrainState &state = trainer.state;
  if (state.stopped == "epochs" && options.epochs > state.epoch)
    state.stopped.clear();
  if (state.stopped == "patience" &&
      (options.patience == 0 || options.patience > state.stale))
    state.stopped.clear();
}

Status Training::finish() {
  printf("best epoch %lld: dev %s %s\n",
         static_cast<long long>(trainer.state.bestEpoch),
         options.metric.c_str(),
         formatNumber(trainer.state.bestMetric, 7).c_str());
  fflush(stdout);
  if (options.tests.empty() && !folder.has(folder.best()))
    return Status();
  if (Status status = setup.engine->load(folder.best(), true); !status.ok())
    return status;
  return options.tests.empty()
             ? drawTrees(folder, devSet, setup)
             : evaluateFiles(setup, options.tests, &folder, options.metric,
                             folder.path("predictions.tsv"));
}

Status Training::saveInterrupted() {
  Json event = Json::object();
  event.set("event", "stop");
  event.set("reason", "interrupted");
  event.set("best_epoch", trainer.state.bestEpoch);
  Status status = folder.log(event);
  const std::string &whole =
      options.sweepFolder.empty() ? options.out : options.sweepFolder;
  fprintf(stderr,
          "interrupted; saved in %s. To go on:\n"
          "  cambium-run train --out %s --resume\n",
          options.out.c_str(), whole.c_str());
  return status;
}

Status Training::run(bool &interrupted) {
  reopen();
  printStart();
  if (Status status = trainer.run(interrupted); !status.ok())
    return status;
  return interrupted ? saveInterrupted() : finish();
}

Status run::train(const CLI::App &command, TrainOptions &options,
                  const std::function<Status()> &opened) {
  Training training(options);
  bool interrupted = false;
  Status status = training.open(command);
  if (status.ok() && opened)
    status = opened();
  return status.ok() ? training.run(interrupted) : status;
}

/// Whether the options, or the folder to go on with, ask for several seeds.
static bool isSweep(const TrainOptions &options) {
  const RunFolder folder(options.out);
  Json config;
  if (options.seeds || !options.resume || !folder.readConfig(config).ok())
    return options.seeds > 0;
  return config["options"]["seeds"].integer(0) > 0;
}

void run::addTrainCommand(CLI::App &app, const std::string &typed,
                          int &exitCode) {
  CLI::App *command = app.add_subcommand(
      "train", "Trains a model and keeps the best parameters");
  auto options = std::make_shared<TrainOptions>();
  options->command = typed;
  addTrainOptions(*command, *options);
  command->callback([command, options, &exitCode] {
    catchInterrupts();
    Status status = isSweep(*options) ? sweepSeeds(*command, *options)
                                      : train(*command, *options, nullptr);
    exitCode = !status.ok()      ? fail(status)
               : interruptedBy() ? 128 + interruptedBy()
                                 : 0;
  });
}
