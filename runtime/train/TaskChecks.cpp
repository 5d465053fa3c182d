//===-- runtime/train/TaskChecks.cpp - What a course demands --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskChecks.h"
#include "Learned.h"
#include "TaskData.h"
#include "Trainer.h"
#include "TrainingChecks.h"

#include <algorithm>

using namespace cambium;
using namespace cambium::train;

namespace {

class Checks {
public:
  Checks(const Options &options, const std::vector<Task> &tasks,
         const RunFolder &folder, Events &events)
      : options(options), tasks(tasks), folder(folder), events(events) {}

  Status run(bool &hasLearn);

private:
  TaskData dataOf(size_t number) const {
    return TaskData(folder, tasks[number]);
  }
  Status checkPlaces() const;
  Status learn(bool &hasLearn);
  Status checkTask(size_t number);
  Status checkFeeds(size_t number, Options one);

  const Options &options;
  const std::vector<Task> &tasks;
  const RunFolder &folder;
  Events &events;
  Setup setup;
};

} // namespace

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

/// What feeds the inputs. Outputs of --before are columns of a later task's
/// data that are not there yet, and examples of the task before are like those
/// of the memory.
Status Checks::checkFeeds(size_t number, Options one) {
  const bool hasBefore = number > 0 && !options.before.empty();
  std::vector<data::Dataset> sets;
  std::vector<std::string> files = {one.dev, one.tests[0], one.train};
  for (const std::string &file : one.stepData)
    if (hasBefore)
      files.push_back(file.substr(file.find('=') + 1));
  Status status;
  for (const std::string &file : files)
    if (status.ok())
      status = setup.readKept(file, sets.emplace_back());
  for (size_t i = 0; i < 2 && status.ok(); ++i)
    status = checkInputs(setup.evaluator, sets[i]);
  if (status.ok() && hasBefore)
    return Trainer(one, setup, folder, events).checkRates(sets[2]);
  if (!status.ok())
    return status;
  if (number > 0 && !one.replay.empty())
    one.stepData.push_back(one.replay + "=" + tasks[number - 1].options.train);
  status = Trainer(one, setup, folder, events).prepare(sets[2], sets[0]);
  setup.evaluator.shouldStop = [] { return false; }; // Not by that trainer.
  return status;
}

Status Checks::checkTask(size_t number) {
  const Task &task = tasks[number];
  const auto earlier = static_cast<int64_t>(number);
  Options one = task.options;
  one.step = stepsAfter(one.step, earlier);
  std::vector<StepTurn> steps;
  Status status = checkOptions(one);
  if (status.ok())
    status = setup.evaluator.findEntries(one.model.predict, one.model.loss);
  if (status.ok())
    status = setup.setFeeds(one.data);
  if (status.ok())
    status = parseSteps(one.step, steps);
  if (status.ok())
    status = checkReplay(one, steps, earlier);
  for (const StepTurn &step : steps) {
    const EntrySpec *accumulate = nullptr, *apply = nullptr;
    if (status.ok())
      status = setup.engine->findStep(step.name, accumulate, apply);
  }
  if (status.ok())
    status = checkFeeds(number, one);
  return inTask(task, status);
}

/// The files of the course may take the places of others in their folders.
Status Checks::checkPlaces() const {
  for (const Task &task : tasks) {
    std::vector<std::string> files = {task.options.train, task.options.dev,
                                      task.options.tests[0]};
    for (const std::string &file : task.options.stepData)
      files.push_back(file.substr(file.find('=') + 1));
    for (const std::string &file : files)
      for (size_t number = 0; number < tasks.size(); ++number)
        if (dataOf(number).holds(file))
          return inTask(
              task, Status::error("expected data outside of " +
                                  folder.path("data-") + tasks[number].name +
                                  ", where --tasks writes its own, but "
                                  "got " +
                                  file));
  }
  return Status();
}

/// What words and classes are called is learned from the data of all tasks.
Status Checks::learn(bool &hasLearn) {
  const TaskData data = dataOf(0);
  Status status = setup.makeReader(options.data);
  hasLearn = status.ok();
  if (status.ok())
    status = data.writeLearn(tasks, *setup.reader);
  if (status.ok())
    status = setup.reader->fit(data.learn());
  if (status.ok() && !options.data.labels.empty())
    status = loadLabels(options.data, *setup.reader);
  return status.ok() ? loadVocabularies(options.data, *setup.reader) : status;
}

Status Checks::run(bool &hasLearn) {
  if (options.memory == 0 &&
      !(options.replay.empty() && options.memoryBy.empty()))
    return Status::error("expected --memory above 0 with --replay and "
                         "--memory-by");
  if (!options.before.empty() && options.data.format != "table")
    return Status::error("expected --data table with --before, but got '" +
                         options.data.format + "'");
  Status status = checkPlaces();
  if (status.ok())
    status = setup.loadModel(options.model);
  for (const std::string &name : {options.before, options.memoryBy})
    if (status.ok() && !name.empty() && !setup.engine->find(name))
      status = Status::error("expected a function of the model, but got '" +
                             name + "'");
  if (status.ok())
    status = learn(hasLearn);
  for (size_t number = 0; status.ok() && number < tasks.size(); ++number)
    status = checkTask(number);
  return status;
}

Status train::checkTasks(const Options &options, const std::vector<Task> &tasks,
                         const RunFolder &folder, Events &events,
                         bool &hasLearn) {
  return Checks(options, tasks, folder, events).run(hasLearn);
}
