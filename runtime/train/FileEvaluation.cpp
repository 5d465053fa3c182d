//===-- runtime/train/FileEvaluation.cpp - A model on files ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileEvaluation.h"
#include "Groups.h"
#include "TreeFiles.h"

#include <filesystem>

using namespace cambium;
using namespace cambium::train;

static Status logEvaluation(const RunFolder &folder,
                            const EvaluationEvent &evaluated,
                            const std::string &metric,
                            const std::string &differs, bool isShown) {
  Json event = Json::object();
  event.set("event", "eval");
  event.set("data", evaluated.file);
  event.set("digest", evaluated.digest);
  event.set("examples", evaluated.examples);
  event.set("loss", evaluated.loss);
  event.set("metric", evaluated.metrics.find(metric));
  Json metrics = Json::object();
  for (const auto &[name, value] : evaluated.metrics.values)
    metrics.set(name.c_str(), value);
  event.set("metrics", metrics);
  event.set("seconds", evaluated.seconds);
  // Which of the folder's pictures and tables are about this file.
  event.set("shown", isShown);
  if (!differs.empty())
    event.set("differs", differs);
  return folder.log(event);
}

/// Whether predictions are those of the folder, not of a file elsewhere.
static bool areOfFolder(const std::string &predictions,
                        const RunFolder &folder) {
  const std::filesystem::path own = folder.path("predictions.tsv");
  return std::filesystem::path(predictions).filename() == own.filename() &&
         isInFolder(predictions, folder.name());
}

/// Evaluates one file; `isFirst` ones leave predictions and pictures. False in
/// `goesOn` when the evaluation was stopped early: then nothing is written, as
/// nothing is complete.
static Status evaluateFile(Setup &setup, const std::string &file, bool isFirst,
                           const FileEvaluationOptions &options, Events &events,
                           Result &result, bool &goesOn) {
  data::Dataset dataset;
  if (Status status = setup.read(file, dataset); !status.ok())
    return status;
  GroupedExamples groups;
  if (!options.splitBy.empty())
    if (Status status =
            findGroups(dataset, *setup.reader, options.splitBy, groups);
        !status.ok())
      return status;
  Evaluation evaluation;
  if (Status status = setup.evaluator.run(dataset, evaluation); !status.ok())
    return status;
  goesOn = !evaluation.interrupted;
  if (!goesOn)
    return Status();
  EvaluationEvent event;
  event.file = file;
  event.digest = dataset.digest;
  event.examples = dataset.size();
  event.metrics = evaluation.metrics;
  event.loss = evaluation.loss;
  event.seconds = evaluation.seconds;
  event.splitBy = options.splitBy;
  if (!options.splitBy.empty())
    event.groups = groupMetrics(dataset, setup.evaluator, evaluation, groups);
  result.tests.emplace_back(file, evaluation.metrics);
  events.evaluated(event);
  // The log is last: what it says is there. Pictures are about the same file as
  // the folder's predictions.
  const bool isShown = isFirst && options.folder &&
                       areOfFolder(options.predictions, *options.folder);
  Status status;
  if (isShown)
    status =
        writeTrees(*options.folder, dataset, setup, evaluation.predictions);
  if (status.ok() && !options.predictions.empty() && isFirst)
    status = writePredictions(options.predictions, dataset, setup.evaluator,
                              evaluation.predictions);
  if (status.ok() && options.folder)
    status = logEvaluation(*options.folder, event, options.metric,
                           setup.differs, isShown);
  return status;
}

Status train::evaluateFiles(Setup &setup, const FileEvaluationOptions &options,
                            Events &events, Result &result) {
  bool goesOn = true;
  for (size_t i = 0; i < options.files.size() && goesOn; ++i)
    if (Status status = evaluateFile(setup, options.files[i], i == 0, options,
                                     events, result, goesOn);
        !status.ok())
      return status;
  return Status();
}
