//===-- tools/cambium-run/BenchCommand.cpp - cambium-run bench ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Json.h"
#include "Progress.h"
#include "Schedule.h"
#include "Text.h"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace cambium;
using namespace cambium::run;

static const char kFooter[] = R"help(Examples:
  cambium-run bench --model model.so --data ptb dev.txt \
    --batch-size 1,10,64,256 --threads 1
  cambium-run bench --run run test.txt --json

Times calls only: batches are filled before. Every function and every training step
(accumulate and apply) whose inputs the data can feed is measured on the same
examples: one warm-up over them, then the repetitions.)help";

namespace {

struct BenchOptions {
  Source source;
  std::string file;
  std::vector<int64_t> batchSizes{1, 10, 64, 256};
  int64_t repetitions = 5, examples = 512;
  double rate = 0;
  bool json = false;
};

/// Times of one entry at one batch size, in seconds per pass over the examples.
struct Timing {
  std::string entry;
  int64_t batchSize, examples, rows;
  std::vector<double> passes;

  double minimum() const {
    return *std::min_element(passes.begin(), passes.end());
  }
  double median() const {
    std::vector<double> sorted = passes;
    std::sort(sorted.begin(), sorted.end());
    size_t middle = sorted.size() / 2;
    return sorted.size() % 2 ? sorted[middle]
                             : (sorted[middle - 1] + sorted[middle]) / 2;
  }
};

/// Measures one model on one data set.
class Bench {
public:
  Bench(const BenchOptions &options, Setup &setup)
      : options(options), setup(setup) {}
  /// Prepares the examples; too large a file is sampled.
  Status prepare();
  Status measure(const EntrySpec &entry, int64_t batchSize, Timing &timing);
  bool canFeed(const EntrySpec &entry) const {
    Binding binding;
    return Binding::create(entry, dataset, setup.evaluator.renames, binding)
        .ok();
  }

private:
  Status pass(const EntrySpec &entry, const EntrySpec *apply,
              const std::vector<std::unique_ptr<Batch>> &batches);

  const BenchOptions &options;
  Setup &setup;
  data::Dataset dataset;
  std::vector<int32_t> chosen;
};

} // namespace

Status Bench::prepare() {
  if (Status status = setup.read(options.file, dataset); !status.ok())
    return status;
  auto batches = makeBatches(dataset, /*seed=*/1, /*epoch=*/0, dataset.size(),
                             /*bucket=*/false);
  chosen = batches.front();
  if (static_cast<int64_t>(chosen.size()) > options.examples)
    chosen.resize(options.examples);
  return Status();
}

Status Bench::pass(const EntrySpec &entry, const EntrySpec *apply,
                   const std::vector<std::unique_ptr<Batch>> &batches) {
  std::vector<Output> outputs(1);
  const std::vector<Rate> rates = {{"", options.rate}};
  for (const std::unique_ptr<Batch> &batch : batches) {
    double loss = 0;
    Status status = apply ? setup.engine->accumulate(entry, *batch, loss)
                          : setup.engine->call(entry, *batch, outputs);
    if (status.ok() && apply)
      status = setup.engine->apply(*apply, rates, 1);
    if (!status.ok())
      return status;
  }
  return Status();
}

Status Bench::measure(const EntrySpec &entry, int64_t batchSize,
                      Timing &timing) {
  const EntrySpec *accumulate = nullptr, *apply = nullptr;
  if (entry.kind == CAMBIUM_ENTRY_ACCUMULATE)
    if (Status status = setup.engine->findStep(entry.step, accumulate, apply);
        !status.ok())
      return status;
  Binding binding;
  if (Status status =
          Binding::create(entry, dataset, setup.evaluator.renames, binding);
      !status.ok())
    return status;
  const int64_t count = static_cast<int64_t>(chosen.size());
  std::vector<std::unique_ptr<Batch>> batches;
  for (int64_t first = 0; first < count; first += batchSize) {
    batches.emplace_back();
    Status status = setup.engine->makeBatch(entry, batches.back());
    if (status.ok())
      status = binding.fill(*batches.back(), chosen.data() + first,
                            std::min(batchSize, count - first), 0);
    if (!status.ok())
      return status;
  }
  timing = {entry.kind == CAMBIUM_ENTRY_ACCUMULATE ? entry.step : entry.name,
            batchSize,
            count,
            0,
            {}};
  for (int32_t example : chosen)
    timing.rows += dataset.sizeOf(example);
  for (int64_t i = 0; i <= options.repetitions; ++i) {
    Stopwatch watch;
    if (Status status = pass(entry, apply, batches); !status.ok())
      return status;
    if (i > 0) // The first pass warms up.
      timing.passes.push_back(watch.seconds());
  }
  return Status();
}

