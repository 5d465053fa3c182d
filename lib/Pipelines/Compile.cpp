//===-- lib/Pipelines/Compile.cpp - Compilation of a model ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Pipelines/Compile.h"
#include "Device.h"
#include "ProductKernels.h"
#include "cambium/Pipelines/Model.h"
#include "cambium/Support/ParseModel.h"
#include "cambium/Support/PlainText.h"
#include "cambium/Support/TargetCosts.h"
#include "cambium/Target/Assemble.h"
#include "cambium/Target/Object.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/ToolOutputFile.h"
#include <chrono>

using namespace mlir;
using namespace cambium;

namespace {
/// Seconds of each step, in order.
class Stopwatch {
public:
  /// Ends a step.
  void lap(StringRef name) {
    Clock::time_point now = Clock::now();
    laps.push_back(
        {name.str(), std::chrono::duration<double>(now - last).count()});
    last = now;
  }
  void print(llvm::raw_ostream &stream) const {
    double total = 0;
    for (const auto &[name, seconds] : laps) {
      stream << llvm::format("%10.1f ms  %s\n", seconds * 1e3, name.c_str());
      total += seconds;
    }
    stream << llvm::format("%10.1f ms  total\n", total * 1e3);
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last = Clock::now();
  SmallVector<std::pair<std::string, double>> laps;
};

/// One compilation.
class Compilation {
public:
  Compilation(const CompileOptions &options, DialectRegistry &registry)
      : options(options), threads(threadStrategy()),
        context(registry, MLIRContext::Threading::DISABLED),
        diagnostics(sources, &context),
        ofOptions(&context,
                  [](Diagnostic &diagnostic) {
                    bool hasPlace = !isa<UnknownLoc>(diagnostic.getLocation());
                    return failure(hasPlace || fail(diagnostic.str()));
                  }),
        plain(&context) {
    // Stays without threads if --mlir-disable-threading says so.
    context.setThreadPool(threads);
  }

  bool run() {
    if (std::string error = checkArchs(options.gpuArchs); !error.empty())
      return fail(error);
    if (std::string error = checkMath(&context, options.gpuArchs, options.math);
        !error.empty())
      return fail(error);
    if (options.ptxas)
      if (std::string error = findAssembler(*options.ptxas, assembler);
          !error.empty())
        return fail(error);
    bool done = readModel() && runPhases() && writeResult();
    // A thread may still have something to say.
    products.reset();
    if (options.time)
      watch.print(llvm::errs());
    return done;
  }

private:
  static bool fail(const Twine &message) {
    llvm::errs() << "cambium-compile: error: " << escapeControls(message.str())
                 << "\n";
    return false;
  }

  /// As many threads as there are processors. More than a few have nothing to
  /// do: a model has few functions.
  static llvm::ThreadPoolStrategy threadStrategy() {
    llvm::ThreadPoolStrategy strategy = llvm::hardware_concurrency(8);
    strategy.Limit = true;
    return strategy;
  }

  bool readModel() {
    if (options.remarks && failed(enableRemarks()))
      return fail("cannot enable remarks");
    std::string error;
    std::unique_ptr<llvm::MemoryBuffer> buffer =
        openModel(options.input, &error);
    if (!buffer)
      return fail(error);
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    module = parseModel(sources, &context);
    // A reproducer stands alone: the files that it would name are others
    // elsewhere, or later.
    if (module && !options.reproducer.empty() &&
        failed(importFiles(*module, options.folders, outputsOf(options))))
      return false;
    watch.lap("parse");
    return bool(module);
  }

  LogicalResult enableRemarks() {
    remark::RemarkCategories categories{".*", ".*", ".*", ".*", ".*"};
    return remark::enableOptimizationRemarks(
        context, nullptr, std::make_unique<remark::RemarkEmittingPolicyAll>(),
        categories,
        /*printAsEmitRemarks=*/true);
  }

