//===-- runtime/train/TaskCourse.cpp - One task after the other -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Digests.h"
#include "FileEvaluation.h"
#include "Learned.h"
#include "SeriesFolder.h"
#include "TaskData.h"
#include "TaskResults.h"
#include "Training.h"
#include "TrainingChecks.h"
#include "Turns.h"

#include <algorithm>
#include <filesystem>

using namespace cambium;
using namespace cambium::train;

namespace {

/// The trainings of `train --tasks`. What is done already is what tasks.json
/// says, which is written when all files of a task are there: a course may be
/// killed at any moment.
class Course {
public:
  Course(Options &options, Events &events, Result &result)
      : options(options), events(events), result(result), series(options) {}

  Status open();
  void discard();
  Status run();

private:
  RunFolder runOf(size_t number) const {
    return RunFolder(
        series.folder.path(("task-" + tasks[number].name).c_str()));
  }
  TaskData dataOf(size_t number) const {
    return TaskData(series.folder, tasks[number]);
  }
  Status refuseChanges(const Options &saved) const;
  Status openDigests();
  Status check();
  Status checkPlaces() const;
  Status checkTask(Setup &setup, const Task &task, int64_t earlier) const;
  void removeReplaced() const;
  Status one(size_t number);
  Status makeOptions(size_t number, Options &one) const;
  Status begin(size_t number, Options &one, SweepPart &part);
  Status evaluate(size_t number, std::vector<double> &row);
  Status keep(size_t number) const;

  Options &options;
  Events &events;
  Result &result;
  SeriesFolder series;
  std::vector<Task> tasks;
  TaskResults results;
  bool hasLearn = false; ///< A file that the first training needs.
};

} // namespace

static bool isOfTasks(const Options &saved) { return !saved.tasks.empty(); }

/// What later tasks begin with depends on how earlier ones were trained; all
/// rows are of the same tests.
Status Course::refuseChanges(const Options &saved) const {
  for (const char *name :
       {"test", "epochs", "patience", "keep", "keep-best", "average"}) {
    const OptionInfo &option = *findOption(name);
    if (textOf(option, saved) != textOf(option, options))
      return Status::error("expected --" + std::string(name) + " '" +
                           textOf(option, saved) +
                           "' as before with --tasks, but got '" +
                           textOf(option, options) + "'");
  }
  return Status();
}

Status Course::open() {
  if (options.seeds > 0 || options.folds > 0)
    return Status::error("expected --tasks without --seeds and --folds");
  Status status =
      series.open(isOfTasks, " holds no tasks: expected a folder of several "
                             "with --tasks, or a new one");
  if (!status.ok())
    return status;
  if (series.hasConfig) {
    Json config;
    Options saved;
    status = series.folder.readConfig(config);
    if (status.ok())
      status = series.folder.applyConfig(config, saved);
    if (status.ok())
      status = refuseChanges(saved);
  }
  if (status.ok())
    status = readTasks(options, tasks);
  if (!status.ok())
    return status;
  for (const Task &task : tasks)
    results.names.push_back(task.name);
  if (series.hasConfig)
    dataOf(0).removeLearn();
  else
    status = check();
  if (status.ok())
    status = openDigests();
  if (status.ok() && series.hasConfig)
    status = results.read(series.folder);
  results.metric = options.metric;
  return status;
}

/// The list and the tests must be what they were.
Status Course::openDigests() {
  Digests digests;
  Status status = digests.add("--tasks", options.tasks);
  for (const Task &task : tasks)
    if (status.ok())
      status = inTask(task, digests.add("the tests of '" + task.name + "'",
                                        task.options.tests[0]));
  if (status.ok() && series.hasConfig)
    status = digests.compare(series.digests, series.folder.path("config.json"));
  series.digests = digests.toJson();
  return status;
}

void Course::discard() {
  if (hasLearn)
    dataOf(0).removeLearn();
  if (!series.discard())
    return;
  for (size_t number = 0; number < tasks.size(); ++number)
    dataOf(number).remove();
  std::error_code error;
  std::filesystem::remove(options.out, error); // Where it is empty.
}

