//===-- cambium-compile.cpp - From a model to a module --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/InitAllDialects.h"
#include "cambium/InitAllPasses.h"
#include "cambium/Pipelines/Compile.h"
#include "cambium/Support/PlainText.h"
#include "cambium/Support/Suggest.h"
#include "cambium/Target/Object.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "tools/Channels.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace cambium;
namespace cl = llvm::cl;

static constexpr const char *kOverview =
    "Compiles a model\n\n"
    "A shared object for this machine, and one for any with AVX2:\n"
    "  cambium-compile model.mlir -o model.so\n"
    "  cambium-compile model.mlir -o model.so --mcpu=x86-64-v3\n"
    "With other sizes than those that the model says:\n"
    "  cambium-compile model.mlir -o small.so --size hidden=64 --size "
    "layers=2\n"
    "With code for GPUs beside that for processors:\n"
    "  cambium-compile model.mlir -o model.so --gpu-arch=sm_80,sm_90\n"
    "An archive and a C header, to link into a program:\n"
    "  cambium-compile model.mlir --static -o model.a\n"
    "What the compiler makes of it, and how long it takes:\n"
    "  cambium-compile model.mlir --compile-to=batched\n"
    "  cambium-compile model.mlir -o model.so --dump-phases=phases --time "
    "--remarks\n"
    "Then:\n"
    "  cambium-run inspect model.so\n";

