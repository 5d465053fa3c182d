//===-- Interpreter.h - The reference interpreter ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates functions of the input phase on one example at a time. Each op says
// what it means through `InterpretableOpInterface`; here is what they share:
// the values, the number types, regions, calls, keys and what differences need.
//
// Numbers. Every op computes in double (sums of products too) and its result is
// rounded once to the type of the value: f32 to float, unless the interpreter
// is told to compute all in f64. Integers wrap to their width.
//
// Depth. Recursion over trees is a loop over the nodes, children first: the
// stack holds one frame per region nested in the IR, never one per node.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_INTERPRETER_H
#define CAMBIUM_INTERFACES_INTERPRETER_H

#include "cambium/Support/Tensor.h"
#include "cambium/Support/Tree.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <memory>
#include <string>

namespace cambium {

/// What a value holds: a tensor (scalars have rank 0), a tree, or rows that
/// have rows, one value for each. Shared and never changed once it is bound.
struct RuntimeValue {
  RuntimeValue() = default;
  RuntimeValue(Tensor value)
      : tensor(std::make_shared<const Tensor>(std::move(value))) {}
  RuntimeValue(Tree value)
      : tree(std::make_shared<const Tree>(std::move(value))) {}
  RuntimeValue(std::vector<RuntimeValue> value)
      : rows(std::make_shared<const std::vector<RuntimeValue>>(
            std::move(value))) {}

  std::shared_ptr<const Tensor> tensor;
  std::shared_ptr<const Tree> tree;
  std::shared_ptr<const std::vector<RuntimeValue>> rows;
};

using RuntimeValues = llvm::SmallVector<RuntimeValue>;

/// Values of the parameters of a module by symbol.
using Parameters = std::map<std::string, Tensor>;

/// How to evaluate.
struct InterpreterOptions {
  /// Computes all that is f32 in double.
  bool f64 = false;
  /// Whether dropout is active.
  bool training = false;
  /// The key of the example (docs/Design.md, "Random numbers").
  uint64_t key = 0;
};

/// The interpreter of one module. Not thread-safe; one per thread.
class Interpreter {
public:
  /// The module is the symbol table that holds the functions and parameters.
  Interpreter(mlir::Operation *module, const Parameters &parameters,
              const InterpreterOptions &options);

  /// Evaluates a function. Fails with an error at the function if the arguments
  /// do not fit it, and at the op that fails.
  llvm::FailureOr<RuntimeValues> call(mlir::FunctionOpInterface function,
                                      llvm::ArrayRef<RuntimeValue> args);

  // For implementers of `InterpretableOpInterface`.

  /// What a value holds; it has been computed before.
  const Tensor &getTensor(mlir::Value value) const;
  const Tree &getTree(mlir::Value value) const;
  const RuntimeValue &get(mlir::Value value) const;
  /// Binds the result of an op after rounding the tensor to the value's type.
  /// Fails if the shape is not one of the type.
  llvm::LogicalResult set(mlir::Value value, Tensor tensor);
  /// Rounds to the element type of a type; the shape is not looked at.
  void roundTo(mlir::Type type, Tensor &tensor) const;
  /// Binds a value to what is computed and rounded already.
  void bind(mlir::Value value, RuntimeValue contents);
  /// Runs a region of one block; gives the operands of its terminator.
  llvm::FailureOr<RuntimeValues> run(mlir::Region &region,
                                     llvm::ArrayRef<RuntimeValue> args);
  /// Runs the ops from `first` to `last`, both of one block, inclusively.
  llvm::LogicalResult runRange(mlir::Operation *first, mlir::Operation *last);
  /// Calls the function named by a symbol that is used at `op`.
  llvm::FailureOr<RuntimeValues> callSymbol(mlir::Operation *op,
                                            mlir::FlatSymbolRefAttr callee,
                                            llvm::ArrayRef<RuntimeValue> args);
  /// Fails with an error at the op if the two shapes differ.
  static llvm::LogicalResult expectSameShape(mlir::Operation *op,
                                             const Tensor &a, const Tensor &b);

  /// The value of a parameter; fails with an error at the op if there is none.
  llvm::FailureOr<RuntimeValue> getParameter(mlir::Operation *op,
                                             llvm::StringRef name);
  /// The value of a parameter for changing it; null if there is none.
  Tensor *getMutableParameter(llvm::StringRef name);

