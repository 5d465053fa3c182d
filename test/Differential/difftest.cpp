//===-- test/Differential/difftest.cpp - Checks models ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "Failure.h"
#include "Isolated.h"
#include "ModelText.h"
#include "Shrink.h"
#include "cambium/InitAllDialects.h"
#include "cambium/InitAllPasses.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"

using namespace cambium;
using namespace cambium::difftest;
namespace cl = llvm::cl;

static constexpr const char *kOverview =
    "Compares compiled models with the reference interpreter\n\n"
    "All functions and training steps of a model, on random trees:\n"
    "  cambium-difftest model.mlir\n"
    "Its updates too, and equalities that must hold:\n"
    "  cambium-difftest model.mlir --updates=5 --equal=lstm,child_sum\n"
    "1,000 random models; a failing one is made smaller and kept:\n"
    "  cambium-difftest --count=1000 --seed=7 --save=failures "
    "--import=models/common/layers.mlir\n"
    "The same on a GPU, which may be emulated:\n"
    "  CAMBIUM_CUDA_DRIVER=libcambium_cuda_emulator.so cambium-difftest "
    "--count=100 --device=gpu\n"
    "The one that fails with seed 123 again:\n"
    "  cambium-difftest --count=1 --seed=123\n";

namespace {
/// The command line. Copied before use: lld resets all options.
struct CommandLine {
  cl::OptionCategory category{"Options of cambium-difftest"};
  cl::opt<std::string> model{cl::Positional, cl::desc("<model>"),
                             cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::desc("Of all random choices"), cl::init(1),
                         cl::cat(category)};
  cl::list<int64_t> examples{
      "examples",
      cl::desc("Examples of a batch. With several numbers, here or in the two "
               "options below, as many rounds, each with the next seed and its "
               "own number or the last one: the model is compiled once"),
      cl::list_init<int64_t>({6}), cl::CommaSeparated, cl::cat(category)};
  cl::list<int64_t> size{"size", cl::desc("Rows of an example, at most"),
                         cl::list_init<int64_t>({9}), cl::CommaSeparated,
                         cl::cat(category)};
  cl::list<int64_t> coordinates{
      "coordinates",
      cl::desc("Coordinates of each parameter whose gradient is "
               "compared with finite differences"),
      cl::list_init<int64_t>({3}), cl::CommaSeparated, cl::cat(category)};
  cl::opt<int64_t> updates{"updates",
                           cl::desc("Updates to compare with a reference"),
                           cl::init(0), cl::cat(category)};
  cl::opt<std::string> device{
      "device", cl::desc("What executes the compiled code: cpu, or gpu"),
      cl::init("cpu"), cl::cat(category)};
  cl::opt<int64_t> count{
      "count",
      cl::desc("Random models to check instead of a file; number i has "
               "the seed --seed + i"),
      cl::init(0), cl::cat(category)};
  cl::opt<int64_t> failures{"failures",
                            cl::desc("Stop after so many random models failed"),
                            cl::init(1), cl::cat(category)};
  cl::opt<int64_t> shrink{"shrink",
                          cl::desc("Attempts to make a failing model smaller"),
                          cl::init(150), cl::cat(category)};
  cl::opt<std::string> save{"save", cl::desc("Folder for failing models"),
                            cl::init("."), cl::cat(category)};
  cl::opt<std::string> import{
      "import",
      cl::desc("File with modules @dense and @dense_one for random models"),
      cl::cat(category)};
  cl::opt<bool> print{"print", cl::desc("Print random models only"),
                      cl::cat(category)};
  cl::list<std::string> equal{
      "equal", cl::desc("Two functions that give the same results"),
      cl::cat(category)};
  cl::list<std::string> unordered{
      "unordered",
      cl::desc("Function for which the order of children does "
               "not matter"),
      cl::cat(category)};
  cl::list<std::string> ordered{
      "ordered", cl::desc("Function for which the order of children matters"),
      cl::cat(category)};
};

/// What is to be done.
struct Job {
  std::string model;
  uint64_t seed;
  std::vector<Settings> rounds; ///< At least one.
  std::string device;
  std::vector<std::pair<std::string, std::string>> equal;
  std::vector<std::string> unordered, ordered;
  int64_t count, failures, attempts;
  std::string folder, import;
  bool printOnly;
};
} // namespace

