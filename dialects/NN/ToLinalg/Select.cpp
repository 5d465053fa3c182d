//===-- dialects/NN/ToLinalg/Select.cpp - Elements by number on linalg -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/TopElements.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/ToLinalg/Models.h"
#include "dialects/RT/IR/ForEach.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

/// The number of elements behind dimension `dim` with one index of it.
static int64_t columnsBehind(RankedTensorType type, int64_t dim) {
  return ShapedType::getNumElements(type.getShape().drop_front(dim + 1));
}

/// The tensor as [lines, length, columns] along a dimension; ids that all
/// columns share as [lines, length].
static Value asLines(LinalgBuilder &b, Value tensor, int64_t dim,
                     bool shared = false) {
  RankedTensorType type = tensorType(tensor);
  Value lines = collapseLeading(b, tensor, dim);
  SmallVector<int64_t> shape(tensorType(lines).getShape().take_front(2));
  if (!shared)
    shape.push_back(columnsBehind(type, dim));
  bool isDynamic = ShapedType::isDynamic(shape[0]);
  return reshape(b, lines, type.clone(shape),
                 isDynamic ? b.rows(lines) : Value());
}

/// The inverse; `like` has the first dimension of the type.
static Value fromLines(LinalgBuilder &b, Value lines, int64_t dim,
                       RankedTensorType type, Value like) {
  SmallVector<int64_t> shape{tensorType(lines).getDimSize(0)};
  llvm::append_range(shape, type.getShape().drop_front(dim));
  bool isDynamic = ShapedType::isDynamic(shape[0]);
  Value rows =
      reshape(b, lines, type.clone(shape), isDynamic ? b.rows(lines) : Value());
  return expandLeading(b, rows, dim, type,
                       type.hasStaticShape() ? Value() : b.rows(like));
}

/// Memory for lines of another length.
static Value emptyLines(LinalgBuilder &b, Value lines, int64_t length,
                        Type element) {
  RankedTensorType type = tensorType(lines);
  return b.emptyLike(
      RankedTensorType::get({type.getDimSize(0), length, type.getDimSize(2)},
                            element),
      lines);
}

static Lowered lowerTop(TopOp op, LinalgBuilder &b) {
  int64_t dim = op.getDim(), count = op.getCount();
  Value x = asLines(b, op.getInput(), dim);
  RankedTensorType type = tensorType(x);
  Type element = type.getElementType();
  SmallVector<Value> empty{
      emptyLines(b, x, count, element),
      emptyLines(b, x, count, b.getBuilder().getI32Type())};
  auto ofLine = [&](Value line, ValueRange arrays) {
    SmallVector<Value> rows{b.row(arrays[0], line), b.row(arrays[1], line)};
    rows = b.loops(b.index(0), b.index(type.getDimSize(2)), rows,
                   [&](Value column, ValueRange rows) {
                     return findTop(b, b.index(0), b.index(type.getDimSize(1)),
                                    count, rows, column, [&](Value i) -> Value {
                                      return b.make<tensor::ExtractOp>(
                                          x, ValueRange{line, i, column});
                                    });
                   });
    return SmallVector<Value>{b.setRow(rows[0], arrays[0], line),
                              b.setRow(rows[1], arrays[1], line)};
  };
  SmallVector<Value> lines = rt::forEach(
      b, b.rows(x), type.getDimSize(1) * type.getDimSize(2) + 1, empty, ofLine);
  return SmallVector<Value>{
      fromLines(b, lines[0], dim, op.getValues().getType(), op.getInput()),
      fromLines(b, lines[1], dim, op.getPlaces().getType(), op.getInput())};
}

/// 1 if the id is in [0, size), else 0: how often a loop is gone through.
static Value isWithin(LinalgBuilder &b, Value id, int64_t size) {
  Value within =
      b.make<arith::CmpIOp>(arith::CmpIPredicate::ult, id, b.index(size));
  return b.make<arith::IndexCastUIOp>(b.getBuilder().getIndexType(), within);
}

static Value addUp(LinalgBuilder &b, ValueRange args) {
  return b.add(args[0], args[1]);
}

/// The id of an element of a line.
static Value idAt(LinalgBuilder &b, Value ids, ValueRange at) {
  return b.toIndex(
      b.make<tensor::ExtractOp>(ids, at.take_front(tensorType(ids).getRank())));
}

