//===-- lib/Linalg/Division.cpp - Integers divided by data ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A processor traps where an integer is divided by zero, and where the quotient
// does not fit. So no element is divided by 0 or, with a sign, by -1: the first
// is an error of the call, the second a change of sign that wraps.
//
#include "Division.h"
#include "cambium/Support/IntegerDivision.h"
#include "cambium/Support/LinalgBuilder.h"
#include "cambium/Support/NameWithPlace.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/RT/IR/Status.h"
#include "dialects/Ragged/IR/CopiedOperand.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cambium;

static constexpr auto kOutOfRange =
    static_cast<int32_t>(rt::Status::OutOfRange);
/// Behind the last row: they are numbered by i32.
static constexpr int64_t kNoRow = INT32_MAX;

/// What the elements of a value are copies of.
static Value sourceOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    Value copied = nn::copiedOperand(op);
    if (!copied)
      copied = ragged::copiedOperand(op);
    if (!copied)
      break;
    value = copied;
  }
  return value;
}

bool cambium::mayTrap(Operation *op) {
  DenseIntElementsAttr divisors;
  if (!matchPattern(sourceOf(op->getOperand(1)), m_Constant(&divisors)))
    return true;
  return llvm::any_of(divisors.getValues<APInt>(), [&](const APInt &divisor) {
    return divisor.isZero() || (isSignedDivision(op) && divisor.isAllOnes());
  });
}

Value cambium::divideSafely(Operation *op, LinalgBuilder &b, ValueRange args) {
  Value divisor = args[1], one = b.number(divisor.getType(), 1);
  auto isEqual = [&](int64_t number) -> Value {
    return b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, divisor,
                                 b.number(divisor.getType(), number));
  };
  Value isMinusOne = isSignedDivision(op) ? isEqual(-1) : Value();
  Value isBad = isEqual(0);
  if (isMinusOne)
    isBad = b.make<arith::OrIOp>(isBad, isMinusOne);
  Value safe = b.make<arith::SelectOp>(isBad, one, divisor);
  OperationState state(op->getLoc(), op->getName(), {args[0], safe},
                       divisor.getType(), op->getAttrs());
  Value result = b.getBuilder().create(state)->getResult(0);
  // Nothing is left of a division by 1 either.
  if (!isMinusOne || isa<arith::RemSIOp>(op))
    return result;
  Value negative = b.sub(b.number(divisor.getType(), 0), args[0]);
  return b.make<arith::SelectOp>(isMinusOne, negative, result);
}

/// 0 for each row in which an element is 0, or for the one number.
static Value findZeros(Value x, LinalgBuilder &b) {
  while (tensorType(x).getRank() > 1) {
    RankedTensorType type = tensorType(x);
    int64_t last = type.getRank() - 1;
    auto reduced = RankedTensorType::get(type.getShape().drop_back(),
                                         type.getElementType());
    Value ones = b.fill(b.emptyLike(reduced, x), 1);
    x = b.reduce(ones, x, last, [](LinalgBuilder &b, ValueRange args) -> Value {
      Value zero = b.number(args[0].getType(), 0);
      Value isZero =
          b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, args[0], zero);
      return b.make<arith::SelectOp>(isZero, zero, args[1]);
    });
  }
  return x;
}

/// The number of the first row that is 0, or kNoRow.
static Value findFirst(Value rows, LinalgBuilder &b) {
  auto type = RankedTensorType::get({}, b.getBuilder().getI64Type());
  Value none = b.fill(b.empty(type, Value()), kNoRow);
  Value first =
      b.reduce(none, rows, 0, [](LinalgBuilder &b, ValueRange args) -> Value {
        Value row = b.make<arith::IndexCastOp>(args[1].getType(),
                                               b.make<linalg::IndexOp>(0));
        Value lower = b.make<arith::MinSIOp>(row, args[1]);
        Value isZero = b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, args[0],
                                             b.number(args[0].getType(), 0));
        return b.make<arith::SelectOp>(isZero, lower, args[1]);
      });
  return b.make<tensor::ExtractOp>(first, ValueRange());
}

void cambium::failIfDividesByZero(Operation *op, LinalgBuilder &b) {
  Value rows = findZeros(op->getOperand(1), b);
  std::string message = nameWithPlace(op) + " divides by zero";
  // Rows are counted from where it begins, not in the batch.
  if (!isa<func::FuncOp>(op->getParentOp()))
    message += " in a level or an iteration";
  if (tensorType(rows).getRank() == 0) {
    Value number = b.make<tensor::ExtractOp>(rows, ValueRange());
    Value isZero = b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, number,
                                         b.number(number.getType(), 0));
    b.make<rt::FailIfOp>(isZero, Value(), kOutOfRange, message);
    return;
  }
  Value first = findFirst(rows, b);
  Value isFound = b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, first,
                                        b.number(first.getType(), kNoRow));
  b.make<rt::FailIfOp>(isFound, b.toIndex(first), kOutOfRange, message);
}
