//===-- UpdateLowering.cpp - Lowering of updates -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/Expression.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Train/IR/Train.h"
#include "dialects/Train/ToLinalg/UpdateParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::train;

MemRefType train::memoryOf(nn::ParamOp param) {
  auto type = cast<RankedTensorType>(param.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

namespace {
/// An update rule of OptimizerRules.def.
struct OptimizerRule {
  unsigned slots;
  StringRef assignments;
  /// The state holds a number per row and a number per column.
  bool isFactored = false;
};

/// The matrices of a parameter, if it has any, are the last two dimensions.
bool hasMatrices(nn::ParamOp param) {
  int64_t rank = cast<ShapedType>(param.getType()).getRank();
  int64_t slices = param.getSlices();
  return rank - slices >= 2 && (rank == 2 || !param.getRowSparse());
}

OptimizerRule ruleOf(OptimizerAttr optimizer, nn::ParamOp param) {
  if (hasMatrices(param)) {
    switch (optimizer.getKind()) {
#define OPTIMIZER(...)
#define FACTORED(KIND, ASSIGNMENTS)                                            \
  case OptimizerKind::KIND:                                                    \
    return {2, ASSIGNMENTS, true};
#include "OptimizerRules.def"
    default:
      break;
    }
  }
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

/// One update: the scalars, then a loop over all elements.
class UpdateLowering {
public:
  UpdateLowering(UpdateOp op, nn::ParamOp param, RewriterBase &rewriter)
      : op(op), b(op.getLoc(), rewriter), param(param),
        rule(ruleOf(op.getOptimizer(), param)),
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
          rt::StateOp::create(b, stateType(slot), op.getParam(), slot));
    SmallVector<StringRef> texts;
    rule.assignments.split(texts, '|');
    LogicalResult result = success();
    forTensors(texts, memories, [&](ArrayRef<Value> tensor) {
      for (auto [i, text] : llvm::enumerate(texts)) {
        if (text.trim() == kMeans) {
          moveMeans(tensor);
          continue;
        }
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
  /// The pass that is no assignments.
  static constexpr StringLiteral kMeans = "means";

  static bool isNorm(StringRef name) {
    return name == "norm_w" || name == "norm_g";
  }

  MemRefType stateType(unsigned slot) {
    auto type = cast<RankedTensorType>(param.getType());
    return rule.isFactored ? rt::getFactoredState(type, slot) : memoryOf(param);
  }

  /// The leading dimensions that number tensors with norms of their own.
  int64_t numLeading() {
    return rule.isFactored ? memoryOf(param).getRank() - 2 : param.getSlices();
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
    for (int64_t i = 0, e = numLeading(); i < e; ++i) {
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
      for (auto [i, memory] : llvm::enumerate(memories))
        rows.push_back(rule.isFactored && i == kColumns
                           ? memory
                           : sliceOf(b, memory, row));
      body(rows);
    });
  }

  /// The number of elements of `memories[which]` that an update reads, f64.
  Value sizeOf(ArrayRef<Value> memories, unsigned which) {
    auto type = cast<MemRefType>(memories[which].getType());
    if (!param.getRowSparse())
      return number(type.getNumElements());
    Value rows = rt::NumTouchedOp::create(b, b.getIndexType(), op.getParam());
    rows = arith::IndexCastOp::create(b, b.getI64Type(), rows);
    rows = arith::SIToFPOp::create(b, b.getF64Type(), rows);
    int64_t width =
        type.getNumElements() / std::max<int64_t>(1, type.getShape()[0]);
    return arith::MulFOp::create(b, rows, number(width));
  }

  /// The pass `means`.
  void moveMeans(ArrayRef<Value> memories) {
    Value fade = scalars["fade"], eps = scalars["eps"];
    Value rest = arith::SubFOp::create(b, constant(APFloat(1.0)), fade);
    Value columns = asElement(
        number(cast<MemRefType>(memories[0].getType()).getShape().back()));
    Value rows = sizeOf(memories, kRows);
    Value none =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, rows, number(0));
    // Without rows, there are no means of columns.
    rows = arith::SelectOp::create(b, none, number(1), rows);
    multiply(b, memories[kColumns],
             arith::SelectOp::create(b, none, constant(APFloat(1.0)), fade));
    Value ofRow = arith::DivFOp::create(b, rest, columns);
    Value ofColumn = arith::DivFOp::create(b, rest, asElement(rows));
    setZero(b, sum);
    forParts(memories, [&](ArrayRef<Value> part) {
      unsigned rank = cast<MemRefType>(part[1].getType()).getRank();
      multiply(b, part[kRows], fade);
      addSquaresTo(b, part[1], part[kRows], mapOfSlot(b, rank, 0), ofRow, eps);
      addSquaresTo(b, part[1], part[kColumns], mapOfSlot(b, rank, 1), ofColumn,
                   eps);
      addSum(b, part[kRows], sum);
    });
    Value total = memref::LoadOp::create(b, sum, ValueRange());
    Value mean = asElement(arith::DivFOp::create(b, total, rows));
    scalars["mean_s0"] = arith::MaximumFOp::create(b, mean, scalars["tiny"]);
  }

  /// The norms that a pass reads, of what the passes before have left.
  void bindNorms(StringRef text, ArrayRef<Value> memories) {
    for (StringRef name : namesIn(text))
      if (isNorm(name))
        scalars[name] = normOf(memories, name == "norm_w" ? 0 : 1);
      else if (name == "root")
        scalars[name] = asElement(math::SqrtOp::create(b, sizeOf(memories, 0)));
  }

  /// In f64.
  Value number(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
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
    if (optimizer.getKind() == OptimizerKind::Adafactor)
      return bindAdafactor(optimizer);
    if (rule.slots < 2)
      return;
    Value step = numberOfStep();
    auto correction = [&](const APFloat &beta) -> Value {
      if (!optimizer.getBiasCorrection())
        return constant(APFloat(1.0));
      Value power = powerOf(b, beta.convertToDouble(), step);
      return asElement(arith::SubFOp::create(b, number(1), power));
    };
    scalars["c1"] = correction(optimizer.getBeta1());
    scalars["c2"] = correction(optimizer.getBeta2());
  }

  /// That of this update, from 1.
  Value numberOfStep() {
    Value before = rt::StepOp::create(b, b.getI64Type());
    Value one = arith::ConstantOp::create(b, b.getI64IntegerAttr(1));
    return arith::AddIOp::create(b, before, one);
  }

  void bindAdafactor(OptimizerAttr optimizer) {
    scalars["tiny"] = constant(APFloat(1.2e-38));
    scalars["clip"] = constant(optimizer.getClip());
    scalars["least_scale"] = constant(optimizer.getLeastScale());
    scalars["scales"] =
        constant(APFloat(optimizer.getScaleParameter() ? 1.0 : 0.0));
    Value t = arith::SIToFPOp::create(b, b.getF64Type(), numberOfStep());
    // t^-decay_rate is 1 in the first update, which remembers nothing.
    Value exponent =
        arith::MulFOp::create(b, math::LogOp::create(b, t),
                              number(-optimizer.getBeta2().convertToDouble()));
    scalars["fade"] = asElement(
        arith::SubFOp::create(b, number(1), math::ExpOp::create(b, exponent)));
    Value rate = rt::ScalarOp::create(b, b.getF64Type(), op.getRate());
    if (optimizer.getRelativeStep()) {
      Value falling =
          arith::DivFOp::create(b, number(1), math::SqrtOp::create(b, t));
      rate = arith::MulFOp::create(
          b, rate, arith::MinimumFOp::create(b, number(0.01), falling));
    }
    scalars["rate"] = asElement(rate);
  }

  /// value, gradient, state... of the same shape, all read and written in one
  /// loop; the gradient becomes zero in the last pass.
  LogicalResult update(const Pass &pass, ArrayRef<Value> memories) {
    unsigned rank = cast<MemRefType>(memories[0].getType()).getRank();
    SmallVector<AffineMap> maps(memories.size(),
                                b.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    // A factored state is only read.
    size_t numRead = rule.isFactored ? rule.slots : 0;
    for (unsigned slot = 0; slot < numRead; ++slot)
      maps[slot] = mapOfSlot(b, rank, slot);
    LogicalResult result = success();
    linalg::GenericOp::create(
        b, memories.take_back(numRead), memories.drop_back(numRead), maps,
        iterators, [&](OpBuilder &inner, Location loc, ValueRange args) {
          // In the order of the memories.
          SmallVector<Value> elements(args.drop_front(numRead));
          llvm::append_range(elements, args.take_front(numRead));
          result = buildElement(pass, inner, loc, elements);
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
    for (unsigned slot = 0; slot < rule.slots && !rule.isFactored; ++slot)
      results.push_back(names["s" + std::to_string(slot)]);
    linalg::YieldOp::create(inner, loc, results);
    return success();
  }

  /// Places of a factored state among the memories.
  static constexpr unsigned kRows = 2, kColumns = 3;

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
} // namespace

LogicalResult train::lowerUpdate(UpdateOp op, nn::ParamOp param,
                                 RewriterBase &rewriter) {
  return UpdateLowering(op, param, rewriter).run();
}
