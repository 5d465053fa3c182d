//===-- ToLinalg.cpp - Lowering of train operations ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Train/ToLinalg/ToLinalg.h"
#include "cambium/Interfaces/LowerToLinalgOpInterface.h"
#include "dialects/NN/IR/Expression.h"
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
/// An update rule of OptimizerRules.def.
struct OptimizerRule {
  unsigned slots;
  StringRef assignments;
};

OptimizerRule ruleOf(OptimizerAttr optimizer) {
  // Without momentum there is nothing to remember.
  if (optimizer.getKind() == OptimizerKind::SGD &&
      optimizer.getMomentum().isZero())
    return {0, "g = g + decay * w; w = w - lr * g"};
  switch (optimizer.getKind()) {
#define OPTIMIZER(KIND, SLOTS, ASSIGNMENTS)                                    \
  case OptimizerKind::KIND:                                                    \
    return {SLOTS, ASSIGNMENTS};
#include "OptimizerRules.def"
  }
  llvm_unreachable("unknown optimizer");
}

MemRefType memoryOf(nn::ParamOp param) {
  auto type = cast<RankedTensorType>(param.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

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

/// One update: the scalars, then a loop over all elements.
class UpdateLowering {
public:
  UpdateLowering(UpdateOp op, nn::ParamOp param, RewriterBase &rewriter)
      : op(op), b(op.getLoc(), rewriter), param(param),
        rule(ruleOf(op.getOptimizer())),
        element(memoryOf(param).getElementType()) {
    b.setInsertionPoint(op);
  }

  LogicalResult run() {
    bindScalars();
    SmallVector<Value> memories{
        rt::ParamOp::create(b, memoryOf(param), op.getParam()),
        rt::GradientOp::create(b, memoryOf(param), op.getParam())};
    for (unsigned slot = 0; slot < rule.slots; ++slot)
      memories.push_back(
          rt::StateOp::create(b, memoryOf(param), op.getParam(), slot));
    SmallVector<StringRef> texts;
    rule.assignments.split(texts, '|');
    LogicalResult result = success();
    forTensors(texts, memories, [&](ArrayRef<Value> tensor) {
      for (auto [i, text] : llvm::enumerate(texts)) {
        bindNorms(text, tensor);
        Pass pass{text, i == 0, i + 1 == texts.size()};
        forParts(tensor, [&](ArrayRef<Value> part) {
          if (failed(update(pass, part)))
            result = failure();
        });
      }
    });
    if (param.getRowSparse())
      rt::ClearTouchedOp::create(b, op.getParam());
    return result;
  }

private:
  static bool isNorm(StringRef name) {
    return name == "norm_w" || name == "norm_g";
  }

  /// Calls `body` with the memories; with each of their slices, if the rule
  /// reads the norms of a tensor.
  void forTensors(ArrayRef<StringRef> texts, ArrayRef<Value> memories,
                  function_ref<void(ArrayRef<Value>)> body) {
    if (llvm::none_of(texts, [](StringRef text) {
          return llvm::any_of(namesIn(text), isNorm);
        }))
      return body(memories);
    sum = memoryOfSum(b);
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> place;
    for (int64_t i = 0, e = param.getSlices(); i < e; ++i) {
      int64_t size = memoryOf(param).getDimSize(i);
      auto loop =
          scf::ForOp::create(b, index(b, 0), index(b, size), index(b, 1));
      b.setInsertionPointToStart(loop.getBody());
      place.push_back(loop.getInductionVar());
    }
    if (place.empty())
      return body(memories);
    SmallVector<Value> slices;
    for (Value memory : memories)
      slices.push_back(sliceOf(b, memory, place));
    body(slices);
  }

  /// Assignments that are made in one loop over all elements.
  struct Pass {
    StringRef assignments;
    bool isFirst, isLast;
  };

  /// Calls `body` with the memories, or with each of their touched rows.
  void forParts(ArrayRef<Value> memories,
                function_ref<void(ArrayRef<Value>)> body) {
    if (!param.getRowSparse())
      return body(memories);
    forTouchedRows(b, op.getParam(), [&](Value row) {
      SmallVector<Value> rows;
      for (Value memory : memories)
        rows.push_back(sliceOf(b, memory, row));
      body(rows);
    });
  }

  /// The norms that a pass reads, of what the passes before have left.
  void bindNorms(StringRef text, ArrayRef<Value> memories) {
    for (StringRef name : namesIn(text))
      if (isNorm(name))
        scalars[name] = normOf(memories, name == "norm_w" ? 0 : 1);
  }

  Value normOf(ArrayRef<Value> memories, unsigned which) {
    setZero(b, sum);
    forParts(memories,
             [&](ArrayRef<Value> part) { addSquares(b, part[which], sum); });
    Value squares = memref::LoadOp::create(b, sum, ValueRange());
    return asElement(math::SqrtOp::create(b, squares));
  }

  /// An f64 value in the type of the parameter.
  Value asElement(Value value) {
    if (element.isF64())
      return value;
    return arith::TruncFOp::create(b, element, value);
  }

  Value constant(const APFloat &value) {
    return arith::ConstantOp::create(
        b, b.getFloatAttr(element, value.convertToDouble()));
  }

  void bindScalars() {
    OptimizerAttr optimizer = op.getOptimizer();
    scalars["lr"] =
        asElement(rt::ScalarOp::create(b, b.getF64Type(), op.getRate()));
    scale = asElement(op.getScale());
    scalars["momentum"] = constant(optimizer.getMomentum());
    scalars["beta1"] = constant(optimizer.getBeta1());
    scalars["beta2"] = constant(optimizer.getBeta2());
    scalars["eps"] = constant(optimizer.getEps());
    scalars["decay"] =
        constant(op.getDecay() ? optimizer.getWeightDecay() : APFloat(0.0));
    scalars["decays"] = constant(APFloat(op.getDecay() ? 1.0 : 0.0));
    if (rule.slots < 2)
      return;
    Value before = rt::StepOp::create(b, b.getI64Type());
    Value one = arith::ConstantOp::create(b, b.getI64IntegerAttr(1));
    Value step = arith::AddIOp::create(b, before, one);
    Value unit = arith::ConstantOp::create(b, b.getF64FloatAttr(1.0));
    auto correction = [&](const APFloat &beta) -> Value {
      if (!optimizer.getBiasCorrection())
        return constant(APFloat(1.0));
      Value power = powerOf(b, beta.convertToDouble(), step);
      return asElement(arith::SubFOp::create(b, unit, power));
    };
    scalars["c1"] = correction(optimizer.getBeta1());
    scalars["c2"] = correction(optimizer.getBeta2());
  }

  /// value, gradient, state... of the same shape, all read and written in one
  /// loop; the gradient becomes zero in the last pass.
  LogicalResult update(const Pass &pass, ArrayRef<Value> memories) {
    unsigned rank = cast<MemRefType>(memories[0].getType()).getRank();
    SmallVector<AffineMap> maps(memories.size(),
                                b.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    LogicalResult result = success();
    linalg::GenericOp::create(
        b, ValueRange(), memories, maps, iterators,
        [&](OpBuilder &inner, Location loc, ValueRange args) {
          result = buildElement(pass, inner, loc, args);
        });
    return result;
  }

  LogicalResult buildElement(const Pass &pass, OpBuilder &inner, Location loc,
                             ValueRange args) {
    llvm::StringMap<Value> names = scalars;
    names["w"] = args[0];
    names["g"] = args[1];
    if (pass.isFirst)
      names["g"] = arith::MulFOp::create(inner, loc, args[1], scale);
    for (unsigned slot = 0; slot < rule.slots; ++slot)
      names["s" + std::to_string(slot)] = args[2 + slot];
    SmallVector<StringRef> assignments;
    pass.assignments.split(assignments, ';');
    for (StringRef assignment : assignments) {
      auto [target, text] = assignment.split('=');
      FailureOr<Value> value =
          buildExpression(inner, loc, text, names, args[0]);
      if (failed(value))
        return failure();
      names[target.trim()] = *value;
    }
    if (pass.isLast)
      names["g"] = arith::ConstantOp::create(inner, loc,
                                             inner.getFloatAttr(element, 0.0));
    SmallVector<Value> results{names["w"], names["g"]};
    for (unsigned slot = 0; slot < rule.slots; ++slot)
      results.push_back(names["s" + std::to_string(slot)]);
    linalg::YieldOp::create(inner, loc, results);
    return success();
  }

  UpdateOp op;
  ImplicitLocOpBuilder b;
  nn::ParamOp param;
  OptimizerRule rule;
  Type element;
  llvm::StringMap<Value> scalars;
  Value scale;
  /// Where squares are added, if the rule reads norms.
  Value sum;
};

struct UpdateModel
    : LowerToLinalgOpInterface::ExternalModel<UpdateModel, UpdateOp> {
  FailureOr<SmallVector<Value>>
  lowerToLinalg(Operation *operation, RewriterBase &rewriter,
                SymbolTableCollection &symbols) const {
    auto op = cast<UpdateOp>(operation);
    auto param =
        symbols.lookupNearestSymbolFrom<nn::ParamOp>(op, op.getParamAttr());
    if (failed(UpdateLowering(op, param, rewriter).run()))
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
