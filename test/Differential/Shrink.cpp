//===-- test/Differential/Shrink.cpp - Smaller models ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Shrink.h"
#include "cambium/Support/ParseModel.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Tree/IR/Tree.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cambium;

namespace {
/// One way to make a module smaller: the number of an op, and of what is done
/// to it.
struct Change {
  int64_t op = 0, variant = 0;
};

/// Applies changes to a module that is parsed again for each of them.
class Shrinker {
public:
  Shrinker(StringRef text, MLIRContext &context)
      : module(parseModelText(text, &context)) {
    if (!module)
      return;
    module->walk([&](Operation *op) { ops.push_back(op); });
    // Late ops first: what they need goes with them.
    std::reverse(ops.begin(), ops.end());
  }

  int64_t getNumOps() const { return ops.size(); }

  /// The text after a change; empty if the op has no such variant.
  std::string apply(Change change) {
    Operation *op = ops[change.op];
    if (!change.variant ? !drop(op) : !replace(op, change.variant - 1))
      return "";
    removeUnused();
    if (failed(verify(*module)))
      return "";
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    return text;
  }

private:
  /// What needs no other value in its place.
  static bool drop(Operation *op) {
    if (auto fold = dyn_cast<tree::FoldOp>(op)) {
      if (fold.getLeaf().empty())
        return false;
      fold.getLeaf().dropAllReferences();
      fold.getLeaf().getBlocks().clear();
      return true;
    }
    auto exit = dyn_cast<func::ReturnOp>(op);
    if (!exit || exit.getNumOperands() < 2)
      return false;
    auto function = exit->getParentOfType<func::FuncOp>();
    FunctionType type = function.getFunctionType();
    exit->setOperands(exit->getOperands().drop_back());
    function.setFunctionType(FunctionType::get(
        op->getContext(), type.getInputs(), type.getResults().drop_back()));
    return true;
  }

  /// Values of the type that are there before the op, operands first.
  static SmallVector<Value> candidates(Operation *op, Type type) {
    SmallVector<Value> values;
    auto add = [&](Value value) {
      if (value.getType() == type && !llvm::is_contained(values, value))
        values.push_back(value);
    };
    for (Value operand : op->getOperands())
      add(operand);
    for (Value argument : op->getBlock()->getArguments())
      add(argument);
    for (Operation *other = op->getPrevNode(); other && values.size() < 3;
         other = other->getPrevNode())
      for (Value result : other->getResults())
        add(result);
    return values;
  }

  static bool replace(Operation *op, int64_t variant) {
    if (op->getNumResults() != 1 || op->use_empty() ||
        isa<nn::UseOp, arith::ConstantOp>(op))
      return false;
    Value result = op->getResult(0);
    SmallVector<Value> values = candidates(op, result.getType());
    if (variant < static_cast<int64_t>(values.size())) {
      result.replaceAllUsesWith(values[variant]);
      return true;
    }
    auto type = dyn_cast<RankedTensorType>(result.getType());
    bool isConstant = variant == static_cast<int64_t>(values.size()) && type &&
                      type.hasStaticShape() &&
                      isa<FloatType>(type.getElementType());
    if (!isConstant)
      return false;
    OpBuilder builder(op);
    auto half = builder.getFloatAttr(type.getElementType(), 0.5);
    result.replaceAllUsesWith(arith::ConstantOp::create(
        builder, op->getLoc(), SplatElementsAttr::get(type, half)));
    return true;
  }

  void removeUnused() {
    bool isChanged = true;
    while (isChanged) {
      isChanged = false;
      module->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
        if (!isOpTriviallyDead(op))
          return;
        op->erase();
        isChanged = true;
      });
    }
    for (auto param : llvm::make_early_inc_range(module->getOps<nn::ParamOp>()))
      if (SymbolTable::symbolKnownUseEmpty(param, *module))
        param.erase();
  }

  OwningOpRef<ModuleOp> module;
  std::vector<Operation *> ops;
};
} // namespace

std::string
cambium::difftest::shrink(std::string model, DialectRegistry &registry,
                          llvm::function_ref<bool(StringRef)> stillFails,
                          int64_t attempts) {
  constexpr int64_t kVariants = 5;
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // What does not verify is no news here.
  context.getDiagEngine().registerHandler(
      [](Diagnostic &) { return success(); });
  Change change;
  while (attempts > 0) {
    Shrinker shrinker(model, context);
    if (change.op >= shrinker.getNumOps())
      return model;
    std::string smaller = shrinker.apply(change);
    if (!smaller.empty() && smaller != model && --attempts >= 0 &&
        stillFails(smaller)) {
      // The ops behind this one have failed to go; they may now, but seldom do.
      model = std::move(smaller);
      change.variant = 0;
      change.op = std::max<int64_t>(change.op - 2, 0);
      continue;
    }
    if (++change.variant < kVariants)
      continue;
    change.variant = 0;
    ++change.op;
  }
  return model;
}
