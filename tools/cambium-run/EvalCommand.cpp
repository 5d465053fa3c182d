//===-- tools/cambium-run/EvalCommand.cpp - cambium-run eval --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Console.h"
#include "Interrupt.h"
#include "Output.h"
#include "runtime/train/FileEvaluation.h"

using namespace cambium;
using namespace cambium::run;
using namespace cambium::train;

static const char kEvalFooter[] = R"help(Examples:
  cambium-run eval --run run test.txt             (also writes run/predictions.tsv)
  cambium-run eval --model model.so --checkpoint best.safetensors --data coba \
    random/generalization.tsv --predictions out.tsv)help";

namespace {

struct EvalOptions {
  Source source;
  std::vector<std::string> files;
  std::string predictions, splitBy;
  int64_t batchSize = 256;
};

} // namespace

/// That all files can be read, and what is written has a place, is known before
/// the evaluation of the first one.
static Status checkFiles(const EvalOptions &options,
                         const FileEvaluationOptions &evaluation,
                         const Options &trained) {
  std::vector<std::string> inputs = evaluation.files;
  inputs.push_back(trained.model.module);
  Status status = checkReadable(evaluation.files);
  if (status.ok() && !evaluation.predictions.empty())
    status = checkOutput("--predictions", evaluation.predictions,
                         options.source, inputs, "predictions.tsv");
  return status.ok() && evaluation.folder
             ? checkWritable(evaluation.folder->path("log.jsonl"),
                             /*grows=*/true)
             : status;
}

static Status evaluate(const EvalOptions &options) {
  Setup setup;
  Options trained;
  if (Status status = openSource(options.source, true, setup, trained);
      !status.ok())
    return status;
  setup.evaluator.batchSize = options.batchSize;
  FileEvaluationOptions evaluation;
  evaluation.files = options.files.empty() ? trained.tests : options.files;
  if (evaluation.files.empty())
    return Status::error("expected data files to evaluate");
  const RunFolder folder(options.source.run);
  const bool hasRun = !options.source.run.empty();
  evaluation.folder = hasRun ? &folder : nullptr;
  evaluation.metric = trained.metric;
  evaluation.splitBy = options.splitBy;
  evaluation.predictions = options.predictions;
  if (evaluation.predictions.empty() && hasRun)
    evaluation.predictions = folder.path("predictions.tsv");
  if (Status status = checkFiles(options, evaluation, trained); !status.ok())
    return status;
  Console console(/*quiet=*/true);
  Result result;
  return evaluateFiles(setup, evaluation, console, result);
}

void run::addEvalCommand(CLI::App &app, int &exitCode) {
  CLI::App *command =
      app.add_subcommand("eval", "Evaluates a trained model on data files");
  command->footer(kEvalFooter);
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
      ->transform(countUpTo());
  command->callback([options, &exitCode] {
    // A run's log gets the numbers, and a file the predictions.
    if (!options->source.run.empty() || !options->predictions.empty())
      outliveReaders();
    Status status = evaluate(*options);
    exitCode = status.ok() ? 0 : fail(status);
  });
}