static Job readJob(const CommandLine &line) {
  Job job;
  job.model = line.model;
  job.seed = line.seed;
  job.unordered.assign(line.unordered.begin(), line.unordered.end());
  job.ordered.assign(line.ordered.begin(), line.ordered.end());
  job.count = line.count;
  job.failures = line.failures;
  job.attempts = line.shrink;
  job.folder = line.save;
  // Random models are written elsewhere.
  llvm::SmallString<128> import(line.import);
  if (!import.empty())
    llvm::sys::fs::make_absolute(import);
  job.import = import.str().str();
  job.printOnly = line.print;
  job.device = line.device;
  job.rounds.resize(std::max(
      {line.examples.size(), line.size.size(), line.coordinates.size()}));
  for (auto [i, settings] : llvm::enumerate(job.rounds)) {
    auto numberOf = [i = i](const cl::list<int64_t> &numbers) {
      return numbers[std::min<size_t>(i, numbers.size() - 1)];
    };
    settings.examples = numberOf(line.examples);
    settings.size = numberOf(line.size);
    settings.coordinates = numberOf(line.coordinates);
    settings.updates = line.updates;
    settings.device = line.device;
  }
  for (const std::string &pair : line.equal) {
    auto [one, other] = llvm::StringRef(pair).split(',');
    job.equal.push_back({one.str(), other.str()});
  }
  return job;
}

/// Everything that is checked of a model with one set of parameters.
static llvm::Error runRound(const Job &job, const Settings &settings,
                            Subject &model, Random &random, Tally &tally) {
  if (llvm::Error error = checkModel(model, settings, random, tally))
    return error;
  for (const auto &[one, other] : job.equal)
    if (llvm::Error error =
            checkEqual(model, one, other, settings, random, tally))
      return error;
  for (bool matters : {false, true})
    for (const std::string &name : matters ? job.ordered : job.unordered)
      if (llvm::Error error =
              checkChildOrder(model, name, matters, settings, random, tally))
        return error;
  return llvm::Error::success();
}