/// The memory is the data of a step, which the first task goes without.
static Status checkReplay(const Options &one,
                          const std::vector<StepTurn> &steps, int64_t earlier) {
  auto isReplay = [&](const StepTurn &step) { return step.name == one.replay; };
  const bool isThere = std::any_of(steps.begin(), steps.end() - 1, isReplay);
  if (one.replay.empty() || isThere == (earlier > 0))
    return Status();
  if (earlier > 0)
    return Status::error("expected --replay with a step of --step that is not "
                         "the last one, but got '" +
                         one.replay + "'");
  for (const std::string &file : one.stepData)
    if (file.substr(0, file.find('=')) == one.replay)
      return Status();
  return Status::error("expected --step with '" + one.replay +
                       ":earlier', as there is no memory before the first "
                       "task, but got '" +
                       one.step + "'");
}

Status Course::checkTask(Setup &setup, const Task &task,
                         int64_t earlier) const {
  Options one = task.options;
  one.step = stepsAfter(one.step, earlier);
  std::vector<StepTurn> steps;
  Status status = checkOptions(one);
  if (status.ok())
    status = setup.evaluator.findEntries(one.model.predict, one.model.loss);
  if (status.ok())
    status = parseSteps(one.step, steps);
  if (status.ok())
    status = checkReplay(one, steps, earlier);
  for (const StepTurn &step : steps) {
    const EntrySpec *accumulate = nullptr, *apply = nullptr;
    if (status.ok())
      status = setup.engine->findStep(step.name, accumulate, apply);
  }
  for (const std::string &file : {one.train, one.dev, one.tests[0]}) {
    data::Dataset dataset;
    if (status.ok())
      status = setup.read(file, dataset);
  }
  return inTask(task, status);
}

/// The files of the course may take the places of others in their folders.
Status Course::checkPlaces() const {
  for (const Task &task : tasks) {
    std::vector<std::string> files = {task.options.train, task.options.dev,
                                      task.options.tests[0]};
    for (const std::string &file : task.options.stepData)
      files.push_back(file.substr(file.find('=') + 1));
    for (const std::string &file : files)
      for (size_t number = 0; number < tasks.size(); ++number)
        if (dataOf(number).holds(file))
          return inTask(task,
                        Status::error("expected data outside of " +
                                      series.folder.path("data-") +
                                      tasks[number].name +
                                      ", where --tasks writes its own, but "
                                      "got " +
                                      file));
  }
  return Status();
}

/// What could be wrong with a later task is found before the first one.
Status Course::check() {
  if (options.memory == 0 &&
      !(options.replay.empty() && options.memoryBy.empty()))
    return Status::error("expected --memory above 0 with --replay and "
                         "--memory-by");
  if (!options.before.empty() && options.data.format != "table")
    return Status::error("expected --data table with --before, but got '" +
                         options.data.format + "'");
  if (Status status = checkPlaces(); !status.ok())
    return status;
  const TaskData data = dataOf(0);
  Setup setup;
  Status status = setup.loadModel(options.model);
  for (const std::string &name : {options.before, options.memoryBy})
    if (status.ok() && !name.empty() && !setup.engine->find(name))
      status = Status::error("expected a function of the model, but got '" +
                             name + "'");
  if (status.ok())
    status = setup.makeReader(options.data);
  hasLearn = status.ok();
  if (status.ok())
    status = data.writeLearn(tasks, *setup.reader);
  if (status.ok())
    status = setup.reader->fit(data.learn());
  if (status.ok() && !options.data.labels.empty())
    status = loadLabels(options.data, *setup.reader);
  if (status.ok())
    status = loadVocabularies(options.data, *setup.reader);
  for (size_t number = 0; status.ok() && number < tasks.size(); ++number)
    status = checkTask(setup, tasks[number], int64_t(number));
  return status;
}

