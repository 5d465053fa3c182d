//===-- tools/cambium-run/BenchCommand.cpp - cambium-run bench ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Output.h"
#include "Passes.h"
#include "runtime/train/Batches.h"
#include "runtime/train/Format.h"
#include "runtime/train/Json.h"

#include <algorithm>
#include <cmath>

using namespace cambium;
using namespace cambium::run;
using namespace cambium::train;

static const char kBenchFooter[] = R"help(Examples:
  cambium-run bench --model model.so --data ptb dev.txt \
    --batch-size 1,10,64,256 --threads 1
  cambium-run bench --run run test.txt --json

Times calls only: batches are filled before. Every function and every training step
(its gradients and its update apart) whose inputs the data can feed is measured on
the same examples: two warm-ups over them, then the repetitions. JSON has the
processor time too, which other programs on the machine disturb less. A module of
cambium-compile --count-operations tells how many additions and multiplications the
products of a batch are; then bench says how many were done in a second. One of
--gpu-profile tells with --stages where kernels spend their time.)help";

namespace {

struct BenchOptions {
  Source source;
  std::string file;
  std::vector<int64_t> batchSizes{1, 10, 64, 256};
  int64_t repetitions = 5, examples = 512;
  double rate = 0;
  bool json = false, stages = false;
};

/// Products of a loop, in all batches of a pass: their operations, the bytes
/// that each execution of its body moves, and how many executions there are.
struct LoopWork {
  double operations = 0, bytes = 0, times = 0;
};

/// Times of one entry at one batch size.
struct Timing {
  std::string entry;
  int64_t batchSize, examples, rows;
  Passes passes;
  /// Operations of the products of a pass, and the bytes of parameters that a
  /// call reads; 0 where the module does not tell.
  double operations = 0, parameterBytes = 0;
  std::vector<LoopWork> loops = {};