  bool runPhases() {
    PipelineOptions pipeline;
    pipeline.cpu = options.cpu;
    // Tensor cores have it alone.
    pipeline.math = options.math == "tf32" ? "f32" : options.math;
    pipeline.weights = options.weights;
    pipeline.prefix = prefix();
    pipeline.sizes = options.sizes;
    if (options.reproducer.empty()) { // Else the files have been imported.
      pipeline.folders = options.folders;
      pipeline.outputs = outputsOf(options);
    }
    pipeline.countOperations = options.countOperations;
    pipeline.keepRows = options.keepRows;
    for (Phase phase : allPhases()) {
      if (phase < options.from || phase > options.to || phase == Phase::Object)
        continue;
      // A model is resolved first; what comes from another phase has been.
      bool isGiven = phase == options.from && phase != Phase::Input;
      bool done = isGiven || (phase == Phase::Kernels && takesProducts()
                                  ? runKernels(pipeline)
                                  : runPhase(*module, phase, pipeline));
      if (!done)
        return false;
      if (phase == options.from && (options.gpuProfile || options.gpuDebug))
        nameLocations();
      if (phase == Phase::Gradient && !options.gpuArchs.empty() &&
          !buildDevice())
        return false;
      if (phase == Phase::Kernels && device)
        device->addTo(*module);
      if (!options.dumpFolder.empty() && !dump(phase))
        return false;
    }
    return true;
  }

  /// What a stage was made of is known by its locations: these get the names of
  /// the model's ops.
  void nameLocations() {
    module->walk([&](Operation *op) {
      if (isa<FunctionOpInterface, ModuleOp>(op))
        return;
      op->setLoc(
          NameLoc::get(StringAttr::get(&context, op->getName().getStringRef()),
                       op->getLoc()));
    });
  }

  /// From here on there are two modules.
  bool buildDevice() {
    PipelineOptions pipeline;
    pipeline.target = TargetKind::GPU;
    // What a kernel asks for at its start is the same on all.
    pipeline.arch = *llvm::min_element(options.gpuArchs, [](StringRef one,
                                                            StringRef other) {
      return TargetCosts::sharedBytes(one) < TargetCosts::sharedBytes(other);
    });
    pipeline.math = options.math;
    pipeline.timeStages = options.gpuProfile;
    pipeline.barrierLimit = options.gpuDebug;
    device.emplace(*module);
    return device->build(options.gpuArchs, assembler,
                         [&](ModuleOp code, Phase phase) {
                           return runPhase(code, phase, pipeline);
                         });
  }

  /// Whether products are compiled beside the rest: there is no text of all.
  bool takesProducts() const {
    return options.to == Phase::Object && options.emit.empty() &&
           !options.isStatic && options.dumpFolder.empty() &&
           options.reproducer.empty();
  }

  bool runKernels(const PipelineOptions &pipeline) {
    if (!runPasses(*module, "products", [&](PassManager &pm) {
          buildProductsPipeline(pm, pipeline);
        }))
      return false;
    products.emplace(*module);
    if (products->getNames().empty())
      products.reset();
    else if (!startProducts(pipeline))
      return false;
    return runPasses(*module, "kernels",
                     [](PassManager &pm) { buildLoopsPipeline(pm); });
  }

  /// From here on there are two modules.
  bool startProducts(const PipelineOptions &pipeline) {
    auto passes = std::make_unique<PassManager>(&context);
    if (!setOptions(*passes))
      return false;
    buildLoopsPipeline(*passes);
    buildFunctionsPipeline(*passes);
    PassManager others(&context);
    buildLoopsPipeline(others);
    buildPhase(others, Phase::LLVM, pipeline);
    ObjectOptions object;
    object.quick = options.quickHost;
    products->start(std::move(passes), &others, object, threads);
    return true;
  }

  bool runPhase(ModuleOp code, Phase phase, const PipelineOptions &pipeline) {
    std::string name =
        (pipeline.isGpu() ? "gpu " : "") + stringifyPhase(phase).str();
    return runPasses(code, name,
                     [&](PassManager &pm) { buildPhase(pm, phase, pipeline); });
  }

