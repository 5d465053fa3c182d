//===-- runtime/train/TaskList.cpp - The tasks of a course ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskList.h"
#include "Names.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

using namespace cambium;
using namespace cambium::train;

/// What a task may say of itself. The model, what its data is read by, and the
/// metric are those of all tasks.
static const std::vector<std::string> kOwnOptions = {
    "train",          "dev",
    "test",           "step",
    "step-data",      "predict",
    "loss",           "map",
    "value",          "epochs",
    "batch-size",     "eval-batch-size",
    "accumulate",     "batch-nodes",
    "bucket",         "lr",
    "schedule",       "warmup",
    "power",          "decay",
    "decay-every",    "group-schedule",
    "freeze",         "final-factor",
    "patience",       "keep",
    "keep-best",      "average",
    "moving-average", "restart-after",
    "restart-gain",   "restarts"};

/// A list may be given as its only item; rates may be numbers.
static Json asList(const Json &value) {
  Json::Array items = value.isArray() ? value.items() : Json::Array{value};
  for (Json &item : items)
    if (item.isNumber())
      item = item.compact();
  return items;
}

/// Paths are those of the folder in which the list is.
static std::string besideList(const std::string &list,
                              const std::string &path) {
  const std::filesystem::path folder =
      std::filesystem::path(list).parent_path();
  return path.empty() ? path : (folder / path).string();
}

static void placeFiles(const std::string &list, const Json &task,
                       Options &options) {
  if (!task["train"].isNull())
    options.train = besideList(list, options.train);
  if (!task["dev"].isNull())
    options.dev = besideList(list, options.dev);
  if (!task["test"].isNull())
    for (std::string &file : options.tests)
      file = besideList(list, file);
  if (!task["step-data"].isNull())
    for (std::string &text : options.stepData)
      if (const size_t at = text.find('='); at != text.npos)
        text = text.substr(0, at + 1) + besideList(list, text.substr(at + 1));
}

static Status setOptions(const std::string &list, const Json &task,
                         Options &options) {
  Json values = Json::object();
  for (const auto &[key, value] : task.members()) {
    if (key == "name")
      continue;
    if (std::find(kOwnOptions.begin(), kOwnOptions.end(), key) ==
        kOwnOptions.end())
      return Status::error(
          (findOption(key) ? "expected an option that tasks may have of their "
                             "own, but got '" +
                                 key + "', which is one of all tasks"
                           : "expected the name of an option, but got '" + key +
                                 "'" + didYouMean(key, kOwnOptions)));
    const OptionValue target = findOption(key)->valueOf(options);
    const bool isList =
        std::holds_alternative<std::vector<std::string> *>(target);
    values.set(key.c_str(), isList ? asList(value) : value);
    options.given.insert(key);
  }
  if (Status status = optionsFromJson(values, list, options); !status.ok())
    return status;
  Options scratch;
  for (const auto &[key, value] : values.members()) {
    const OptionInfo &option = *findOption(key);
    Status status = setOption(option, textOf(option, options), scratch);
    if (status.ok())
      status = refuseDoubles(option, options);
    if (!status.ok())
      return Status::error(key + ": " + status.message());
  }
  placeFiles(list, task, options);
  return Status();
}

/// A name is part of names of folders.
static bool isName(const std::string &name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
  });
}

Status train::inTask(const Task &task, const Status &status) {
  return status.ok()
             ? status
             : Status::error("task '" + task.name + "': " + status.message());
}

static Status readTask(const Options &common, const Json &json,
                       std::vector<Task> &tasks) {
  const std::string place =
      common.tasks + ": task " + std::to_string(tasks.size() + 1) + ": ";
  if (!json.isObject())
    return Status::error(place + "expected an object, but got " +
                         json.compact());
  Task task{json["name"].text(), common};
  if (!isName(task.name))
    return Status::error(place +
                         "expected 'name' of letters, digits, '-' and '_', but "
                         "got " +
                         json["name"].compact());
  for (const Task &other : tasks)
    if (other.name == task.name)
      return Status::error(place + "expected a name of its own, but got '" +
                           task.name + "' again");
  Status status = setOptions(common.tasks, json, task.options);
  if (status.ok() && task.options.tests.size() != 1)
    status = Status::error("expected one test file, but got " +
                           std::to_string(task.options.tests.size()));
  tasks.push_back(std::move(task));
  return status.ok() ? status
                     : Status::error(common.tasks + ": " +
                                     inTask(tasks.back(), status).message());
}

Status train::readTasks(const Options &common, std::vector<Task> &tasks) {
  std::string text;
  Json list;
  Status status = data::readTextFile(common.tasks, text);
  if (status.ok())
    status = Json::parseObject(text, common.tasks, list, /*isByHand=*/true);
  if (!status.ok())
    return status;
  for (const auto &[key, value] : list.members())
    if (key != "tasks")
      return Status::error(common.tasks +
                           ": expected 'tasks' alone, but got '" + key + "'");
  if (list["tasks"].items().empty())
    return Status::error(common.tasks +
                         ": expected a list 'tasks' of at least one task");
  for (const Json &task : list["tasks"].items())
    if (status = readTask(common, task, tasks); !status.ok())
      return status;
  return Status();
}

std::string train::stepsAfter(const std::string &steps, int64_t earlier) {
  static const std::string kEarlier = ":earlier";
  std::istringstream list(steps);
  std::string result;
  for (std::string item; std::getline(list, item, ',');) {
    const size_t at = item.find(kEarlier);
    const size_t end = at == item.npos ? at : at + kEarlier.size();
    const bool isMeant =
        at != item.npos && (end == item.size() || item[end] == '/');
    if (isMeant && earlier == 0)
      continue;
    if (isMeant)
      item.replace(at + 1, kEarlier.size() - 1, std::to_string(earlier));
    result += (result.empty() ? "" : ",") + item;
  }
  // An empty last one stays what it is: a mistake.
  return result + (steps.ends_with(',') ? "," : "");
}
