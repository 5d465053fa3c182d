//===-- lib/Pipelines/Device.cpp - What a GPU executes of a module --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Device.h"
#include "cambium/Target/Assemble.h"
#include "cambium/Target/Machine.h"
#include "cambium/Target/Object.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace cambium;

/// What is made for another machine from here on forgets the host's.
DeviceModule::DeviceModule(ModuleOp host) : module(host.clone()) {
  for (auto target : llvm::make_early_inc_range(module->getOps<rt::TargetOp>()))
    target.erase();
}

/// Order in memory, which barriers need, is there from sm_70 on; PTX 8.0, which
/// every driver since CUDA 12.0 takes, ends with sm_90. Later GPUs run that.
static bool isKnown(StringRef arch) {
  unsigned number = 0;
  if (!arch.consume_front("sm_") || arch.consumeInteger(10, number))
    return false;
  return number >= 70 && number <= 90 &&
         (arch.empty() || (arch == "a" && number == 90));
}

std::string cambium::checkArchs(ArrayRef<std::string> archs) {
  for (auto [i, arch] : llvm::enumerate(archs)) {
    if (!isKnown(arch))
      return "expected --gpu-arch as a GPU from sm_70 to sm_90 or sm_90a, but "
             "got '" +
             arch + "'";
    if (llvm::is_contained(archs.take_front(i), arch))
      return "expected --gpu-arch with each GPU once, but got '" + arch +
             "' twice";
  }
  return "";
}

std::string cambium::checkMath(MLIRContext *context,
                               ArrayRef<std::string> archs, StringRef name) {
  std::optional<rt::Math> math = rt::symbolizeMath(name);
  if (!math)
    return "";
  if (archs.empty() && math == rt::Math::TF32)
    return "expected --gpu-arch together with --math=tf32: processors multiply "
           "in f32 or bf16";
  context->loadDialect<rt::RTDialect>();
  for (StringRef arch : archs) {
    rt::ProcessorAttr gpu = describeTarget(
        context, arch, [&] { return emitError(UnknownLoc::get(context)); });
    if (gpu && !rt::hasMath(gpu, *math))
      return ("expected --gpu-arch from sm_80 on together with --math=" + name +
              ", but got '" + arch + "'")
          .str();
  }
  return "";
}

bool DeviceModule::build(ArrayRef<std::string> archs, StringRef assembler,
                         RunPhase run) {
  for (Phase phase : {Phase::Linalg, Phase::Buffers, Phase::Kernels})
    if (!run(*module, phase))
      return false;
  keepHostParts();
  if (!run(*module, Phase::LLVM))
    return false;
  return llvm::all_of(
      archs, [&](const std::string &arch) { return emit(arch, assembler); });
}

void DeviceModule::keepHostParts() {
  forHost = ModuleOp::create(module->getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(forHost->getBody());
  for (auto entry : module->getOps<rt::DeviceEntryOp>()) {
    builder.clone(*SymbolTable::lookupSymbolIn(*module, entry.getWorkspace()));
    builder.clone(*entry);
  }
}

bool DeviceModule::emit(StringRef arch, StringRef assembler) {
  rt::ProcessorAttr processor = describeTarget(
      module->getContext(), arch, [&] { return emitError(module->getLoc()); });
  if (!processor)
    return false;
  for (auto target : module->getOps<rt::TargetOp>())
    target.setProcessorAttr(processor);
  ObjectOptions options;
  options.kind = "asm";
  FailureOr<std::vector<ObjectBytes>> text = emitObjects(*module, options);
  if (failed(text))
    return false;
  Image ptx{arch.str(), {text->front().begin(), text->front().end()}};
  Image cubin{arch.str(), {}, /*isCubin=*/true};
  std::string error =
      assembler.empty() ? ""
                        : assemblePtx(assembler, arch, ptx.bytes, cubin.bytes);
  images.push_back(std::move(ptx));
  if (!cubin.bytes.empty())
    images.push_back(std::move(cubin));
  if (!error.empty())
    // It is not the model that is wrong.
    return emitError(UnknownLoc::get(module->getContext()), error), false;
  return true;
}

/// Parameters are known there by the same names.
void DeviceModule::addTo(ModuleOp host) {
  SymbolTable symbols(host);
  OpBuilder builder = OpBuilder::atBlockEnd(host.getBody());
  Location loc = host.getLoc();
  for (auto entry :
       llvm::make_early_inc_range(forHost->getOps<rt::DeviceEntryOp>())) {
    Operation *function =
        SymbolTable::lookupSymbolIn(*forHost, entry.getWorkspace());
    function->remove();
    // Another function may have its name.
    entry.setWorkspace(symbols.insert(function));
    entry->moveBefore(host.getBody(), host.getBody()->end());
  }
  builder.setInsertionPointToEnd(host.getBody());
  for (const Image &image : images)
    rt::ImageOp::create(builder, loc, image.arch, image.bytes, image.isCubin);
}
