//===-- lib/Interpreter/Arith.cpp - The meaning of arith -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "Integers.h"
#include "cambium/Interfaces/InterpretElementwise.h"
#include "cambium/Interpreter/UpstreamModels.h"
#include <cmath>

using namespace mlir;
using namespace cambium;

namespace {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The tensor of a constant's attribute; null if the interpreter cannot hold
/// it.
FailureOr<Tensor> tensorOf(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return Tensor::floats({}, number.getValueAsDouble());
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return Tensor::ints({}, number.getValue().getSExtValue());
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (!dense)
    return failure();
  ArrayRef<int64_t> shape = dense.getType().getShape();
  if (isa<FloatType>(dense.getElementType())) {
    Tensor result = Tensor::floats(shape);
    for (auto [i, x] : llvm::enumerate(dense.getValues<APFloat>())) {
      bool lost;
      APFloat copy = x;
      copy.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
      result.f(i) = copy.convertToDouble();
    }
    return result;
  }
  if (!dense.getElementType().isIntOrIndex())
    return failure();
  Tensor result = Tensor::ints(shape);
  for (auto [i, x] : llvm::enumerate(dense.getValues<APInt>()))
    result.i(i) = x.getSExtValue();
  return result;
}

struct ConstantModel
    : InterpretableOpInterface::ExternalModel<ConstantModel,
                                              arith::ConstantOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto constant = cast<arith::ConstantOp>(op);
    FailureOr<Tensor> value = tensorOf(constant.getValue());
    if (failed(value))
      return op->emitOpError()
             << "expected numbers, but got " << constant.getValue();
    return interpreter.set(constant, std::move(*value));
  }
};

//===----------------------------------------------------------------------===//
// Comparisons, selection, conversions
//===----------------------------------------------------------------------===//

bool compare(arith::CmpFPredicate predicate, double a, double b) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return !unordered && a != b;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || a == b;
  case P::UGT:
    return unordered || a > b;
  case P::UGE:
    return unordered || a >= b;
  case P::ULT:
    return unordered || a < b;
  case P::ULE:
    return unordered || a <= b;
  case P::UNE:
    return a != b;
  case P::UNO:
    return unordered;
  case P::AlwaysTrue:
    return true;
  }
  llvm_unreachable("unknown predicate");
}

struct CmpFModel
    : InterpretableOpInterface::ExternalModel<CmpFModel, arith::CmpFOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto cmp = cast<arith::CmpFOp>(op);
    const Tensor &a = interpreter.getTensor(cmp.getLhs());
    const Tensor &b = interpreter.getTensor(cmp.getRhs());
    if (failed(Interpreter::expectSameShape(op, a, b)))
      return failure();
    Tensor result = Tensor::ints(a.getShape());
    for (int64_t e = 0, n = a.getNumElements(); e < n; ++e)
      result.i(e) = compare(cmp.getPredicate(), a.f(e), b.f(e));
    return interpreter.set(cmp, std::move(result));
  }
};

struct CmpIModel
    : InterpretableOpInterface::ExternalModel<CmpIModel, arith::CmpIOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto cmp = cast<arith::CmpIOp>(op);
    const Tensor &a = interpreter.getTensor(cmp.getLhs());
    const Tensor &b = interpreter.getTensor(cmp.getRhs());
    if (failed(Interpreter::expectSameShape(op, a, b)))
      return failure();
    unsigned width = widthOf(cmp.getLhs());
    Tensor result = Tensor::ints(a.getShape());
    for (int64_t e = 0, n = a.getNumElements(); e < n; ++e)
      result.i(e) = arith::applyCmpPredicate(
          cmp.getPredicate(),
          APInt(width, a.i(e), /*isSigned=*/true, /*implicitTrunc=*/true),
          APInt(width, b.i(e), /*isSigned=*/true, /*implicitTrunc=*/true));
    return interpreter.set(cmp, std::move(result));
  }
};

struct SelectModel
    : InterpretableOpInterface::ExternalModel<SelectModel, arith::SelectOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto select = cast<arith::SelectOp>(op);
    const Tensor &condition = interpreter.getTensor(select.getCondition());
    if (condition.getRank() == 0) {
      interpreter.bind(select, interpreter.get(condition.i(0)
                                                   ? select.getTrueValue()
                                                   : select.getFalseValue()));
      return success();
    }
    const Tensor &yes = interpreter.getTensor(select.getTrueValue());
    const Tensor &no = interpreter.getTensor(select.getFalseValue());
    if (failed(Interpreter::expectSameShape(op, condition, yes)) ||
        failed(Interpreter::expectSameShape(op, yes, no)))
      return failure();
    Tensor result = no;
    for (int64_t e = 0, n = condition.getNumElements(); e < n; ++e)
      if (condition.i(e))
        result.copy(e, yes, e, 1);
    return interpreter.set(select, std::move(result));
  }
};

/// Integer to float.
template <typename Op, bool isSigned>
struct ToFloatModel
    : InterpretableOpInterface::ExternalModel<ToFloatModel<Op, isSigned>, Op> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    const Tensor &x = interpreter.getTensor(op->getOperand(0));
    unsigned width = widthOf(op->getOperand(0));
    Tensor result = Tensor::floats(x.getShape());
    for (int64_t e = 0, n = x.getNumElements(); e < n; ++e) {
      APInt bits(width, x.i(e), /*isSigned=*/true, /*implicitTrunc=*/true);
      result.f(e) = bits.roundToDouble(isSigned);
    }
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

