//===-- InterpretedCall.cpp - One call of an interpreted entry ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes a batch apart into its examples, evaluates each, and puts the results
// where compiled code would put them.
//
//===----------------------------------------------------------------------===//
#include "InterpretedModule.h"
#include "cambium/Interfaces/Interpreter.h"
#include "cambium/Support/Rows.h"
#include "cambium/runtime.h"
#include "dialects/NN/IR/NN.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cambium;

namespace {

/// Copies elements of memory of a type into a tensor, or back.
template <typename T>
void readElements(Tensor &tensor, const void *data, int64_t first) {
  const T *elements = static_cast<const T *>(data) + first;
  for (int64_t i = 0, n = tensor.getNumElements(); i < n; ++i) {
    if (tensor.isFloat())
      tensor.f(i) = elements[i];
    else
      tensor.i(i) = elements[i];
  }
}

template <typename T>
void writeElements(const Tensor &tensor, void *data, int64_t first) {
  T *elements = static_cast<T *>(data) + first;
  for (int64_t i = 0, n = tensor.getNumElements(); i < n; ++i)
    elements[i] = static_cast<T>(tensor.isFloat() ? tensor.f(i) : tensor.i(i));
}

Tensor readTensor(Type element, ArrayRef<int64_t> shape, const void *data,
                  int64_t first) {
  Tensor tensor =
      isa<FloatType>(element) ? Tensor::floats(shape) : Tensor::ints(shape);
  if (element.isF32())
    readElements<float>(tensor, data, first);
  else if (element.isF64())
    readElements<double>(tensor, data, first);
  else if (element.isInteger(32))
    readElements<int32_t>(tensor, data, first);
  else
    readElements<int64_t>(tensor, data, first);
  return tensor;
}

void writeTensor(Type element, const Tensor &tensor, void *data,
                 int64_t first) {
  if (element.isF32())
    writeElements<float>(tensor, data, first);
  else if (element.isF64())
    writeElements<double>(tensor, data, first);
  else if (element.isInteger(32))
    writeElements<int32_t>(tensor, data, first);
  else
    writeElements<int64_t>(tensor, data, first);
}

/// One call: the examples of a batch.
class InterpretedCall {
public:
  InterpretedCall(const InterpretedEntry &entry, cambium_abi_call_t *call)
      : entry(entry), function(entry.function), call(call) {}

  LogicalResult run(Interpreter &interpreter) {
    for (int64_t example = 0; example < call->num_examples; ++example) {
      RuntimeValues args;
      for (unsigned i = 0; i < entry.args.size(); ++i)
        args.push_back(readArgument(i, example));
      if (call->example_keys)
        interpreter.setKey(call->example_keys[example]);
      FailureOr<RuntimeValues> results = interpreter.call(function, args);
      if (failed(results))
        return failure();
      for (auto [output, result] : llvm::enumerate(*results))
        writeResult(output, *result.tensor, example);
    }
    return success();
  }

private:
  RuntimeValue readArgument(unsigned number, int64_t example) {
    const InterpretedArgument &arg = entry.args[number];
    if (arg.isTree)
      return readTree(*call->forests[arg.index], arg.space, example);
    auto type = cast<RankedTensorType>(function.getArgumentTypes()[number]);
    if (cambium::hasRows(type) && cambium::hasRows(rowType(type)))
      return readInnerRows(arg, rowType(type), example);
    SmallVector<int64_t> shape(type.getShape());
    int64_t first = arg.space == CAMBIUM_SPACE_CALL ? 0 : example, numRows = 1;
    if (arg.edgesOf >= 0)
      std::tie(first, numRows) =
          edgesOf(entry.args[forestArgument(arg.edgesOf)], example);
    else if (arg.space >= 0)
      std::tie(first, numRows) = rowsOf(arg.space, example);
    bool hasRows = !shape.empty() && ShapedType::isDynamic(shape[0]);
    if (hasRows)
      shape[0] = numRows;
    int64_t rowElements = 1;
    for (int64_t size : ArrayRef(shape).drop_front(hasRows ? 1 : 0))
      rowElements *= size;
    return readTensor(type.getElementType(), shape, call->inputs[arg.index],
                      first * rowElements);
  }

