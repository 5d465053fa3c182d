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
#include "cambium/Support/CommandLine.h"
#include "cambium/Support/ParseModel.h"
#include "cambium/Support/UnknownNames.h"
#include "cambium/Target/Object.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tools/Channels.h"
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

/// Notes that name what was meant by names that no dialect has. MlirOptMain
/// shows its errors before any handler of ours is asked: they come behind.
static void explainUnknownNames(llvm::MemoryBufferRef text,
                                const DialectRegistry &registry,
                                StringRef marker) {
  auto explain = [&](std::unique_ptr<llvm::MemoryBuffer> chunk, raw_ostream &) {
    MLIRContext context(registry);
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(chunk), llvm::SMLoc());
    SourceMgrDiagnosticHandler shown(sources, &context);
    ScopedDiagnosticHandler silence(&context, [&](Diagnostic &error) {
      std::string meant = cambium::findMeant(&context, error.str());
      if (!meant.empty())
        shown.emitDiagnostic(error.getLocation(),
                             "did you mean '" + meant + "'?",
                             DiagnosticSeverity::Note);
    });
    ParserConfig config(&context, /*verifyAfterParse=*/false);
    (void)parseSourceFile<ModuleOp>(sources, config);
    return success();
  };
  (void)splitAndProcessBuffer(
      llvm::MemoryBuffer::getMemBuffer(text, /*RequiresNullTerminator=*/false),
      explain, llvm::nulls(), marker);
}

/// Reads, runs and writes as MlirOptMain does, but looks at the text first.
static LogicalResult run(StringRef input, StringRef output,
                         DialectRegistry &registry) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(input, &message);
  if (!file) {
    llvm::errs() << message << "\n";
    return failure();
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(file->getMemBufferRef(),
                                       /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  if (failed(cambium::checkNesting(sources)))
    return failure();
  if (wantsReproducer())
    if (auto merged = mergeImports(file->getMemBufferRef(), registry))
      file = std::move(merged);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  std::string text;
  llvm::raw_string_ostream stream(text);
  LogicalResult done = MlirOptMain(
      stream,
      llvm::MemoryBuffer::getMemBuffer(file->getMemBufferRef(),
                                       /*RequiresNullTerminator=*/false),
      registry, config);
  if (failed(done) && !config.shouldVerifyDiagnostics())
    explainUnknownNames(file->getMemBufferRef(), registry,
                        config.inputSplitMarker());
  // What a file held before stays until there is something better.
  if (failed(done) && output != "-")
    return failure();
  message = cambium::writeFile(text, output);
  if (message.empty())
    return done;
  llvm::errs() << "error: " << message << "\n";
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
