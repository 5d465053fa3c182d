//===-- dialects/Depth/Interpret/Interpret.cpp - Meaning of depth ops -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Depth/Interpret/Interpret.h"
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interpreter/Interpreter.h"
#include "dialects/Depth/IR/Depth.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

namespace {
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
    if (failed(checkRows()))
      return failure();
    int64_t numRows = op.isPerRow() ? states.front().getNumRows() : 1;
    active.assign(numRows, true);
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
  LogicalResult checkRows() {
    for (const Tensor &state : states)
      if (op.isPerRow() && state.getNumRows() != states.front().getNumRows())
        // [DEPTH-ITERATE-C7]
        return op.emitOpError()
               << "expected carried values with the same number of rows, but "
                  "got "
               << states.front().getNumRows() << " and " << state.getNumRows();
    return success();
  }

  LogicalResult runIteration(int64_t iteration) {
    Interpreter::KeyScope key(interpreter, iteration);
    RuntimeValues args(states.begin(), states.end());
    FailureOr<RuntimeValues> yielded = interpreter.run(op.getBody(), args);
    if (failed(yielded))
      return failure();
    // Of a gradient's point of view the flags are constants.
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

struct IterateModel
    : InterpretableOpInterface::ExternalModel<IterateModel, IterateOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    return Iterations(cast<IterateOp>(op), interpreter).run();
  }
};
} // namespace

void depth::registerInterpretModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, DepthDialect *) {
    IterateOp::attachInterface<IterateModel>(*context);
  });
}
