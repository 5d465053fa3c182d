//===-- lib/Buffers/VerifyBuffers.cpp - The contract of the buffers phase -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Buffers/Passes.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_VERIFYBUFFERS
#include "cambium/Buffers/Passes.h.inc"
} // namespace cambium

using namespace cambium;

static bool isAllowed(Operation *op) {
  return isa<ModuleOp, nn::ParamOp>(op) ||
         isa<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
             linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
             rt::RTDialect, scf::SCFDialect, vector::VectorDialect>(
             op->getDialect());
}

static bool isTensor(Type type) { return isa<TensorType>(type); }

static LogicalResult verify(Operation *op) {
  if (!isAllowed(op))
    return op->emitOpError("expected an op of the buffers phase");
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (isTensor(type))
        return op->emitOpError()
               << "expected no tensors in the buffers phase, but got " << type;
  if (auto func = dyn_cast<func::FuncOp>(op); func && func.getNumResults())
    return op->emitOpError()
           << "expected no results in the buffers phase, but got "
           << func.getResultTypes();
  if (!isa<memref::AllocOp, memref::AllocaOp, rt::AllocOp>(op))
    return success();
  // What an iteration of an independent loop allocates is its own.
  if (isa<memref::AllocaOp>(op) && isa<rt::ForEachOp>(op->getParentOp()))
    return success();
  if (auto loop = op->getParentOfType<LoopLikeOpInterface>()) {
    InFlightDiagnostic diag =
        op->emitOpError("expected allocations outside of loops");
    diag.attachNote(loop.getLoc()) << "it is inside this loop";
    return diag;
  }
  return success();
}

namespace {
struct VerifyBuffers : cambium::impl::VerifyBuffersBase<VerifyBuffers> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      return failed(verify(op)) ? WalkResult::interrupt()
                                : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
