//===-- LowerToLLVM.cpp - Conversion of upstream dialects to LLVM --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/LLVM/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/Threading.h"
#include "mlir/Transforms/DialectConversion.h"

namespace cambium {
#define GEN_PASS_DEF_LOWERTOLLVM
#include "cambium/LLVM/Passes.h.inc"
} // namespace cambium

using namespace mlir;

/// Patterns that change nothing but the function around an op, and of others
/// read attributes alone. `symbols` may be null.
static void addLocalPatterns(const LLVMTypeConverter &converter,
                             SymbolTableCollection *symbols,
                             RewritePatternSet &patterns) {
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns, symbols);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  arith::populateArithExpandOpsPatterns(patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  vector::populateVectorMaskMaterializationPatterns(
      patterns,
      /*force32BitVectorIndices=*/true);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  // Intrinsics where the processor has an instruction, libm for the rest.
  populateMathToLLVMConversionPatterns(converter, patterns,
                                       /*approximateLog1p=*/false,
                                       /*benefit=*/2);
  populateFuncToLLVMConversionPatterns(converter, patterns, symbols);
}

namespace {
struct LowerToLLVM : cambium::impl::LowerToLLVMBase<LowerToLLVM> {
  using LowerToLLVMBase::LowerToLLVMBase;

  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    if (failed(lowerBodies(converter)) || failed(lowerRest(converter)))
      signalPassFailure();
  }

private:
  /// By threads: nearly everything. Functions keep their types and what they
  /// return.
  LogicalResult lowerBodies(const LLVMTypeConverter &converter) {
    LLVMConversionTarget target(getContext());
    target
        .addLegalOp<UnrealizedConversionCastOp, func::FuncOp, func::ReturnOp>();
    RewritePatternSet patterns(&getContext());
    addLocalPatterns(converter, /*symbols=*/nullptr, patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    return failableParallelForEach(
        &getContext(), getOperation().getOps<func::FuncOp>(),
        [&](func::FuncOp function) {
          return applyPartialConversion(function, target, frozen);
        });
  }

  /// Functions, globals, and what declares functions of libraries.
  LogicalResult lowerRest(const LLVMTypeConverter &converter) {
    LLVMConversionTarget target(getContext());
    target.addLegalOp<UnrealizedConversionCastOp, ModuleOp>();
    RewritePatternSet patterns(&getContext());
    SymbolTableCollection symbols;
    addLocalPatterns(converter, &symbols, patterns);
    cf::populateAssertToLLVMConversionPattern(converter, patterns);
    populateMathToLibmConversionPatterns(patterns);
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};
} // namespace