  /// What MLIR's own options ask for.
  bool setOptions(PassManager &pm) {
    if (failed(applyPassManagerCLOptions(pm)))
      return fail("expected other options for printing IR");
    applyDefaultTimingPassManagerCLOptions(pm);
    pm.enableVerifier(options.verifyEachPass);
    return true;
  }

  bool runPasses(ModuleOp code, StringRef name,
                 llvm::function_ref<void(PassManager &)> build) {
    PassManager pm(&context);
    if (!setOptions(pm))
      return false;
    if (!options.reproducer.empty())
      pm.enableCrashReproducerGeneration(options.reproducer);
    build(pm);
    bool done = succeeded(pm.run(code)) &&
                (options.verifyEachPass || succeeded(verify(code)));
    watch.lap(name);
    return done;
  }

  /// Writes the IR to `<folder>/<number>-<phase>.mlir`.
  bool dump(Phase phase) {
    if (std::error_code error =
            llvm::sys::fs::create_directories(options.dumpFolder))
      return fail("cannot create '" + options.dumpFolder +
                  "': " + error.message());
    std::string error = writeFile(printed(), dumpOf(options, phase));
    return error.empty() || fail(error);
  }

  std::string printed() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream, OpPrintingFlags());
    return text;
  }

  bool writeText(StringRef text) {
    std::string error = writeFile(text, options.output);
    return error.empty() || fail(error);
  }

  bool writeResult() {
    if (options.emit == "ptx")
      return writeText(device->getText());
    if (options.to != Phase::Object)
      return writeText(printed());
    ObjectOptions object;
    object.kind = options.emit;
    object.whole = options.isStatic;
    object.quick = options.quickHost;
    object.onStep = [&](StringRef name) { watch.lap(name); };
    if (products) {
      object.elsewhere = products->getNames();
      object.unusedElsewhere = [&] { return products->getUnused(); };
    }
    FailureOr<std::vector<ObjectBytes>> objects = emitObjects(*module, object);
    if (failed(objects) || (products && !addProducts(*objects)))
      return false;
    StringRef code(objects->front().data(), objects->front().size());
    if (!options.emit.empty())
      return writeText(code);
    std::string error = options.isStatic
                            ? writeStatic(code)
                            : linkSharedObject(*objects, options.output);
    watch.lap("link");
    return error.empty() || fail(error);
  }

  /// Adds the objects of products.
  bool addProducts(std::vector<ObjectBytes> &objects) {
    FailureOr<std::vector<ObjectBytes>> code = products->finish();
    if (failed(code))
      return false;
    llvm::append_range(objects, *code);
    watch.lap("code of products");
    return true;
  }

  std::string writeStatic(StringRef code) {
    std::string error = writeArchive(code, options.output, prefix() + ".o");
    if (!error.empty())
      return error;
    return writeHeader(headerOf(options.output), prefix());
  }

  /// The beginning of the query function's name: an identifier.
  std::string prefix() const {
    if (!options.isStatic)
      return "";
    std::string name = options.prefix;
    if (name.empty())
      name = llvm::sys::path::stem(options.output).str();
    for (char &letter : name)
      if (!llvm::isAlnum(letter))
        letter = '_';
    if (name.empty() || llvm::isDigit(name.front()))
      name.insert(0, "_");
    return name;
  }

  const CompileOptions &options;
  llvm::DefaultThreadPool threads;
  MLIRContext context;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics;
  /// What is wrong with an option has no place in the model.
  ScopedDiagnosticHandler ofOptions;
  PlainDiagnostics plain;
  OwningOpRef<ModuleOp> module;
  std::string assembler;
  std::optional<DeviceModule> device;
  std::optional<ProductKernels> products;
  Stopwatch watch;
};
} // namespace

bool cambium::compile(const CompileOptions &options,
                      DialectRegistry &registry) {
  auto compilation = std::make_unique<Compilation>(options, registry);
  bool done = compilation->run();
  if (options.isLast)
    llvm::BuryPointer(std::move(compilation));
  return done;
}
