//===-- lib/Target/AttachTarget.cpp - The target of a module -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Target/Machine.h"
#include "cambium/Target/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace cambium {
#define GEN_PASS_DEF_ATTACHTARGET
#include "cambium/Target/Passes.h.inc"
} // namespace cambium

using namespace mlir;

namespace {
struct AttachTarget : cambium::impl::AttachTargetBase<AttachTarget> {
  using AttachTargetBase::AttachTargetBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    cambium::rt::ProcessorAttr known = cambium::rt::getTarget(module);
    if (known && cpu == "native")
      return; // Nothing else was asked for.
    cambium::rt::ProcessorAttr target =
        cambium::describeTarget(&getContext(), cpu, [&] {
          return emitError(UnknownLoc::get(&getContext()), "--mcpu: ");
        });
    if (!target)
      return signalPassFailure();
    if (known == target)
      return;
    if (known) {
      module.emitError("expected no other processor than ")
          << known.getCpu() << ", for which the module is made ('rt.target'), "
          << "but got \"" << cpu << "\"";
      return signalPassFailure();
    }
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    cambium::rt::TargetOp::create(builder, module.getLoc(), target);
  }
};
} // namespace
