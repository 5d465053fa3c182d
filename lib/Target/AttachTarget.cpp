//===-- lib/Target/AttachTarget.cpp - The target of a module -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Suggest.h"
#include "cambium/Target/Machine.h"
#include "cambium/Target/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace cambium {
#define GEN_PASS_DEF_ATTACHTARGET
#include "cambium/Target/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// The same processor without the features that only such products use: a
/// system may refuse them.
static rt::ProcessorAttr withFeaturesFor(rt::ProcessorAttr target,
                                         rt::Math math, rt::Weights weights) {
  bool isBF16 = math == rt::Math::BF16, isInt8 = weights == rt::Weights::Int8;
  SmallVector<Attribute> flags(target.getFlags().getValue());
  llvm::erase_if(flags, [&](Attribute flag) {
    StringRef name = cast<StringAttr>(flag).getValue();
    return (name == "amx_tile" && !isBF16 && !isInt8) ||
           (name == "amx_bf16" && !isBF16) || (name == "amx_int8" && !isInt8);
  });
  return rt::ProcessorAttr::get(target.getContext(), target.getTriple(),
                                target.getCpu(), target.getFeatures(),
                                ArrayAttr::get(target.getContext(), flags));
}

namespace {
struct AttachTarget : cambium::impl::AttachTargetBase<AttachTarget> {
  using AttachTargetBase::AttachTargetBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    rt::ProcessorAttr known = rt::getTarget(module);
    rt::ProcessorAttr target = known;
    // Where there is one, nothing else was asked for by `native`.
    if (!known || cpu != "native")
      target =
          describeTarget(&getContext(), cpu, [&] { return wrong("--mcpu: "); });
    if (!target || failed(readOptions()))
      return signalPassFailure();
    rt::Math products = wantedMath.value_or(rt::getMath(module));
    rt::Weights kept = wantedWeights.value_or(rt::getWeights(module));
    if (!rt::hasMath(target, products)) {
      wrong("expected a GPU from sm_80 on together with --math=" +
            rt::stringifyMath(products) + ", but got '" +
            target.getCpu().getValue() + "'");
      return signalPassFailure();
    }
    if (!known)
      target = withFeaturesFor(target, products, kept);
    else if (target != known)
      target =
          withFeaturesFor(target, rt::getMath(module), rt::getWeights(module));
    if (!known) {
      OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
      rt::TargetOp::create(builder, module.getLoc(), target, products, kept);
      return;
    }
    if (failed(agrees("processor", known == target, known.getCpu(),
                      cpu.getValue())) ||
        failed(agrees("--math",
                      !wantedMath || *wantedMath == rt::getMath(module),
                      rt::stringifyMath(rt::getMath(module)), math)) ||
        failed(
            agrees("--weights",
                   !wantedWeights || *wantedWeights == rt::getWeights(module),
                   rt::stringifyWeights(rt::getWeights(module)), weights)))
      signalPassFailure();
  }

private:
  /// What is wrong with an option has no place in the model.
  InFlightDiagnostic wrong(const Twine &message) {
    return emitError(UnknownLoc::get(&getContext()), message);
  }

  LogicalResult readOptions() {
    wantedMath.reset(), wantedWeights.reset();
    if (!math.empty() && !(wantedMath = rt::symbolizeMath(math)))
      return wrong("expected --math to be f32, bf16 or tf32, but got '" + math +
                   "'" + didYouMean(math, {"f32", "bf16", "tf32"}));
    if (!weights.empty() && !(wantedWeights = rt::symbolizeWeights(weights)))
      return wrong("expected --weights to be same or int8, but got '" +
                   weights + "'" + didYouMean(weights, {"same", "int8"}));
    if (wantedWeights == rt::Weights::Int8 && wantedMath == rt::Math::BF16)
      return wrong("expected --math=f32 together with --weights=int8: products "
                   "of these weights multiply integers, and the others f32");
    return success();
  }

  LogicalResult agrees(StringRef what, bool isSame, StringRef known,
                       StringRef wanted) {
    if (isSame)
      return success();
    return getOperation().emitError("expected no other ")
           << what << " than \"" << known
           << "\", for which the module is made ('rt.target'), but got \""
           << wanted << "\"";
  }

  /// What the options say, if anything.
  std::optional<rt::Math> wantedMath;
  std::optional<rt::Weights> wantedWeights;
};
} // namespace
