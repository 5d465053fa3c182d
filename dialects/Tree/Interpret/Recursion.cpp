//===-- dialects/Tree/Interpret/Recursion.cpp - Recursion over trees -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One node after the other, children first (fold) or parents first (unfold), in
// a loop: a chain of a million nodes needs no more stack than a leaf. Each node
// runs under its own random key (docs/Design.md).
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "dialects/Tree/IR/Tree.h"
#include "dialects/Tree/Interpret/Models.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::tree;

namespace {

RuntimeValues valuesOf(Interpreter &interpreter, ValueRange values) {
  return llvm::map_to_vector(
      values, [&](Value value) { return interpreter.get(value); });
}

/// The states of all nodes, zero at first.
SmallVector<Tensor> makeStates(TypeRange types, int64_t numNodes) {
  return llvm::map_to_vector(types, [&](Type type) {
    SmallVector<int64_t> shape(cast<RankedTensorType>(type).getShape());
    shape[0] = numNodes;
    return Tensor::floats(shape);
  });
}

/// Binds the results to the states of all nodes.
LogicalResult setStates(Interpreter &interpreter, Operation *op,
                        MutableArrayRef<Tensor> states) {
  for (auto [result, state] : llvm::zip_equal(op->getResults(), states))
    if (failed(interpreter.set(result, std::move(state))))
      return failure();
  return success();
}

/// Runs the cell of one node under the node's key and keeps its states.
LogicalResult runCell(Interpreter &interpreter, Region &cell, int64_t node,
                      ArrayRef<RuntimeValue> args,
                      MutableArrayRef<Tensor> states) {
  Interpreter::KeyScope key(interpreter, node);
  FailureOr<RuntimeValues> results = interpreter.run(cell, args);
  if (failed(results))
    return failure();
  for (auto [state, result] : llvm::zip_equal(states, *results))
    state.setRow(node, *result.tensor);
  return success();
}

//===----------------------------------------------------------------------===//
// tree.fold
//===----------------------------------------------------------------------===//

/// `count` rows, of which the first ones are those of `rows` with the given
/// numbers and the others zero.
Tensor stackRows(const Tensor &rows, ArrayRef<int64_t> numbers, int64_t count) {
  SmallVector<int64_t> shape(rows.getShape());
  shape[0] = count;
  Tensor stack = rows.zeros(shape);
  for (auto [place, row] : llvm::enumerate(numbers))
    stack.setRow(place, rows.getRow(row));
  return stack;
}

/// The evaluation of one `tree.fold`. Operands are held, not referred to: the
/// body may compute them anew for a gradient.
/// Rows side by side, two by two.
Tensor pairRows(const Tensor &rows) {
  SmallVector<int64_t> shape(rows.getShape());
  shape.insert(shape.begin() + 1, 2);
  shape[0] /= 2;
  Tensor pairs = rows.zeros(shape);
  for (int64_t e = 0, n = rows.getNumElements(); e < n; ++e)
    pairs.f(e) = rows.f(e);
  return pairs;
}

class Fold {
public:
  Fold(FoldOp op, Interpreter &interpreter)
      : op(op), interpreter(interpreter),
        tree(interpreter.get(op.getTree()).tree),
        nodes(valuesOf(interpreter, op.getNodes())),
        edges(valuesOf(interpreter, op.getEdges())),
        states(makeStates(op.getResultTypes(), tree->getNumNodes())) {}

