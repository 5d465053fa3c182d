//===-- RowsSeen.cpp - Rows of the example in code of one row ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Seen rows are pairs: a segment for each row at hand, with a row for each row
// that it sees. So every op can read them. What a product alone reads it reads
// where it stands, and the array of pairs is not made.
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Batching/RowsSeen.h"
#include "cambium/Support/Remarks.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;

LogicalResult RowsSeen::add(Value value) {
  FailureOr<Value> others = batcher.getPartition(op, value);
  if (failed(others))
    return failure();
  values.push_back(value);
  Space &space = spaces[batcher.getSpaces().spaceOf(value)];
  if (space.others)
    return success();
  OpBuilder &builder = batcher.getBuilder();
  Location loc = op->getLoc();
  auto type = RankedTensorType::get({}, builder.getI32Type());
  Value zero = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, builder.getI32IntegerAttr(0)));
  Value zeros = ragged::BroadcastOp::create(
      builder, loc, rowsType(type), zero,
      ragged::NumSegmentsOp::create(builder, loc, *others));
  space = {*others,
           ragged::RowNumbersOp::create(builder, loc, zeros, *others, Value(),
                                        StringAttr(), IntegerAttr())};
  return success();
}

/// For each pair, the number of the row that is seen.
Value RowsSeen::numbersOf(const Space &space, Value rows, Value pairs) {
  OpBuilder &builder = batcher.getBuilder();
  Location loc = op->getLoc();
  Value first = ragged::ExpandOp::create(builder, loc, space.first, rows);
  first = ragged::ExpandOp::create(builder, loc, first, pairs);
  Value place = ragged::PositionsOp::create(
      builder, loc, pairs, std::numeric_limits<int32_t>::max());
  return arith::AddIOp::create(builder, loc, first, place);
}

void RowsSeen::enter(BatchContext &context, Value rows) {
  OpBuilder &builder = batcher.getBuilder();
  Location loc = op->getLoc();
  llvm::DenseMap<unsigned, Value> numbers;
  for (auto &[id, space] : spaces) {
    Value &pairs = context.partitions[id];
    pairs = ragged::PairsOp::create(builder, loc, rows, space.others);
    numbers[id] = numbersOf(space, rows, pairs);
  }
  for (Value value : values) {
    unsigned id = batcher.getSpaces().spaceOf(value);
    Value all = batcher.get(value);
    Value shown = ragged::GatherOp::create(builder, loc, all, numbers.at(id));
    context.seen[shown] = {all, context.partitions.at(id), rows,
                           spaces[id].others};
    before.push_back(batcher.rebind(value, shown));
  }
}

void RowsSeen::leave() {
  for (auto [value, all] : llvm::zip_equal(values, before)) {
    Value shown = batcher.rebind(value, all);
    if (!shown.use_empty())
      remarkMissed(op, "ragged-batch")
          << remark::reason("copies the rows that a row sees for each of them")
          << remark::metric("BytesPerPair", rowBytes(shown.getType()));
  }
  before.clear();
}
