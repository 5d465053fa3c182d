//===-- lib/Target/Object.cpp - Machine code from the LLVM dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Target/Object.h"
#include "Arguments.h"
#include "ControlValues.h"
#include "Cut.h"
#include "Split.h"
#include "Steps.h"
#include "cambium/Target/Machine.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace cambium;

/// The passes of LLVM that are left to do something. Loops are vectorized,
/// tiled and unrolled when they are made, so that the larger part of `-O3` has
/// no work here but would take most of the time of a compilation.
///
/// First those that show what calls pass, then those that look at calls.
static constexpr StringLiteral kLocalPasses =
    "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>)";
static constexpr StringLiteral kProgramPasses =
    "ipsccp,deadargelim,mergefunc,globaldce";
/// A kernel cannot call one that is equal.
static constexpr StringLiteral kGpuProgramPasses =
    "ipsccp,deadargelim,globaldce";
/// Then those that look at one function at a time. The first one leaves a part
/// of a program only what it uses.
static constexpr StringLiteral kFunctionPasses =
    "globaldce,function(simplifycfg,loop-mssa(loop-rotate,licm),gvn,"
    "instcombine<no-verify-fixpoint>,loop-mssa(licm),dse,simplifycfg,adce)";

static llvm::Error optimize(llvm::Module &code, llvm::TargetMachine &machine,
                            StringRef pipeline) {
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
  if (llvm::Error error = builder.parsePassPipeline(passes, pipeline))
    return error;
  passes.run(code, modules);
  return llvm::Error::success();
}

static llvm::Error generate(llvm::Module &code, llvm::TargetMachine &machine,
                            bool assembly, llvm::raw_pwrite_stream &stream) {
  llvm::legacy::PassManager passes;
  auto type = assembly ? llvm::CodeGenFileType::AssemblyFile
                       : llvm::CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return llvm::createStringError("expected a target with machine code");
  passes.run(code);
  return llvm::Error::success();
}

namespace {
/// Keeps the code generator from work that does nothing here.
///
/// Strength reduction finds addresses that a loop can compute by additions: the
/// loops of products of f32 do, where most time is spent, and others have few.
/// It took a fifth of the time.
class NeededPasses : public llvm::OptPassGate {
public:
  bool isEnabled() const override { return true; }
  bool shouldRunPass(StringRef name, StringRef) const override {
    return name != "Loop Strength Reduction";
  }
};

/// Makes code of one module of the LLVM dialect.
class Emitter {
public:
  Emitter(ModuleOp module, const ObjectOptions &options)
      : module(module), options(options) {}

  FailureOr<std::vector<ObjectBytes>> emit() {
    std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(module);
    if (!machine)
      return failure();
    llvm::LLVMContext context;
    NeededPasses needed;
    if (!isGpu(*machine))
      context.setOptPassGate(needed);
    std::unique_ptr<llvm::Module> code = translate(context, *machine);
    if (!code)
      return failure();
    if (options.kind == "ir")
      return printed(*code);
    if (options.quick)
      return emitParts(SplitProgram(*code, rt::getTargetCosts(module)));
    if (failed(check(optimize(*code, *machine, kLocalPasses))))
      return failure();
    if (options.onUnused)
      options.onUnused(dropUnused(*code));
    if (options.unusedElsewhere)
      dropUnused(*code, options.unusedElsewhere());
    dropArguments(*code);
    // One of equal functions is enough: nothing compares addresses.
    for (llvm::Function &function : *code)
      if (function.hasLocalLinkage())
        function.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    if (failed(check(
            optimize(*code, *machine,
                     isGpu(*machine) ? kGpuProgramPasses : kProgramPasses))))
      return failure();
    TargetCosts costs = rt::getTargetCosts(module);
    // The pieces of a kernel would share a stack.
    if (!isGpu(*machine)) {
      listSteps(*code);
      if (failed(check(optimize(*code, *machine, "mergefunc"))))
        return failure();
      cutFunctions(*code, costs.functionInstructions);
    }
    endStep("optimize");
    if (options.kind.empty() && !options.whole)
      return emitParts(SplitProgram(*code, costs));
    return emitWhole(*code, *machine);
  }

private:
  static bool isGpu(const llvm::TargetMachine &machine) {
    return machine.getTargetTriple().isNVPTX();
  }

