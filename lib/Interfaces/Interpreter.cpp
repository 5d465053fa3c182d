//===-- lib/Interfaces/Interpreter.cpp - The reference interpreter -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/Interpreter.h"
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Support/Random.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace cambium;

Interpreter::Interpreter(Operation *module, const Parameters &params,
                         const InterpreterOptions &options)
    : module(module), options(options) {
  for (const auto &[name, value] : params)
    parameters.emplace(name,
                       Parameter{std::make_shared<Tensor>(value), options.f64});
}

Interpreter::KeyScope::KeyScope(Interpreter &interpreter, uint64_t index)
    : interpreter(interpreter), key(interpreter.options.key) {
  interpreter.options.key = mixKey(key, index);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const RuntimeValue &Interpreter::get(Value value) const {
  auto it = values.find(value);
  assert(it != values.end() && "read before it is computed");
  return it->second;
}

const Tensor &Interpreter::getTensor(Value value) const {
  return *get(value).tensor;
}
const Tree &Interpreter::getTree(Value value) const { return *get(value).tree; }

void Interpreter::bind(Value value, RuntimeValue contents) {
  values[value] = std::move(contents);
}

/// The shape that a type demands; a scalar's is empty.
static ArrayRef<int64_t> shapeOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.getShape() : ArrayRef<int64_t>();
}

/// Whether a tensor can be a value of the type.
static bool fits(Type type, const Tensor &tensor) {
  ArrayRef<int64_t> shape = shapeOf(type);
  if (static_cast<int64_t>(shape.size()) != tensor.getRank() ||
      isa<FloatType>(getElementTypeOrSelf(type)) != tensor.isFloat())
    return false;
  for (auto [expected, size] : llvm::zip_equal(shape, tensor.getShape()))
    if (!ShapedType::isDynamic(expected) && expected != size)
      return false;
  return true;
}

void Interpreter::roundTo(Type type, Tensor &tensor) const {
  Type element = getElementTypeOrSelf(type);
  if (element.isF32() && !options.f64)
    tensor.roundToFloat();
  else if (auto integer = dyn_cast<IntegerType>(element))
    tensor.wrapTo(integer.getWidth());
}

LogicalResult Interpreter::set(Value value, Tensor tensor) {
  if (!fits(value.getType(), tensor)) {
    Operation *op = value.getDefiningOp();
    return op->emitOpError() << "expected to compute " << value.getType()
                             << ", but got shape " << tensor.describeShape();
  }
  roundTo(value.getType(), tensor);
  bind(value, std::move(tensor));
  return success();
}

LogicalResult Interpreter::expectSameShape(Operation *op, const Tensor &a,
                                           const Tensor &b) {
  if (a.getShape() == b.getShape())
    return success();
  // [NN-ROWS-C1]
  return op->emitOpError()
         << "expected operands with as many rows as one another, but "
            "got shapes "
         << a.describeShape() << " and " << b.describeShape();
}

FailureOr<RuntimeValue> Interpreter::getParameter(Operation *op,
                                                  StringRef name) {
  auto it = parameters.find(name);
  if (it == parameters.end()) {
    // [NN-USE-C3]
    op->emitOpError() << "expected a value of parameter '" << name
                      << "', but got none";
    return failure();
  }
  Type type = op->getResult(0).getType();
  auto &[stored, isRounded] = it->second;
  if (!fits(type, *stored)) {
    op->emitOpError() << "expected a value of parameter '" << name
                      << "' of type " << type << ", but got shape "
                      << stored->describeShape();
    return failure();
  }
  if (!isRounded && getElementTypeOrSelf(type).isF32())
    stored->roundToFloat();
  isRounded = true;
  RuntimeValue value;
  value.tensor = stored;
  return value;
}

Tensor *Interpreter::getMutableParameter(StringRef name) {
  auto it = parameters.find(name);
  return it == parameters.end() ? nullptr : it->second.value.get();
}

int64_t Interpreter::getNumberInModule(Operation *op) {
  if (numbers.empty()) {
    llvm::DenseMap<OperationName, int64_t> next;
    module->walk<WalkOrder::PreOrder>([&](Operation *nested) {
      numbers[nested] = next[nested->getName()]++;
    });
  }
  return numbers.lookup(op);
}

//===----------------------------------------------------------------------===//
// Regions and calls
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::runOp(Operation *op) {
  auto interpretable = dyn_cast<InterpretableOpInterface>(op);
  if (!interpretable)
    return op->emitOpError(
        "expected an op that the interpreter knows, but got one without "
        "'InterpretableOpInterface'");
  return interpretable.interpret(*this);
}

LogicalResult Interpreter::runRange(Operation *first, Operation *last) {
  for (Operation *op = first;; op = op->getNextNode()) {
    if (failed(runOp(op)))
      return failure();
    if (op == last)
      return success();
  }
}

