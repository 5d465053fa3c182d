//===-- dialects/NN/Interpret/Each.cpp - The meaning of a body per row ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "cambium/Support/Rows.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Interpret/Models.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

/// The number of rows of a value.
static int64_t numRowsOf(const RuntimeValue &value) {
  return value.rows ? value.rows->size() : value.tensor->getNumRows();
}

/// A tensor of `count` rows of the type.
static Tensor makeRows(Type type, int64_t count) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape.front() = count;
  return isa<FloatType>(tensor.getElementType()) ? Tensor::floats(shape)
                                                 : Tensor::ints(shape);
}

namespace {
/// One row after the other, each under its own random key.
struct EachModel : InterpretableOpInterface::ExternalModel<EachModel, EachOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto each = cast<EachOp>(op);
    // Held, not referred to: the body may compute them anew for a gradient.
    RuntimeValues inputs;
    for (Value rows : each.getRows())
      inputs.push_back(interpreter.get(rows));
    int64_t count = numRowsOf(inputs.front());
    for (const RuntimeValue &input : inputs)
      if (numRowsOf(input) != count)
        // [NN-EACH-C12]
        return op->emitOpError() << "expected operands with as many rows as "
                                    "one another, but got "
                                 << count << " and " << numRowsOf(input);
    SmallVector<std::vector<RuntimeValue>> results(op->getNumResults());
    for (int64_t row = 0; row < count; ++row)
      if (failed(runRow(each, interpreter, inputs, row, results)))
        return failure();
    for (auto [result, rows] : llvm::zip_equal(op->getResults(), results))
      if (failed(setRows(result, std::move(rows), interpreter)))
        return failure();
    return success();
  }

private:
  static LogicalResult
  runRow(EachOp each, Interpreter &interpreter, ArrayRef<RuntimeValue> inputs,
         int64_t row, MutableArrayRef<std::vector<RuntimeValue>> results) {
    RuntimeValues args;
    for (const RuntimeValue &input : inputs)
      args.push_back(input.rows ? (*input.rows)[row]
                                : RuntimeValue(input.tensor->getRow(row)));
    Interpreter::KeyScope key(interpreter, row);
    FailureOr<RuntimeValues> values = interpreter.run(each.getBody(), args);
    if (failed(values))
      return failure();
    for (auto [result, value] : llvm::zip_equal(results, *values))
      result.push_back(std::move(value));
    return success();
  }

  /// Rows that have rows stay apart, others are rows of one tensor.
  static LogicalResult setRows(Value result, std::vector<RuntimeValue> rows,
                               Interpreter &interpreter) {
    if (hasRows(rowType(result.getType()))) {
      interpreter.bind(result, std::move(rows));
      return success();
    }
    Tensor all = makeRows(result.getType(), static_cast<int64_t>(rows.size()));
    for (auto [i, row] : llvm::enumerate(rows))
      all.setRow(static_cast<int64_t>(i), *row.tensor);
    return interpreter.set(result, std::move(all));
  }
};
} // namespace

void cambium::nn::attachEachMeaning(MLIRContext *context) {
  EachOp::attachInterface<EachModel>(*context);
}