static llvm::Error run(const Job &job, mlir::DialectRegistry &registry,
                       Tally &tally) {
  Random random(job.seed);
  llvm::Expected<std::unique_ptr<Subject>> subject =
      Subject::make(job.model, registry, random, job.device);
  if (!subject)
    return subject.takeError();
  for (auto [i, settings] : llvm::enumerate(job.rounds)) {
    if (i > 0) {
      random = Random(job.seed + i);
      (*subject)->drawParameters(random);
    }
    llvm::Error error = runRound(job, settings, **subject, random, tally);
    if (error && i > 0)
      llvm::errs() << "note: in the round of --seed=" << job.seed + i
                   << " --examples=" << settings.examples
                   << " --size=" << settings.size
                   << " --coordinates=" << settings.coordinates << "\n";
    if (error)
      return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Random models
//===----------------------------------------------------------------------===//

/// Writes a text to a file, a temporary one if there is no name. Its name, or,
/// with a message, none where that fails.
static std::string writeModel(llvm::StringRef text, std::string path = "") {
  std::error_code error;
  if (path.empty()) {
    llvm::SmallString<128> name;
    error = llvm::sys::fs::createTemporaryFile("difftest", "mlir", name);
    path = name.str().str();
  }
  if (!error) {
    llvm::raw_fd_ostream stream(path, error);
    if (!error) {
      stream << text;
      stream.close();
      error = stream.error();
      stream.clear_error();
    }
  }
  if (!error)
    return path;
  llvm::errs() << "error: cannot write '" << path << "': " << error.message()
               << "\n";
  return "";
}

/// Checks the text of a model in a process of its own.
static Outcome check(const Job &job, llvm::StringRef text, uint64_t seed,
                     mlir::DialectRegistry &registry) {
  Job one = job;
  one.model = writeModel(text);
  one.seed = seed;
  // An emulated GPU takes its time.
  unsigned seconds = job.device == "cpu" ? 60 : 300;
  Outcome outcome = runIsolated(
      [&](Tally &tally) { return run(one, registry, tally); }, seconds);
  llvm::sys::fs::remove(one.model);
  return outcome;
}

/// Reports a failing model, and keeps the smallest one that fails like it.
static void report(const Job &job, const Outcome &outcome,
                   const std::string &text, uint64_t seed,
                   mlir::DialectRegistry &registry) {
  llvm::errs() << "error: random model with --seed=" << seed << ": "
               << outcome.failure << "\n"
               << llvm::StringRef(outcome.log).take_front(4000);
  std::string smallest = shrink(
      text, registry,
      [&](llvm::StringRef smaller) {
        return check(job, smaller, seed, registry).getKind() ==
               outcome.getKind();
      },
      job.attempts);
  Outcome last = check(job, smallest, seed, registry);
  std::string path =
      writeModel("// cambium-difftest --seed=" + std::to_string(seed) +
                     "\n// " + last.failure + "\n" + smallest,
                 job.folder + "/difftest-" + std::to_string(seed) + ".mlir");
  if (path.empty())
    llvm::errs() << "the smallest model that fails so:\n" << smallest;
  else
    llvm::errs() << "the smallest model that fails so is in '" << path << "' (";
  llvm::errs() << last.failure << (path.empty() ? "\n" : ")\n")
               << llvm::StringRef(last.log).take_front(1000) << "\n";
}

/// Whether all random models pass.
static bool runRandom(const Job &job, mlir::DialectRegistry &registry,
                      Tally &tally) {
  int64_t failures = 0, models = 0;
  for (; models < job.count && failures < job.failures; ++models) {
    uint64_t seed = job.seed + models;
    Random random(seed);
    std::string text = makeRandomModel(random, job.import);
    if (job.printOnly) {
      llvm::outs() << "// --seed=" << seed << "\n" << text << "\n";
      continue;
    }
    Outcome outcome = check(job, text, seed, registry);
    tally.add(outcome.tally);
    if (outcome.failure.empty())
      continue;
    report(job, outcome, text, seed, registry);
    ++failures;
  }
  if (!job.printOnly)
    llvm::outs() << models << " random models from --seed=" << job.seed << ", "
                 << failures << " failed\n";
  return failures == 0;
}

static void print(const Tally &tally) {
  llvm::outs() << llvm::format(
      "compared %lld values (worst: %.2f of the tolerance), %lld derivatives "
      "(%.2f; %lld explained by kinks or rounding), %lld updated elements "
      "(%.2f), %lld calls that divide by zero, %lld ties\n",
      static_cast<long long>(tally.values), tally.worstValue,
      static_cast<long long>(tally.derivatives), tally.worstDerivative,
      static_cast<long long>(tally.kinks),
      static_cast<long long>(tally.updates), tally.worstUpdate,
      static_cast<long long>(tally.refusals),
      static_cast<long long>(tally.ties));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CommandLine line;
  // What compilation asks for.
  mlir::registerAsmPrinterCLOptions();
  mlir::registerPassManagerCLOptions();
  // Those of LLVM and MLIR work too.
  cl::HideUnrelatedOptions(line.category);
  cl::ParseCommandLineOptions(argc, argv, kOverview);
  Job job = readJob(line);
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  Tally tally;
  if (job.count) {
    bool passed = runRandom(job, registry, tally);
    if (!job.printOnly)
      print(tally);
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  if (llvm::Error error = run(job, registry, tally)) {
    llvm::errs() << "error: " << job.model << " (seed " << job.seed
                 << "): " << llvm::toString(std::move(error)) << "\n";
    return EXIT_FAILURE;
  }
  print(tally);
  return EXIT_SUCCESS;
}
