//===-- runtime/train/Training.cpp - A training from start to end ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Training.h"
#include "FileEvaluation.h"
#include "KeptEpochs.h"
#include "Learned.h"
#include "Options.h"
#include "TrainingChecks.h"
#include "TreeFiles.h"
#include "UnusedOptions.h"

#include <new>

using namespace cambium;
using namespace cambium::train;

Events::~Events() = default;

namespace {

/// From the options to the last evaluation.
class Training {
public:
  Training(Options &options, Events &events, const SweepPart &part,
           Result &result)
      : options(options), events(events), part(part), result(result),
        folder(options.out), trainer(options, setup, folder, events) {}

  /// Everything that can go wrong before the first batch; then the folder is
  /// filled.
  Status open();
  /// After a failure to open: what it has made goes again.
  void discard() {
    if (lock.isHeld())
      folder.discard(lock, hadFolder);
  }
  Status run();
  Json digestsAsJson() const { return digests.toJson(); }

private:
  Status mergeSaved(Json &config);
  Status openModel();
  Status openData();
  Status addWordsOfVectors();
  Status openDigests(const Json &saved);
  Status openTrainer();
  Status fillFolder();
  Status writeConfig();
  void tellBegin() const;
  void reopen();
  Status finish();
  Status saveInterrupted();
  int64_t numElements() const;
  const std::string &moduleFile() const {
    return part.moduleFile.empty() ? options.model.module : part.moduleFile;
  }

  Options &options;
  Events &events;
  const SweepPart &part;
  Result &result;
  RunLock lock;
  RunFolder folder;
  Setup setup;
  Digests digests;
  data::Dataset trainSet, devSet;
  Trainer trainer;
  bool hadFolder = false, resumed = false, hasCheckpoint = false;
};

} // namespace

int64_t Training::numElements() const {
  int64_t elements = 0;
  for (const ParameterSpec &parameter : setup.engine->parameters)
    elements += parameter.numElements;
  return elements;
}

Status Training::openModel() {
  ModelOptions model = options.model;
  if (resumed)
    model.module = folder.model(model.interpret);
  else
    model.module = moduleFile();
  DataOptions data = options.data;
  if (resumed && !data.tokenizer.empty())
    data.tokenizer = folder.tokenizer(data.tokenizer);
  Status status = setup.loadModel(model);
  return status.ok() ? setup.makeReader(data) : status;
}

Status Training::openData() {
  Status status;
  data::Reader &reader = *setup.reader;
  const bool hasLearned = resumed || !part.learnedBy.empty();
  if (hasLearned) {
    status = loadLearned(resumed ? folder : RunFolder(part.learnedBy), reader);
  } else {
    status =
        reader.fit(part.learnFrom.empty() ? options.train : part.learnFrom);
    if (status.ok() && !options.data.labels.empty())
      status = loadLabels(options.data, reader);
    if (status.ok())
      status = loadVocabularies(options.data, reader);
  }
  if (status.ok() && !hasLearned && options.data.vocabulary.empty())
    status = addWordsOfVectors();
  if (status.ok())
    status = setup.read(options.train, trainSet);
  if (status.ok())
    status = setup.read(options.dev, devSet);
  if (status.ok())
    status = checkTests(setup, options.tests);
  if (status.ok() && options.metric.empty())
    options.metric = setup.evaluator.targets.metric;
  return status;
}

/// The vocabulary of the training data is extended by the words that have
/// vectors, for the sake of other data.
Status Training::addWordsOfVectors() {
  data::Reader &reader = *setup.reader;
  std::vector<VectorSource> sources;
  Status status = parseVectorSources(options.vectors, *setup.engine, sources);
  for (const VectorSource &source : sources) {
    data::Vocabulary *words = findVocabulary(reader, source.vocabulary);
    std::vector<std::string> fields;
    for (const auto &[field, limit] : reader.options.fieldLimits)
      if (reader.vocabularyOf(field) == words)
        fields.push_back(field);
    if (status.ok() && words)
      status =
          data::addVectorWords(source.path, reader.limitOf(fields), *words);
  }
  return status;
}

