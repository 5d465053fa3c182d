//===-- dialects/NN/Interpret/Losses.cpp - Losses ------------------------===//
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
template <typename Model, typename Op>
using LossBase = InterpretableOpInterface::ExternalModel<Model, Op>;

/// The rows of a loss: all dimensions but the last one.
int64_t numRows(const Tensor &x) {
  return x.getRank() ? x.getSize(0, x.getRank() - 1) : 1;
}
int64_t numColumns(const Tensor &x) {
  return x.getRank() ? x.getShape().back() : 1;
}

struct CrossEntropyModel : LossBase<CrossEntropyModel, CrossEntropyOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto loss = cast<CrossEntropyOp>(op);
    const Tensor &logits = interpreter.getTensor(loss.getLogits());
    const Tensor &target = interpreter.getTensor(loss.getTarget());
    Tensor logp = computeLogSoftmax(logits, logits.getRank() - 1);
    Tensor y = Tensor::floats(logits.getShape().drop_back());
    ArrayRef<int64_t> expected =
        target.isFloat() ? logits.getShape() : y.getShape();
    if (expected != target.getShape())
      return Interpreter::expectSameShape(op, logits, target);
    int64_t n = numColumns(logits);
    for (int64_t r = 0, rows = numRows(logits); r < rows; ++r) {
      if (target.isFloat()) {
        for (int64_t c = 0; c < n; ++c)
          y.f(r) -= target.f(r * n + c) * logp.f(r * n + c);
        continue;
      }
      int64_t id = target.i(r);
      if (loss.getIgnoreId() && static_cast<int64_t>(*loss.getIgnoreId()) == id)
        continue;
      if (id < 0 || id >= n)
        // [NN-CROSS_ENTROPY-C3]
        return op->emitOpError()
               << "expected a class in [0, " << n << "), but got " << id;
      y.f(r) = -logp.f(r * n + id);
    }
    return interpreter.set(loss, std::move(y));
  }
};

/// Reduces the last dimension of two operands of one shape.
template <typename Op, auto Term, bool isMean>
struct PairLossModel : LossBase<PairLossModel<Op, Term, isMean>, Op> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    const Tensor &a = interpreter.getTensor(op->getOperand(0));
    const Tensor &b = interpreter.getTensor(op->getOperand(1));
    if (failed(Interpreter::expectSameShape(op, a, b)))
      return failure();
    int64_t n = numColumns(a);
    Tensor y =
        Tensor::floats(a.getRank() ? a.getShape().drop_back() : a.getShape());
    for (int64_t r = 0, rows = numRows(a); r < rows; ++r) {
      for (int64_t c = 0; c < n; ++c)
        y.f(r) += Term(a.f(r * n + c), b.f(r * n + c));
      if (isMean && n)
        y.f(r) /= n;
    }
    return interpreter.set(op->getResult(0), std::move(y));
  }
};

/// `p (log p - log q)`, 0 for `p = 0` whatever `log q` is.
double divergence(double p, double logq) {
  return p == 0 ? 0 : p * (std::log(p) - logq);
}
double square(double a, double b) { return (a - b) * (a - b); }
} // namespace

void cambium::nn::attachLossMeaning(MLIRContext *context) {
  CrossEntropyOp::attachInterface<CrossEntropyModel>(*context);
  KLDivergenceOp::attachInterface<
      PairLossModel<KLDivergenceOp, divergence, false>>(*context);
  MseOp::attachInterface<PairLossModel<MseOp, square, true>>(*context);
}