namespace {
/// The command line. Copied before use: lld resets all options.
struct CommandLine {
  cl::OptionCategory category{"Options of cambium-compile"};
  cl::opt<std::string> input{cl::Positional, cl::desc("<model>"), cl::init("-"),
                             cl::cat(category)};
  cl::opt<std::string> output{
      "o", cl::desc("File to write; standard output for text"),
      cl::value_desc("file"), cl::init("-"), cl::cat(category)};
  cl::opt<std::string> to{"compile-to", cl::desc(phaseHelp()),
                          cl::value_desc("phase"), cl::init("object"),
                          cl::cat(category)};
  cl::opt<std::string> from{
      "compile-from",
      cl::desc("Phase that the input is in, as printed by --compile-to"),
      cl::value_desc("phase"), cl::init("input"), cl::cat(category)};
  cl::opt<std::string> cpu{
      "mcpu", cl::desc("Processor: native, x86-64-v3, x86-64-v4, znver4, ..."),
      cl::value_desc("cpu"), cl::init("native"), cl::cat(category)};
  cl::opt<std::string> math{
      "math",
      cl::desc("How products of f32 matrices multiply: f32, or bf16 where the "
               "right factor is a large parameter: both factors are rounded to "
               "bf16, sums are f32. Training steps stay f32. GPUs from sm_80 "
               "on multiply most products by tensor cores in bf16, or, with "
               "tf32, all of these, in training, too"),
      cl::value_desc("kind"), cl::cat(category)};
  cl::opt<std::string> weights{
      "weights",
      cl::desc("How large weights of products are kept: same, or int8, with a "
               "scale per column; left factors are then rounded to 8 bits row "
               "by row. Training steps use the weights themselves"),
      cl::value_desc("kind"), cl::cat(category)};
  cl::opt<int64_t> keepRows{
      "keep-rows",
      cl::desc("Let functions keep between calls what they compute from an id "
               "and from parameters alone, as the states of leaves, until a "
               "parameter changes: in tables of so many MiB at most"),
      cl::value_desc("MiB"), cl::init(0), cl::cat(category)};
  cl::list<std::string> gpuArchs{
      "gpu-arch",
      cl::desc("GPUs to make code for beside the processor: sm_70 to sm_90, "
               "sm_90a; later ones run that of sm_90"),
      cl::value_desc("arch"), cl::CommaSeparated, cl::cat(category)};
  cl::opt<std::string> ptxas{
      "ptxas",
      cl::desc("With --gpu-arch: a cubin beside each PTX, made by this program "
               "or by the ptxas that is found: nothing is left to the driver"),
      cl::value_desc("program"), cl::ValueOptional, cl::cat(category)};
  cl::opt<bool> gpuProfile{
      "gpu-profile",
      cl::desc("With --gpu-arch: code that takes the time of its stages, for "
               "cambium-run bench --stages; slower"),
      cl::cat(category)};
  cl::opt<std::string> gpuDebug{
      "gpu-debug",
      cl::desc("With --gpu-arch: a block that waits so long for others ends "
               "the call with the name of the stage; 10000 where nothing is "
               "said"),
      cl::value_desc("milliseconds"), cl::ValueOptional, cl::cat(category)};
  cl::list<std::string> sizes{
      "size",
      cl::desc("Another number for a size that the model names (nn.sizes, "
               "#nn.given, nn.constant)"),
      cl::value_desc("name=number"), cl::cat(category)};
  cl::list<std::string> folders{
      "I", cl::desc("Folder to look for imported files in"),
      cl::value_desc("folder"), cl::Prefix, cl::cat(category)};
  cl::opt<bool> isStatic{
      "static",
      cl::desc("Make an archive and a header instead of a shared object"),
      cl::cat(category)};
  cl::opt<std::string> prefix{
      "prefix",
      cl::desc("With --static: what the query function's name begins with; by "
               "default the name of the output"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> emit{
      "emit",
      cl::desc("A text instead of an object: ir, optimized-ir, asm or ptx"),
      cl::value_desc("kind"), cl::cat(category)};
  cl::opt<std::string> dump{
      "dump-phases", cl::desc("Write the IR after each phase into a folder"),
      cl::value_desc("folder"), cl::cat(category)};
  cl::opt<std::string> reproducer{
      "reproducer",
      cl::desc("If a pass fails, write what repeats it (cambium-opt "
               "--run-reproducer <file>)"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<bool> remarks{
      "remarks", cl::desc("Say what was optimized, what was not, and why"),
      cl::cat(category)};
  cl::opt<bool> countOperations{
      "count-operations",
      cl::desc(
          "Add a function NAME.operations to each function: how many "
          "operations it needs for a batch (cambium-run bench shows them)"),
      cl::cat(category)};
  cl::opt<bool> time{"time", cl::desc("Say how long each phase took"),
                     cl::cat(category)};

  /// lld has an option --mcpu too, and it may only be registered once.
  void unregister() {
    for (cl::Option *option :
         std::initializer_list<cl::Option *>{&input,
                                             &output,
                                             &to,
                                             &from,
                                             &cpu,
                                             &math,
                                             &weights,
                                             &keepRows,
                                             std::addressof(gpuArchs),
                                             &ptxas,
                                             &gpuProfile,
                                             &gpuDebug,
                                             std::addressof(sizes),
                                             std::addressof(folders),
                                             &isStatic,
                                             &prefix,
                                             &emit,
                                             &dump,
                                             &reproducer,
                                             &remarks,
                                             &countOperations,
                                             &time})
      option->removeArgument();
  }

  /// The option keeps a reference to its text.
  static llvm::StringRef phaseHelp() {
    static const std::string text = [] {
      std::string text = "Stop after a phase:";
      for (Phase phase : allPhases())
        text +=
            ("\n" + stringifyPhase(phase) + ": " + describePhase(phase)).str();
      return text;
    }();
    return text;
  }
};
} // namespace

static bool fail(const llvm::Twine &message) {
  llvm::errs() << "cambium-compile: error: " << escapeControls(message.str())
               << "\n";
  return false;
}

static bool parsePhase(llvm::StringRef option, llvm::StringRef name,
                       Phase &phase) {
  std::optional<Phase> found = symbolizePhase(name);
  if (found) {
    phase = *found;
    return true;
  }
  llvm::SmallVector<llvm::StringRef> names;
  for (Phase known : allPhases())
    names.push_back(stringifyPhase(known));
  return fail("expected " + option + " to be one of " +
              llvm::join(names, ", ") + ", but got '" + name + "'" +
              didYouMean(name, names));
}

/// Reads `--gpu-debug`.
static bool readLimit(const cl::opt<std::string> &option, int64_t &limit) {
  constexpr int64_t day = 86'400'000;
  if (!option.getNumOccurrences())
    return true;
  limit = 10'000;
  llvm::StringRef text = option;
  if (text.empty() ||
      (!text.getAsInteger(10, limit) && limit > 0 && limit <= day))
    return true;
  return fail("expected --gpu-debug as 1 to 86400000 milliseconds, but got '" +
              text + "'");
}

/// An empty value is one that a script has lost: it would be taken for none.
static bool checkGiven(const CommandLine &line) {
  for (const cl::opt<std::string> *option :
       {&line.output, &line.math, &line.weights, &line.prefix, &line.emit,
        &line.dump, &line.reproducer})
    if (option->getNumOccurrences() && option->getValue().empty())
      return fail("expected -" +
                  llvm::Twine(option == &line.output ? "" : "-") +
                  option->ArgStr + " with a value, but got ''");
  return true;
}

/// A terabyte at most, so that bytes can be counted.
static bool checkKeepRows(const CompileOptions &options) {
  constexpr int64_t most = int64_t(1) << 20;
  return (options.keepRows >= 0 && options.keepRows <= most) ||
         fail("expected --keep-rows as 0 to 1048576 MiB, but got " +
              llvm::Twine(options.keepRows));
}

static bool checkGpuOptions(const CompileOptions &options) {
  if (!options.gpuArchs.empty() && options.from > Phase::Gradient)
    return fail("expected --compile-from to be gradient or before, with "
                "--gpu-arch");
  // Kernels for GPUs have no products of integers.
  if (!options.gpuArchs.empty() && !options.weights.empty() &&
      options.weights != "same")
    return fail("expected --weights=same together with --gpu-arch");
  if (options.ptxas && options.gpuArchs.empty())
    return fail("expected --ptxas only together with --gpu-arch");
  if ((options.gpuProfile || options.gpuDebug) && options.gpuArchs.empty())
    return fail("expected --gpu-profile and --gpu-debug only together with "
                "--gpu-arch");
  if (options.emit == "ptx" && options.gpuArchs.empty())
    return fail("expected --emit=ptx only together with --gpu-arch");
  if (options.emit == "ptx" && options.to != Phase::Object)
    return fail("expected --emit=ptx only without --compile-to");
  return true;
}

/// What would have no effect.
static bool checkUnused(const CompileOptions &options) {
  if (!options.emit.empty() && options.to != Phase::Object)
    return fail("expected --emit only without --compile-to");
  if (options.isStatic &&
      (!options.emit.empty() || options.to != Phase::Object))
    return fail("expected --static only without --emit and --compile-to");
  if (!options.sizes.empty() && options.from != Phase::Input)
    return fail("expected --size only without --compile-from");
  if (!options.folders.empty() && options.from != Phase::Input)
    return fail("expected -I only without --compile-from");
  for (const std::string &folder : options.folders)
    if (!llvm::sys::fs::is_directory(folder))
      return fail("expected -I with a folder, but got '" + folder + "'");
  if (options.keepRows &&
      (options.from >= Phase::Linalg || options.to < Phase::Linalg))
    return fail("expected --keep-rows only where phase linalg runs");
  if (options.countOperations &&
      (options.from >= Phase::Gradient || options.to < Phase::Gradient))
    return fail("expected --count-operations only where phase gradient runs");
  if (!options.prefix.empty() && !options.isStatic)
    return fail("expected --prefix only together with --static");
  return true;
}

/// The text that takes the place of an object.
static bool checkEmit(llvm::StringRef kind) {
  const llvm::StringRef kinds[] = {"ir", "optimized-ir", "asm", "ptx"};
  return kind.empty() || llvm::is_contained(kinds, kind) ||
         fail("expected --emit to be ir, optimized-ir, asm or ptx, but got '" +
              kind + "'" + didYouMean(kind, kinds));
}

/// What is written must not replace the model, nor one file another, and must
/// have a place before the work.
static bool checkOutputs(const CompileOptions &options) {
  const std::vector<std::string> outputs = outputsOf(options);
  if (options.isStatic && headerOf(options.output) == options.output)
    return fail("expected another file for the archive than its header, but "
                "got '" +
                options.output + "'");
  bool isSame = false;
  for (auto [number, output] : llvm::enumerate(outputs)) {
    if (llvm::sys::fs::is_regular_file(output) &&
        !llvm::sys::fs::equivalent(options.input, output, isSame) && isSame)
      return fail("expected another file to write than the model, but got '" +
                  output + "'");
    if (llvm::is_contained(llvm::ArrayRef(outputs).take_front(number), output))
      return fail("expected different files to write, but got '" + output +
                  "' twice");
  }
  for (const std::string &file : {options.output, options.reproducer})
    if (std::string error = cannotWrite(file); !error.empty())
      return fail(error);
  return true;
}

static bool readOptions(const CommandLine &line, CompileOptions &options) {
  options.input = line.input;
  options.output = line.output;
  options.cpu = line.cpu;
  options.math = line.math;
  options.weights = line.weights;
  options.keepRows = line.keepRows;
  options.gpuArchs.assign(line.gpuArchs.begin(), line.gpuArchs.end());
  if (line.ptxas.getNumOccurrences())
    options.ptxas = line.ptxas;
  options.gpuProfile = line.gpuProfile;
  options.sizes.assign(line.sizes.begin(), line.sizes.end());
  options.folders.assign(line.folders.begin(), line.folders.end());
  options.isStatic = line.isStatic;
  options.prefix = line.prefix;
  options.emit = line.emit;
  options.dumpFolder = line.dump;
  options.reproducer = line.reproducer;
  options.remarks = line.remarks;
  options.countOperations = line.countOperations;
  options.time = line.time;
  options.isLast = true;
  if (!checkGiven(line))
    return false;
  if (!parsePhase("--compile-to", line.to, options.to) ||
      !parsePhase("--compile-from", line.from, options.from))
    return false;
  if (options.from > options.to)
    return fail("expected --compile-to to come after --compile-from");
  if (!checkEmit(options.emit) || !readLimit(line.gpuDebug, options.gpuDebug) ||
      !checkKeepRows(options) || !checkGpuOptions(options) ||
      !checkUnused(options))
    return false;
  if (options.to == Phase::Object && options.emit.empty() &&
      options.output == "-")
    return fail("expected a file for the object: add -o model.so, or "
                "--compile-to=<phase> to "
                "see the IR");
  return checkOutputs(options);
}

int main(int argc, char **argv) {
  cambium::fillStandardChannels();
  llvm::InitLLVM init(argc, argv);
  cambium::refuseLargeFiles();
  CommandLine line;
  mlir::registerAsmPrinterCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  // LLVM's own options work too.
  cl::HideUnrelatedOptions(line.category);
  cl::ParseCommandLineOptions(argc, argv, kOverview);
  CompileOptions options;
  if (!readOptions(line, options))
    return 1;
  line.unregister();
  mlir::DialectRegistry registry;
  cambium::registerAllDialects(registry);
  cambium::registerAllPasses();
  return cambium::compile(options, registry) ? 0 : 1;
}
