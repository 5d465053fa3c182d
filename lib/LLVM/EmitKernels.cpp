//===-- lib/LLVM/EmitKernels.cpp - Entries as kernels ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/LLVM/Passes.h"
#include "cambium/Target/Object.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cambium {
#define GEN_PASS_DEF_EMITKERNELS
#include "cambium/LLVM/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// The address space of memory that the threads of a block share.
enum : unsigned { kShared = 3 };

struct EmitKernels : cambium::impl::EmitKernelsBase<EmitKernels> {
  using EmitKernelsBase::EmitKernelsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    // The host knows of it.
    for (auto op : llvm::make_early_inc_range(module.getOps<rt::TrainingOp>()))
      op.erase();
    SmallVector<rt::DeviceEntryOp> entries(module.getOps<rt::DeviceEntryOp>());
    for (rt::DeviceEntryOp entry : entries) {
      symbols.erase(symbols.lookup(entry.getWorkspace()));
      makeKernel(symbols.lookup<LLVM::LLVMFuncOp>(entry.getName()), entry);
      entry.erase();
    }
    for (auto global : module.getOps<LLVM::GlobalOp>())
      if (global.getAddrSpace() == kShared)
        takeFromLaunch(global);
    if (failed(checkCalls(module)))
      return signalPassFailure();
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      makeConvergent(function);
  }

  static void makeKernel(LLVM::LLVMFuncOp kernel, rt::DeviceEntryOp entry) {
    Builder builder(kernel.getContext());
    kernel.setSymName(entry.getKernel());
    kernel.setCConv(LLVM::CConv::PTX_Kernel);
    // A block has its multiprocessor alone, with all registers.
    kernel.setPassthroughAttr(builder.getArrayAttr(
        {builder.getStrArrayAttr(
             {"nvvm.maxntid", std::to_string(entry.getThreads())}),
         builder.getStrArrayAttr({"nvvm.minctasm", "1"}),
         builder.getStrArrayAttr(
             {kSharedAtStart, std::to_string(entry.getShared())})}));
  }

  /// How large it is is said where the kernel is started.
  static void takeFromLaunch(LLVM::GlobalOp global) {
    auto bytes = cast<LLVM::LLVMArrayType>(global.getGlobalType());
    global.setGlobalType(LLVM::LLVMArrayType::get(bytes.getElementType(), 0));
    global.setLinkage(LLVM::Linkage::External);
    global.getInitializerRegion().getBlocks().clear();
    global.removeValueAttr();
  }

  /// Whether it is an instruction of GPUs, or a few, and no call.
  static bool isInstruction(Operation *op) {
    if (!op->getName().getStringRef().starts_with("llvm.intr.") ||
        op->getNumResults() != 1 ||
        !getElementTypeOrSelf(op->getResult(0)).isFloat())
      return true;
    return isa<LLVM::FAbsOp, LLVM::SqrtOp, LLVM::FMAOp, LLVM::FMulAddOp,
               LLVM::FFloorOp, LLVM::FCeilOp, LLVM::FTruncOp, LLVM::RintOp,
               LLVM::NearbyintOp, LLVM::RoundEvenOp, LLVM::RoundOp,
               LLVM::CopySignOp, LLVM::MinNumOp, LLVM::MaxNumOp,
               LLVM::MinimumOp, LLVM::MaximumOp>(op);
  }

  /// There is no library on the device.
  static LogicalResult checkCalls(ModuleOp module) {
    SymbolTable symbols(module);
    WalkResult functions = module.walk([](Operation *op) -> WalkResult {
      if (isInstruction(op))
        return WalkResult::advance();
      StringRef name = op->getName().getStringRef();
      return op->emitError("expected what GPU code has without a library, but "
                           "got the function '")
             << name.substr(strlen("llvm.intr.")) << "' of "
             << op->getResult(0).getType();
    });
    if (functions.wasInterrupted())
      return failure();
    WalkResult result = module.walk([&](LLVM::CallOp call) -> WalkResult {
      std::optional<StringRef> name = call.getCallee();
      auto callee = name ? symbols.lookup<LLVM::LLVMFuncOp>(*name) : nullptr;
      if (callee && !callee.isExternal())
        return WalkResult::advance();
      return call.emitError("expected what GPU code has without a library, but "
                            "got a call of '")
             << name.value_or("a value") << "'";
    });
    return failure(result.wasInterrupted());
  }

  /// All threads of a block call what may hold a barrier, or none: no pass may
  /// put a call under more conditions than it has.
  static void makeConvergent(LLVM::LLVMFuncOp function) {
    if (function.isExternal())
      return;
    function.setConvergent(true);
    function.walk([](LLVM::CallOp call) { call.setConvergent(true); });
    if (function.getCConv() == LLVM::CConv::PTX_Kernel)
      return;
    function.setNoInline(true);
    function.setLinkage(LLVM::Linkage::Internal);
  }
};
} // namespace
