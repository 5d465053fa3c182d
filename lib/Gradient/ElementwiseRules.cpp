//===-- lib/Gradient/ElementwiseRules.cpp - Derivatives that are data ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Gradient/ElementwiseRules.h"
#include "cambium/Interfaces/DifferentiableOpInterface.h"
#include "cambium/Interfaces/VJPBuilder.h"
#include "dialects/NN/IR/Expression.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cambium;

/// Adds the cotangents of an elementwise op by its rule.
static LogicalResult buildRule(Operation *op, ArrayRef<StringRef> cotangents,
                               VJPBuilder &b) {
  Value dy = b.cotangent(op->getResult(0));
  for (auto [i, text] : llvm::enumerate(cotangents)) {
    Value operand = op->getOperand(i);
    if (text.empty() || !b.wants(operand))
      continue;
    llvm::StringMap<Value> names;
    for (StringRef name : namesIn(text)) {
      unsigned index = 0;
      if (name == "dy")
        names[name] = dy;
      else if (name == "y")
        names[name] = b.value(op->getResult(0));
      else if (name.starts_with("x") &&
               !name.drop_front().getAsInteger(10, index) &&
               index < op->getNumOperands())
        names[name] = b.value(op->getOperand(index));
    }
    FailureOr<Value> value =
        buildExpression(b.getBuilder(), op->getLoc(), text, names, dy);
    if (failed(value))
      return failure();
    b.add(operand, *value);
  }
  return success();
}

namespace {
/// The strings of the rule of each op.
template <typename Op> struct RuleOf;
#define RULE(OP, ...)                                                          \
  template <> struct RuleOf<OP> {                                              \
    static ArrayRef<StringRef> get() {                                         \
      static const StringRef cotangents[] = {__VA_ARGS__};                     \
      return cotangents;                                                       \
    }                                                                          \
  };
#include "ElementwiseRules.def"

template <typename Op>
struct Model : DifferentiableOpInterface::ExternalModel<Model<Op>, Op> {
  LogicalResult buildVJP(Operation *op, VJPBuilder &builder) const {
    return buildRule(op, RuleOf<Op>::get(), builder);
  }
};

/// A cast between static and dynamic numbers of rows.
struct CastModel
    : DifferentiableOpInterface::ExternalModel<CastModel, tensor::CastOp> {
  LogicalResult buildVJP(Operation *operation, VJPBuilder &b) const {
    auto op = cast<tensor::CastOp>(operation);
    if (b.wants(op.getSource()))
      b.add(op.getSource(),
            b.create<tensor::CastOp>(op.getLoc(), op.getSource().getType(),
                                     b.cotangent(op.getResult())));
    return success();
  }
};
} // namespace

ArrayRef<ElementwiseRule> cambium::getElementwiseRules() {
  static const ElementwiseRule rules[] = {
#define RULE(OP, ...) {OP::getOperationName(), RuleOf<OP>::get()},
#include "ElementwiseRules.def"
  };
  return rules;
}

void cambium::registerElementwiseDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *,
                            math::MathDialect *, nn::NNDialect *,
                            tensor::TensorDialect *) {
#define RULE(OP, ...) OP::attachInterface<Model<OP>>(*context);
#include "ElementwiseRules.def"
    tensor::CastOp::attachInterface<CastModel>(*context);
  });
}