/// Module, vocabulary and, last, the configuration: with it, there is a
/// training to resume.
Status Training::fillFolder() {
  Status status = folder.create();
  if (status.ok())
    status = copyFile(moduleFile(), folder.model(options.model.interpret));
  if (status.ok())
    status = saveLearned(folder, *setup.reader);
  if (status.ok() && !options.data.tokenizer.empty())
    status = copyFile(options.data.tokenizer,
                      folder.tokenizer(options.data.tokenizer));
  return status;
}

/// What the numbers depend on must be what it was.
Status Training::openDigests(const Json &saved) {
  Status status;
  auto add = [&](const std::string &what, const std::string &path) {
    // What the parameters began with is in the checkpoint.
    if (resumed && !path.empty() && !folder.has(path))
      digests.add(what, path, saved[what].text());
    else if (status.ok())
      status = digests.add(what, path);
  };
  add("the module", folder.model(options.model.interpret));
  digests.add("the training data", options.train, trainSet.digest);
  digests.add("the dev data", options.dev, devSet.digest);
  for (const auto &[what, file] : learnedFiles(folder, *setup.reader))
    add(what, file);
  if (!options.data.tokenizer.empty())
    add("the tokenizer", folder.tokenizer(options.data.tokenizer));
  add("the parses", options.data.parses);
  add("--init", options.init);
  add("--names", options.names);
  for (const std::string &file : options.stepData)
    add("--step-data " +
            (part.ownsData ? file.substr(0, file.find('=')) : file),
        file.substr(file.find('=') + 1));
  for (const std::string &file : options.weights)
    add("--weights " + file, file);
  for (const std::string &source : options.vectors)
    add("--vectors " + source, source.substr(source.find('=') + 1));
  if (status.ok() && !saved.isNull())
    status = digests.compare(saved, folder.path("config.json"));
  return status;
}

Status Training::mergeSaved(Json &config) {
  folder.removeLeftovers();
  const std::string module = options.model.module;
  Options saved;
  Status status = folder.readConfig(config);
  if (status.ok())
    status = folder.applyConfig(config, saved);
  if (part.ownsData) { // Wherever the folder is now; digests are compared.
    saved.train = options.train;
    saved.dev = options.dev;
    saved.init = options.init;
    saved.stepData = options.stepData;
  }
  if (status.ok())
    status = mergeResumed(saved, folder.path("config.json"), options);
  if (status.ok() && part.folder.empty())
    status = checkModule(module, folder, options.model.interpret);
  return status;
}

/// Draws the parameters, or takes them from the checkpoint.
Status Training::openTrainer() {
  Status status = trainer.prepare(trainSet, devSet);
  hasCheckpoint = resumed && folder.has(folder.last());
  if (status.ok())
    status = hasCheckpoint ? trainer.resume() : trainer.initialize();
  if (status.ok() && !hasCheckpoint)
    status = checkMetric(setup, devSet, options.metric);
  return status;
}

Status Training::open() {
  Json config;
  // A folder that is not there yet is made when nothing can be wrong any more.
  hadFolder = folder.has(options.out);
  Status status =
      hadFolder ? checkFolder(folder, options, !part.folder.empty()) : Status();
  if (status.ok() && hadFolder)
    status = lock.acquire(options.out);
  const bool hasRun = folder.has(folder.path("config.json"));
  resumed = options.resume && hasRun;
  if (status.ok() && hasRun && !options.resume && !options.overwrite)
    status = Status::error(
        options.out + " holds a training already: give --resume to go on with "
                      "it, or --overwrite to replace it");
  if (status.ok() && resumed)
    status = mergeSaved(config);
  if (status.ok())
    status = checkOptions(options);
  if (status.ok())
    status = openModel();
  if (status.ok())
    status = openData();
  if (status.ok() && resumed)
    status = openDigests(config["digests"].isNull() ? Json::object()
                                                    : config["digests"]);
  if (status.ok())
    status = openTrainer();
  if (status.ok() && !hadFolder)
    status = lock.acquire(options.out);
  if (status.ok() && !hasRun && folder.has(folder.path("config.json")))
    status = Status::error(options.out +
                           ": another training has begun in the folder");
  if (status.ok() && !resumed)
    status = fillFolder();
  if (status.ok() && !resumed)
    status = openDigests(part.digests);
  if (status.ok() && !hasCheckpoint)
    status = folder.cutLog(0);
  if (status.ok())
    status = trainer.startEvents();
  if (!status.ok())
    return status;
  // Whoever sees the configuration may interrupt what has begun.
  tellBegin();
  return writeConfig();
}

