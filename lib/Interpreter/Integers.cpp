//===-- lib/Interpreter/Integers.cpp - Integers of arith ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Integers.h"
#include "cambium/Interfaces/InterpretElementwise.h"
#include "cambium/Support/IntegerDivision.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;

namespace {

/// An element is divided by zero.
LogicalResult failByZero(Operation *op, const Tensor &x, int64_t element) {
  InFlightDiagnostic diag = op->emitOpError() << "divides by zero";
  if (x.getRank() > 0)
    diag << ": row " << element / (x.getNumElements() / x.getShape()[0]);
  return diag;
}

//===----------------------------------------------------------------------===//
// Integers without sign
//===----------------------------------------------------------------------===//

/// Operands are what stands in the bits of their width.
template <typename Op, auto Function>
struct UnsignedModel
    : InterpretableOpInterface::ExternalModel<UnsignedModel<Op, Function>, Op> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    const Tensor &a = interpreter.getTensor(op->getOperand(0));
    const Tensor &b = interpreter.getTensor(op->getOperand(1));
    if (failed(Interpreter::expectSameShape(op, a, b)))
      return failure();
    const unsigned width = widthOf(op->getResult(0));
    Tensor result = Tensor::ints(a.getShape());
    for (int64_t e = 0, n = a.getNumElements(); e < n; ++e) {
      uint64_t y = unsignedOf(b.i(e), width);
      if (y == 0 && isIntegerDivision(op))
        return failByZero(op, a, e);
      result.i(e) =
          static_cast<int64_t>(Function(unsignedOf(a.i(e), width), y));
    }
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

//===----------------------------------------------------------------------===//
// Integer division
//===----------------------------------------------------------------------===//

/// Quotients and remainders; division by zero is an error at the op.
template <typename Op, auto Function>
struct DivisionModel
    : InterpretableOpInterface::ExternalModel<DivisionModel<Op, Function>, Op> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    const Tensor &a = interpreter.getTensor(op->getOperand(0));
    const Tensor &b = interpreter.getTensor(op->getOperand(1));
    if (failed(Interpreter::expectSameShape(op, a, b)))
      return failure();
    Tensor result = Tensor::ints(a.getShape());
    for (int64_t e = 0, n = a.getNumElements(); e < n; ++e) {
      if (b.i(e) == 0)
        return failByZero(op, a, e);
      // The one quotient that overflows wraps.
      result.i(e) = b.i(e) == -1 ? Function(-static_cast<uint64_t>(a.i(e)), 1)
                                 : Function(a.i(e), b.i(e));
    }
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
int64_t ceilDivide(int64_t a, int64_t b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

/// Two's complement, whatever the signs.
template <auto Function> int64_t wrapping(int64_t a, int64_t b) {
  return static_cast<int64_t>(
      Function(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
}
using U = uint64_t;

void attachIntegers(MLIRContext *context) {
  attachModel<arith::AddIOp, IntegerBinaryModel,
              wrapping<[](U a, U b) { return a + b; }>>(context);
  attachModel<arith::SubIOp, IntegerBinaryModel,
              wrapping<[](U a, U b) { return a - b; }>>(context);
  attachModel<arith::MulIOp, IntegerBinaryModel,
              wrapping<[](U a, U b) { return a * b; }>>(context);
  attachModel<arith::AndIOp, IntegerBinaryModel,
              wrapping<[](U a, U b) { return a & b; }>>(context);
  attachModel<arith::OrIOp, IntegerBinaryModel,
              wrapping<[](U a, U b) { return a | b; }>>(context);
  attachModel<arith::XOrIOp, IntegerBinaryModel,
              wrapping<[](U a, U b) { return a ^ b; }>>(context);
  attachModel<arith::MaxSIOp, IntegerBinaryModel,
              [](int64_t a, int64_t b) { return std::max(a, b); }>(context);
  attachModel<arith::MinSIOp, IntegerBinaryModel,
              [](int64_t a, int64_t b) { return std::min(a, b); }>(context);
  attachModel<arith::DivSIOp, DivisionModel,
              [](int64_t a, int64_t b) { return a / b; }>(context);
  attachModel<arith::RemSIOp, DivisionModel,
              [](int64_t a, int64_t b) { return a % b; }>(context);
  attachModel<arith::FloorDivSIOp, DivisionModel, floorDivide>(context);
  attachModel<arith::CeilDivSIOp, DivisionModel, ceilDivide>(context);
}

void attachUnsigned(MLIRContext *context) {
  attachModel<arith::DivUIOp, UnsignedModel, [](U a, U b) { return a / b; }>(
      context);
  attachModel<arith::RemUIOp, UnsignedModel, [](U a, U b) { return a % b; }>(
      context);
  attachModel<arith::CeilDivUIOp, UnsignedModel,
              [](U a, U b) { return a / b + (a % b != 0); }>(context);
  attachModel<arith::MaxUIOp, UnsignedModel,
              [](U a, U b) { return std::max(a, b); }>(context);
  attachModel<arith::MinUIOp, UnsignedModel,
              [](U a, U b) { return std::min(a, b); }>(context);
}
} // namespace

void cambium::attachIntegerModels(MLIRContext *context) {
  attachIntegers(context);
  attachUnsigned(context);
}