static void printJson(const std::vector<Timing> &timings,
                      const Engine &engine) {
  Json::Array list;
  for (const Timing &timing : timings) {
    Json item = Json::object();
    item.set("entry", timing.entry);
    item.set("batch_size", timing.batchSize);
    item.set("examples", timing.examples);
    item.set("rows", timing.rows);
    item.set("median_seconds", timing.median());
    item.set("min_seconds", timing.minimum());
    item.set("examples_per_second", timing.examples / timing.median());
    list.push_back(item);
  }
  Json result = Json::object();
  result.set("timings", list);
  result.set("workspace_bytes", engine.memoryPeak());
  printf("%s", result.pretty().c_str());
}

static void printTimings(const std::vector<Timing> &timings,
                         const Engine &engine) {
  std::vector<std::vector<std::string>> rows = {
      {"entry", "batch", "ms/batch", "min ms/batch", "examples/s", "rows/s"}};
  for (const Timing &timing : timings) {
    double batches = std::ceil(double(timing.examples) / timing.batchSize);
    rows.push_back(
        {timing.entry, formatCount(timing.batchSize),
         formatNumber(timing.median() / batches * 1e3, 4),
         formatNumber(timing.minimum() / batches * 1e3, 4),
         formatCount(std::llround(timing.examples / timing.median())),
         formatCount(std::llround(timing.rows / timing.median()))});
  }
  printTable(stdout, rows);
  printf("workspace of the largest call: %s\n",
         formatBytes(engine.memoryPeak()).c_str());
}

static Status bench(const BenchOptions &options) {
  Setup setup;
  TrainOptions trained;
  // For times, words may have any ids.
  Source source = options.source;
  source.vocabularyFrom = options.file;
  if (Status status = openSource(source, true, setup, trained); !status.ok())
    return status;
  Bench bench(options, setup);
  if (Status status = bench.prepare(); !status.ok())
    return status;
  std::vector<Timing> timings;
  for (const EntrySpec &entry : setup.engine->entries) {
    if (entry.kind == CAMBIUM_ENTRY_APPLY || !bench.canFeed(entry))
      continue;
    for (int64_t batchSize : options.batchSizes) {
      Timing timing;
      if (Status status = bench.measure(entry, batchSize, timing); !status.ok())
        return status;
      timings.push_back(std::move(timing));
    }
  }
  if (timings.empty())
    return Status::error("expected an entry whose inputs are fields of " +
                         options.file + ", but there is none");
  if (options.json)
    printJson(timings, *setup.engine);
  else
    printTimings(timings, *setup.engine);
  return Status();
}

void run::addBenchCommand(CLI::App &app, int &exitCode) {
  CLI::App *command =
      app.add_subcommand("bench", "Measures how fast a model is on data");
  command->footer(kFooter);
  auto options = std::make_shared<BenchOptions>();
  addSourceOptions(*command, options->source);
  command->add_option("file", options->file, "Data file")->required();
  command
      ->add_option("--batch-size", options->batchSizes,
                   "Batch sizes, separated by commas")
      ->capture_default_str()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--repetitions", options->repetitions,
                   "Passes over the examples after the warm-up")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--examples", options->examples,
                   "Examples at most, drawn from the file")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--lr", options->rate, "Learning rate of steps")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &exitCode] {
    Status status = bench(*options);
    exitCode = status.ok() ? 0 : fail(status);
  });
}
