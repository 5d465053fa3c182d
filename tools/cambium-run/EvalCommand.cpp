//===-- tools/cambium-run/EvalCommand.cpp - cambium-run eval --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Groups.h"
#include "Numbers.h"
#include "Progress.h"
#include "Text.h"

#include <cmath>

using namespace cambium;
using namespace cambium::run;

static const char kFooter[] = R"help(Examples:
  cambium-run eval --run run test.txt             (also writes run/predictions.tsv)
  cambium-run eval --model model.so --checkpoint best.safetensors --data coba \
    random/generalization.tsv --predictions out.tsv)help";

static Status logEvaluation(const RunFolder &folder, const std::string &file,
                            const data::Dataset &dataset,
                            const Evaluation &evaluation,
                            const std::string &metric) {
  Json event = Json::object();
  event.set("event", "eval");
  event.set("data", file);
  event.set("examples", dataset.size());
  event.set("loss", evaluation.loss);
  event.set("metric", evaluation.metrics.find(metric));
  Json metrics = Json::object();
  for (const auto &[name, value] : evaluation.metrics.values)
    metrics.set(name.c_str(), value);
  event.set("metrics", metrics);
  event.set("seconds", evaluation.seconds);
  return folder.log(event);
}

/// A line per value of the column that evaluations are split by.
static Status printGroups(const Setup &setup, const data::Dataset &dataset,
                          const Evaluation &evaluation) {
  std::vector<Group> groups;
  if (Status status = groupMetrics(dataset, setup.evaluator, evaluation,
                                   setup.splitBy, groups);
      !status.ok())
    return status;
  for (const Group &group : groups)
    printf("  %s %s: %s examples  %s\n", setup.splitBy.c_str(),
           plainColumn(group.value).c_str(),
           formatCount(group.numExamples).c_str(),
           group.metrics.text().c_str());
  return Status();
}

Status run::evaluateFiles(Setup &setup, const std::vector<std::string> &files,
                          const RunFolder *folder, const std::string &metric,
                          const std::string &predictionsPath) {
  for (const std::string &file : files) {
    data::Dataset dataset;
    if (Status status = setup.read(file, dataset); !status.ok())
      return status;
    Evaluation evaluation;
    if (Status status = setup.evaluator.run(dataset, evaluation); !status.ok())
      return status;
    if (evaluation.interrupted)
      return Status();
    double rate = double(dataset.size()) / std::max(evaluation.seconds, 1e-9);
    printf("%s: %s examples  %s  %s examples/s\n", file.c_str(),
           formatCount(dataset.size()).c_str(),
           evaluation.metrics.text().c_str(),
           formatCount(std::llround(rate)).c_str());
    if (!setup.splitBy.empty())
      if (Status status = printGroups(setup, dataset, evaluation); !status.ok())
        return status;
    fflush(stdout);
    if (folder)
      if (Status status =
              logEvaluation(*folder, file, dataset, evaluation, metric);
          !status.ok())
        return status;
    if (folder && &file == &files.front())
      if (Status status =
              writeTrees(*folder, dataset, setup, evaluation.predictions);
          !status.ok())
        return status;
    if (!predictionsPath.empty() && &file == &files.front())
      if (Status status =
              writePredictions(predictionsPath, dataset, setup.evaluator,
                               evaluation.predictions);
          !status.ok())
        return status;
  }
  return Status();
}

namespace {

struct EvalOptions {
  Source source;
  std::vector<std::string> files;
  std::string predictions, splitBy;
  int64_t batchSize = 256;
};

} // namespace

static Status evaluate(const EvalOptions &options) {
  Setup setup;
  TrainOptions trained;
  if (Status status = openSource(options.source, true, setup, trained);
      !status.ok())
    return status;
  setup.evaluator.batchSize = options.batchSize;
  setup.splitBy = options.splitBy;
  std::vector<std::string> files = options.files;
  if (files.empty())
    files = trained.tests;
  if (files.empty())
    return Status::error("expected data files to evaluate");
  RunFolder folder(options.source.run);
  const bool hasRun = !options.source.run.empty();
  std::string predictions = options.predictions;
  if (predictions.empty() && hasRun)
    predictions = folder.path("predictions.tsv");
  return evaluateFiles(setup, files, hasRun ? &folder : nullptr, trained.metric,
                       predictions);
}

void run::addEvalCommand(CLI::App &app, int &exitCode) {
  CLI::App *command =
      app.add_subcommand("eval", "Evaluates a trained model on data files");
  command->footer(kFooter);
  auto options = std::make_shared<EvalOptions>();
  addSourceOptions(*command, options->source);
  command->add_option("files", options->files,
                      "Data files (default: the test files of the training)");
  command->add_option("--predictions", options->predictions,
                      "Where to write the predictions of the first file");
  command->add_option("--by", options->splitBy,
                      "Also the metrics of the examples with each value of "
                      "this column of the data");
  command->add_option("--batch-size", options->batchSize, "Examples of a call")
      ->capture_default_str()
      ->check(kPositive);
  command->callback([options, &exitCode] {
    Status status = evaluate(*options);
    exitCode = status.ok() ? 0 : fail(status);
  });
}
