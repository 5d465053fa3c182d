//===-- test/Fuzz/OptTarget.cpp - Any bytes as a model --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A model is parsed and taken through the phases, as `cambium-opt` does it. A
/// first character from 0 to 5 names the last phase; without one it is llvm.
/// Whatever fails says so with a diagnostic, and each phase leaves valid IR.
///
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "cambium/InitAllDialects.h"
#include "cambium/InitAllPasses.h"
#include "cambium/Pipelines/Phases.h"
#include "cambium/Support/ParseModel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include <memory>

using namespace mlir;
using namespace cambium;

namespace {

/// Types and attributes live as long as their context, so it is made anew now
/// and then.
struct Compiler {
  static constexpr int kUses = 2000;

  Compiler() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
    context->getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
      return success();
    });
  }

  static Compiler &get() {
    static std::unique_ptr<Compiler> current;
    if (!current || current->uses == kUses)
      current = std::make_unique<Compiler>();
    ++current->uses;
    current->hasError = false;
    return *current;
  }

  std::unique_ptr<MLIRContext> context;
  bool hasError = false;
  int uses = 0;
};

} // namespace

static void compile(Compiler &compiler, ModuleOp module, Phase last) {
  PipelineOptions options;
  options.cpu = "x86-64-v3";
  for (Phase phase : allPhases()) {
    if (phase > last)
      return;
    PassManager passes(compiler.context.get());
    buildPhase(passes, phase, options);
    if (failed(passes.run(module))) {
      FUZZ_REQUIRE(compiler.hasError, "a phase that fails says why");
      return;
    }
    FUZZ_REQUIRE(succeeded(verify(module)), stringifyPhase(phase).str());
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  // Texts are C strings in places.
  if (text.contains('\0'))
    return 0;
  Phase last = Phase::LLVM;
  if (!text.empty() && text[0] >= '0' && text[0] <= '5') {
    last = static_cast<Phase>(text[0] - '0');
    text = text.drop_front();
  }
  Compiler &compiler = Compiler::get();
  OwningOpRef<ModuleOp> module = parseModelText(text, compiler.context.get());
  if (module)
    compile(compiler, *module, last);
  else
    FUZZ_REQUIRE(compiler.hasError, "a parser that fails says why");
  return 0;
}