  LogicalResult run() {
    for (const RuntimeValue &rows : nodes)
      if (failed(expectRows(op, *rows.tensor, tree->getNumNodes(), "node")))
        return failure();
    for (const RuntimeValue &rows : edges)
      if (failed(expectRows(op, *rows.tensor, tree->getNumEdges(), "edge")))
        return failure();
    for (int64_t node : tree->getBottomUpOrder())
      if (failed(runNode(node)))
        return failure();
    return setStates(interpreter, op, states);
  }

private:
  LogicalResult runNode(int64_t node) {
    RuntimeValues args;
    for (const RuntimeValue &rows : nodes)
      args.push_back(rows.tensor->getRow(node));
    ArrayRef<int64_t> children = tree->getChildren(node);
    if (children.empty() && !op.getLeaf().empty())
      return runCell(interpreter, op.getLeaf(), node, args, states);

    int64_t arity = op.getArity(), numChildren = children.size();
    bool isFixed = !ShapedType::isDynamic(arity);
    if (isFixed && numChildren > arity)
      // [TREE-FOLD-C6]
      return op.emitOpError()
             << "expected at most " << arity << " children, but node " << node
             << " has " << numChildren;
    int64_t count = isFixed ? arity : numChildren;
    SmallVector<int64_t> edgeNumbers;
    for (int64_t place = 0; place < numChildren; ++place)
      edgeNumbers.push_back(tree->getFirstEdge(node) + place);
    for (const RuntimeValue &rows : edges)
      args.push_back(stackRows(*rows.tensor, edgeNumbers, count));
    if (op.isByCuts() && numChildren % 2)
      // [TREE-FOLD-C8]
      return op.emitOpError()
             << "expected pairs of children, as a 'tree.chart' "
                "has them, but node "
             << node << " has " << numChildren;
    for (const Tensor &state : states) {
      Tensor stack = stackRows(state, children, count);
      args.push_back(op.isByCuts() ? pairRows(stack) : std::move(stack));
    }
    return runCell(interpreter, op.getBody(), node, args, states);
  }

  FoldOp op;
  Interpreter &interpreter;
  std::shared_ptr<const Tree> tree;
  RuntimeValues nodes, edges;
  SmallVector<Tensor> states;
};

struct FoldModel : InterpretableOpInterface::ExternalModel<FoldModel, FoldOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    return Fold(cast<FoldOp>(op), interpreter).run();
  }
};

//===----------------------------------------------------------------------===//
// tree.unfold
//===----------------------------------------------------------------------===//

/// Adds one row of `source` to one row of `sums`.
void addRow(Tensor &sums, int64_t to, const Tensor &source, int64_t from) {
  int64_t size = sums.getRowSize();
  for (int64_t e = 0; e < size; ++e)
    sums.f(to * size + e) += source.f(from * size + e);
}

struct UnfoldModel
    : InterpretableOpInterface::ExternalModel<UnfoldModel, UnfoldOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto unfold = cast<UnfoldOp>(op);
    std::shared_ptr<const Tree> tree = interpreter.get(unfold.getTree()).tree;
    RuntimeValues nodes = valuesOf(interpreter, unfold.getNodes());
    for (const RuntimeValue &rows : nodes)
      if (failed(expectRows(op, *rows.tensor, tree->getNumNodes(), "node")))
        return failure();
    SmallVector<Tensor> states =
        makeStates(op->getResultTypes(), tree->getNumNodes());
    SmallVector<Tensor> fromParents = states;
    for (int64_t node : llvm::reverse(tree->getBottomUpOrder())) {
      RuntimeValues args;
      for (const RuntimeValue &rows : nodes)
        args.push_back(rows.tensor->getRow(node));
      for (auto [i, sums] : llvm::enumerate(fromParents)) {
        Tensor parent = sums.getRow(node);
        interpreter.roundTo(op->getResult(i).getType(), parent);
        args.push_back(std::move(parent));
      }
      if (failed(runCell(interpreter, unfold.getBody(), node, args, states)))
        return failure();
      for (int64_t child : tree->getChildren(node))
        for (auto [sums, state] : llvm::zip_equal(fromParents, states))
          addRow(sums, child, state, node);
    }
    return setStates(interpreter, op, states);
  }
};
} // namespace

void cambium::tree::attachRecursionMeaning(MLIRContext *context) {
  FoldOp::attachInterface<FoldModel>(*context);
  UnfoldOp::attachInterface<UnfoldModel>(*context);
}
