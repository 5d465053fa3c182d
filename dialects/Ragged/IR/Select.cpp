//===-- dialects/Ragged/IR/Select.cpp - Shapes of rows by number -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium::ragged;

namespace {
using Types = SmallVectorImpl<Type>;
using Loc = std::optional<Location>;
using Shape = SmallVector<int64_t>;

RankedTensorType tensorTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

bool holdsRows(Value value) {
  return tensorTypeOf(value).getRank() > 0 &&
         tensorTypeOf(value).isDynamicDim(0);
}

/// The error that names what an op expected.
LogicalResult expected(Loc loc, StringRef op, StringRef what, ValueRange got) {
  // [RAGGED-TOP-C1] and those that follow
  return emitOptionalError(loc, "'ragged.", op, "' op expected ", what,
                           ", but got ", got.getTypes());
}
} // namespace

#define INFER(OP)                                                              \
  LogicalResult OP::inferReturnTypes(MLIRContext *context, Loc loc,            \
                                     Adaptor op, Types &types)

INFER(TopOp) {
  RankedTensorType type = tensorTypeOf(op.getInput());
  int64_t count = op.getCount();
  if (!holdsRows(op.getInput()) || type.getRank() != 2 || count < 1)
    // [RAGGED-TOP-C1]
    return expected(loc, "top", "rows of columns and a positive count",
                    op.getInput());
  Shape shape{ShapedType::kDynamic, count, type.getDimSize(1)};
  types.push_back(type.clone(shape));
  types.push_back(RankedTensorType::get(shape, IntegerType::get(context, 32)));
  return success();
}

/// Whether the numbers are a list per segment, or one for each of the columns.
static bool areNumbersOf(Value numbers, int64_t columns) {
  RankedTensorType type = tensorTypeOf(numbers);
  return holdsRows(numbers) && type.getRank() >= 2 && type.getRank() <= 3 &&
         (type.getRank() == 2 || type.getDimSize(2) == columns);
}

INFER(PickOp) {
  RankedTensorType type = tensorTypeOf(op.getInput());
  if (!holdsRows(op.getInput()) || type.getRank() != 2 ||
      !areNumbersOf(op.getNumbers(), type.getDimSize(1)))
    // [RAGGED-PICK-C1]
    return expected(loc, "pick", "rows of columns and lists of numbers",
                    {op.getInput(), op.getNumbers()});
  types.push_back(type.clone(Shape{ShapedType::kDynamic,
                                   tensorTypeOf(op.getNumbers()).getDimSize(1),
                                   type.getDimSize(1)}));
  return success();
}

INFER(SpreadOp) {
  RankedTensorType type = tensorTypeOf(op.getInput());
  if (!holdsRows(op.getInput()) || type.getRank() != 3 ||
      !areNumbersOf(op.getNumbers(), type.getDimSize(2)) ||
      tensorTypeOf(op.getNumbers()).getDimSize(1) != type.getDimSize(1))
    // [RAGGED-SPREAD-C1]
    return expected(loc, "spread", "lists of rows and their numbers",
                    {op.getInput(), op.getNumbers()});
  types.push_back(type.clone(Shape{ShapedType::kDynamic, type.getDimSize(2)}));
  return success();
}

INFER(SumByOp) {
  RankedTensorType type = tensorTypeOf(op.getInput());
  int64_t size = op.getSize();
  if (!holdsRows(op.getInput()) || !holdsRows(op.getIds()) ||
      tensorTypeOf(op.getIds()).getRank() != 1 || size < 1)
    // [RAGGED-SUM_BY-C1]
    return expected(loc, "sum_by", "rows, an id per row and a positive size",
                    {op.getInput(), op.getIds()});
  Shape shape(type.getShape());
  shape.insert(shape.begin() + 1, size);
  types.push_back(type.clone(shape));
  return success();
}

INFER(LookUpOp) {
  RankedTensorType type = tensorTypeOf(op.getTable());
  if (!holdsRows(op.getTable()) || type.getRank() < 2 ||
      !holdsRows(op.getIds()) || tensorTypeOf(op.getIds()).getRank() != 1)
    // [RAGGED-LOOK_UP-C1]
    return expected(loc, "look_up", "a table per segment and an id per row",
                    {op.getTable(), op.getIds()});
  Shape shape(type.getShape());
  shape.erase(shape.begin() + 1);
  types.push_back(type.clone(shape));
  return success();
}

INFER(AroundOp) {
  RankedTensorType type = tensorTypeOf(op.getInput());
  auto before = static_cast<int64_t>(op.getBefore()),
       after = static_cast<int64_t>(op.getAfter());
  if (!holdsRows(op.getInput()) || before < 0 || after < 0)
    // [RAGGED-AROUND-C1]
    return expected(loc, "around", "rows, and numbers of them from 0 on",
                    op.getInput());
  Shape shape(type.getShape());
  shape.insert(shape.begin() + 1, before + 1 + after);
  types.push_back(type.clone(shape));
  return success();
}

INFER(SumAroundOp) {
  RankedTensorType type = tensorTypeOf(op.getInput());
  auto before = static_cast<int64_t>(op.getBefore());
  if (!holdsRows(op.getInput()) || type.getRank() < 2 || before < 0 ||
      before >= type.getDimSize(1))
    // [RAGGED-SUM_AROUND-C1]
    return expected(loc, "sum_around", "a window per row, and its row in it",
                    op.getInput());
  Shape shape(type.getShape());
  shape.erase(shape.begin() + 1);
  types.push_back(type.clone(shape));
  return success();
}
#undef INFER