  std::unique_ptr<llvm::Module> translate(llvm::LLVMContext &context,
                                          llvm::TargetMachine &machine) {
    std::unique_ptr<llvm::Module> code =
        translateModuleToLLVMIR(module, context, "cambium");
    if (!code)
      return nullptr;
    code->setTargetTriple(machine.getTargetTriple());
    code->setDataLayout(machine.createDataLayout());
    for (const std::string &name : options.elsewhere)
      leaveElsewhere(code->getFunction(name));
    endStep("translate");
    return code;
  }

  static void leaveElsewhere(llvm::Function *function) {
    if (!function)
      return;
    function->deleteBody();
    function->setVisibility(llvm::GlobalValue::HiddenVisibility);
    function->setDSOLocal(true);
  }

  FailureOr<std::vector<ObjectBytes>> emitWhole(llvm::Module &code,
                                                llvm::TargetMachine &machine) {
    if (failed(check(optimize(code, machine, kFunctionPasses))))
      return failure();
    if (isGpu(machine))
      keepControlValues(
          code, TargetCosts::controlValues,
          TargetCosts::sharedBytes(rt::getTarget(module).getCpu().getValue()));
    if (options.kind == "optimized-ir")
      return printed(code);
    std::vector<ObjectBytes> bytes(1);
    llvm::raw_svector_ostream stream(bytes.front());
    if (failed(check(generate(code, machine, options.kind == "asm", stream))))
      return failure();
    endStep("codegen");
    return bytes;
  }

  FailureOr<std::vector<ObjectBytes>> emitParts(const SplitProgram &program) {
    std::vector<ObjectBytes> bytes(program.size());
    if (failed(failableParallelForEachN(
            module.getContext(), 0, program.size(), [&](size_t index) {
              return check(emitPart(program, index, bytes[index]));
            })))
      return failure();
    endStep(("codegen of " + Twine(program.size()) + " parts").str());
    return bytes;
  }

  llvm::Error emitPart(const SplitProgram &program, size_t index,
                       ObjectBytes &bytes) {
    llvm::LLVMContext context;
    NeededPasses needed;
    context.setOptPassGate(needed);
    llvm::Expected<std::unique_ptr<llvm::Module>> code =
        program.load(index, context);
    if (!code)
      return code.takeError();
    bool isEntries = program.runsOnce(index);
    // Of a list of calls, a little more care makes a fifth less code, in a time
    // that grows faster than the list.
    bool isLong =
        (*code)->getInstructionCount() > 4 * TargetCosts().functionInstructions;
    auto level = options.quick || (isEntries && isLong)
                     ? llvm::CodeGenOptLevel::None
                 : isEntries ? llvm::CodeGenOptLevel::Less
                             : llvm::CodeGenOptLevel::Aggressive;
    std::unique_ptr<llvm::TargetMachine> machine =
        createTargetMachine(module, level);
    // Where loops begin makes no difference to those that are not products.
    if (!options.onUnused)
      machine->Options.LoopAlignment = 1;
    bool asItIs = options.quick || isEntries;
    if (llvm::Error error =
            optimize(**code, *machine, asItIs ? "globaldce" : kFunctionPasses))
      return error;
    llvm::raw_svector_ostream stream(bytes);
    return generate(**code, *machine, /*assembly=*/false, stream);
  }

  /// Reports an error at the module.
  LogicalResult check(llvm::Error error) {
    if (!error)
      return success();
    return module.emitError("cannot make machine code: ")
           << llvm::toString(std::move(error));
  }

  static std::vector<ObjectBytes> printed(const llvm::Module &code) {
    std::vector<ObjectBytes> text(1);
    llvm::raw_svector_ostream(text.front()) << code;
    return text;
  }

  void endStep(StringRef name) {
    if (options.onStep)
      options.onStep(name);
  }

  ModuleOp module;
  const ObjectOptions &options;
};
} // namespace

namespace {
/// `rt.target` says what code is made for; it is none.
struct TargetTranslation : LLVMTranslationDialectInterface {
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;
  LogicalResult convertOperation(Operation *op, llvm::IRBuilderBase &,
                                 LLVM::ModuleTranslation &) const final {
    return success(isa<rt::TargetOp>(op));
  }
};
} // namespace

void cambium::registerTargetTranslation(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, rt::RTDialect *dialect) {
    dialect->addInterfaces<TargetTranslation>();
  });
}

FailureOr<std::vector<ObjectBytes>>
cambium::emitObjects(ModuleOp module, const ObjectOptions &options) {
  return Emitter(module, options).emit();
}
