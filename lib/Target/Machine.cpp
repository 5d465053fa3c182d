//===-- lib/Target/Machine.cpp - The processor that code is made for ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Target/Machine.h"
#include "cambium/Support/Suggest.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <sys/syscall.h>
#include <unistd.h>

using namespace mlir;
using namespace cambium;

/// Features that generated code may depend on, as LLVM and Linux name them.
static constexpr std::pair<StringLiteral, StringLiteral> kFeatureNames[] = {
    {"sse3", "pni"},
    {"ssse3", "ssse3"},
    {"sse4.1", "sse4_1"},
    {"sse4.2", "sse4_2"},
    {"popcnt", "popcnt"},
    {"movbe", "movbe"},
    {"lzcnt", "abm"},
    {"bmi", "bmi1"},
    {"bmi2", "bmi2"},
    {"f16c", "f16c"},
    {"avx", "avx"},
    {"avx2", "avx2"},
    {"fma", "fma"},
    {"avxvnni", "avx_vnni"},
    {"gfni", "gfni"},
    {"vaes", "vaes"},
    {"vpclmulqdq", "vpclmulqdq"},
    {"avx512f", "avx512f"},
    {"avx512bw", "avx512bw"},
    {"avx512cd", "avx512cd"},
    {"avx512dq", "avx512dq"},
    {"avx512vl", "avx512vl"},
    {"avx512ifma", "avx512ifma"},
    {"avx512vbmi", "avx512vbmi"},
    {"avx512vbmi2", "avx512_vbmi2"},
    {"avx512vnni", "avx512_vnni"},
    {"avx512bitalg", "avx512_bitalg"},
    {"avx512vpopcntdq", "avx512_vpopcntdq"},
    {"avx512bf16", "avx512_bf16"},
    {"avx512fp16", "avx512_fp16"},
    {"avx512vp2intersect", "avx512_vp2intersect"},
    {"amx-tile", "amx_tile"},
    {"amx-bf16", "amx_bf16"},
    {"amx-int8", "amx_int8"}};

/// Whether the system lets programs that ask for it use the registers of AMX.
/// LLVM looks at the processor alone.
static bool grantsTiles() {
#ifdef SYS_arch_prctl
  // ARCH_GET_XCOMP_SUPP of Linux, and the state that tiles are.
  uint64_t states = 0;
  return syscall(SYS_arch_prctl, 0x1021, &states) == 0 && (states >> 18 & 1);
#else
  return false;
#endif
}

/// What this machine has, as an LLVM feature string in a fixed order.
static std::string hostFeatures() {
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  if (!grantsTiles())
    for (auto &feature : host)
      if (feature.getKey().starts_with("amx-"))
        feature.second = false;
  SmallVector<StringRef> names(host.keys());
  llvm::sort(names);
  llvm::SubtargetFeatures features;
  for (StringRef name : names)
    features.AddFeature(name, host[name]);
  return features.getString();
}

static const llvm::Target *findTarget(const llvm::Triple &triple,
                                      std::string &error) {
  static bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;
  return llvm::TargetRegistry::lookupTarget(triple, error);
}

/// What code can be made for; native is the one that runs here.
static SmallVector<StringRef>
processorsOf(const llvm::MCSubtargetInfo &subtarget) {
  SmallVector<StringRef> names;
  if (!subtarget.getTargetTriple().isNVPTX())
    names.push_back("native");
  for (const llvm::SubtargetSubTypeKV &processor :
       subtarget.getAllProcessorDescriptions())
    names.push_back(processor.Key);
  return names;
}

/// The subtarget, or null after an error.
static std::unique_ptr<llvm::MCSubtargetInfo>
createSubtarget(const llvm::Triple &triple, StringRef cpu, StringRef features,
                llvm::function_ref<InFlightDiagnostic()> emitError) {
  std::string error;
  const llvm::Target *target = findTarget(triple, error);
  if (!target) {
    emitError() << "cannot make code for '" << triple.str() << "': " << error;
    return nullptr;
  }
  // An unknown name makes LLVM print a warning, so the generic one comes first.
  std::unique_ptr<llvm::MCSubtargetInfo> generic(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!generic->isCPUStringValid(cpu)) {
    emitError() << (triple.isNVPTX()
                        ? "expected a GPU such as sm_80 or sm_90, but got '"
                        : "expected a processor such as native, x86-64-v3, "
                          "x86-64-v4 or znver4, but got '")
                << cpu << "'" << didYouMean(cpu, processorsOf(*generic));
    return nullptr;
  }
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(triple, cpu, features));
}

rt::ProcessorAttr
cambium::describeTarget(MLIRContext *context, StringRef cpu,
                        llvm::function_ref<InFlightDiagnostic()> emitError) {
  bool isGpu = cpu.starts_with("sm_");
  llvm::Triple triple(isGpu ? "nvptx64-nvidia-cuda"
                            : llvm::sys::getDefaultTargetTriple());
  // The version that every driver of CUDA 12 takes.
  std::string name = cpu.str(), features = isGpu ? "+ptx80" : "";
  if (cpu == "native") {
    name = llvm::sys::getHostCPUName().str();
    features = hostFeatures();
  }
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget =
      createSubtarget(triple, name, features, emitError);
  if (!subtarget)
    return {};
  Builder builder(context);
  SmallVector<Attribute> flags;
  if (triple.isX86())
    for (auto [feature, flag] : kFeatureNames)
      if (subtarget->checkFeatures(("+" + feature).str()))
        flags.push_back(builder.getStringAttr(flag));
  return rt::ProcessorAttr::get(
      context, builder.getStringAttr(triple.str()), builder.getStringAttr(name),
      builder.getStringAttr(features), builder.getArrayAttr(flags));
}

std::unique_ptr<llvm::TargetMachine>
cambium::createTargetMachine(Operation *module, llvm::CodeGenOptLevel level) {
  rt::ProcessorAttr processor = rt::getTarget(module);
  if (!processor) {
    module->emitError("expected 'rt.target' in the module");
    return nullptr;
  }
  llvm::Triple triple(processor.getTriple().getValue());
  std::string error;
  const llvm::Target *target = findTarget(triple, error);
  if (!target) {
    module->emitError("cannot make code for '")
        << triple.str() << "': " << error;
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, processor.getCpu(), processor.getFeatures(),
      llvm::TargetOptions(), llvm::Reloc::PIC_,
      /*CM=*/std::nullopt, level));
}