static Lowered lowerSumBy(SumByOp op, LinalgBuilder &b) {
  int64_t dim = op.getDim(), size = op.getSize();
  bool shared = op.getIds().getType().getRank() == dim + 1 &&
                op.getValues().getType().getRank() > dim + 1;
  Value values = asLines(b, op.getValues(), dim);
  Value ids = asLines(b, op.getIds(), dim, shared);
  RankedTensorType type = tensorType(values);
  Value length = b.index(type.getDimSize(1)), zero = b.index(0);
  auto addRow = [&](Value line, Value j, Value sums) {
    Value id = idAt(b, ids, {line, j});
    return b.loop(zero, isWithin(b, id, size), sums, [&](Value, Value sums) {
      Value row = b.row(b.row(values, line), j);
      return b.setRow(b.update(b.row(sums, id), row, addUp), sums, id);
    });
  };
  auto addElement = [&](Value line, Value j, Value column, Value sums) {
    Value id = idAt(b, ids, {line, j, column});
    return b.loop(
        zero, isWithin(b, id, size), sums, [&](Value, Value sums) -> Value {
          Value x =
              b.make<tensor::ExtractOp>(values, ValueRange{line, j, column});
          Value sum = b.make<tensor::ExtractOp>(sums, ValueRange{id, column});
          return b.make<tensor::InsertOp>(b.add(sum, x), sums,
                                          ValueRange{id, column});
        });
  };
  Value dest = emptyLines(b, values, size, type.getElementType());
  Value lines =
      rt::forEachRow(b, b.rows(values), dest, [&](Value line, Value sums) {
        return b.loop(zero, length, b.fill(sums, 0), [&](Value j, Value sums) {
          if (shared)
            return addRow(line, j, sums);
          return b.loop(zero, b.index(type.getDimSize(2)), sums,
                        [&](Value column, Value sums) {
                          return addElement(line, j, column, sums);
                        });
        });
      });
  return lowered(fromLines(b, lines, dim, op.getType(), op.getValues()));
}

static Lowered lowerPickAlong(PickAlongOp op, LinalgBuilder &b) {
  int64_t dim = op.getDim();
  bool shared = op.getIds().getType().getRank() == dim + 1 &&
                op.getInput().getType().getRank() > dim + 1;
  Value x = asLines(b, op.getInput(), dim);
  Value ids = asLines(b, op.getIds(), dim, shared);
  RankedTensorType type = tensorType(x);
  Type element = type.getElementType();
  auto isThere = [&](Value id) -> Value {
    return b.make<arith::CmpIOp>(arith::CmpIPredicate::ult, id,
                                 b.index(type.getDimSize(1)));
  };
  auto pickRow = [&](Value line, Value j, Value rows) {
    Value id = idAt(b, ids, {line, j}), dest = b.row(rows, j);
    Value row = b.choose(
        isThere(id), dest.getType(),
        [&] { return b.copy(b.row(b.row(x, line), id), dest); },
        [&] { return b.fill(dest, 0); });
    return b.setRow(row, rows, j);
  };
  auto pickElement = [&](Value line, Value j, Value column,
                         Value rows) -> Value {
    Value id = idAt(b, ids, {line, j, column});
    Value picked = b.choose(
        isThere(id), element,
        [&]() -> Value {
          return b.make<tensor::ExtractOp>(x, ValueRange{line, id, column});
        },
        [&] { return b.number(element, 0); });
    return b.make<tensor::InsertOp>(picked, rows, ValueRange{j, column});
  };
  int64_t count = tensorType(ids).getDimSize(1);
  Value dest = emptyLines(b, x, count, element), zero = b.index(0);
  Value lines = rt::forEachRow(b, b.rows(x), dest, [&](Value line, Value rows) {
    return b.loop(zero, b.index(count), rows, [&](Value j, Value rows) {
      if (shared)
        return pickRow(line, j, rows);
      return b.loop(zero, b.index(type.getDimSize(2)), rows,
                    [&](Value column, Value rows) {
                      return pickElement(line, j, column, rows);
                    });
    });
  });
  return lowered(fromLines(b, lines, dim, op.getType(), op.getInput()));
}

void nn::attachSelectLowerings(MLIRContext *context) {
  attachLinalgModel<TopOp, lowerTop>(context);
  attachLinalgModel<SumByOp, lowerSumBy>(context);
  attachLinalgModel<PickAlongOp, lowerPickAlong>(context);
}
