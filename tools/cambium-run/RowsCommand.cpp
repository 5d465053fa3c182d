//===-- tools/cambium-run/RowsCommand.cpp - cambium-run rows --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Output.h"
#include "runtime/train/Format.h"
#include "runtime/train/RowStatistics.h"

#include <cmath>
#include <numeric>

using namespace cambium;
using namespace cambium::run;
using namespace cambium::train;

static const char kRowsFooter[] = R"help(Examples:
  cambium-run rows --run run test.txt                    (the function 'steps')
  cambium-run rows --run run --by relations test.conllu
  cambium-run rows --run run --print test.txt            (each row with its number)

The function gives one number per row (a word, say), or per example: how often each
was computed. With --run, rows.json is written into the folder, for tools/report.)help";

/// How many examples rows.json holds, and which sizes make a good picture.
static constexpr size_t kShown = 12;
static constexpr int64_t kLeast = 5, kMost = 40;

namespace {

struct RowsOptions {
  Source source;
  std::string file;
  std::vector<std::string> by;
  bool print = false;
  int64_t batchSize = 256;
};

} // namespace

/// Whether the numbers belong to rows, not to examples.
static bool givesRows(const Setup &setup) {
  return setup.evaluator.predict->outputs[0].space >= 0;
}

/// Examples without rows count as one row each.
static void addRows(Predictions &all) {
  all.rowValues = all.values;
  all.rowOffsets.resize(all.values.size() + 1);
  std::iota(all.rowOffsets.begin(), all.rowOffsets.end(), int64_t(0));
}

/// A line per row: what stands there, a tab, its number; then an empty line.
static void printRows(const Setup &setup, const data::Dataset &dataset,
                      const Predictions &all) {
  for (int64_t i = 0; i < dataset.size(); ++i) {
    const int64_t first = all.rowOffsets[i];
    const int64_t count = all.rowOffsets[i + 1] - first;
    const auto names = givesRows(setup)
                           ? rowNames(dataset, *setup.reader, i, count)
                           : std::vector<std::string>{dataset.texts[i]};
    for (int64_t row = 0; row < count; ++row)
      print("%s\t%s\n", plainColumn(names[row]).c_str(),
            formatNumber(all.rowValues[first + row], 7).c_str());
    if (givesRows(setup))
      print("\n");
  }
}

static std::vector<std::string> tableRow(const RowGroup &group) {
  auto text = [](double value) {
    return std::isnan(value) ? std::string("-") : formatNumber(value, 4);
  };
  return {plainColumn(group.value), text(group.mean), text(group.deviation),
          formatCount(group.rows)};
}

static void printStatistics(const RowStatistics &statistics) {
  auto head = [](const std::string &name) {
    return std::vector<std::string>{name, "mean", "deviation", "rows"};
  };
  printText(formatTable({head("rows"), tableRow(statistics.all)}));
  for (size_t step = 0; step < statistics.active.size(); ++step)
    print("%siteration %zu: %s %%", step ? "  " : "\nactive in ", step + 1,
          formatNumber(100 * statistics.active[step], 3).c_str());
  printText(statistics.active.empty() ? "" : "\n");
  for (const auto &[name, groups] : statistics.by) {
    std::vector<std::vector<std::string>> table{head(name)};
    for (const RowGroup &group : groups)
      table.push_back(tableRow(group));
    print("\n");
    printText(formatTable(table));
  }
  (void)flushOutput();
}

/// Some examples with the numbers of their rows: those of a size that makes a
/// good picture, or else the first ones.
static Json describeExamples(const Setup &setup, const data::Dataset &dataset,
                             const Predictions &all) {
  Json::Array examples;
  auto describe = [&](int64_t smallest, int64_t largest) {
    for (int64_t i = 0; i < dataset.size() && examples.size() < kShown; ++i) {
      const int64_t first = all.rowOffsets[i], end = all.rowOffsets[i + 1];
      if (end - first < smallest || end - first > largest)
        continue;
      Json::Array values;
      for (int64_t row = first; row < end; ++row)
        values.emplace_back(all.rowValues[row]);
      Json example = Json::object();
      example.set("example", i);
      example.set("names", rowNames(dataset, *setup.reader, i, end - first));
      example.set("values", values);
      examples.push_back(example);
    }
  };
  describe(kLeast, kMost);
  if (examples.empty())
    describe(1, 2 * kMost);
  return examples;
}