  /// The number of an op among those of its name in the module, in walk order.
  int64_t getNumberInModule(mlir::Operation *op);

  const InterpreterOptions &getOptions() const { return options; }
  void setKey(uint64_t key) { options.key = key; }
  /// The key of the context: of the example, or of the node at hand.
  uint64_t getKey() const { return options.key; }
  /// Makes the key number `index` under the present one the key of the context
  /// for the life of the scope.
  class KeyScope;
  /// Computes in double for the life of the scope.
  class DoubleScope;

  // For differences: what is constant for every gradient keeps the value that
  // it had in a first, recorded evaluation.

  /// The values that were held constant in an evaluation, in their order.
  struct Constants {
    std::vector<RuntimeValue> values;
    size_t next = 0;
  };
  /// Within the scope evaluations record what is held constant in `constants`,
  /// or replay it.
  class ConstantsScope;
  /// The tensor to use for one that is constant for every gradient.
  RuntimeValue holdConstant(RuntimeValue value);

private:
  struct ConstantsFrame {
    Constants *constants;
    bool replay;
    ConstantsFrame *outer;
  };

  /// A parameter, rounded to its type when it is first read.
  struct Parameter {
    std::shared_ptr<Tensor> value;
    bool isRounded;
  };

  llvm::LogicalResult runOp(mlir::Operation *op);
  /// Calls with arguments that are rounded already.
  llvm::FailureOr<RuntimeValues> enter(mlir::FunctionOpInterface function,
                                       llvm::ArrayRef<RuntimeValue> args);
  llvm::LogicalResult checkArguments(mlir::FunctionOpInterface function,
                                     llvm::ArrayRef<RuntimeValue> args);
  /// The argument with its tensors rounded to the type.
  RuntimeValue rounded(mlir::Type type, const RuntimeValue &arg) const;
  static RuntimeValue holdIn(ConstantsFrame *frame, RuntimeValue value);

  mlir::Operation *module;
  InterpreterOptions options;
  std::map<std::string, Parameter, std::less<>> parameters;
  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Value, RuntimeValue> values;
  llvm::DenseMap<mlir::Operation *, int64_t> numbers;
  llvm::SmallVector<mlir::Operation *> activeFunctions;
  ConstantsFrame *constantsFrame = nullptr;
};

class Interpreter::KeyScope {
public:
  KeyScope(Interpreter &interpreter, uint64_t index);
  ~KeyScope() { interpreter.options.key = key; }
  KeyScope(const KeyScope &) = delete;
  KeyScope &operator=(const KeyScope &) = delete;

private:
  Interpreter &interpreter;
  uint64_t key;
};

class Interpreter::DoubleScope {
public:
  explicit DoubleScope(Interpreter &interpreter)
      : interpreter(interpreter), f64(interpreter.options.f64) {
    interpreter.options.f64 = true;
  }
  ~DoubleScope() { interpreter.options.f64 = f64; }
  DoubleScope(const DoubleScope &) = delete;
  DoubleScope &operator=(const DoubleScope &) = delete;

private:
  Interpreter &interpreter;
  bool f64;
};

class Interpreter::ConstantsScope {
public:
  ConstantsScope(Interpreter &interpreter, Constants &constants, bool replay)
      : interpreter(interpreter),
        frame{&constants, replay, interpreter.constantsFrame} {
    constants.next = 0;
    interpreter.constantsFrame = &frame;
  }
  ~ConstantsScope() { interpreter.constantsFrame = frame.outer; }
  ConstantsScope(const ConstantsScope &) = delete;
  ConstantsScope &operator=(const ConstantsScope &) = delete;

private:
  Interpreter &interpreter;
  ConstantsFrame frame;
};

/// Evaluates a function on one example: a fresh interpreter of its module.
llvm::FailureOr<RuntimeValues> interpretFunction(
    mlir::FunctionOpInterface function, llvm::ArrayRef<RuntimeValue> args,
    const Parameters &parameters, const InterpreterOptions &options = {});

} // namespace cambium

#endif // CAMBIUM_INTERFACES_INTERPRETER_H
