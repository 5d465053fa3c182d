//===-- InterpretElementwise.h - Elementwise ops on plain tensors --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_INTERPRETELEMENTWISE_H
#define CAMBIUM_INTERFACES_INTERPRETELEMENTWISE_H

#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"

namespace cambium {

/// The meaning of an op whose first result is a function of one element of each
/// operand, floats to float: `Function(x0, ..., xn-1)`.
template <typename Op, auto Function, unsigned... Is>
struct ElementwiseModel : InterpretableOpInterface::ExternalModel<
                              ElementwiseModel<Op, Function, Is...>, Op> {
  llvm::LogicalResult interpret(mlir::Operation *op,
                                Interpreter &interpreter) const {
    const Tensor &first = interpreter.getTensor(op->getOperand(0));
    if (((Is > 0 &&
          failed(Interpreter::expectSameShape(
              op, first, interpreter.getTensor(op->getOperand(Is))))) ||
         ...))
      return llvm::failure();
    Tensor result = Tensor::floats(first.getShape());
    for (int64_t e = 0, n = first.getNumElements(); e < n; ++e)
      result.f(e) = Function(interpreter.getTensor(op->getOperand(Is)).f(e)...);
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

/// The same for integers.
template <typename Op, auto Function, unsigned... Is>
struct IntegerModel
    : InterpretableOpInterface::ExternalModel<IntegerModel<Op, Function, Is...>,
                                              Op> {
  llvm::LogicalResult interpret(mlir::Operation *op,
                                Interpreter &interpreter) const {
    const Tensor &first = interpreter.getTensor(op->getOperand(0));
    if (((Is > 0 &&
          failed(Interpreter::expectSameShape(
              op, first, interpreter.getTensor(op->getOperand(Is))))) ||
         ...))
      return llvm::failure();
    Tensor result = Tensor::ints(first.getShape());
    for (int64_t e = 0, n = first.getNumElements(); e < n; ++e)
      result.i(e) = Function(interpreter.getTensor(op->getOperand(Is)).i(e)...);
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

template <typename Op, auto Function>
using UnaryModel = ElementwiseModel<Op, Function, 0>;
template <typename Op, auto Function>
using BinaryModel = ElementwiseModel<Op, Function, 0, 1>;
template <typename Op, auto Function>
using TernaryModel = ElementwiseModel<Op, Function, 0, 1, 2>;
template <typename Op, auto Function>
using IntegerBinaryModel = IntegerModel<Op, Function, 0, 1>;

/// Attaches models to the ops of a dialect that are theirs:
/// `attach<Model<Op>>`.
template <typename Op, template <typename, auto> typename Model, auto Function>
void attachModel(mlir::MLIRContext *context) {
  Op::template attachInterface<Model<Op, Function>>(*context);
}

} // namespace cambium

#endif // CAMBIUM_INTERFACES_INTERPRETELEMENTWISE_H
