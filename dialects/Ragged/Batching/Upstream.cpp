//===-- Upstream.cpp - How upstream operations are batched ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every op that works element by element is batched by one model: the trait
// says all that there is to know.
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Batching/Upstream.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/Batching/Models.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;

/// What the op is where it is the same number whatever its operands hold, as
/// the comparison of a value with itself; null if it is not. Upstream would
/// fold it to a constant of nobody knows how many rows.
static Value foldToConstant(Operation *op, Batcher &batcher) {
  SmallVector<OpFoldResult> folded;
  if (failed(op->fold(folded)) || folded.size() != 1)
    return {};
  auto splat = dyn_cast_if_present<SplatElementsAttr>(
      dyn_cast<Attribute>(folded.front()));
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!splat || !type || type.hasStaticShape())
    return {};
  Value like;
  for (Value operand : op->getOperands())
    if (auto rows = dyn_cast<RankedTensorType>(operand.getType());
        rows && rows.getShape() == type.getShape())
      like = operand;
  if (!like)
    return {};
  OpBuilder &builder = batcher.getBuilder();
  auto number = splat.getSplatValue<TypedAttr>();
  // Flags are made of numbers, of which there are arrays.
  bool isFlag = number.getType().isInteger(1);
  if (isFlag)
    number = builder.getI32IntegerAttr(cast<BoolAttr>(number).getValue());
  Value scalar = arith::ConstantOp::create(
      builder, op->getLoc(),
      DenseElementsAttr::get(RankedTensorType::get({}, number.getType()),
                             number));
  Value rows = nn::BroadcastOp::create(builder, op->getLoc(),
                                       type.clone(number.getType()), scalar,
                                       like, ArrayRef<int64_t>{});
  if (!isFlag)
    return rows;
  return arith::TruncIOp::create(builder, op->getLoc(), type, rows);
}

namespace {
using BatchableTraits = cambium::detail::BatchableOpInterfaceInterfaceTraits;

/// The model of all ops with the trait `Elementwise`.
struct ElementwiseBatching
    : BatchableTraits::FallbackModel<ElementwiseBatching> {
  LogicalResult inferRowSpaces(Operation *op, RowSpaces &spaces) const {
    return joinAllRows(op, spaces);
  }
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    if (batcher.areUnit(op->getOperands())) {
      batcher.cloneUnit(op);
      return success();
    }
    // A scalar stands for every element and needs no rows.
    auto isTensor = [&](unsigned i) {
      return isa<TensorType>(op->getOperand(i).getType());
    };
    Operation *rows = batcher.cloneRowwise(op, isTensor);
    if (Value constant = foldToConstant(rows, batcher)) {
      batcher.set(op->getResult(0), constant);
      rows->erase();
    } else {
      batcher.set(op->getResults(), rows->getResults());
    }
    return success();
  }
  bool isRowwise(Operation *op) const {
    return llvm::all_of(op->getResultTypes(), hasRows);
  }
  bool drawsRandomNumbers(Operation *) const { return false; }
  bool isRowOperand(Operation *op, unsigned index) const {
    return isa<TensorType>(op->getOperand(index).getType());
  }
  bool movesDataOnly(Operation *) const { return false; }
  RowsRead getRowsRead(Operation *, unsigned) const { return RowsRead::Own; }
  bool sharesRowSpaces(Operation *) const { return false; }
  std::optional<int64_t> getIdBound(Operation *, unsigned) const {
    return std::nullopt;
  }
};

struct ConstantBatching
    : BatchableOpInterface::ExternalModel<ConstantBatching, arith::ConstantOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    batcher.cloneUnit(op);
    return success();
  }
};
} // namespace

/// Attaches the model to all elementwise ops of a dialect.
static void attachElementwise(MLIRContext *context, StringRef dialect) {
  // Not getRegisteredOperationsByDialect: its search misses dialects in
  // LLVM 22.
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getDialectNamespace() == dialect &&
        name.hasTrait<OpTrait::Elementwise>() &&
        !name.hasInterface<BatchableOpInterface>())
      name.attachInterface<ElementwiseBatching>();
}

void cambium::registerElementwiseBatching(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachElementwise(context, "arith");
    arith::ConstantOp::attachInterface<ConstantBatching>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attachElementwise(context, "math");
  });
  registry.addExtension(+[](MLIRContext *context, nn::NNDialect *) {
    attachElementwise(context, "nn");
  });
}
