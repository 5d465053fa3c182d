//===-- lib/Linalg/VerifyLinalg.cpp - The contract of the linalg phase ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Linalg/Passes.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_VERIFYLINALG
#include "cambium/Linalg/Passes.h.inc"
} // namespace cambium

using namespace cambium;

static bool isAllowed(Operation *op) {
  return isa<ModuleOp, nn::ParamOp>(op) ||
         isa<affine::AffineDialect, arith::ArithDialect,
             bufferization::BufferizationDialect, func::FuncDialect,
             linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
             rt::RTDialect, scf::SCFDialect, tensor::TensorDialect>(
             op->getDialect());
}

namespace {
struct VerifyLinalg : cambium::impl::VerifyLinalgBase<VerifyLinalg> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (isAllowed(op))
        return WalkResult::advance();
      op->emitOpError("expected an op of the linalg phase");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
