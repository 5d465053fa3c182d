//===-- RowOrigins.cpp - Where the rows of a value come from --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/IR/RowOrigins.h"
#include "cambium/Interfaces/BatchableOpInterface.h"
#include "cambium/Support/Rows.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

using Origin = std::optional<RowOrigin>;

static RowOrigin rowsOf(Value partition) {
  return {partition, [](OpBuilder &builder, Location loc, Value from) -> Value {
            return NumRowsOp::create(builder, loc, from);
          }};
}
static RowOrigin segmentsOf(Value partition) {
  return {partition, [](OpBuilder &builder, Location loc, Value from) -> Value {
            return NumSegmentsOp::create(builder, loc, from);
          }};
}

/// The rows of a value.
static RowOrigin sameAs(Value value) { return {value, nullptr}; }

/// As many rows as a number says.
static RowOrigin numberOf(Value number) {
  return {number,
          [](OpBuilder &, Location, Value from) -> Value { return from; }};
}

static RowOrigin nodesOf(Value forest, Part part) {
  return {forest,
          [part](OpBuilder &builder, Location loc, Value from) -> Value {
            return NumNodesOp::create(builder, loc, from, part);
          }};
}

static RowOrigin edgesOf(Value forest, bool cuts) {
  return {forest,
          [cuts](OpBuilder &builder, Location loc, Value from) -> Value {
            Value edges = EdgesOp::create(builder, loc, from, Part::All, cuts);
            return NumRowsOp::create(builder, loc, edges);
          }};
}

/// Two rows of the other value stand in one, or one in two.
static RowOrigin cutsOf(Value edges) {
  return {edges, [](OpBuilder &builder, Location loc, Value from) -> Value {
            Value count = tensor::DimOp::create(builder, loc, from, 0);
            Value two = arith::ConstantIndexOp::create(builder, loc, 2);
            return arith::DivUIOp::create(builder, loc, count, two);
          }};
}
static RowOrigin sidesOf(Value cuts) {
  return {cuts, [](OpBuilder &builder, Location loc, Value from) -> Value {
            Value count = tensor::DimOp::create(builder, loc, from, 0);
            Value two = arith::ConstantIndexOp::create(builder, loc, 2);
            return arith::MulIOp::create(builder, loc, count, two);
          }};
}

static Origin originOf(BroadcastOp op, unsigned) {
  return numberOf(op.getCount());
}
static Origin originOf(ScatterSumOp op, unsigned) {
  return numberOf(op.getCount());
}
static Origin originOf(GatherOp op, unsigned) { return sameAs(op.getIndex()); }
/// How many ids are distinct is known from them alone.
static Origin originOf(DistinctOp op, unsigned result) {
  return result == 0 ? Origin() : sameAs(op.getIds()[result - 1]);
}
static Origin originOf(RowNumbersOp op, unsigned) {
  return sameAs(op.getIndex());
}
static Origin originOf(PutRowsOp op, unsigned) { return sameAs(op.getAll()); }
static Origin originOf(PermuteOp op, unsigned) { return sameAs(op.getInput()); }
static Origin originOf(MixKeysOp op, unsigned) { return sameAs(op.getInput()); }
static Origin originOf(AttentionOp op, unsigned) {
  return sameAs(op.getQuery());
}
static Origin originOf(AttentionGradOp op, unsigned result) {
  return sameAs(op.getInputs()[result]);
}
static Origin originOf(RepeatOp op, unsigned result) {
  return sameAs(op.getInit()[result]);
}
static Origin originOf(PairSumOp op, unsigned) {
  return rowsOf(op.getTransposed() ? op.getOthers() : op.getRows());
}
static Origin originOf(ToCutsOp op, unsigned) { return cutsOf(op.getInput()); }
static Origin originOf(FromCutsOp op, unsigned) {
  return sidesOf(op.getInput());
}
static Origin originOf(PartOp op, unsigned) {
  return nodesOf(op.getForest(), op.getPart());
}
static Origin originOf(JoinOp op, unsigned) {
  return nodesOf(op.getForest(), Part::All);
}
static Origin originOf(SumParentsOp op, unsigned) {
  return nodesOf(op.getForest(), op.getPart());
}
static Origin originOf(NumRowsOp op, unsigned) { return rowsOf(op.getRows()); }
static Origin originOf(NumSegmentsOp op, unsigned) {
  return segmentsOf(op.getRows());
}
static Origin originOf(tensor::CastOp op, unsigned) {
  return sameAs(op.getSource());
}
static Origin originOf(tensor::DimOp op, unsigned) {
  return sameAs(op.getSource());
}
/// A row stays where it is: its last states, and how many there were.
static Origin originOf(IterateOp op, unsigned number) {
  Value result = op.getResult(number);
  for (auto [state, init] : llvm::zip_equal(op.getStates(), op.getInit()))
    if (result == state)
      return sameAs(init);
  return result == op.getSteps() ? Origin(sameAs(op.getInit().front()))
                                 : std::nullopt;
}
static Origin originOf(LevelsOp op, unsigned number) {
  Value result = op.getResult(number);
  auto isIn = [&](ResultRange range) {
    return llvm::is_contained(range, result);
  };
  if (isIn(op.getSharedResults()))
    return std::nullopt;
  bool isUp = op.getDirection() == Direction::Up;
  if (isIn(op.getEdgeResults()) || (!isUp && isIn(op.getRecurrentResults())))
    return edgesOf(op.getForest(), op.getCuts());
  return nodesOf(op.getForest(),
                 isIn(op.getNodeResults()) ? op.getPart() : Part::All);
}