  double minimum() const {
    return *std::min_element(passes.wall.begin(), passes.wall.end());
  }
  double median() const { return medianOf(passes.wall); }
  static double medianOf(std::vector<double> sorted) {
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
  /// Appends the times of a function, or of both halves of a training step.
  Status measure(const EntrySpec &entry, int64_t batchSize,
                 std::vector<Timing> &timings);
  /// Whether the data has all inputs of an entry; if not, which one is missing.
  Status canFeed(const EntrySpec &entry) const {
    Binding binding;
    return Binding::create(entry, dataset, setup.evaluator.feeds, binding);
  }

private:
  using Batches = std::vector<std::unique_ptr<Batch>>;
  Status fill(const EntrySpec &entry, int64_t batchSize, Batches &batches);
  Status count(const EntrySpec &entry, int64_t batchSize, Timing &timing);
  Status pass(const EntrySpec &entry, const EntrySpec *apply,
              const Batches &batches, Passes &times, Passes &applyTimes);
  Status addStages(const EntrySpec &entry, Passes &times);

  const BenchOptions &options;
  Setup &setup;
  data::Dataset dataset;
  std::vector<int32_t> chosen;
};

/// What the name of a function that counts ends with.
constexpr std::string_view kCounter = ".operations";

/// Whether the compiler made the entry to count another one's operations.
bool isCounter(const EntrySpec &entry, const Engine &engine) {
  std::string_view name = entry.name;
  return name.ends_with(kCounter) && engine.find(std::string(name.substr(
                                         0, name.size() - kCounter.size())));
}

} // namespace

Status Bench::prepare() {
  if (Status status = setup.read(options.file, dataset); !status.ok())
    return status;
  auto batches = makeBatches(dataset, /*seed=*/1, /*epoch=*/0,
                             {/*examples=*/dataset.size()});
  chosen = batches.front();
  if (static_cast<int64_t>(chosen.size()) > options.examples)
    chosen.resize(options.examples);
  return Status();
}

Status Bench::pass(const EntrySpec &entry, const EntrySpec *apply,
                   const Batches &batches, Passes &times, Passes &applyTimes) {
  std::vector<Output> outputs(1);
  const std::vector<Rate> rates = {{"", options.rate}};
  times.begin();
  applyTimes.begin();
  for (const std::unique_ptr<Batch> &batch : batches) {
    Status status;
    {
      PassTimer timer(times);
      double loss = 0;
      status = apply ? setup.engine->accumulate(entry, *batch, loss)
                     : setup.engine->call(entry, *batch, outputs);
    }
    if (status.ok())
      status = addStages(entry, times);
    if (status.ok() && apply) {
      PassTimer timer(applyTimes);
      status = setup.engine->apply(*apply, rates, 1);
    }
    if (status.ok() && apply)
      status = addStages(*apply, applyTimes);
    if (!status.ok())
      return status;
  }
  return Status();
}

/// Adds what kernels say of the call before.
Status Bench::addStages(const EntrySpec &entry, Passes &times) {
  if (!options.stages)
    return Status();
  times.stages.add(setup.engine->stages());
  if (!times.stages.empty())
    return Status();
  return Status::error("--stages: expected a module of cambium-compile "
                       "--gpu-profile and a --device, but kernels of '" +
                       entry.name + "' measure nothing");
}

Status Bench::fill(const EntrySpec &entry, int64_t batchSize,
                   Batches &batches) {
  Binding binding;
  if (Status status =
          Binding::create(entry, dataset, setup.evaluator.feeds, binding);
      !status.ok())
    return status;
  const int64_t count = static_cast<int64_t>(chosen.size());
  for (int64_t first = 0; first < count; first += batchSize) {
    batches.emplace_back();
    Status status = setup.engine->makeBatch(entry, batches.back());
    if (status.ok())
      status = binding.fill(*batches.back(), chosen.data() + first,
                            std::min(batchSize, count - first), 0);
    if (!status.ok())
      return status;
  }
  return Status();
}

/// What is to be counted, where the module was compiled with
/// --count-operations.
Status Bench::count(const EntrySpec &entry, int64_t batchSize, Timing &timing) {
  const EntrySpec *counter =
      setup.engine->find(entry.name + std::string(kCounter));
  if (!counter || counter->outputs.size() != 3)
    return Status();
  Batches batches;
  if (Status status = fill(*counter, batchSize, batches); !status.ok())
    return status;
  std::vector<Output> outputs(3);
  for (const std::unique_ptr<Batch> &batch : batches) {
    if (Status status = setup.engine->call(*counter, *batch, outputs);
        !status.ok())
      return status;
    timing.operations += outputs[0].at(0);
    timing.parameterBytes = outputs[1].at(0);
    timing.loops.resize(outputs[2].size() / 3);
    int64_t cell = 0;
    for (LoopWork &loop : timing.loops) {
      loop.operations += outputs[2].at(cell++);
      loop.bytes = outputs[2].at(cell++);
      loop.times += outputs[2].at(cell++);
    }
  }
  return Status();
}

Status Bench::measure(const EntrySpec &entry, int64_t batchSize,
                      std::vector<Timing> &timings) {
  const EntrySpec *accumulate = nullptr, *apply = nullptr;
  if (entry.kind == CAMBIUM_ENTRY_ACCUMULATE)
    if (Status status = setup.engine->findStep(entry.step, accumulate, apply);
        !status.ok())
      return status;
  Batches batches;
  if (Status status = fill(entry, batchSize, batches); !status.ok())
    return status;
  Timing timing = {
      entry.name, batchSize, static_cast<int64_t>(chosen.size()), 0, {}};
  for (int32_t example : chosen)
    timing.rows += dataset.sizeOf(example);
  Timing applyTiming = timing;
  if (Status status = count(entry, batchSize, timing); !status.ok())
    return status;
  // The first call finds how much workspace is needed, the second one touches
  // it.
  constexpr int64_t kWarmUps = 2;
  for (int64_t i = -kWarmUps; i < options.repetitions; ++i) {
    Passes warmUp, applyWarmUp;
    if (Status status =
            pass(entry, apply, batches, i < 0 ? warmUp : timing.passes,
                 i < 0 ? applyWarmUp : applyTiming.passes);
        !status.ok())
      return status;
  }
  timings.push_back(std::move(timing));
  if (apply) {
    applyTiming.entry = apply->name;
    timings.push_back(std::move(applyTiming));
  }
  return Status();
}

static Json jsonOf(const std::vector<LoopWork> &loops) {
  Json::Array list;
  for (const LoopWork &loop : loops) {
    Json item = Json::object();
    item.set("operations", loop.operations);
    item.set("bytes", loop.bytes);
    item.set("times", loop.times);
    list.push_back(item);
  }
  return list;
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
    item.set("median_cpu_seconds", Timing::medianOf(timing.passes.cpu));
    item.set("examples_per_second", timing.examples / timing.median());
    if (timing.operations > 0) {
      item.set("operations", timing.operations);
      item.set("parameter_bytes", timing.parameterBytes);
      item.set("loops", jsonOf(timing.loops));
    }
    if (!timing.passes.stages.empty())
      item.set("stages", timing.passes.stages.json());
    list.push_back(item);
  }
  Json result = Json::object();
  result.set("timings", list);
  result.set("workspace_bytes", engine.memoryPeak());
  print("%s", result.pretty().c_str());
}