/// Float to integer, towards zero.
struct ToIntegerModel
    : InterpretableOpInterface::ExternalModel<ToIntegerModel, arith::FPToSIOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    const Tensor &x = interpreter.getTensor(op->getOperand(0));
    unsigned width = widthOf(op->getResult(0));
    double bound = std::ldexp(1.0, width - 1);
    Tensor result = Tensor::ints(x.getShape());
    for (int64_t e = 0, n = x.getNumElements(); e < n; ++e) {
      double whole = std::trunc(x.f(e));
      if (!(whole >= -bound && whole < bound))
        return op->emitOpError() << "expected a number that fits "
                                 << getElementTypeOrSelf(op->getResult(0))
                                 << ", but got " << x.f(e);
      result.i(e) = static_cast<int64_t>(whole);
    }
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

/// Conversions within a kind: what the rounding of the result does.
template <typename Op>
struct CopyModel : InterpretableOpInterface::ExternalModel<CopyModel<Op>, Op> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    return interpreter.set(op->getResult(0),
                           interpreter.getTensor(op->getOperand(0)));
  }
};

/// Integers without sign: what stands above the width is cleared.
template <typename Op>
struct UnsignedCopyModel
    : InterpretableOpInterface::ExternalModel<UnsignedCopyModel<Op>, Op> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    Tensor result = interpreter.getTensor(op->getOperand(0));
    unsigned width = widthOf(op->getOperand(0));
    for (int64_t e = 0, n = result.getNumElements(); e < n; ++e)
      result.i(e) = static_cast<int64_t>(unsignedOf(result.i(e), width));
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

/// `arith.extsi` of an i1, which is held as 0 or 1, gives 0 or -1.
struct ExtSIModel
    : InterpretableOpInterface::ExternalModel<ExtSIModel, arith::ExtSIOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    Tensor result = interpreter.getTensor(op->getOperand(0));
    if (getElementTypeOrSelf(op->getOperand(0)).isInteger(1))
      for (int64_t e = 0, n = result.getNumElements(); e < n; ++e)
        result.i(e) = -result.i(e);
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

/// Float to integer without sign, towards zero.
struct ToUnsignedModel
    : InterpretableOpInterface::ExternalModel<ToUnsignedModel,
                                              arith::FPToUIOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    const Tensor &x = interpreter.getTensor(op->getOperand(0));
    double bound = std::ldexp(1.0, widthOf(op->getResult(0)));
    Tensor result = Tensor::ints(x.getShape());
    for (int64_t e = 0, n = x.getNumElements(); e < n; ++e) {
      double whole = std::trunc(x.f(e));
      if (!(whole >= 0 && whole < bound))
        return op->emitOpError() << "expected a number that fits "
                                 << getElementTypeOrSelf(op->getResult(0))
                                 << " without sign, but got " << x.f(e);
      result.i(e) = static_cast<int64_t>(static_cast<uint64_t>(whole));
    }
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

double maximum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? NAN : std::fmax(a, b);
}
double minimum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? NAN : std::fmin(a, b);
}
void attachFloats(MLIRContext *context) {
  attachModel<arith::AddFOp, BinaryModel,
              [](double a, double b) { return a + b; }>(context);
  attachModel<arith::SubFOp, BinaryModel,
              [](double a, double b) { return a - b; }>(context);
  attachModel<arith::MulFOp, BinaryModel,
              [](double a, double b) { return a * b; }>(context);
  attachModel<arith::DivFOp, BinaryModel,
              [](double a, double b) { return a / b; }>(context);
  attachModel<arith::RemFOp, BinaryModel,
              [](double a, double b) { return std::fmod(a, b); }>(context);
  attachModel<arith::NegFOp, UnaryModel, [](double a) { return -a; }>(context);
  attachModel<arith::MaximumFOp, BinaryModel, maximum>(context);
  attachModel<arith::MinimumFOp, BinaryModel, minimum>(context);
  attachModel<arith::MaxNumFOp, BinaryModel,
              [](double a, double b) { return std::fmax(a, b); }>(context);
  attachModel<arith::MinNumFOp, BinaryModel,
              [](double a, double b) { return std::fmin(a, b); }>(context);
}

void attachConversions(MLIRContext *context) {
  arith::SIToFPOp::attachInterface<ToFloatModel<arith::SIToFPOp, true>>(
      *context);
  arith::UIToFPOp::attachInterface<ToFloatModel<arith::UIToFPOp, false>>(
      *context);
  arith::FPToSIOp::attachInterface<ToIntegerModel>(*context);
  arith::FPToUIOp::attachInterface<ToUnsignedModel>(*context);
  arith::ExtFOp::attachInterface<CopyModel<arith::ExtFOp>>(*context);
  arith::TruncFOp::attachInterface<CopyModel<arith::TruncFOp>>(*context);
  arith::TruncIOp::attachInterface<CopyModel<arith::TruncIOp>>(*context);
  arith::IndexCastOp::attachInterface<CopyModel<arith::IndexCastOp>>(*context);
  arith::ExtUIOp::attachInterface<UnsignedCopyModel<arith::ExtUIOp>>(*context);
  arith::IndexCastUIOp::attachInterface<
      UnsignedCopyModel<arith::IndexCastUIOp>>(*context);
}
} // namespace

void cambium::registerArithInterpretModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::ConstantOp::attachInterface<ConstantModel>(*context);
    arith::CmpFOp::attachInterface<CmpFModel>(*context);
    arith::CmpIOp::attachInterface<CmpIModel>(*context);
    arith::SelectOp::attachInterface<SelectModel>(*context);
    arith::ExtSIOp::attachInterface<ExtSIModel>(*context);
    attachFloats(context);
    attachIntegerModels(context);
    attachConversions(context);
  });
}
