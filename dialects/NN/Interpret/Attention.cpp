//===-- dialects/NN/Interpret/Attention.cpp - The meaning of attention ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interpreter/Interpreter.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Interpret/Models.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
/// The columns [first, first + count) of a row belong to a head.
struct Head {
  Head(const Tensor &rows, int64_t head, int64_t heads)
      : rows(rows), columns(rows.getDim(1)), count(columns / heads),
        first(head * count) {}
  int64_t at(int64_t row, int64_t column) const {
    return row * columns + first + column;
  }
  double f(int64_t row, int64_t column) const {
    return rows.f(at(row, column));
  }

  const Tensor &rows;
  int64_t columns, count, first;
};

/// The softmax of the scores of query `i` and the first `numKeys` keys.
std::vector<double> weights(const Head &query, const Head &key, int64_t i,
                            int64_t numKeys, double scale) {
  std::vector<double> result(numKeys, 0);
  double max = -INFINITY, total = 0;
  for (int64_t j = 0; j < numKeys; ++j) {
    for (int64_t c = 0; c < key.count; ++c)
      result[j] += query.f(i, c) * key.f(j, c);
    result[j] *= scale;
    max = std::isnan(result[j]) ? result[j] : std::fmax(max, result[j]);
  }
  for (double &weight : result)
    total += weight = std::exp(weight - max);
  for (double &weight : result)
    weight /= total;
  return result;
}

struct AttentionModel
    : InterpretableOpInterface::ExternalModel<AttentionModel, AttentionOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto attention = cast<AttentionOp>(op);
    const Tensor &query = interpreter.getTensor(attention.getQuery());
    const Tensor &key = interpreter.getTensor(attention.getKey());
    const Tensor &value = interpreter.getTensor(attention.getValue());
    if (key.getDim(0) != value.getDim(0) ||
        (attention.getCausal() && query.getDim(0) != key.getDim(0)))
      return Interpreter::expectSameShape(op, query, key);
    int64_t heads = attention.getHeads(), numQueries = query.getDim(0);
    double scale = attention.getScaleFactor();
    Tensor y = Tensor::floats({numQueries, value.getDim(1)});
    for (int64_t h = 0; h < heads; ++h) {
      Head q(query, h, heads), k(key, h, heads), v(value, h, heads);
      for (int64_t i = 0; i < numQueries; ++i) {
        int64_t numKeys = attention.getCausal() ? i + 1 : key.getDim(0);
        std::vector<double> w = weights(q, k, i, numKeys, scale);
        for (int64_t j = 0; j < numKeys; ++j)
          for (int64_t c = 0; c < v.count; ++c)
            y.f(v.at(i, c)) += w[j] * v.f(j, c);
      }
    }
    return interpreter.set(attention, std::move(y));
  }
};
} // namespace

void cambium::nn::attachAttentionMeaning(MLIRContext *context) {
  AttentionOp::attachInterface<AttentionModel>(*context);
}
