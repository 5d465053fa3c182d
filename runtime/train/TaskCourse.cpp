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
#include "TaskChecks.h"
#include "TaskData.h"
#include "TaskResults.h"
#include "Training.h"

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
  Status openData();
  Status openDigests();
  Status removeReplaced() const;
  Status one(size_t number);
  Status makeOptions(size_t number, Options &one) const;
  Status begin(size_t number, Options &one, SweepPart &part);
  Status evaluate(size_t number, std::vector<double> &row);
  Status keep(size_t number, bool &isStopped) const;

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
  for (const Task &task : tasks)
    if (status.ok() && !series.hasConfig)
      status = inTask(task, series.refuseInputs(task.options));
  if (!status.ok())
    return status;
  for (const Task &task : tasks)
    results.names.push_back(task.name);
  if (series.hasConfig)
    dataOf(0).removeLearn();
  else
    status = openData();
  if (status.ok() && !series.hasConfig)
    status = checkTasks(options, tasks, series.folder, events, hasLearn);
  if (status.ok())
    status = openDigests();
  if (status.ok() && series.hasConfig)
    status = results.read(series.folder);
  results.metric = options.metric;
  return status;
}

Status Course::openData() {
  std::vector<std::string> folders;
  for (const Task &task : tasks)
    folders.push_back("data-" + task.name);
  return series.openData(folders);
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

/// Tasks that were done are not taken for begun.
Status Course::removeReplaced() const {
  Status status;
  for (size_t number = 0; number < tasks.size() && status.ok(); ++number) {
    const RunFolder run = runOf(number);
    if (number > 0 && run.has(run.name()))
      status = run.create();
    dataOf(number).remove();
  }
  return status;
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
    Status filled =
        number == 0 && series.replaces ? removeReplaced() : Status();
    if (filled.ok())
      filled = series.fill(one.metric, series.digests, one.out);
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

/// Asked to stop, it keeps nothing: with --resume, it begins anew.
Status Course::keep(size_t number, bool &isStopped) const {
  if (options.memory == 0)
    return Status();
  Status status = dataOf(number).writeMemory(
      runOf(number), number > 0 ? dataOf(number - 1).memory() : std::string(),
      int64_t(number) + 1, [&] { return events.shouldStop(); });
  isStopped = events.shouldStop();
  return isStopped ? Status() : status;
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
  bool isStopped = false;
  status = evaluate(number, row);
  if (status.ok())
    status = keep(number, isStopped);
  if (!status.ok())
    return status;
  if (isStopped) {
    result.stopped = "interrupted";
    events.interrupted(options.out);
    return status;
  }
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
