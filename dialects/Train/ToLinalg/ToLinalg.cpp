//===-- ToLinalg.cpp - Lowering of train operations ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Train/ToLinalg/ToLinalg.h"
#include "cambium/Interfaces/LowerToLinalgOpInterface.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Train/IR/Train.h"
#include "dialects/Train/ToLinalg/UpdateParts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::train;

namespace {
//===----------------------------------------------------------------------===//
// train.gradient_scale
//===----------------------------------------------------------------------===//

struct GradientScaleModel
    : LowerToLinalgOpInterface::ExternalModel<GradientScaleModel,
                                              GradientScaleOp> {
  FailureOr<SmallVector<Value>>
  lowerToLinalg(Operation *operation, RewriterBase &rewriter,
                SymbolTableCollection &symbols) const {
    auto op = cast<GradientScaleOp>(operation);
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    b.setInsertionPoint(op);
    Value scale = rt::ScalarOp::create(b, b.getF64Type(), op.getScalar());
    if (!op.getClipNorm())
      return SmallVector<Value>{scale};
    Value total = memoryOfSum(b);
    setZero(b, total);
    for (auto name : op.getParams().getAsRange<FlatSymbolRefAttr>()) {
      auto param = symbols.lookupNearestSymbolFrom<nn::ParamOp>(op, name);
      Value gradient =
          rt::GradientOp::create(b, memoryOf(param), name.getValue());
      if (!param.getRowSparse()) {
        addSquares(b, gradient, total);
        continue;
      }
      forTouchedRows(b, name.getValue(), [&](Value row) {
        addSquares(b, sliceOf(b, gradient, row), total);
      });
    }
    // scale * min(1, clip / (norm * scale)), and scale where the norm is 0.
    Value sum = memref::LoadOp::create(b, total, ValueRange());
    Value norm = arith::MulFOp::create(b, math::SqrtOp::create(b, sum), scale);
    Value clip = arith::ConstantOp::create(b, op.getClipNormAttr());
    Value exceeds =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, norm, clip);
    Value clipped =
        arith::MulFOp::create(b, scale, arith::DivFOp::create(b, clip, norm));
    return SmallVector<Value>{
        arith::SelectOp::create(b, exceeds, clipped, scale)};
  }
};

//===----------------------------------------------------------------------===//
// train.update
//===----------------------------------------------------------------------===//

struct UpdateModel
    : LowerToLinalgOpInterface::ExternalModel<UpdateModel, UpdateOp> {
  FailureOr<SmallVector<Value>>
  lowerToLinalg(Operation *operation, RewriterBase &rewriter,
                SymbolTableCollection &symbols) const {
    auto op = cast<UpdateOp>(operation);
    auto param =
        symbols.lookupNearestSymbolFrom<nn::ParamOp>(op, op.getParamAttr());
    if (failed(lowerUpdate(op, param, rewriter)))
      return failure();
    return SmallVector<Value>();
  }
};
} // namespace

void cambium::train::registerToLinalgModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TrainDialect *) {
    GradientScaleOp::attachInterface<GradientScaleModel>(*context);
    UpdateOp::attachInterface<UpdateModel>(*context);
    context->loadDialect<arith::ArithDialect, linalg::LinalgDialect,
                         math::MathDialect, memref::MemRefDialect,
                         rt::RTDialect, scf::SCFDialect>();
  });
}