FailureOr<RuntimeValues> Interpreter::run(Region &region,
                                          ArrayRef<RuntimeValue> args) {
  Block &block = region.front();
  for (auto [arg, value] : llvm::zip_equal(block.getArguments(), args))
    bind(arg, value);
  for (Operation &op : block.without_terminator())
    if (failed(runOp(&op)))
      return failure();
  Operation *terminator = block.getTerminator();
  if (terminator->getNumSuccessors()) {
    terminator->emitOpError(
        "expected structured control flow, but got branches");
    return failure();
  }
  RuntimeValues results;
  for (Value operand : terminator->getOperands())
    results.push_back(get(operand));
  return results;
}

/// Whether every row can be a row of the type, whose rows have rows.
static bool fitsRows(Type type, const RuntimeValue &value) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() < 2)
    return false;
  Type row = tensor.clone(tensor.getShape().drop_front());
  return llvm::all_of(*value.rows, [&](const RuntimeValue &inner) {
    return inner.tensor && fits(row, *inner.tensor);
  });
}

LogicalResult Interpreter::checkArguments(FunctionOpInterface function,
                                          ArrayRef<RuntimeValue> args) {
  ArrayRef<Type> types = function.getArgumentTypes();
  if (types.size() != args.size())
    return function.emitOpError() << "expected " << types.size()
                                  << " arguments, but got " << args.size();
  for (auto [i, type] : llvm::enumerate(types)) {
    if (args[i].rows) {
      if (fitsRows(type, args[i]))
        continue;
      return function.emitOpError()
             << "expected argument " << i << " to be " << type
             << ", but got rows that have other rows";
    }
    bool isTensor = isa<ShapedType, FloatType, IntegerType, IndexType>(type);
    if (isTensor != static_cast<bool>(args[i].tensor))
      return function.emitOpError()
             << "expected argument " << i << " to be " << type << ", but got a "
             << (isTensor ? "tree" : "tensor");
    if (isTensor && !fits(type, *args[i].tensor))
      return function.emitOpError()
             << "expected argument " << i << " to be " << type << ", but got "
             << (args[i].tensor->isFloat() ? "floats" : "integers")
             << " of shape " << args[i].tensor->describeShape();
  }
  return success();
}

FailureOr<RuntimeValues> Interpreter::call(FunctionOpInterface function,
                                           ArrayRef<RuntimeValue> args) {
  if (failed(checkArguments(function, args)))
    return failure();
  RuntimeValues values;
  for (auto [type, arg] : llvm::zip_equal(function.getArgumentTypes(), args))
    values.push_back(rounded(type, arg));
  return enter(function, values);
}

RuntimeValue Interpreter::rounded(Type type, const RuntimeValue &arg) const {
  if (arg.rows) {
    std::vector<RuntimeValue> rows;
    for (const RuntimeValue &row : *arg.rows)
      rows.push_back(rounded(type, row));
    return rows;
  }
  if (!arg.tensor)
    return arg;
  Tensor tensor = *arg.tensor;
  roundTo(type, tensor);
  return tensor;
}

FailureOr<RuntimeValues> Interpreter::enter(FunctionOpInterface function,
                                            ArrayRef<RuntimeValue> args) {
  if (function.isExternal()) {
    function.emitOpError("expected a function with a body");
    return failure();
  }
  if (llvm::is_contained(activeFunctions, function.getOperation())) {
    function.emitOpError(
        "expected no recursive call (recursion is 'tree.fold')");
    return failure();
  }
  activeFunctions.push_back(function);
  FailureOr<RuntimeValues> results = run(function.getFunctionBody(), args);
  activeFunctions.pop_back();
  return results;
}

FailureOr<RuntimeValues> Interpreter::callSymbol(Operation *op,
                                                 FlatSymbolRefAttr callee,
                                                 ArrayRef<RuntimeValue> args) {
  auto function =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(op, callee);
  if (!function) {
    op->emitOpError() << "expected the name of a function, but got '"
                      << callee.getValue() << "'";
    return failure();
  }
  return enter(function, args);
}

//===----------------------------------------------------------------------===//
// Constants of gradients
//===----------------------------------------------------------------------===//

RuntimeValue Interpreter::holdIn(ConstantsFrame *frame, RuntimeValue value) {
  if (!frame)
    return value;
  Constants &constants = *frame->constants;
  if (frame->replay)
    return constants.next < constants.values.size()
               ? constants.values[constants.next++]
               : value;
  // What is recorded within a replay of an outer gradient is what that one
  // holds.
  value = holdIn(frame->outer, std::move(value));
  // A copy: a parameter is perturbed in place.
  constants.values.push_back(Tensor(*value.tensor));
  return value;
}

RuntimeValue Interpreter::holdConstant(RuntimeValue value) {
  return holdIn(constantsFrame, std::move(value));
}

FailureOr<RuntimeValues> cambium::interpretFunction(
    FunctionOpInterface function, ArrayRef<RuntimeValue> args,
    const Parameters &parameters, const InterpreterOptions &options) {
  Interpreter interpreter(SymbolTable::getNearestSymbolTable(function),
                          parameters, options);
  return interpreter.call(function, args);
}