static Status writeRows(const Setup &setup, const data::Dataset &dataset,
                        const Predictions &all, const std::string &path,
                        const RowStatistics &statistics) {
  Json json = Json::object();
  json.set("function", setup.evaluator.predict->name);
  json.set("data", dataset.source);
  json.set("digest", dataset.digest);
  if (!setup.differs.empty())
    json.set("differs", setup.differs);
  const Json numbers = toJson(statistics);
  for (const auto &[key, value] : numbers.members())
    json.set(key.c_str(), value);
  if (givesRows(setup))
    json.set("examples", describeExamples(setup, dataset, all));
  return data::writeFileAtomically(path, json.pretty());
}

static Status checkOutput(const EntrySpec &entry) {
  const TensorSpec &output = entry.outputs[0];
  if (output.shape.empty())
    return Status();
  return Status::error("expected that output 0 of '" + entry.name +
                       "' is one number per row or per example, but got a "
                       "tensor of shape " +
                       formatShape(output.shape) +
                       " (--predict chooses another function)");
}

static Status rows(const RowsOptions &options) {
  Setup setup;
  Options trained;
  if (Status status = openSource(options.source, true, setup, trained);
      !status.ok())
    return status;
  if (Status status = checkOutput(*setup.evaluator.predict); !status.ok())
    return status;
  const RunFolder folder(options.source.run);
  const bool hasRun = !options.source.run.empty();
  if (hasRun)
    if (Status status = checkWritable(folder.path("rows.json")); !status.ok())
      return status;
  setup.reader->options.requireTargets = false;
  setup.evaluator.batchSize = options.batchSize;
  data::Dataset dataset;
  Status status = setup.read(options.file, dataset);
  Evaluation evaluation;
  if (status.ok())
    status = setup.evaluator.predictAll(dataset, evaluation);
  Predictions &all = evaluation.predictions;
  if (!givesRows(setup))
    addRows(all);
  RowStatistics statistics;
  if (status.ok())
    status = summarizeRows(dataset, *setup.reader, all, options.by, statistics);
  // Before what is printed, whose reader may end the command.
  if (status.ok() && hasRun)
    status =
        writeRows(setup, dataset, all, folder.path("rows.json"), statistics);
  if (!status.ok())
    return status;
  if (options.print)
    printRows(setup, dataset, all);
  else
    printStatistics(statistics);
  return status;
}

void run::addRowsCommand(CLI::App &app, int &exitCode) {
  CLI::App *command = app.add_subcommand(
      "rows", "Sums up a number that the model gives for each row or example");
  command->footer(kRowsFooter);
  auto options = std::make_shared<RowsOptions>();
  options->source.options.model.predict = "steps";
  addSourceOptions(*command, options->source);
  CLI::Option *predict = command->get_option("--predict");
  predict->description("The function that gives the numbers (default: steps)");
  command
      ->add_option("file", options->file, "Examples, with or without targets")
      ->required();
  command
      ->add_option("--by", options->by,
                   "Also for each value of this field of the data (a word, its "
                   "label, ...); may be repeated")
      ->type_name("FIELD")
      ->allow_extra_args(false);
  command->add_flag("--print", options->print,
                    "The rows themselves: what stands there, a tab, the "
                    "number; an empty line after each example with rows");
  command->add_option("--batch-size", options->batchSize, "Examples of a call")
      ->capture_default_str()
      ->transform(countUpTo());
  command->callback([options, &exitCode] {
    Status status = rows(*options);
    exitCode = status.ok() ? 0 : fail(status);
  });
}
