//===-- dialects/NN/Interpret/Random.cpp - What is drawn -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Random.h"
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Interpret/Models.h"
#include <cmath>

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

/// The key of a row, or of the context.
static uint64_t keyOf(int64_t row, bool hasRows, Value keys,
                      Interpreter &interpreter) {
  if (keys)
    return interpreter.getTensor(keys).i(row);
  uint64_t key = interpreter.getKey();
  return hasRows ? mixKey(key, row) : key;
}

namespace {
/// A tensor with a `?` has a key per row; any other is one row with the key of
/// the context.
struct DropoutModel
    : InterpretableOpInterface::ExternalModel<DropoutModel, DropoutOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto dropout = cast<DropoutOp>(op);
    Tensor y = interpreter.getTensor(dropout.getInput());
    if (!interpreter.getOptions().training)
      return interpreter.set(dropout, std::move(y));
    bool hasRows =
        dropout.getInput().getType().getNumDynamicDims() || dropout.getKeys();
    int64_t rows = hasRows ? y.getNumRows() : 1;
    int64_t size = rows ? y.getNumElements() / rows : 0;
    double rate = dropout.getRate().convertToDouble();
    uint64_t id =
        dropout.getId() ? *dropout.getId() : interpreter.getNumberInModule(op);
    for (int64_t row = 0; row < rows; ++row) {
      uint64_t key = keyOf(row, hasRows, dropout.getKeys(), interpreter);
      for (int64_t c = 0; c < size; ++c) {
        double &x = y.f(row * size + c);
        x = isDropped(key, id, c, rate) ? 0 : x / (1 - rate);
      }
    }
    return interpreter.set(dropout, std::move(y));
  }
};

/// An element of `nn.random`, of its key.
double draw(RandomOp op, uint64_t key) {
  double first = op.getFirst().convertToDouble(),
         second = op.getSecond().convertToDouble();
  switch (op.getDistribution()) {
  case Distribution::Uniform:
    return first + uniformFromKey(key) * (second - first);
  case Distribution::Normal:
    return first + second * std::sqrt(-2 * std::log(openUniformFromKey(key))) *
                       std::cos(2 * M_PI * openUniformFromKey(mixKey(key, 0)));
  case Distribution::Gumbel:
    return first + second * gumbelFromKey(key);
  case Distribution::Integer:
    return first +
           static_cast<double>(
               (key >> 32) * static_cast<uint64_t>(second - first) >> 32);
  }
  llvm_unreachable("unknown distribution");
}

struct RandomModel
    : InterpretableOpInterface::ExternalModel<RandomModel, RandomOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto random = cast<RandomOp>(op);
    RankedTensorType type = random.getType();
    SmallVector<int64_t> shape(type.getShape());
    bool hasRows = type.getNumDynamicDims() || random.getKeys();
    if (type.getNumDynamicDims())
      shape[0] =
          interpreter
              .getTensor(random.getKeys() ? random.getKeys() : random.getLike())
              .getNumRows();
    bool isInteger = type.getElementType().isInteger();
    Tensor y = isInteger ? Tensor::ints(shape) : Tensor::floats(shape);
    if (random.getTraining() && !interpreter.getOptions().training)
      return interpreter.set(random, std::move(y));
    int64_t rows = hasRows ? y.getNumRows() : 1;
    int64_t size = rows ? y.getNumElements() / rows : 0;
    uint64_t id =
        kRandomIds +
        (random.getId() ? *random.getId() : interpreter.getNumberInModule(op));
    for (int64_t row = 0; row < rows; ++row) {
      uint64_t key =
          mixKey(keyOf(row, hasRows, random.getKeys(), interpreter), id);
      for (int64_t c = 0; c < size; ++c) {
        double drawn = draw(random, mixKey(key, c));
        if (isInteger)
          y.i(row * size + c) = static_cast<int64_t>(drawn);
        else
          y.f(row * size + c) = drawn;
      }
    }
    return interpreter.set(random, std::move(y));
  }
};
} // namespace

void cambium::nn::attachRandomMeaning(MLIRContext *context) {
  DropoutOp::attachInterface<DropoutModel>(*context);
  RandomOp::attachInterface<RandomModel>(*context);
}
