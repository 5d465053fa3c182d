//===-- test/Differential/phasetest.cpp - Phases take damaged models ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random models are taken through the phases. What each phase leaves is given
/// to every pass alone, and, with a few words or lines changed, to the passes
/// that follow or to one of them. Each time in a process of its own: an error
/// is an answer, a signal is not.
///
//===----------------------------------------------------------------------===//
#include "Isolated.h"
#include "ModelText.h"
#include "Random.h"

#include "cambium/InitAllDialects.h"
#include "cambium/InitAllPasses.h"
#include "cambium/Pipelines/Phases.h"
#include "cambium/Support/ParseModel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"

using namespace cambium;
using namespace cambium::difftest;
using namespace mlir;
namespace cl = llvm::cl;

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed);
/// What a fuzzer does to bytes, the mutator of models leaves alone here.
extern "C" size_t LLVMFuzzerMutate(uint8_t *, size_t size, size_t) {
  return size;
}

static cl::opt<int64_t> numModels("count", cl::desc("Random models"),
                                  cl::init(10));
static cl::opt<uint64_t> firstSeed("seed", cl::desc("Of the first model"),
                                   cl::init(1));
static cl::opt<int64_t>
    numChanges("changes", cl::desc("Changed texts of a phase of a model"),
               cl::init(20));
static cl::opt<int64_t>
    numAlone("alone",
             cl::desc("Passes that run alone on a phase's text; -1: all"),
             cl::init(5));
static cl::opt<unsigned>
    seconds("seconds", cl::desc("Of a processor, for one text"), cl::init(20));
static cl::opt<std::string> folder("save", cl::desc("Folder for findings"),
                                   cl::init("."));
static cl::opt<std::string> importFile(
    "import",
    cl::desc("File with modules @dense and @dense_one for random models"));

namespace {

/// A text, the phase that it is in, and what comes next: a pass, or all phases.
struct Case {
  std::string text;
  Phase phase;
  std::string pass;

  std::string describe() const {
    std::string name = stringifyPhase(phase).str();
    return pass.empty() ? "cambium-compile --compile-from=" + name
                        : "cambium-opt --" + pass + " (after " + name + ")";
  }
};

struct Counts {
  int64_t runs = 0, read = 0, passed = 0, slow = 0, large = 0, crashes = 0;
};

} // namespace

static PipelineOptions &options() {
  static PipelineOptions made;
  made.cpu = "x86-64-v3";
  return made;
}

/// The passes of all phases, by name.
static std::vector<std::string> passNames(MLIRContext &context) {
  llvm::SetVector<StringRef> names;
  static std::string text;
  for (Phase phase : allPhases()) {
    PassManager passes(&context);
    buildPhase(passes, phase, options());
    llvm::raw_string_ostream stream(text);
    passes.printAsTextualPipeline(stream);
    text += ' ';
  }
  StringRef rest = text;
  while (!rest.empty()) {
    size_t begin = rest.find_first_of("abcdefghijklmnopqrstuvwxyz");
    if (begin == StringRef::npos)
      break;
    rest = rest.drop_front(begin);
    StringRef word = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
    rest = rest.drop_front(word.size());
    if (PassInfo::lookup(word))
      names.insert(word);
  }
  return {names.begin(), names.end()};
}

/// Adds what a case runs.
static void addPasses(PassManager &passes, const Case &what) {
  if (what.pass.empty()) {
    for (Phase phase : allPhases())
      if (phase > what.phase && phase <= Phase::LLVM)
        buildPhase(passes, phase, options());
    return;
  }
  const PassInfo *info = PassInfo::lookup(what.pass);
  if (failed(info->addToPipeline(passes, "",
                                 [](const Twine &) { return failure(); })))
    passes.clear();
}

static llvm::Error runCase(const Case &what, const DialectRegistry &registry,
                           Tally &tally) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  bool hasError = false;
  context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
    hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  OwningOpRef<ModuleOp> module = parseModelText(what.text, &context);
  if (!module)
    return hasError ? llvm::Error::success()
                    : llvm::createStringError("silent: the parser");
  tally.values = 1;
  PassManager passes(&context, ModuleOp::getOperationName(),
                     OpPassManager::Nesting::Implicit);
  addPasses(passes, what);
  if (succeeded(passes.run(*module)))
    tally.updates = 1;
  else if (!hasError)
    return llvm::createStringError("silent: a pass that fails says why");
  return llvm::Error::success();
}