Status Training::writeConfig() {
  Json examples = Json::object();
  examples.set("train", trainSet.size());
  examples.set("dev", devSet.size());
  Json facts = Json::object();
  facts.set("examples", examples);
  facts.set("parameters", numElements());
  facts.set("digests", digests.toJson());
  return folder.writeConfig(options, facts);
}

void Training::tellBegin() const {
  BeginEvent event;
  event.model = options.model.module;
  event.metric = options.metric;
  event.parameters = numElements();
  event.trainExamples = trainSet.size();
  event.devExamples = devSet.size();
  event.initialValues = trainer.initSummary + trainer.vectorSummary;
  event.isResumed = hasCheckpoint;
  event.epoch = trainer.state.epoch;
  event.batch = trainer.state.batch;
  events.began(event);
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
  events.finished(result);
  if (trainer.state.bestEpoch == 0)
    return Status::error(
        "expected a number for the dev metric '" + options.metric + "'" +
        (setup.evaluator.loss ? ", and a finite dev loss," : "") +
        " after one of the " + std::to_string(trainer.state.epoch) +
        " epochs, but got none: there are no best parameters");
  if (options.tests.empty() && !folder.has(folder.best()))
    return Status();
  if (Status status = setup.engine->load(folder.best(), true); !status.ok())
    return status;
  if (Status status = makeMean(options, folder, *setup.engine); !status.ok())
    return status;
  if (options.tests.empty())
    return drawTrees(folder, devSet, setup);
  FileEvaluationOptions evaluation;
  evaluation.files = options.tests;
  evaluation.folder = &folder;
  evaluation.metric = options.metric;
  evaluation.predictions = folder.path("predictions.tsv");
  return evaluateFiles(setup, evaluation, events, result);
}

Status Training::saveInterrupted() {
  result.stopped = "interrupted";
  Json event = Json::object();
  event.set("event", "stop");
  event.set("reason", "interrupted");
  event.set("best_epoch", trainer.state.bestEpoch);
  Status status = folder.log(event);
  events.interrupted(part.folder.empty() ? options.out : part.folder);
  return status;
}

Status Training::run() {
  reopen();
  bool interrupted = false;
  Status status = trainer.run(interrupted);
  const TrainState &state = trainer.state;
  result.epochs = state.epoch;
  result.bestEpoch = state.bestEpoch;
  result.bestMetric = state.bestMetric;
  result.metric = options.metric;
  result.stopped = state.stopped;
  if (!status.ok())
    return status;
  return interrupted ? saveInterrupted() : finish();
}

Status train::trainOnce(Options &options, Events &events, const SweepPart &part,
                        Result &result) {
  Training training(options, events, part, result);
  Status status = training.open();
  if (status.ok() && part.opened)
    status = part.opened(training.digestsAsJson());
  if (!status.ok())
    training.discard();
  return status.ok() ? training.run() : status;
}

/// What the options ask for, or the folder to go on with: one training where
/// it is neither of tasks nor of seeds or folds.
static Status trainAsAsked(Options &options, Events &events, Result &result) {
  const RunFolder folder(options.out);
  Json config;
  bool isOfTasks = !options.tasks.empty();
  bool isSweep = options.seeds > 0 || options.folds > 0;
  if (!isOfTasks && !isSweep && options.resume &&
      folder.readConfig(config).ok()) {
    const Json &saved = config["options"];
    isOfTasks = !saved["tasks"].text().empty();
    isSweep = saved["seeds"].integer(0) > 0 || saved["folds"].integer(0) > 0;
  }
  if (isOfTasks)
    return trainTasks(options, events, result);
  if (Status status = refuseWithoutTasks(options); !status.ok())
    return status;
  return isSweep ? trainSeeds(options, events, result)
                 : trainOnce(options, events, SweepPart(), result);
}

Status train::run(Options &options, Events &events, Result &result) try {
  result = Result();
  if (options.out.empty())
    return Status::error("expected a folder for the training (--out)");
  if (options.resume && options.overwrite)
    return Status::error("expected --resume, which goes on with the training "
                         "in the folder, or --overwrite, which replaces it, "
                         "but got both");
  return trainAsAsked(options, events, result);
} catch (const std::bad_alloc &) {
  return Status::error(options.out + ": not enough memory for the training");
}
