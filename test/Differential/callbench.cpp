//===-- test/Differential/callbench.cpp - Times calls on drawn examples ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Failure.h"
#include "Subject.h"
#include "cambium/InitAllDialects.h"
#include "cambium/InitAllPasses.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include <ctime>

using namespace cambium;
using namespace cambium::difftest;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;

static constexpr const char *kOverview =
    "Times calls of a model on drawn examples\n\n"
    "A line of JSON for each function and for the gradients of each training\n"
    "step: seconds of a processor of every call, one thread, after one that\n"
    "warms up, and what its products need (cambium-compile "
    "--count-operations):\n"
    "  cambium-callbench models/cells/lstm.mlir --examples=8 --size=24\n";

static constexpr StringRef kCounter = ".operations";

namespace {
/// How much is measured.
struct Settings {
  uint64_t seed;
  int64_t examples, size, calls;
  double seconds;
};

/// A batch for an entry, and room for its results.
class Call {
public:
  static Expected<Call> make(const Compiled &model,
                             const cambium_entry_t *entry,
                             llvm::ArrayRef<ExampleData> examples);
  Error run();

private:
  const Compiled *model = nullptr;
  const cambium_entry_t *entry = nullptr;
  Owned<cambium_batch_t> batch;
  Owned<cambium_session_t> session;
  std::vector<std::string> results;
  std::vector<cambium_buffer_t> buffers;
};
} // namespace

Expected<Call> Call::make(const Compiled &model, const cambium_entry_t *entry,
                          llvm::ArrayRef<ExampleData> examples) {
  Call call;
  call.model = &model;
  call.entry = entry;
  Expected<Owned<cambium_batch_t>> batch = Compiled::fill(entry, examples);
  if (!batch)
    return batch.takeError();
  call.batch = std::move(*batch);
  Expected<Owned<cambium_session_t>> session = model.createSession();
  if (!session)
    return session.takeError();
  call.session = std::move(*session);
  call.results.resize(cambium_entry_info(entry)->num_outputs);
  for (auto [i, bytes] : llvm::enumerate(call.results)) {
    bytes.resize(cambium_batch_output_bytes(call.batch.get(), i));
    call.buffers.push_back({bytes.data(), static_cast<int64_t>(bytes.size())});
  }
  return call;
}

Error Call::run() {
  cambium_store_t *store = model->getStore();
  const cambium_entry_info_t *info = cambium_entry_info(entry);
  double loss;
  if (info->kind == CAMBIUM_ENTRY_FUNCTION
          ? cambium_call(session.get(), entry, store, batch.get(),
                         buffers.data(), buffers.size())
          : cambium_step_accumulate(session.get(), entry, store, batch.get(),
                                    buffers.data(), buffers.size(), &loss))
    return runtimeFailure(llvm::Twine("calling '") + info->name + "'");
  return Error::success();
}

/// What the products of a call need: operations, bytes and executions of each
/// loop. Null where the compiler does not count them.
static llvm::json::Value countLoops(const Compiled &model, StringRef name,
                                    llvm::ArrayRef<ExampleData> examples) {
  const cambium_entry_t *counter = model.findEntry((name + kCounter).str());
  if (!counter)
    return nullptr;
  Expected<Results> counted = model.run(counter, examples);
  if (!counted) {
    llvm::consumeError(counted.takeError());
    return nullptr;
  }
  const std::string &bytes = counted->bytes[2];
  std::vector<double> cells =
      readNumbers(CAMBIUM_TYPE_F64, bytes.data(), bytes.size() / 8);
  llvm::json::Array loops;
  for (size_t i = 0; i < cells.size(); i += 3)
    loops.push_back(llvm::json::Array{cells[i], cells[i + 1], cells[i + 2]});
  return loops;
}

static double processorSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Seconds of each call.
static Expected<llvm::json::Array> timeCalls(Call &call,
                                             const Settings &settings) {
  if (Error error = call.run())
    return error;
  llvm::json::Array times;
  double begin = processorSeconds(), before = begin;
  for (int64_t i = 0; i < settings.calls; ++i) {
    if (Error error = call.run())
      return error;
    double after = processorSeconds();
    times.push_back(after - before);
    before = after;
    if (after - begin > settings.seconds)
      break;
  }
  return times;
}

/// Prints a line for an entry.
static Error measure(Subject &subject, const cambium_entry_t *entry,
                     const Settings &settings, Random &random) {
  StringRef name = cambium_entry_info(entry)->name;
  Expected<mlir::FunctionOpInterface> function = subject.getFunction(entry);
  if (!function)
    return function.takeError();
  std::vector<ExampleData> examples =
      ExampleMaker(entry, *function, random)
          .make(settings.examples, settings.size);
  const Compiled &model = subject.getCompiled();
  Expected<Call> call = Call::make(model, entry, examples);
  if (!call)
    return call.takeError();
  Expected<llvm::json::Array> times = timeCalls(*call, settings);
  if (!times)
    return times.takeError();
  llvm::json::Object line{{"entry", name},
                          {"loops", countLoops(model, name, examples)},
                          {"seconds", std::move(*times)}};
  llvm::outs() << llvm::json::Value(std::move(line)) << "\n";
  return Error::success();
}

static Error run(StringRef path, const Settings &settings,
                 mlir::DialectRegistry &registry) {
  Random random(settings.seed);
  Expected<std::unique_ptr<Subject>> subject =
      Subject::make(path, registry, random, "cpu", /*counts=*/true);
  if (!subject)
    return subject.takeError();
  Error errors = Error::success();
  for (auto kind : {CAMBIUM_ENTRY_FUNCTION, CAMBIUM_ENTRY_ACCUMULATE})
    for (const cambium_entry_t *entry :
         (*subject)->getCompiled().getEntries(kind))
      if (!StringRef(cambium_entry_info(entry)->name).ends_with(kCounter))
        errors = llvm::joinErrors(std::move(errors),
                                  measure(**subject, entry, settings, random));
  return errors;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::OptionCategory category{"Options of cambium-callbench"};
  cl::opt<std::string> model{cl::Positional, cl::desc("<model>"), cl::Required,
                             cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::desc("Of all random choices"), cl::init(1),
                         cl::cat(category)};
  cl::opt<int64_t> examples{"examples", cl::desc("Examples of a batch"),
                            cl::init(8), cl::cat(category)};
  cl::opt<int64_t> size{"size", cl::desc("Rows of an example, at most"),
                        cl::init(24), cl::cat(category)};
  cl::opt<int64_t> calls{"calls", cl::desc("Calls to measure, at most"),
                         cl::init(50), cl::cat(category)};
  cl::opt<double> seconds{"seconds",
                          cl::desc("No more calls of an entry after so many"),
                          cl::init(0.15), cl::cat(category)};
  // What compilation asks for.
  mlir::registerAsmPrinterCLOptions();
  mlir::registerPassManagerCLOptions();
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, kOverview);
  // Copied before use: lld resets all options.
  const std::string path = model;
  const Settings settings{seed, examples, size, calls, seconds};
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  if (Error error = run(path, settings, registry)) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