static void printTimings(const std::vector<Timing> &timings,
                         const Engine &engine) {
  std::vector<std::vector<std::string>> rows = {
      {"entry", "batch", "ms/batch", "min ms/batch", "examples/s", "rows/s"}};
  const bool isCounted =
      std::any_of(timings.begin(), timings.end(),
                  [](const Timing &timing) { return timing.operations > 0; });
  if (isCounted)
    rows[0].push_back("1e9 operations/s");
  for (const Timing &timing : timings) {
    double batches = std::ceil(double(timing.examples) / timing.batchSize);
    rows.push_back(
        {timing.entry, formatCount(timing.batchSize),
         formatNumber(timing.median() / batches * 1e3, 4),
         formatNumber(timing.minimum() / batches * 1e3, 4),
         formatCount(std::llround(timing.examples / timing.median())),
         formatCount(std::llround(timing.rows / timing.median()))});
    if (isCounted)
      rows.back().push_back(
          timing.operations > 0
              ? formatNumber(timing.operations / timing.median() * 1e-9, 4)
              : "");
  }
  printText(formatTable(rows));
  for (const Timing &timing : timings)
    if (!timing.passes.stages.empty()) {
      print("\nstages of %s, batch %s:\n", timing.entry.c_str(),
            formatCount(timing.batchSize).c_str());
      printText(timing.passes.stages.table());
    }
  print("workspace of the largest call: %s\n",
        formatBytes(engine.memoryPeak()).c_str());
}

static Status bench(const BenchOptions &options) {
  Setup setup;
  Options trained;
  // For times, words may have any ids.
  Source source = options.source;
  source.vocabularyFrom = options.file;
  source.trains = true;
  if (Status status = openSource(source, true, setup, trained); !status.ok())
    return status;
  setup.reader->options.requireTargets = false;
  Bench bench(options, setup);
  if (Status status = bench.prepare(); !status.ok())
    return status;
  std::vector<Timing> timings;
  Status missing;
  for (const EntrySpec &entry : setup.engine->entries) {
    if (entry.kind == CAMBIUM_ENTRY_APPLY || isCounter(entry, *setup.engine))
      continue;
    // The interpreter takes no steps.
    if (entry.kind == CAMBIUM_ENTRY_ACCUMULATE && trained.model.interpret)
      continue;
    if (Status status = bench.canFeed(entry); !status.ok()) {
      missing = std::move(status);
      continue;
    }
    for (int64_t batchSize : options.batchSizes)
      if (Status status = bench.measure(entry, batchSize, timings);
          !status.ok())
        return status;
  }
  if (timings.empty())
    return missing.ok() ? Status::error("expected an entry to measure, but "
                                        "the module has none")
                        : missing;
  if (options.json)
    printJson(timings, *setup.engine);
  else
    printTimings(timings, *setup.engine);
  return Status();
}

void run::addBenchCommand(CLI::App &app, int &exitCode) {
  CLI::App *command =
      app.add_subcommand("bench", "Measures how fast a model is on data");
  command->footer(kBenchFooter);
  auto options = std::make_shared<BenchOptions>();
  addSourceOptions(*command, options->source);
  command->add_option("file", options->file, "Data file")->required();
  addCounts(*command, "--batch-size", options->batchSizes,
            "Batch sizes, separated by commas");
  command
      ->add_option("--repetitions", options->repetitions,
                   "Passes over the examples after the warm-up")
      ->capture_default_str()
      ->transform(countUpTo(1'000'000));
  command
      ->add_option("--examples", options->examples,
                   "Examples at most, drawn from the file")
      ->capture_default_str()
      ->transform(countUpTo());
  command->add_option("--lr", options->rate, "Learning rate of steps")
      ->capture_default_str()
      ->check(kRate);
  command->add_flag("--json", options->json, "Print JSON");
  command->add_flag("--stages", options->stages,
                    "Tell where the kernels of a GPU spend their time");
  command->callback([options, &exitCode] {
    Status status = bench(*options);
    exitCode = status.ok() ? 0 : fail(status);
  });
}
