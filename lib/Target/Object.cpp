//===-- lib/Target/Object.cpp - Machine code from the LLVM dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Target/Object.h"
#include "cambium/Target/Machine.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace cambium;

/// The passes of LLVM that are left to do something. Loops are vectorized,
/// tiled and unrolled when they are made, so that the larger part of `-O3` has
/// no work here but would take most of the time of a compilation.
static constexpr StringLiteral kPasses =
    "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>),"
    "ipsccp,"
    "deadargelim,globaldce,function(simplifycfg,loop-mssa(loop-rotate,licm),"
    "gvn,"
    "instcombine<no-verify-fixpoint>,loop-mssa(licm),dse,simplifycfg,adce)";

static LogicalResult optimize(ModuleOp module, llvm::Module &code,
                              llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, kPasses))
    return module.emitError("cannot optimize the code: ")
           << llvm::toString(std::move(error));
  passes.run(code, modules);
  return success();
}

static LogicalResult generate(ModuleOp module, llvm::Module &code,
                              llvm::TargetMachine &machine, bool assembly,
                              llvm::raw_pwrite_stream &stream) {
  llvm::legacy::PassManager passes;
  auto type = assembly ? llvm::CodeGenFileType::AssemblyFile
                       : llvm::CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return module.emitError("cannot make machine code for '")
           << machine.getTargetTriple().str() << "'";
  passes.run(code);
  return success();
}

FailureOr<SmallVector<char, 0>>
cambium::emitObject(ModuleOp module, const ObjectOptions &options) {
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(module);
  if (!machine)
    return failure();
  auto endStep = [&](StringRef name) {
    if (options.onStep)
      options.onStep(name);
  };
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, context, "cambium");
  if (!code)
    return failure();
  code->setTargetTriple(machine->getTargetTriple());
  code->setDataLayout(machine->createDataLayout());
  endStep("translate");
  if (options.kind == "ir") {
    stream << *code;
    return bytes;
  }
  if (failed(optimize(module, *code, *machine)))
    return failure();
  endStep("optimize");
  if (options.kind == "optimized-ir") {
    stream << *code;
    return bytes;
  }
  if (failed(generate(module, *code, *machine, options.kind == "asm", stream)))
    return failure();
  endStep("codegen");
  return bytes;
}
