//===-- dialects/NN/Interpret/Attention.cpp - The meaning of attention ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "cambium/Support/Random.h"
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

/// The rows that meet.
struct Meeting {
  const Tensor &query, &key, &value;
};

/// One head of one op.
class HeadAttention {
public:
  HeadAttention(AttentionOp op, Interpreter &interpreter, int64_t head,
                const Meeting &rows)
      : op(op), interpreter(interpreter), head(head),
        heads(static_cast<int64_t>(op.getHeads())),
        query(rows.query, head, heads), key(rows.key, head, heads),
        value(rows.value, head, heads) {}

  /// Adds the head's columns of row `i` of the result.
  void addRow(int64_t i, Tensor &y) {
    std::vector<double> weights = softmax(i);
    for (int64_t j = 0, n = key.rows.getDim(0); j < n; ++j) {
      double weight = weights[j] * keptShare(i, j);
      for (int64_t c = 0; c < value.count; ++c)
        y.f(value.at(i, c)) +=
            weight * (value.f(j, c) + entry(op.getRelativeValues(), i, j, c));
    }
  }

private:
  const Tensor &get(Value operand) { return interpreter.getTensor(operand); }

  int64_t distance(int64_t i, int64_t j) {
    return j - i - (key.rows.getDim(0) - query.rows.getDim(0));
  }
  /// The place of a distance in a table of `size` distances.
  int64_t place(int64_t i, int64_t j, int64_t size) {
    return std::clamp(distance(i, j), -(size / 2), size / 2) + size / 2;
  }
  /// Column `c` of the row of a table that has one per distance; 0 without.
  double entry(Value table, int64_t i, int64_t j, int64_t c) {
    if (!table)
      return 0;
    const Tensor &rows = get(table);
    return rows.f(place(i, j, rows.getDim(0)) * rows.getDim(1) + c);
  }

  /// Whether a run of equal numbers has both rows.
  bool isOneGroup(int64_t i, int64_t j) {
    const Tensor &groups = get(op.getGroups());
    auto [first, last] = std::minmax(i, j);
    for (int64_t row = first; row < last; ++row)
      if (groups.i(row) != groups.i(row + 1))
        return false;
    return true;
  }
  bool isSeen(int64_t i, int64_t j) {
    if (op.getCausal() && distance(i, j) > 0)
      return false;
    return !op.getGroups() || isOneGroup(i, j);
  }

  double score(int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t c = 0; c < key.count; ++c)
      sum +=
          query.f(i, c) * (key.f(j, c) + entry(op.getRelativeKeys(), i, j, c));
    sum *= op.getScaleFactor();
    if (Value bias = op.getKeyBias())
      sum += get(bias).f(j * heads + head);
    if (Value bias = op.getDistanceBias()) {
      int64_t size = get(bias).getDim(1);
      sum += get(bias).f(head * size + place(i, j, size));
    }
    return sum;
  }

  /// The softmax of the scores of query `i`; 0 for keys that it does not see.
  std::vector<double> softmax(int64_t i) {
    std::vector<double> result(key.rows.getDim(0), 0);
    double max = -INFINITY, total = 0;
    for (int64_t j = 0, n = result.size(); j < n; ++j)
      if (isSeen(i, j)) {
        result[j] = score(i, j);
        bool isNaN = std::isnan(max) || std::isnan(result[j]);
        max = isNaN ? NAN : std::fmax(max, result[j]);
      }
    if (max == -INFINITY)
      return std::vector<double>(result.size(), 0);
    for (int64_t j = 0, n = result.size(); j < n; ++j)
      if (isSeen(i, j))
        total += result[j] = std::exp(result[j] - max);
    for (double &weight : result)
      weight /= total;
    return result;
  }

  /// The first key of the group that has key `j`; of all without groups.
  int64_t firstOfGroup(int64_t j) {
    int64_t first = op.getGroups() ? j : 0;
    while (first > 0 && isOneGroup(first - 1, j))
      --first;
    return first;
  }

  /// What dropout makes of 1.
  double keptShare(int64_t i, int64_t j) {
    if (!op.getRate() || !interpreter.getOptions().training)
      return 1;
    double rate = op.getRate()->convertToDouble();
    uint64_t id = op.getId() ? *op.getId() : interpreter.getNumberInModule(op);
    uint64_t rowKey = mixKey(interpreter.getKey(), i);
    int64_t element = (j - firstOfGroup(j)) * heads + head;
    return isDropped(rowKey, kAttentionIds + id, element, rate)
               ? 0
               : 1 / (1 - rate);
  }

  AttentionOp op;
  Interpreter &interpreter;
  int64_t head, heads;
  Head query, key, value;
};

struct AttentionModel
    : InterpretableOpInterface::ExternalModel<AttentionModel, AttentionOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto attention = cast<AttentionOp>(op);
    if (attention.hasOwnKeys())
      return interpretOwnKeys(attention, interpreter);
    const Tensor &query = interpreter.getTensor(attention.getQuery());
    const Tensor &key = interpreter.getTensor(attention.getKey());
    const Tensor &value = interpreter.getTensor(attention.getValue());
    if (key.getDim(0) != value.getDim(0))
      return Interpreter::expectSameShape(op, key, value);
    for (Value rows : {attention.getKeyBias(), attention.getGroups()})
      if (rows && interpreter.getTensor(rows).getDim(0) != key.getDim(0))
        return Interpreter::expectSameShape(op, interpreter.getTensor(rows),
                                            key);
    if (attention.getGroups() && query.getDim(0) != key.getDim(0))
      return Interpreter::expectSameShape(op, query, key);
    return interpreter.set(attention,
                           attend(attention, interpreter, {query, key, value}));
  }

private:
  static Tensor attend(AttentionOp op, Interpreter &interpreter,
                       const Meeting &rows) {
    Tensor y = Tensor::floats({rows.query.getDim(0), rows.value.getDim(1)});
    for (int64_t h = 0, n = op.getHeads(); h < n; ++h) {
      HeadAttention head(op, interpreter, h, rows);
      for (int64_t i = 0; i < rows.query.getDim(0); ++i)
        head.addRow(i, y);
    }
    return y;
  }

  /// A query meets the rows of its own row.
  static LogicalResult interpretOwnKeys(AttentionOp op,
                                        Interpreter &interpreter) {
    const Tensor &query = interpreter.getTensor(op.getQuery());
    const std::vector<RuntimeValue> &keys = *interpreter.get(op.getKey()).rows;
    const std::vector<RuntimeValue> &values =
        *interpreter.get(op.getValue()).rows;
    int64_t count = query.getNumRows(), columns = query.getDim(1);
    if (static_cast<int64_t>(keys.size()) != count ||
        keys.size() != values.size())
      // [NN-ATTENTION-C12]
      return op.emitOpError()
             << "expected keys and values of each of " << count
             << " queries, but got " << keys.size() << " and " << values.size();
    auto type = cast<RankedTensorType>(op.getResult().getType());
    Tensor y = Tensor::floats({count, type.getDimSize(1)});
    for (int64_t i = 0; i < count; ++i) {
      const Tensor &key = *keys[i].tensor, &value = *values[i].tensor;
      if (key.getDim(0) != value.getDim(0))
        return Interpreter::expectSameShape(op, key, value);
      Tensor one = query.getRow(i).withShape({1, columns});
      y.setRow(i, attend(op, interpreter, {one, key, value}).getRow(0));
    }
    return interpreter.set(op, std::move(y));
  }
};
} // namespace

void cambium::nn::attachAttentionMeaning(MLIRContext *context) {
  AttentionOp::attachInterface<AttentionModel>(*context);
}
