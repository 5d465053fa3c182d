//===-- lib/Interpreter/ControlFlow.cpp - The meaning of func and scf ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "cambium/Interpreter/UpstreamModels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cambium;

namespace {

RuntimeValues valuesOf(Interpreter &interpreter, ValueRange values) {
  return llvm::map_to_vector(
      values, [&](Value value) { return interpreter.get(value); });
}

LogicalResult bindResults(Operation *op, Interpreter &interpreter,
                          const FailureOr<RuntimeValues> &values) {
  if (failed(values))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), *values))
    interpreter.bind(result, value);
  return success();
}

struct CallModel
    : InterpretableOpInterface::ExternalModel<CallModel, func::CallOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto call = cast<func::CallOp>(op);
    return bindResults(
        op, interpreter,
        interpreter.callSymbol(op, call.getCalleeAttr(),
                               valuesOf(interpreter, call.getOperands())));
  }
};

struct IfModel : InterpretableOpInterface::ExternalModel<IfModel, scf::IfOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto branch = cast<scf::IfOp>(op);
    bool taken = interpreter.getTensor(branch.getCondition()).i(0);
    Region &region = taken ? branch.getThenRegion() : branch.getElseRegion();
    if (region.empty())
      return success();
    return bindResults(op, interpreter, interpreter.run(region, {}));
  }
};

struct ForModel
    : InterpretableOpInterface::ExternalModel<ForModel, scf::ForOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto loop = cast<scf::ForOp>(op);
    int64_t begin = interpreter.getTensor(loop.getLowerBound()).i(0);
    int64_t end = interpreter.getTensor(loop.getUpperBound()).i(0);
    int64_t step = interpreter.getTensor(loop.getStep()).i(0);
    if (step <= 0)
      return op->emitOpError() << "expected a positive step, but got " << step;
    FailureOr<RuntimeValues> values = valuesOf(interpreter, loop.getInitArgs());
    for (int64_t i = begin; i < end && succeeded(values); i += step) {
      RuntimeValues args{Tensor::ints({}, i)};
      llvm::append_range(args, *values);
      values = interpreter.run(loop.getRegion(), args);
    }
    return bindResults(op, interpreter, values);
  }
};
} // namespace

void cambium::registerControlFlowInterpretModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::CallOp::attachInterface<CallModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    scf::IfOp::attachInterface<IfModel>(*context);
    scf::ForOp::attachInterface<ForModel>(*context);
  });
}

void cambium::registerUpstreamInterpretModels(DialectRegistry &registry) {
  registerArithInterpretModels(registry);
  registerControlFlowInterpretModels(registry);
  registerMathInterpretModels(registry);
  registerTensorInterpretModels(registry);
}
