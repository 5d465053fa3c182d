//===-- dialects/NN/ToLinalg/Tables.cpp - Tables and ids on linalg ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/ToLinalg/Models.h"
#include "dialects/RT/IR/ForEach.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

/// A parameter is only read, so that no copy of it is ever made.
static Lowered lowerUse(UseOp op, LinalgBuilder &b) {
  auto type = cast<RankedTensorType>(op.getType());
  auto memref = MemRefType::get(type.getShape(), type.getElementType());
  Value param = b.make<rt::ParamOp>(memref, op.getParamAttr());
  return lowered(
      b.make<bufferization::ToTensorOp>(type, param, /*restrict=*/true));
}

/// Whether the id is `padding`; null without padding.
static Value isPadding(LinalgBuilder &b, Value id,
                       std::optional<int64_t> padding) {
  if (!padding)
    return {};
  return b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, id, b.index(*padding));
}

/// Rows of one element: what an elementwise op reads need not be stored first.
static Value embedElements(EmbedOp op, LinalgBuilder &b, Value ids,
                           RankedTensorType type) {
  auto read = [&](LinalgBuilder &b, ValueRange args) -> Value {
    Value id = b.toIndex(args[0]);
    Value x =
        b.make<tensor::ExtractOp>(op.getTable(), ValueRange{id, b.index(0)});
    Value padding = isPadding(b, id, op.getPaddingId());
    if (!padding)
      return x;
    return b.make<arith::SelectOp>(padding, b.number(x.getType(), 0), x);
  };
  Value dest = b.emptyLike(type.clone(type.getShape().take_front()), ids);
  Value elements = b.elementwise(dest, ids, read);
  return reshape(b, elements, type,
                 type.hasStaticShape() ? Value() : b.rows(ids));
}

static Value embedRows(EmbedOp op, LinalgBuilder &b, Value ids,
                       RankedTensorType type) {
  auto readRow = [&](Value i, Value dest) {
    Value id = b.indexAt(ids, i);
    auto read = [&] { return b.copy(b.row(op.getTable(), id), dest); };
    Value padding = isPadding(b, id, op.getPaddingId());
    if (!padding)
      return read();
    return b.choose(
        padding, dest.getType(), [&] { return b.fill(dest, 0); }, read);
  };
  return rt::forEachRow(b, b.rows(ids), b.emptyLike(type, ids), readRow);
}

static Lowered lowerEmbed(EmbedOp op, LinalgBuilder &b) {
  Value ids =
      collapseLeading(b, op.getIds(), tensorType(op.getIds()).getRank());
  RankedTensorType table = tensorType(op.getTable());
  auto type = table.clone({tensorType(ids).getDimSize(0), table.getDimSize(1)});
  auto form = table.getDimSize(1) == 1 ? embedElements : embedRows;
  Value y = form(op, b, ids, type);
  Value rows = op.getType().hasStaticShape() ? Value() : b.rows(op.getIds());
  int64_t leading = tensorType(op.getIds()).getRank();
  return lowered(expandLeading(b, y, leading, op.getType(), rows));
}

static Value addElements(LinalgBuilder &b, ValueRange args) {
  return b.add(args[0], args[1]);
}

static Lowered lowerEmbedGrad(EmbedGradOp op, LinalgBuilder &b) {
  int64_t leading = tensorType(op.getIds()).getRank();
  Value ids = collapseLeading(b, op.getIds(), leading);
  Value rows = collapseLeading(b, op.getRows(), leading);
  Value table = b.zeros(op.getType(), {});
  return lowered(
      b.loop(b.index(0), b.rows(ids), table, [&](Value i, Value all) {
        Value id = b.indexAt(ids, i);
        auto add = [&] {
          return b.setRow(b.update(b.row(all, id), b.row(rows, i), addElements),
                          all, id);
        };
        Value padding = isPadding(b, id, op.getPaddingId());
        if (!padding)
          return add();
        return b.choose(padding, all.getType(), [&] { return all; }, add);
      }));
}

/// The position of the current element in dimensions [0, count).
static SmallVector<Value> position(LinalgBuilder &b, int64_t count) {
  SmallVector<Value> indices;
  for (int64_t i = 0; i < count; ++i)
    indices.push_back(b.make<linalg::IndexOp>(i));
  return indices;
}

/// The rows that a value takes from another one by number.
struct TakenRows {
  Value rows, numbers;
};

/// Rows of which one element each is read need not be copied as a whole.
static std::optional<TakenRows> takenRows(PickOp op) {
  if (op.getType().getRank() != 1)
    return std::nullopt;
  Operation *source = op.getInput().getDefiningOp();
  if (auto gather = dyn_cast_or_null<ragged::GatherOp>(source);
      gather && !gather.getOrZero())
    return TakenRows{gather.getInput(), gather.getIndex()};
  if (auto embed = dyn_cast_or_null<EmbedOp>(source);
      embed && !embed.getPaddingId())
    return TakenRows{embed.getTable(), embed.getIds()};
  return std::nullopt;
}

static Lowered lowerPick(PickOp op, LinalgBuilder &b) {
  Value dest = b.emptyLike(op.getType(), op.getIds());
  if (std::optional<TakenRows> taken = takenRows(op))
    return lowered(b.elementwise(
        dest, {op.getIds(), taken->numbers},
        [&](LinalgBuilder &b, ValueRange args) -> Value {
          return b.make<tensor::ExtractOp>(
              taken->rows, ValueRange{b.toIndex(args[1]), b.toIndex(args[0])});
        }));
  auto pick = [&](LinalgBuilder &b, ValueRange args) -> Value {
    SmallVector<Value> indices = position(b, op.getType().getRank());
    indices.push_back(b.toIndex(args[0]));
    return b.make<tensor::ExtractOp>(op.getInput(), indices);
  };
  return lowered(b.elementwise(dest, op.getIds(), pick));
}

static Lowered lowerOneHot(OneHotOp op, LinalgBuilder &b) {
  int64_t last = op.getType().getRank() - 1;
  auto place = [&](LinalgBuilder &b, ValueRange args) -> Value {
    Value here = b.make<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                       b.make<linalg::IndexOp>(last),
                                       b.toIndex(args[0]));
    return b.make<arith::SelectOp>(here, args[1],
                                   b.number(args[1].getType(), 0));
  };
  AffineMap rows =
      b.dims(last + 1, llvm::to_vector(llvm::seq<int64_t>(0, last)));
  return lowered(b.map(b.emptyLike(op.getType(), op.getIds()),
                       {op.getIds(), op.getValues()}, {rows, rows}, place));
}

void nn::attachTableLowerings(MLIRContext *context) {
  attachLinalgModel<UseOp, lowerUse>(context);
  attachLinalgModel<EmbedOp, lowerEmbed>(context);
  attachLinalgModel<EmbedGradOp, lowerEmbedGrad>(context);
  attachLinalgModel<PickOp, lowerPick>(context);
  attachLinalgModel<OneHotOp, lowerOneHot>(context);
}
