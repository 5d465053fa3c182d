//===-- lib/Target/Object.cpp - Machine code from the LLVM dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Target/Object.h"
#include "cambium/Target/Machine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace cambium;

static LogicalResult optimize(ModuleOp module, llvm::Module &code,
                              llvm::TargetMachine &machine) {
  auto transform = makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0, &machine);
  if (llvm::Error error = transform(&code))
    return module.emitError("cannot optimize the code: ") << llvm::toString(std::move(error));
  return success();
}

static LogicalResult generate(ModuleOp module, llvm::Module &code,
                              llvm::TargetMachine &machine, bool assembly,
                              llvm::raw_pwrite_stream &stream) {
  llvm::legacy::PassManager passes;
  auto type = assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return module.emitError("cannot make machine code for '")
           << machine.getTargetTriple().str() << "'";
  passes.run(code);
  return success();
}

FailureOr<SmallVector<char, 0>> cambium::emitObject(ModuleOp module,
                                                    const ObjectOptions &options) {
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
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context, "cambium");
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
