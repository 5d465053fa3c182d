//===-- tools/cambium-run/InferCommand.cpp - cambium-run infer ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ExampleStream.h"
#include "Neighbours.h"
#include "Output.h"
#include "runtime/train/Format.h"

#include <cmath>

using namespace cambium;
using namespace cambium::run;
using namespace cambium::train;

static const char kInferFooter[] = R"help(Examples:
  echo "+ 4 * 5 2" | cambium-run infer --run run
  cambium-run infer --run run trees.txt > predictions.txt
  cambium-run infer --run run --nodes trees.txt      (one number per node too)
  cambium-run infer --run encoder --vectors texts.txt
  echo "Who sleeps?" | cambium-run infer --run encoder --neighbours 3 --among texts.txt

Examples need no targets: "+ 4 * 5 2" (coba), "((a) ((fine) (film)))" (ptb).
Prints per example: the prediction, its probability, and what was read. With
--neighbours: the example's line, the cosine, the neighbour's line, the neighbour.)help";

namespace {

struct InferOptions {
  Source source;
  std::string file = "-";
  bool nodes = false, vectors = false;
  int64_t batchSize = 256, neighbours = 0;
  std::string among; ///< Where neighbours are looked for.
};

} // namespace

static Status printAnswers(const Setup &setup, const data::Dataset &dataset,
                           const Predictions &all, bool nodes) {
  for (int64_t i = 0; i < dataset.size(); ++i) {
    std::string line = setup.evaluator.nameOf(all.values[i]);
    if (!std::isnan(all.probabilities[i]))
      line += "\t" + formatNumber(all.probabilities[i], 3);
    line += "\t" + plainColumn(dataset.texts[i]);
    if (nodes && !all.rowOffsets.empty()) {
      line += "\t";
      for (int64_t r = all.rowOffsets[i]; r < all.rowOffsets[i + 1]; ++r)
        line += (r > all.rowOffsets[i] ? " " : "") +
                setup.evaluator.nameOfRow(all.rowValues[r]);
    }
    printText(line + "\n");
  }
  return flushOutput();
}

/// What the options ask for.
static Status chooseAnswer(const InferOptions &options, const Setup &setup,
                           Neighbours &neighbours,
                           ExampleStream::Answer &answer) {
  if ((options.neighbours > 0) != !options.among.empty())
    return Status::error("expected --neighbours and --among together, but got "
                         "one of them");
  if (options.neighbours > 0) {
    answer = [&](const data::Dataset &dataset) {
      return neighbours.print(setup, dataset, options.neighbours);
    };
    return neighbours.open(setup, options.among);
  }
  answer = [&](const data::Dataset &dataset) {
    if (options.vectors)
      return printVectors(setup, dataset);
    Evaluation evaluation;
    Status status = setup.evaluator.predictAll(dataset, evaluation);
    return status.ok() ? printAnswers(setup, dataset, evaluation.predictions,
                                      options.nodes)
                       : status;
  };
  return Status();
}

static Status infer(const InferOptions &options) {
  Setup setup;
  Options trained;
  if (Status status = openSource(options.source, true, setup, trained);
      !status.ok())
    return status;
  setup.reader->options.requireTargets = false;
  setup.evaluator.batchSize = options.batchSize;
  Neighbours neighbours;
  ExampleStream::Answer answer;
  if (Status status = chooseAnswer(options, setup, neighbours, answer);
      !status.ok())
    return status;
  ExampleStream stream(*setup.reader, options.batchSize);
  if (Status status = stream.open(options.file); !status.ok())
    return status;
  if (stream.isTerminal())
    fprintf(stderr, "one example per line; Ctrl-D ends\n");
  return stream.forEach(answer);
}

void run::addInferCommand(CLI::App &app, int &exitCode) {
  CLI::App *command =
      app.add_subcommand("infer", "Prints the predictions for examples");
  command->footer(kInferFooter);
  auto options = std::make_shared<InferOptions>();
  addSourceOptions(*command, options->source);
  command->add_option("file", options->file,
                      "Examples without or with targets (default: -, the "
                      "standard input)");
  command->add_flag("--nodes", options->nodes,
                    "Also the predictions of all nodes, where the model makes "
                    "them");
  command->add_flag("--vectors", options->vectors,
                    "The first output itself, a vector per example");
  command
      ->add_option("--neighbours", options->neighbours,
                   "The nearest examples of --among by their vectors, so many")
      ->check(kPositive);
  command->add_option("--among", options->among,
                      "File of the examples that neighbours are looked for in");
  command->add_option("--batch-size", options->batchSize, "Examples of a call")
      ->capture_default_str()
      ->check(kPositive);
  command->callback([options, &exitCode] {
    Status status = infer(*options);
    exitCode = status.ok() ? 0 : fail(status);
  });
}