/// The line of a log that says what happened.
static StringRef reason(StringRef log) {
  for (StringRef line : llvm::split(log, '\n'))
    for (StringRef mark :
         {"Assertion", "LLVM ERROR", "UNREACHABLE", "terminate",
          "ERROR: AddressSanitizer", "runtime error"})
      if (line.contains(mark))
        return line;
  return log.take_front(200);
}

static void tryCase(const Case &what, uint64_t seed,
                    const DialectRegistry &registry, Counts &counts) {
  static llvm::StringSet<> known;
  Outcome outcome = runIsolated(
      [&](Tally &tally) { return runCase(what, registry, tally); }, seconds);
  ++counts.runs;
  counts.read += outcome.tally.values;
  counts.passed += outcome.tally.updates;
  if (outcome.failure.empty())
    return;
  StringRef why = reason(outcome.log);
  if (outcome.getKind() == "timeout")
    ++counts.slow;
  else if (why.contains("out of memory") || why.contains("bad_alloc"))
    ++counts.large;
  else
    ++counts.crashes;
  std::string key = (outcome.failure + why + what.pass).str();
  if (!known.insert(key).second)
    return;
  std::string path = folder + "/phasetest-" + std::to_string(seed) + "-" +
                     std::to_string(counts.runs) + ".mlir";
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  file << "// " << what.describe() << "\n// " << outcome.failure << "\n"
       << what.text;
  llvm::errs() << "error: " << outcome.failure << ": " << why << "\n  "
               << what.describe() << ", in '" << path << "'\n";
}

static std::string changed(std::string text, uint64_t seed) {
  size_t size = text.size(), most = size + 4096;
  text.resize(most);
  size = LLVMFuzzerCustomMutator(reinterpret_cast<uint8_t *>(text.data()), size,
                                 most, static_cast<unsigned>(seed));
  text.resize(size);
  return text;
}

/// What each phase leaves of a model; empty from where one refuses it.
static std::vector<std::pair<Phase, std::string>>
phasesOf(StringRef model, const DialectRegistry &registry) {
  std::vector<std::pair<Phase, std::string>> texts;
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseModelText(model, &context);
  for (Phase phase : allPhases()) {
    PassManager passes(&context);
    if (!module || phase == Phase::Object)
      break;
    buildPhase(passes, phase, options());
    if (failed(passes.run(*module)))
      break;
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    texts.emplace_back(phase, stream.str());
  }
  return texts;
}

static void tryModel(uint64_t seed, const std::vector<std::string> &passes,
                     const DialectRegistry &registry, Counts &counts) {
  Random random(seed);
  std::string model = makeRandomModel(random, importFile);
  for (const auto &[phase, text] : phasesOf(model, registry)) {
    auto numPasses = static_cast<int64_t>(passes.size());
    for (int64_t i = 0; i < (numAlone < 0 ? numPasses : numAlone.getValue());
         ++i)
      tryCase({text, phase, numAlone < 0 ? passes[i] : random.pick(passes)},
              seed, registry, counts);
    for (int64_t i = 0; i < numChanges; ++i)
      tryCase({changed(text, random.next()), phase,
               random.chance(0.5) ? random.pick(passes) : ""},
              seed, registry, counts);
  }
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(
      argc, argv, "Gives random models to the passes, damaged in each phase\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::vector<std::string> passes = passNames(context);
  Counts counts;
  for (int64_t i = 0; i < numModels; ++i)
    tryModel(firstSeed + static_cast<uint64_t>(i), passes, registry, counts);
  llvm::outs() << numModels << " models, " << passes.size() << " passes, "
               << counts.runs << " texts: " << counts.read << " valid, "
               << counts.passed << " compiled, " << counts.slow << " too slow, "
               << counts.large << " too large, " << counts.crashes
               << " crashes\n";
  return counts.crashes ? EXIT_FAILURE : EXIT_SUCCESS;
}
