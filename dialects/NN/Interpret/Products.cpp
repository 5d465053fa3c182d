//===-- dialects/NN/Interpret/Products.cpp - Products and tables ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Interpret/Models.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
template <typename Model, typename Op>
using ProductBase = InterpretableOpInterface::ExternalModel<Model, Op>;

struct LinearModel : ProductBase<LinearModel, LinearOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto linear = cast<LinearOp>(op);
    const Tensor &x = interpreter.getTensor(linear.getInput());
    const Tensor &w = interpreter.getTensor(linear.getWeight());
    int64_t k = w.getDim(0), n = w.getDim(1),
            rows = x.getSize(0, x.getRank() - 1);
    Tensor y = Tensor::floats(withDim(x, x.getRank() - 1, n));
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t j = 0; j < k; ++j)
        for (int64_t c = 0; c < n; ++c)
          y.f(r * n + c) += x.f(r * k + j) * w.f(j * n + c);
    if (Value bias = linear.getBias())
      for (int64_t e = 0, size = rows * n; e < size; ++e)
        y.f(e) += interpreter.getTensor(bias).f(e % n);
    return interpreter.set(linear, std::move(y));
  }
};

/// `lhs[m, k] . rhs[k, n]` in each of the common leading dimensions; a vector
/// on the left has `m = 1`, one on the right `n = 1`.
struct MatmulModel : ProductBase<MatmulModel, MatmulOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto matmul = cast<MatmulOp>(op);
    const Tensor &a = interpreter.getTensor(matmul.getLhs());
    const Tensor &b = interpreter.getTensor(matmul.getRhs());
    int64_t batchDims = matmul.getBatchDims(), k = a.getShape().back();
    if (a.getShape().take_front(batchDims) !=
            b.getShape().take_front(batchDims) ||
        k != b.getDim(batchDims))
      return Interpreter::expectSameShape(op, a, b);
    int64_t batches = a.getSize(0, batchDims);
    int64_t m = a.getSize(batchDims, a.getRank() - 1);
    int64_t n = b.getSize(batchDims + 1, b.getRank());
    SmallVector<int64_t> shape(a.getShape().drop_back());
    llvm::append_range(shape, b.getShape().drop_front(batchDims + 1));
    Tensor y = Tensor::floats(shape);
    for (int64_t batch = 0; batch < batches; ++batch)
      for (int64_t i = 0; i < m; ++i)
        for (int64_t c = 0; c < n; ++c)
          for (int64_t j = 0; j < k; ++j)
            y.f((batch * m + i) * n + c) +=
                a.f((batch * m + i) * k + j) * b.f((batch * k + j) * n + c);
    return interpreter.set(matmul, std::move(y));
  }
};

struct OuterSumModel : ProductBase<OuterSumModel, OuterSumOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    const Tensor &x = interpreter.getTensor(op->getOperand(0));
    const Tensor &z = interpreter.getTensor(op->getOperand(1));
    if (x.getShape().drop_back() != z.getShape().drop_back())
      return Interpreter::expectSameShape(op, x, z);
    int64_t rows = x.getSize(0, x.getRank() - 1);
    int64_t k = x.getShape().back(), n = z.getShape().back();
    Tensor y = Tensor::floats({k, n});
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t j = 0; j < k; ++j)
        for (int64_t c = 0; c < n; ++c)
          y.f(j * n + c) += x.f(r * k + j) * z.f(r * n + c);
    return interpreter.set(op->getResult(0), std::move(y));
  }
};

/// Fails at the op if an id is not in `[0, limit)`.
LogicalResult checkId(Operation *op, int64_t id, int64_t limit) {
  if (id >= 0 && id < limit)
    return success();
  // [NN-ID-C1]
  return op->emitOpError() << "expected an id in [0, " << limit << "), but got "
                           << id;
}

