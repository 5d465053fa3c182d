//===-- runtime/train/TaskData.cpp - What a task is trained on ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskData.h"
#include "Chunks.h"
#include "Learned.h"
#include "OutputTable.h"
#include "TaskMemory.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace cambium;
using namespace cambium::train;

Status train::openTrained(const RunFolder &run, const Options &options,
                          const std::string &predict, Setup &setup) {
  ModelOptions model = options.model;
  DataOptions data = options.data;
  model.module = run.model(model.interpret);
  model.predict = predict;
  if (!data.tokenizer.empty())
    data.tokenizer = run.tokenizer(data.tokenizer);
  setup.evaluator.takesAnyOutput = predict != options.model.predict;
  Status status = setup.loadModel(model, /*forCalls=*/true);
  if (status.ok())
    status = setup.engine->load(run.result(), /*parametersOnly=*/true);
  if (status.ok())
    status = setup.makeReader(data);
  if (status.ok())
    status = loadLearned(run, *setup.reader);
  setup.evaluator.batchSize = options.evalBatchSize;
  return status;
}

std::string TaskData::fileOf(const char *name) const {
  const auto end = std::filesystem::path(task.options.train).extension();
  return path + "/" + name + end.string();
}

Status TaskData::create() const {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  return error ? Status::error(path + ": cannot create: " + error.message())
               : Status();
}

bool TaskData::holds(const std::string &file) const {
  return isInFolder(file, path);
}

void TaskData::remove() const {
  std::error_code error;
  for (const std::string &file : {train(), replay(), memory()})
    std::filesystem::remove(file, error);
  removeLearn();
}

void TaskData::removeLearn() const {
  std::error_code error;
  std::filesystem::remove(learn(), error);
  std::filesystem::remove(path, error); // Where it is empty.
}

/// Ends the last example, whatever comes behind it.
static void endLines(const data::Reader &reader, std::string &all) {
  if (all.empty())
    return;
  if (all.back() != '\n')
    all += '\n';
  const size_t last = all.substr(0, all.size() - 1).rfind('\n') + 1;
  if (!reader.endsExample(std::string_view(all).substr(last)))
    all += '\n';
}

/// A first line that names columns stands in the first file alone; where lines
/// are parts of examples, there is none.
Status TaskData::writeLearn(const std::vector<Task> &tasks,
                            const data::Reader &reader) const {
  std::string all, first;
  for (const Task &each : tasks) {
    std::string text;
    if (Status status = data::readTextFile(each.options.train, text);
        !status.ok())
      return inTask(each, status);
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string line = text.substr(0, end);
    if (all.empty())
      first = line;
    else if (line != first && each.options.data.format == "table")
      return inTask(each, Status::error(each.options.train +
                                        ":1: expected the columns of " +
                                        tasks[0].options.train + ", '" + first +
                                        "', but got '" + line + "'"));
    const bool isAgain =
        !all.empty() && line == first && reader.endsExample(line);
    all += isAgain ? text.substr(std::min(end + 1, text.size())) : text;
    endLines(reader, all);
  }
  Status status = create();
  return status.ok() ? data::writeFileAtomically(learn(), all) : status;
}

/// The names of the columns of outputs, behind those of the data.
static void nameBefore(size_t columns, std::string &text) {
  const size_t end = text.find('\n');
  std::string head;
  for (size_t at = 0, number = 0; at <= end; ++number) {
    const size_t next = std::min(text.find('\t', at), end);
    head += std::string(number > 0 ? "\t" : "") +
            (number >= columns ? "old." : "") + text.substr(at, next - at);
    at = next + 1;
  }
  text.replace(0, end, head);
}

Status TaskData::writeBefore(const RunFolder &lastRun, const std::string &from,
                             const std::string &to) const {
  Setup setup;
  data::Dataset dataset;
  Status status =
      openTrained(lastRun, task.options, task.options.before, setup);
  if (status.ok())
    status = setup.read(from, dataset);
  if (!status.ok())
    return status;
  const std::string columns = setup.reader->columnsAtHand();
  OutputTable table(setup);
  std::string text;
  if (status = table.append(dataset, text); !status.ok())
    return status;
  nameBefore(std::count(columns.begin(), columns.end(), '\t') + 1, text);
  return data::writeFileAtomically(to, text);
}

Status TaskData::writeMemory(const RunFolder &run, const std::string &before,
                             int64_t number,
                             const std::function<bool()> &shouldStop) const {
  const Options &options = task.options;
  Setup setup;
  data::Dataset dataset;
  Chunks lines;
  std::vector<float> points;
  const bool isCentral = !options.memoryBy.empty();
  Status status =
      openTrained(run, options,
                  isCentral ? options.memoryBy : options.model.predict, setup);
  if (status.ok())
    status = lines.read(setup, options.train, "--memory", dataset);
  setup.evaluator.shouldStop = shouldStop;
  if (status.ok() && isCentral)
    status = setup.evaluator.vectorsOf(dataset, points);
  if (!status.ok())
    return status;
  const int64_t size = dataset.size();
  const auto count = std::max<int64_t>(
      1, static_cast<int64_t>(std::floor(options.memory * double(size) + 0.5)));
  const uint64_t seed = cambium_mix(options.seed, number);
  const std::vector<int64_t> chosen =
      isCentral
          ? chooseCentral(points, static_cast<int64_t>(points.size()) / size,
                          count, seed, shouldStop)
          : drawSome(count, size, seed);
  if (shouldStop())
    return status;
  std::string text = lines.header;
  if (!before.empty())
    status = data::readTextFile(before, text);
  for (int64_t example : chosen)
    text += lines.chunks[example];
  if (status.ok())
    status = create();
  return status.ok() ? data::writeFileAtomically(memory(), text) : status;
}
