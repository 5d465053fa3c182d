//===-- tools/cambium-opt/cambium-opt.cpp - Runs passes on Cambium's IR ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/InitAllDialects.h"
#include "cambium/InitAllPasses.h"
#include "cambium/Pipelines/Model.h"
#include "cambium/Support/CheckAttributes.h"
#include "cambium/Support/CommandLine.h"
#include "cambium/Support/ParseModel.h"
#include "cambium/Support/PlainText.h"
#include "cambium/Support/UnknownNames.h"
#include "cambium/Target/Object.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tools/Channels.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

/// Whether a pass that fails leaves a file that repeats it.
static bool wantsReproducer() {
  const llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(
      "mlir-pass-pipeline-crash-reproducer");
  return option && option->getNumOccurrences() > 0;
}

/// The text with the functions of the files that it imports, which remember
/// their places. Null where there are none, or they cannot be read: passes say
/// why.
static std::unique_ptr<llvm::MemoryBuffer>
mergeImports(llvm::MemoryBufferRef text, const DialectRegistry &registry) {
  MLIRContext context(registry);
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(text, /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  OwningOpRef<ModuleOp> module = cambium::parseModel(sources, &context);
  if (!module || module->getOps<cambium::nn::ImportOp>().empty() ||
      failed(cambium::importFiles(*module)))
    return nullptr;
  std::string merged;
  llvm::raw_string_ostream stream(merged);
  module->print(stream, OpPrintingFlags().enableDebugInfo());
  return llvm::MemoryBuffer::getMemBufferCopy(merged,
                                              text.getBufferIdentifier());
}

/// Whether the model can be imported as it is, but not when `output` is
/// written. Asked where that is there already.
static bool replacesImport(llvm::MemoryBufferRef text, StringRef output,
                           const DialectRegistry &registry) {
  auto imports = [&](const std::vector<std::string> &outputs) {
    MLIRContext context(registry);
    ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(text,
                                         /*RequiresNullTerminator=*/false),
        llvm::SMLoc());
    OwningOpRef<ModuleOp> module = cambium::parseModel(sources, &context);
    return module && !module->getOps<cambium::nn::ImportOp>().empty() &&
           succeeded(cambium::importFiles(*module, {}, outputs));
  };
  return llvm::sys::fs::is_regular_file(output) && imports({}) &&
         !imports({output.str()});
}

/// Whether each part of the text parses. MlirOptMain would show errors as they
/// come, before any handler of ours is asked: they are shown here, with what
/// was meant, and without control characters.
static LogicalResult parseFirst(llvm::MemoryBufferRef text,
                                const DialectRegistry &registry,
                                const MlirOptMainConfig &config) {
  auto parse = [&](std::unique_ptr<llvm::MemoryBuffer> chunk, raw_ostream &) {
    MLIRContext context(registry);
    context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
    llvm::SourceMgr sources;
    StringRef text = chunk->getBuffer();
    sources.AddNewSourceBuffer(std::move(chunk), llvm::SMLoc());
    SourceMgrDiagnosticHandler shown(sources, &context);
    cambium::PlainDiagnostics plain(&context);
    cambium::UnknownNames notes(&context, text);
    // The others come once more.
    ScopedDiagnosticHandler errorsOnly(&context, [](Diagnostic &diagnostic) {
      return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
    });
    FallbackAsmResourceMap resources;
    ParserConfig parser(&context, config.shouldVerifyOnParsing(), &resources);
    auto module = parseSourceFile<ModuleOp>(sources, parser);
    return success(module && succeeded(cambium::checkAttributes(*module)));
  };
  return splitAndProcessBuffer(
      llvm::MemoryBuffer::getMemBuffer(text, /*RequiresNullTerminator=*/false),
      parse, llvm::nulls(), config.inputSplitMarker());
}

namespace {
/// Lives as long as the passes.
struct PlainInstrumentation : PassInstrumentation {
  explicit PlainInstrumentation(MLIRContext *context) : plain(context) {}
  cambium::PlainDiagnostics plain;
};
} // namespace

/// What passes say comes without control characters, too.
static void runPlainly(MlirOptMainConfig &config) {
  MlirOptMainConfig given = config;
  config.setPassPipelineSetupFn([given](PassManager &manager) {
    manager.addInstrumentation(
        std::make_unique<PlainInstrumentation>(manager.getContext()));
    return given.setupPassPipeline(manager);
  });
}

/// Reads, runs and writes as MlirOptMain does, but looks at the text first.
static LogicalResult run(StringRef input, StringRef output,
                         DialectRegistry &registry) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      cambium::openModel(input, &message);
  if (!file) {
    llvm::errs() << cambium::escapeControls(message) << "\n";
    return failure();
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(file->getMemBufferRef(),
                                       /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  if (failed(cambium::checkText(sources)))
    return failure();
  message = cambium::cannotWrite(output);
  if (message.empty() &&
      replacesImport(file->getMemBufferRef(), output, registry))
    message = "expected another file to write than those that are imported, "
              "but got '" +
              output.str() + "'";
  if (!message.empty()) {
    llvm::errs() << "error: " << cambium::escapeControls(message) << "\n";
    return failure();
  }
  if (wantsReproducer())
    if (auto merged = mergeImports(file->getMemBufferRef(), registry))
      file = std::move(merged);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  bool isPlain = !config.shouldVerifyDiagnostics() &&
                 config.shouldShowNotes() && config.getIrdlFile().empty();
  if (isPlain && failed(parseFirst(file->getMemBufferRef(), registry, config)))
    return failure();
  runPlainly(config);
  std::string text;
  llvm::raw_string_ostream stream(text);
  LogicalResult done = MlirOptMain(
      stream,
      llvm::MemoryBuffer::getMemBuffer(file->getMemBufferRef(),
                                       /*RequiresNullTerminator=*/false),
      registry, config);
  // What a file held before stays until there is something better.
  if (failed(done) && output != "-")
    return failure();
  message = cambium::writeFile(text, output);
  if (message.empty())
    return done;
  llvm::errs() << "error: " << cambium::escapeControls(message) << "\n";
  return failure();
}

int main(int argc, char **argv) {
  cambium::fillStandardChannels();
  cambium::hideOptionsOfLibraries();
  mlir::DialectRegistry registry;
  cambium::registerAllDialects(registry);
  cambium::registerAllPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv,
      "Cambium's pass driver\n\nExample: the batched form of a model\n"
      "  cambium-opt --cambium-to-batched models/coba/tree_lstm.mlir\n",
      registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  cambium::refuseLargeFiles();
  return asMainReturnCode(run(input, output, registry));
}