struct EmbedModel : ProductBase<EmbedModel, EmbedOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto embed = cast<EmbedOp>(op);
    const Tensor &ids = interpreter.getTensor(embed.getIds());
    const Tensor &table = interpreter.getTensor(embed.getTable());
    SmallVector<int64_t> shape(ids.getShape());
    shape.push_back(table.getDim(1));
    Tensor y = Tensor::floats(shape);
    for (int64_t r = 0, n = ids.getNumElements(); r < n; ++r) {
      if (failed(checkId(op, ids.i(r), table.getDim(0))))
        return failure();
      if (embed.getPaddingId() &&
          *embed.getPaddingId() == static_cast<uint64_t>(ids.i(r)))
        continue;
      y.copy(r * table.getDim(1), table, ids.i(r) * table.getDim(1),
             table.getDim(1));
    }
    // A frozen table is constant for every gradient.
    if (embed.getFrozen())
      y = *interpreter.holdConstant(std::move(y)).tensor;
    return interpreter.set(embed, std::move(y));
  }
};

struct EmbedGradModel : ProductBase<EmbedGradModel, EmbedGradOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto embed = cast<EmbedGradOp>(op);
    const Tensor &ids = interpreter.getTensor(embed.getIds());
    const Tensor &rows = interpreter.getTensor(embed.getRows());
    int64_t size = embed.getSize(), n = rows.getShape().back();
    if (rows.getShape().drop_back() != ids.getShape())
      return Interpreter::expectSameShape(op, ids, rows);
    Tensor y = Tensor::floats({size, n});
    for (int64_t r = 0, count = ids.getNumElements(); r < count; ++r) {
      if (failed(checkId(op, ids.i(r), size)))
        return failure();
      if (embed.getPaddingId() &&
          *embed.getPaddingId() == static_cast<uint64_t>(ids.i(r)))
        continue;
      for (int64_t c = 0; c < n; ++c)
        y.f(ids.i(r) * n + c) += rows.f(r * n + c);
    }
    return interpreter.set(embed, std::move(y));
  }
};

struct PickModel : ProductBase<PickModel, PickOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto pick = cast<PickOp>(op);
    const Tensor &x = interpreter.getTensor(pick.getInput());
    const Tensor &ids = interpreter.getTensor(pick.getIds());
    int64_t n = x.getShape().back();
    if (x.getShape().drop_back() != ids.getShape())
      return Interpreter::expectSameShape(op, x, ids);
    Tensor y = Tensor::floats(ids.getShape());
    for (int64_t r = 0, rows = ids.getNumElements(); r < rows; ++r) {
      if (failed(checkId(op, ids.i(r), n)))
        return failure();
      y.f(r) = x.f(r * n + ids.i(r));
    }
    return interpreter.set(pick, std::move(y));
  }
};

struct OneHotModel : ProductBase<OneHotModel, OneHotOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto hot = cast<OneHotOp>(op);
    const Tensor &ids = interpreter.getTensor(hot.getIds());
    const Tensor &values = interpreter.getTensor(hot.getValues());
    if (failed(Interpreter::expectSameShape(op, ids, values)))
      return failure();
    int64_t size = hot.getSize();
    SmallVector<int64_t> shape(ids.getShape());
    shape.push_back(size);
    Tensor y = Tensor::floats(shape);
    for (int64_t r = 0, rows = ids.getNumElements(); r < rows; ++r)
      if (ids.i(r) >= 0 && ids.i(r) < size)
        y.f(r * size + ids.i(r)) = values.f(r);
    return interpreter.set(hot, std::move(y));
  }
};
} // namespace

void cambium::nn::attachProductMeaning(MLIRContext *context) {
  LinearOp::attachInterface<LinearModel>(*context);
  MatmulOp::attachInterface<MatmulModel>(*context);
  OuterSumOp::attachInterface<OuterSumModel>(*context);
  EmbedOp::attachInterface<EmbedModel>(*context);
  EmbedGradOp::attachInterface<EmbedGradModel>(*context);
  PickOp::attachInterface<PickModel>(*context);
  OneHotOp::attachInterface<OneHotModel>(*context);
}
