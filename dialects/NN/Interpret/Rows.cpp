//===-- dialects/NN/Interpret/Rows.cpp - The meaning of ops on rows ------===//
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
#include <cmath>

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
struct PositionsModel
    : InterpretableOpInterface::ExternalModel<PositionsModel, PositionsOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto positions = cast<PositionsOp>(op);
    int64_t count = interpreter.getTensor(positions.getRows()).getNumRows();
    auto last = static_cast<int64_t>(positions.getLimit()) - 1;
    Tensor result = Tensor::ints({count});
    for (int64_t row = 0; row < count; ++row)
      result.i(row) = std::min(row, last);
    return interpreter.set(positions, std::move(result));
  }
};
struct TakeModel : InterpretableOpInterface::ExternalModel<TakeModel, TakeOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto take = cast<TakeOp>(op);
    const Tensor &x = interpreter.getTensor(take.getInput());
    const Tensor &index = interpreter.getTensor(take.getIndex());
    SmallVector<int64_t> shape(index.getShape());
    llvm::append_range(shape, x.getShape().drop_front());
    Tensor y = x.zeros(shape);
    int64_t size = x.getRowSize(), last = x.getNumRows() - 1;
    for (int64_t i = 0, n = index.getNumElements(); i < n && last >= 0; ++i)
      y.copy(i * size, x, std::clamp<int64_t>(index.i(i), 0, last) * size,
             size);
    return interpreter.set(take, std::move(y));
  }
};

struct WindowModel
    : InterpretableOpInterface::ExternalModel<WindowModel, WindowOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto window = cast<WindowOp>(op);
    const Tensor &x = interpreter.getTensor(window.getInput());
    int64_t before = window.getBefore(), after = window.getAfter(),
            length = before + 1 + after, size = x.getRowSize(),
            rows = x.getNumRows();
    SmallVector<int64_t> shape(x.getShape());
    shape.insert(shape.begin() + 1, length);
    Tensor y = x.zeros(shape);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t k = 0; k < length; ++k)
        if (int64_t at = row - before + k; at >= 0 && at < rows)
          y.copy((row * length + k) * size, x, at * size, size);
    return interpreter.set(window, std::move(y));
  }
};

/// What the host gets as a status is a warning here.
struct ExpectNumberModel
    : InterpretableOpInterface::ExternalModel<ExpectNumberModel,
                                              ExpectNumberOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto expect = cast<ExpectNumberOp>(op);
    const Tensor &x = interpreter.getTensor(expect.getInput());
    for (int64_t i = 0, n = x.getNumElements(); i < n; ++i)
      if (std::isnan(x.f(i))) {
        op->emitWarning() << "expected a number as " << expect.getWhat()
                          << ", but got NaN";
        break;
      }
    return success();
  }
};

struct AppendModel
    : InterpretableOpInterface::ExternalModel<AppendModel, AppendOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto append = cast<AppendOp>(op);
    const Tensor &first = interpreter.getTensor(append.getFirst());
    const Tensor &second = interpreter.getTensor(append.getSecond());
    SmallVector<int64_t> shape(first.getShape());
    shape.front() += second.getNumRows();
    Tensor y = first.zeros(shape);
    y.copy(0, first, 0, first.getNumElements());
    y.copy(first.getNumElements(), second, 0, second.getNumElements());
    return interpreter.set(append, std::move(y));
  }
};
} // namespace

void cambium::nn::attachRowMeaning(MLIRContext *context) {
  PositionsOp::attachInterface<PositionsModel>(*context);
  TakeOp::attachInterface<TakeModel>(*context);
  AppendOp::attachInterface<AppendModel>(*context);
  WindowOp::attachInterface<WindowModel>(*context);
  ExpectNumberOp::attachInterface<ExpectNumberModel>(*context);
}