  /// The rows of each row of the example.
  RuntimeValue readInnerRows(const InterpretedArgument &arg,
                             RankedTensorType type, int64_t example) {
    auto [outer, numOuter] = rowsOf(arg.outerSpace, example);
    std::vector<RuntimeValue> rows;
    SmallVector<int64_t> shape(type.getShape());
    int64_t rowElements = rowType(type).getNumElements();
    for (int64_t row = outer; row < outer + numOuter; ++row) {
      auto [first, numRows] = rowsOf(arg.space, row);
      shape[0] = numRows;
      rows.push_back(readTensor(type.getElementType(), shape,
                                call->inputs[arg.index], first * rowElements));
    }
    return rows;
  }

  /// The first row and the number of rows of an example, or of a row that has
  /// rows.
  std::pair<int64_t, int64_t> rowsOf(int64_t space, int64_t example) const {
    const int32_t *offsets = call->spaces[space].offsets;
    return {offsets[example], offsets[example + 1] - offsets[example]};
  }

  /// The argument that is the forest of an index.
  unsigned forestArgument(int64_t forest) const {
    for (auto [number, arg] : llvm::enumerate(entry.args))
      if (arg.isTree && arg.index == forest)
        return number;
    llvm_unreachable("edges of a forest that is no argument");
  }

  /// The first edge and the number of edges of an example: edges are grouped by
  /// parent in the order of the user's nodes.
  std::pair<int64_t, int64_t> edgesOf(const InterpretedArgument &arg,
                                      int64_t example) const {
    const cambium_abi_forest_t &forest = *call->forests[arg.index];
    auto [first, numRows] = rowsOf(arg.space, example);
    int64_t before = 0, within = 0;
    for (int64_t row = 0; row < first + numRows; ++row) {
      int64_t node = forest.user_to_node[row];
      (row < first ? before : within) +=
          forest.child_offsets[node + 1] - forest.child_offsets[node];
    }
    return {before, within};
  }

  Tree readTree(const cambium_abi_forest_t &forest, int64_t space,
                int64_t example) const {
    auto [first, numRows] = rowsOf(space, example);
    std::vector<std::vector<int64_t>> children(numRows);
    for (int64_t row = 0; row < numRows; ++row) {
      int64_t node = forest.user_to_node[first + row];
      for (int64_t edge = forest.child_offsets[node];
           edge < forest.child_offsets[node + 1]; ++edge)
        children[row].push_back(forest.node_to_user[forest.child_nodes[edge]] -
                                first);
    }
    // The runtime has checked the tree.
    return llvm::cantFail(Tree::fromChildren(children));
  }

  void writeResult(unsigned output, const Tensor &result, int64_t example) {
    int64_t space = entry.outputSpaces[output], first = 0;
    if (space >= 0)
      first = rowsOf(space, example).first * result.getRowSize();
    else if (space == -1)
      first = example * result.getNumElements();
    writeTensor(getElementTypeOrSelf(function.getResultTypes()[output]), result,
                call->outputs[output], first);
  }

  const InterpretedEntry &entry;
  FunctionOpInterface function;
  cambium_abi_call_t *call;
};
} // namespace

/// The present values of all parameters.
static Parameters readParameters(ModuleOp module, ArrayRef<std::string> names,
                                 const cambium_abi_param_t *params) {
  Parameters parameters;
  SymbolTable symbols(module);
  for (auto [index, name] : llvm::enumerate(names)) {
    auto type =
        cast<RankedTensorType>(symbols.lookup<nn::ParamOp>(name).getType());
    parameters.emplace(name, readTensor(type.getElementType(), type.getShape(),
                                        params[index].value, 0));
  }
  return parameters;
}

int32_t InterpretedModule::run(size_t number, cambium_abi_call_t *call) {
  const InterpretedEntry &entry = entries[number];
  std::string message;
  if (!entry.function) {
    message = "the interpreter evaluates functions and takes no training "
              "steps: compile "
              "the model, and train without --interpret";
    call->services->fail(call, CAMBIUM_STATUS_FAILED, message.c_str());
    return CAMBIUM_STATUS_FAILED;
  }
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream stream(message);
    stream << (message.empty() ? "" : "; ") << diagnostic.getLocation() << ": "
           << diagnostic;
  });
  Interpreter interpreter(
      *module, readParameters(*module, paramNames, call->params), {});
  if (succeeded(InterpretedCall(entry, call).run(interpreter)))
    return CAMBIUM_STATUS_OK;
  call->services->fail(call, CAMBIUM_STATUS_FAILED, message.c_str());
  return CAMBIUM_STATUS_FAILED;
}
