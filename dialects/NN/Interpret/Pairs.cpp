//===-- dialects/NN/Interpret/Pairs.cpp - The meaning of rows with rows --===//
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
struct PairScoresModel
    : InterpretableOpInterface::ExternalModel<PairScoresModel, PairScoresOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto scores = cast<PairScoresOp>(op);
    const Tensor &x = interpreter.getTensor(scores.getLhs());
    const Tensor &y = interpreter.getTensor(scores.getRhs());
    int64_t columns = x.getRowSize();
    std::vector<RuntimeValue> rows;
    for (int64_t i = 0; i < x.getNumRows(); ++i) {
      Tensor row = Tensor::floats({y.getNumRows()});
      for (int64_t j = 0; j < y.getNumRows(); ++j)
        for (int64_t c = 0; c < columns; ++c)
          row.f(j) += x.f(i * columns + c) * y.f(j * columns + c);
      interpreter.roundTo(scores.getType(), row);
      rows.emplace_back(std::move(row));
    }
    interpreter.bind(scores, std::move(rows));
    return success();
  }
};
} // namespace

void cambium::nn::attachPairMeaning(MLIRContext *context) {
  PairScoresOp::attachInterface<PairScoresModel>(*context);
}