/// The options of a task's training, and files that are made for it.
Status Course::makeOptions(size_t number, Options &one) const {
  const Options common;
  for (const char *name : {"tasks", "memory", "memory-by", "replay", "before"})
    copyOption(*findOption(name), common, one);
  one.metric = options.metric;
  one.out = runOf(number).name();
  one.tests.clear();
  one.step = stepsAfter(one.step, int64_t(number));
  if (number == 0)
    return Status();
  const RunFolder last = runOf(number - 1);
  const TaskData data = dataOf(number);
  const bool hasBegun =
      runOf(number).has(runOf(number).path("config.json")) && options.resume;
  one.init = last.result();
  one.weights.clear();
  one.names.clear();
  one.vectors.clear();
  one.data.vocabulary.clear();
  one.data.vocabularies.clear();
  one.data.labels.clear();
  if (!one.data.tokenizer.empty())
    one.data.tokenizer = last.tokenizer(one.data.tokenizer);
  const std::string memory = dataOf(number - 1).memory();
  const bool hasBefore = !options.before.empty();
  Status status;
  if (hasBefore && !hasBegun)
    status = data.create();
  if (hasBefore && !hasBegun && status.ok())
    status = data.writeBefore(last, one.train, data.train());
  if (hasBefore)
    one.train = data.train();
  if (options.replay.empty())
    return status;
  if (hasBefore && !hasBegun && status.ok())
    status = data.writeBefore(last, memory, data.replay());
  one.stepData.push_back(options.replay + "=" +
                         (hasBefore ? data.replay() : memory));
  return status;
}

/// Without a configuration, tasks that were done are not taken for begun.
void Course::removeReplaced() const {
  std::error_code error;
  for (size_t number = 0; number < tasks.size(); ++number) {
    if (number > 0)
      std::filesystem::remove(runOf(number).path("config.json"), error);
    dataOf(number).remove();
  }
}

Status Course::begin(size_t number, Options &one, SweepPart &part) {
  part.folder = options.out;
  part.ownsData = true;
  if (series.hasConfig)
    part.moduleFile = series.folder.model(options.model.interpret);
  if (number > 0)
    part.learnedBy = runOf(number - 1).name();
  else
    part.learnFrom = dataOf(0).learn();
  part.opened = [&](const Json &) {
    if (number == 0 && series.replaces)
      removeReplaced();
    Status filled = series.fill(one.metric, series.digests);
    dataOf(0).removeLearn(); // The first training has a copy of what it was.
    return filled;
  };
  return trainOnce(one, events, part, result);
}

/// The metric of the tests of all tasks.
Status Course::evaluate(size_t number, std::vector<double> &row) {
  const RunFolder run = runOf(number);
  for (const Task &task : tasks) {
    Setup setup;
    FileEvaluationOptions evaluation;
    const bool isOwn = &task == &tasks[number];
    evaluation.files = task.options.tests;
    evaluation.metric = options.metric;
    evaluation.folder = isOwn ? &run : nullptr;
    if (isOwn)
      evaluation.predictions = run.path("predictions.tsv");
    Result tested;
    Status status =
        openTrained(run, task.options, task.options.model.predict, setup);
    if (status.ok())
      status = evaluateFiles(setup, evaluation, events, tested);
    if (!status.ok())
      return inTask(task, status);
    row.push_back(tested.tests.at(0).second.find(options.metric));
  }
  return Status();
}

Status Course::keep(size_t number) const {
  if (options.memory == 0)
    return Status();
  return dataOf(number).writeMemory(
      runOf(number), number > 0 ? dataOf(number - 1).memory() : std::string(),
      int64_t(number) + 1);
}

Status Course::one(size_t number) {
  TaskEvent event;
  event.name = tasks[number].name;
  event.folder = runOf(number).name();
  event.number = int64_t(number) + 1;
  event.count = int64_t(tasks.size());
  event.isDone = number < results.matrix.size();
  events.task(event);
  if (event.isDone)
    return Status();
  Options one = tasks[number].options;
  SweepPart part;
  Status status = makeOptions(number, one);
  if (status.ok())
    status = begin(number, one, part);
  if (!status.ok() || result.stopped == "interrupted")
    return status;
  options.metric = results.metric = one.metric;
  std::vector<double> row;
  status = evaluate(number, row);
  if (status.ok())
    status = keep(number);
  if (!status.ok())
    return status;
  results.matrix.push_back(std::move(row));
  return results.write(series.folder);
}

Status Course::run() {
  for (size_t number = 0; number < tasks.size(); ++number) {
    Status status = inTask(tasks[number], one(number));
    const bool isLast = number + 1 == tasks.size();
    if (!status.ok() || result.stopped == "interrupted" ||
        (!isLast && events.shouldStop()))
      return status;
  }
  events.sweepFinished(results.table());
  return Status();
}

Status train::trainTasks(Options &options, Events &events, Result &result) {
  Course course(options, events, result);
  Status status = course.open();
  if (status.ok())
    status = course.run();
  if (!status.ok())
    course.discard();
  return status;
}
