//===-- dialects/Depth/Interpret/Interpret.cpp - Meaning of depth ops ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Depth/Interpret/Interpret.h"
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "dialects/Depth/IR/Depth.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

namespace {
/// What the body gets in iteration t: the states, then slice t of each array.
template <typename OpT>
RuntimeValues argumentsOf(OpT op, Interpreter &interpreter,
                          ArrayRef<Tensor> states, int64_t iteration) {
  RuntimeValues args(states.begin(), states.end());
  for (Value array : op.getSlices())
    args.push_back(interpreter.getTensor(array).getRow(iteration));
  return args;
}

/// One evaluation: all rows are computed in every iteration, and the active
/// ones take what was computed.
class Iterations {
public:
  Iterations(IterateOp op, Interpreter &interpreter)
      : op(op), interpreter(interpreter) {
    for (Value init : op.getInit())
      states.push_back(interpreter.getTensor(init));
  }

  LogicalResult run() {
    if (op.getFixed())
      return runAll();
    if (failed(checkRows()))
      return failure();
    int64_t numRows = op.isPerRow() ? states.front().getNumRows() : 1;
    active.assign(numRows, true);
    if (op.getActive())
      for (auto [row, flag] : llvm::enumerate(active))
        flag = interpreter.getTensor(op.getActive()).i(row) != 0;
    steps.assign(numRows, 0);
    for (int64_t t = 0, max = op.getMax();
         t < max && llvm::is_contained(active, true); ++t)
      if (failed(runIteration(t)))
        return failure();
    for (auto [result, state] : llvm::zip_equal(op.getStates(), states))
      if (failed(interpreter.set(result, std::move(state))))
        return failure();
    return interpreter.set(op.getSteps(), makeSteps());
  }

private:
  /// Nothing stops: the states are what the body yields.
  LogicalResult runAll() {
    for (int64_t t = 0, max = op.getMax(); t < max; ++t) {
      Interpreter::KeyScope key(interpreter, t);
      FailureOr<RuntimeValues> yielded = interpreter.run(
          op.getBody(), argumentsOf(op, interpreter, states, t));
      if (failed(yielded))
        return failure();
      for (auto [state, next] : llvm::zip_equal(states, *yielded))
        state = std::move(*next.tensor);
    }
    for (auto [result, state] : llvm::zip_equal(op.getStates(), states))
      if (failed(interpreter.set(result, std::move(state))))
        return failure();
    return success();
  }

  LogicalResult checkRows() {
    for (const Tensor &state : states)
      if (op.isPerRow() && state.getNumRows() != states.front().getNumRows())
        // [DEPTH-ITERATE-C7]
        return op.emitOpError()
               << "expected carried values with the same number of rows, but "
                  "got "
               << states.front().getNumRows() << " and " << state.getNumRows();
    if (!op.isPerRow() || !op.getActive())
      return success();
    int64_t flags = interpreter.getTensor(op.getActive()).getNumRows();
    if (flags == states.front().getNumRows())
      return success();
    // [DEPTH-ITERATE-C7]
    return op.emitOpError()
           << "expected a flag for each of " << states.front().getNumRows()
           << " rows that says whether it starts active, but "
              "got "
           << flags;
  }

  LogicalResult runIteration(int64_t iteration) {
    Interpreter::KeyScope key(interpreter, iteration);
    FailureOr<RuntimeValues> yielded = interpreter.run(
        op.getBody(), argumentsOf(op, interpreter, states, iteration));
    if (failed(yielded))
      return failure();
    // From a gradient's point of view the flags are constants.
    RuntimeValue flags = interpreter.holdConstant(yielded->front());
    for (int64_t row = 0, e = active.size(); row < e; ++row) {
      if (!active[row])
        continue;
      ++steps[row];
      active[row] = flags.tensor->i(row) != 0;
      for (auto [state, next] :
           llvm::zip_equal(states, ArrayRef(*yielded).drop_front()))
        take(state, *next.tensor, row);
    }
    return success();
  }

  void take(Tensor &state, const Tensor &next, int64_t row) {
    if (op.isPerRow())
      state.setRow(row, next.getRow(row));
    else
      state = next;
  }

  Tensor makeSteps() {
    Tensor result = op.isPerRow()
                        ? Tensor::ints({static_cast<int64_t>(steps.size())})
                        : Tensor::ints({});
    for (auto [row, count] : llvm::enumerate(steps))
      result.i(row) = count;
    return result;
  }