namespace {
template <typename OpT>
struct OriginModel : RowsOpInterface::ExternalModel<OriginModel<OpT>, OpT> {
  Origin getRowOrigin(Operation *op, unsigned result) const {
    return originOf(cast<OpT>(op), result);
  }
};
} // namespace

template <typename... OpTs> static void attach(MLIRContext *context) {
  (OpTs::template attachInterface<OriginModel<OpTs>>(*context), ...);
}

/// Of an op that makes one row for each of a partition.
static Origin originOfPartition(Operation *op, RowOrigin (*origin)(Value)) {
  for (Value operand : op->getOperands())
    if (isa<RowsType>(operand.getType()))
      return origin(operand);
  return std::nullopt;
}

/// Of an op that works row by row.
static Origin originOfRowwise(Operation *op) {
  auto rowwise = dyn_cast<BatchableOpInterface>(op);
  if (!rowwise || !rowwise.isRowwise())
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands())
    if (hasRows(operand.get().getType()) &&
        rowwise.isRowOperand(operand.getOperandNumber()))
      return sameAs(operand.get());
  return std::nullopt;
}

Origin ragged::originOfRows(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<RepeatOp>(arg.getOwner()->getParentOp());
    if (!loop || !isa<RankedTensorType>(arg.getType()))
      return std::nullopt;
    return sameAs(loop.getInit()[arg.getArgNumber() - 1]);
  }
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  if (op->hasTrait<ProducesRows>())
    return originOfPartition(op, rowsOf);
  if (op->hasTrait<ProducesSegments>())
    return originOfPartition(op, segmentsOf);
  if (auto rows = dyn_cast<RowsOpInterface>(op))
    if (Origin origin = rows.getRowOrigin(result.getResultNumber()))
      return origin;
  return originOfRowwise(op);
}

void ragged::registerRowOrigins(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, RaggedDialect *) {
    attach<BroadcastOp, ScatterSumOp, GatherOp, DistinctOp, RowNumbersOp,
           PutRowsOp, PermuteOp, MixKeysOp, AttentionOp, AttentionGradOp,
           PairSumOp, RepeatOp, IterateOp, PartOp, JoinOp, SumParentsOp,
           ToCutsOp, FromCutsOp, NumRowsOp, NumSegmentsOp, LevelsOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attach<tensor::CastOp, tensor::DimOp>(context);
  });
}
