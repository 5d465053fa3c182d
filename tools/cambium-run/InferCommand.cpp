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
#include "runtime/train/OutputTable.h"

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
Prints per example: the prediction (classes of rows, or a sequence, with spaces
between), its probability or score, and what was read. With --n-best: the example's
line, the score and the sequence, the best first. With --neighbours: the example's
line, the cosine, the neighbour's line, the neighbour. With --outputs nothing, but
a table of all outputs, which --data table reads again (docs/Tables.md).)help";

namespace {

struct InferOptions {
  Source source;
  std::string file = "-";
  bool nodes = false, vectors = false;
  int64_t batchSize = 256, neighbours = 0, best = 0;
  std::string outputs; ///< Where a table of all outputs goes.
  std::string among;   ///< Where neighbours are looked for.
};

} // namespace

/// The answers about the rows of an example, with spaces between.
static std::string rowsText(const Evaluator &evaluator, const Predictions &all,
                            int64_t example) {
  std::string text;
  for (int64_t r = all.rowOffsets[example]; r < all.rowOffsets[example + 1];
       ++r)
    text += (r > all.rowOffsets[example] ? " " : "") +
            evaluator.nameOfRow(all.rowValues[r]);
  return text;
}

static std::string sequenceText(const Evaluator &evaluator,
                                const Sequence &sequence) {
  return plainColumn(evaluator.textOf(evaluator.tokensOf(sequence)));
}

static Status printAnswers(const Setup &setup, const data::Dataset &dataset,
                           const Predictions &all, bool nodes) {
  const Evaluator &evaluator = setup.evaluator;
  const bool hasRows = !all.rowOffsets.empty();
  // Where no row is the root, all of them are the answer.
  const bool isOfRows = hasRows && evaluator.predict->trees.empty() &&
                        evaluator.answerKind() == AnswerKind::Class;
  for (int64_t i = 0; i < dataset.size(); ++i) {
    double sure = all.probabilities[i];
    std::string line;
    if (isOfRows) {
      line = rowsText(evaluator, all, i);
      sure = kNone;
    } else if (all.sequences.empty()) {
      line = evaluator.nameOf(all.values[i]);
    } else if (!all.sequences[i].empty()) {
      line = sequenceText(evaluator, all.sequences[i].front());
      sure = all.sequences[i].front().score;
    }
    if (!std::isnan(sure))
      line += "\t" + formatNumber(sure, 3);
    line += "\t" + plainColumn(dataset.texts[i]);
    if (nodes && hasRows && !isOfRows)
      line += "\t" + rowsText(evaluator, all, i);
    printText(line + "\n");
  }
  return flushOutput();
}

static Status printBest(const Setup &setup, const data::Dataset &dataset,
                        const Predictions &all, int64_t count) {
  for (int64_t i = 0; i < dataset.size(); ++i)
    for (size_t k = 0;
         k < all.sequences[i].size() && k < static_cast<size_t>(count); ++k) {
      const Sequence &sequence = all.sequences[i][k];
      printText(std::to_string(dataset.lines[i]) + "\t" +
                (std::isnan(sequence.score) ? std::string()
                                            : formatNumber(sequence.score, 6)) +
                "\t" + sequenceText(setup.evaluator, sequence) + "\n");
    }
  return flushOutput();
}

namespace {

/// The file of --outputs, which appears when it is whole.
class OutputFile {
public:
  OutputFile(const Setup &setup, std::string path)
      : table(setup), isOutput(path == "-"), file(std::move(path)) {}

  Status take(const data::Dataset &dataset) {
    std::string text;
    Status status = table.append(dataset, text);
    fputs(table.takeNotes().c_str(), stderr);
    if (!status.ok() || !isOutput)
      return status.ok() ? file.append(text) : status;
    printText(text);
    return flushOutput();
  }
  Status close() { return isOutput ? Status() : file.close(); }

private:
  OutputTable table;
  const bool isOutput;
  GrowingFile file;
};

} // namespace

/// Each of these prints something else.
static Status checkAnswers(const InferOptions &options) {
  const std::pair<const char *, bool> all[] = {
      {"--outputs", !options.outputs.empty()},
      {"--neighbours", options.neighbours > 0 || !options.among.empty()},
      {"--vectors", options.vectors},
      {"--n-best", options.best > 0},
      {"--nodes", options.nodes}};
  const char *first = nullptr;
  for (const auto &[name, isGiven] : all) {
    if (isGiven && first)
      return Status::error(std::string("expected ") + first + " or " + name +
                           ", but got both");
    first = isGiven ? name : first;
  }
  if ((options.neighbours > 0) != !options.among.empty())
    return Status::error("expected --neighbours and --among together, but got "
                         "one of them");
  return options.among.empty() ? Status()
                               : checkReadable({options.among, options.file});
}

/// What the options ask for.
static Status chooseAnswer(const InferOptions &options, const Setup &setup,
                           Neighbours &neighbours,
                           ExampleStream::Answer &answer) {
  if (options.best > 0 && setup.evaluator.answerKind() != AnswerKind::Sequence)
    return Status::error("expected that output 0 of '" +
                         setup.evaluator.predict->name +
                         "' is sequences of i32 for --n-best");
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
    if (!status.ok())
      return status;
    return options.best > 0
               ? printBest(setup, dataset, evaluation.predictions, options.best)
               : printAnswers(setup, dataset, evaluation.predictions,
                              options.nodes);
  };
  return Status();
}

static Status infer(const InferOptions &options) {
  if (Status status = checkAnswers(options); !status.ok())
    return status;
  Setup setup;
  Options trained;
  setup.evaluator.takesAnyOutput = !options.outputs.empty();
  if (Status status = openSource(options.source, true, setup, trained);
      !status.ok())
    return status;
  setup.reader->options.requireTargets = false;
  setup.evaluator.batchSize = options.batchSize;
  setup.evaluator.before = std::make_shared<Carry::End>();
  Neighbours neighbours;
  if (!options.outputs.empty() && options.outputs != "-")
    if (Status status =
            checkOutput("--outputs", options.outputs, options.source,
                        {options.file, trained.model.module});
        !status.ok())
      return status;
  OutputFile outputs(setup, options.outputs);
  ExampleStream::Answer answer = [&](const data::Dataset &dataset) {
    return outputs.take(dataset);
  };
  if (options.outputs.empty())
    if (Status status = chooseAnswer(options, setup, neighbours, answer);
        !status.ok())
      return status;
  ExampleStream stream(*setup.reader, options.batchSize);
  if (Status status = stream.open(options.file); !status.ok())
    return status;
  if (stream.isTerminal())
    fprintf(stderr, "one example per line; Ctrl-D ends\n");
  Status status = stream.forEach(answer);
  return status.ok() && !options.outputs.empty() ? outputs.close() : status;
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
      ->transform(countUpTo());
  command
      ->add_option("--n-best", options->best,
                   "So many sequences of each example, with their scores")
      ->transform(countUpTo());
  command->add_option("--outputs", options->outputs,
                      "Write all outputs of --predict to this table (-: to the "
                      "standard output)");
  command->add_option("--among", options->among,
                      "File of the examples that neighbours are looked for in");
  command->add_option("--batch-size", options->batchSize, "Examples of a call")
      ->capture_default_str()
      ->transform(countUpTo());
  command->callback([options, &exitCode] {
    Status status = infer(*options);
    exitCode = status.ok() ? 0 : fail(status);
  });
}