  IterateOp op;
  Interpreter &interpreter;
  SmallVector<Tensor> states;
  SmallVector<bool> active;
  SmallVector<int64_t> steps;
};

/// One evaluation of `depth.ponder`, row by row as its equations say.
class Pondering {
public:
  Pondering(PonderOp op, Interpreter &interpreter)
      : op(op), interpreter(interpreter),
        isSum(op.getCombine() == Combine::WeightedSum) {
    for (Value init : op.getInit())
      states.push_back(interpreter.getTensor(init));
    sums = states;
    for (Tensor &sum : sums)
      sum = sum.zeros(sum.getShape());
  }

  LogicalResult run() {
    // [DEPTH-PONDER-C8]
    for (const Tensor &state : states)
      if (op.isPerRow() && state.getNumRows() != states.front().getNumRows())
        return op.emitOpError()
               << "expected carried values with the same number of rows, but "
                  "got "
               << states.front().getNumRows() << " and " << state.getNumRows();
    int64_t numRows = op.isPerRow() ? states.front().getNumRows() : 1;
    active.assign(numRows, true);
    accumulated.assign(numRows, 0);
    steps = Tensor::ints(shapeOfNumbers());
    remainders = Tensor::floats(shapeOfNumbers());
    int64_t max = op.getMax();
    for (iteration = 1; iteration <= max && llvm::is_contained(active, true);
         ++iteration)
      if (failed(runIteration()))
        return failure();
    for (auto [result, state] :
         llvm::zip_equal(op.getStates(), isSum ? sums : states))
      if (failed(interpreter.set(result, std::move(state))))
        return failure();
    if (failed(interpreter.set(op.getSteps(), std::move(steps))))
      return failure();
    return interpreter.set(op.getRemainder(), std::move(remainders));
  }

private:
  SmallVector<int64_t> shapeOfNumbers() {
    if (!op.isPerRow())
      return {};
    return {states.front().getNumRows()};
  }

  LogicalResult runIteration() {
    Interpreter::KeyScope key(interpreter, iteration - 1);
    FailureOr<RuntimeValues> yielded = interpreter.run(
        op.getBody(), argumentsOf(op, interpreter, states, iteration - 1));
    if (failed(yielded))
      return failure();
    const Tensor &p = *yielded->front().tensor;
    Tensor goOn = Tensor::ints(shapeOfNumbers());
    for (int64_t row = 0, e = active.size(); row < e; ++row)
      goOn.i(row) = goesOn(row, p.f(row));
    RuntimeValue flags = interpreter.holdConstant(std::move(goOn));
    for (int64_t row = 0, e = active.size(); row < e; ++row)
      if (active[row])
        take(row, p.f(row), flags.tensor->i(row) != 0,
             ArrayRef(*yielded).drop_front());
    return success();
  }

  bool goesOn(int64_t row, double p) {
    return accumulated[row] + p < 1 - op.getEpsilon().convertToDouble();
  }

  void take(int64_t row, double p, bool goOn, ArrayRef<RuntimeValue> next) {
    bool isLast = iteration == static_cast<int64_t>(op.getMax());
    bool isForced = isLast && op.getAtMaximum() == Remainder::Forced;
    bool takesRest = !goOn || isForced;
    double rest = 1 - accumulated[row], weight = takesRest ? rest : p;
    ++steps.i(row);
    if (takesRest)
      remainders.f(row) = rest;
    accumulated[row] += p;
    active[row] = goOn;
    for (auto [state, sum, value] : llvm::zip_equal(states, sums, next))
      mix(state, sum, *value.tensor, row, weight);
  }

  void mix(Tensor &state, Tensor &sum, const Tensor &next, int64_t row,
           double weight) {
    int64_t size = op.isPerRow() ? state.getRowSize() : state.getNumElements();
    for (int64_t e = row * size, end = e + size; e < end; ++e) {
      sum.f(e) += weight * next.f(e);
      state.f(e) =
          isSum ? next.f(e) : weight * next.f(e) + (1 - weight) * state.f(e);
    }
  }

  PonderOp op;
  Interpreter &interpreter;
  bool isSum;
  int64_t iteration = 0;
  SmallVector<Tensor> states, sums;
  SmallVector<bool> active;
  SmallVector<double> accumulated;
  Tensor steps, remainders;
};

struct IterateModel
    : InterpretableOpInterface::ExternalModel<IterateModel, IterateOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    return Iterations(cast<IterateOp>(op), interpreter).run();
  }
};

struct PonderModel
    : InterpretableOpInterface::ExternalModel<PonderModel, PonderOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    return Pondering(cast<PonderOp>(op), interpreter).run();
  }
};
} // namespace

void depth::registerInterpretModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, DepthDialect *) {
    IterateOp::attachInterface<IterateModel>(*context);
    PonderOp::attachInterface<PonderModel>(*context);
    attachSearchMeaning(context);
  });
}
