//===-- dialects/Tree/Interpret/Structure.cpp - Trees and their rows -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "dialects/Tree/IR/Tree.h"
#include "dialects/Tree/Interpret/Interpret.h"
#include "dialects/Tree/Interpret/Models.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::tree;

LogicalResult cambium::tree::expectRows(Operation *op, const Tensor &rows,
                                        int64_t expected, StringRef what) {
  if (rows.getNumRows() == expected)
    return success();
  // [TREE-NODES-C2]
  return op->emitOpError() << "expected one row per " << what << " ("
                           << expected << "), but got " << rows.getNumRows()
                           << " rows";
}

namespace {
template <typename Model, typename Op>
using Base = InterpretableOpInterface::ExternalModel<Model, Op>;

struct ChainModel : Base<ChainModel, ChainOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto chain = cast<ChainOp>(op);
    int64_t numNodes = interpreter.getTensor(chain.getRows()).getNumRows();
    interpreter.bind(chain, Tree::chain(numNodes, chain.getReversed()));
    return success();
  }
};

struct ChartModel : Base<ChartModel, ChartOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto chart = cast<ChartOp>(op);
    int64_t n = interpreter.getTensor(chart.getRows()).getNumRows();
    if (n == 0)
      // [TREE-CHART-C1]
      return op->emitOpError("expected at least one row, but got none");
    SmallVector<int64_t> shape{n * (n + 1) / 2};
    Tensor first = Tensor::ints(shape), last = Tensor::ints(shape);
    int64_t span = 0;
    for (int64_t length = 1; length <= n; ++length)
      for (int64_t i = 0; i + length <= n; ++i, ++span) {
        first.i(span) = i;
        last.i(span) = i + length - 1;
      }
    interpreter.bind(chart.getResult(), Tree::chart(n));
    if (failed(interpreter.set(chart.getFirst(), std::move(first))))
      return failure();
    return interpreter.set(chart.getLast(), std::move(last));
  }
};

struct FromParentsModel : Base<FromParentsModel, FromParentsOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto fromParents = cast<FromParentsOp>(op);
    const Tensor &rows = interpreter.getTensor(fromParents.getParents());
    std::vector<int64_t> parents;
    for (int64_t node = 0, n = rows.getNumElements(); node < n; ++node)
      parents.push_back(rows.i(node));
    llvm::Expected<Tree> tree = Tree::fromParents(parents);
    if (!tree)
      // [TREE-FROM_PARENTS-C2]
      return op->emitOpError() << llvm::toString(tree.takeError());
    interpreter.bind(fromParents, std::move(*tree));
    return success();
  }
};

struct RootModel : Base<RootModel, RootOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto root = cast<RootOp>(op);
    const Tree &tree = interpreter.getTree(root.getTree());
    const Tensor &rows = interpreter.getTensor(root.getRows());
    if (failed(expectRows(op, rows, tree.getNumNodes(), "node")))
      return failure();
    if (tree.getRoot() < 0)
      // [TREE-ROOT-C1]
      return op->emitOpError(
          "expected a tree with a root, but got one without nodes");
    return interpreter.set(root, rows.getRow(tree.getRoot()));
  }
};

struct ChildRowsModel : Base<ChildRowsModel, ChildRowsOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto childRows = cast<ChildRowsOp>(op);
    const Tree &tree = interpreter.getTree(childRows.getTree());
    const Tensor &rows = interpreter.getTensor(childRows.getRows());
    if (failed(expectRows(op, rows, tree.getNumNodes(), "node")))
      return failure();
    SmallVector<int64_t> shape(rows.getShape());
    shape[0] = tree.getNumEdges();
    Tensor result = rows.zeros(shape);
    for (auto [edge, child] : llvm::enumerate(tree.getEdgeTargets()))
      result.setRow(edge, rows.getRow(child));
    return interpreter.set(childRows, std::move(result));
  }
};

struct NoRowsModel : Base<NoRowsModel, NoRowsOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = 0;
    return interpreter.set(op->getResult(0),
                           isa<FloatType>(type.getElementType())
                               ? Tensor::floats(shape)
                               : Tensor::ints(shape));
  }
};
} // namespace

void cambium::tree::attachStructureMeaning(MLIRContext *context) {
  ChainOp::attachInterface<ChainModel>(*context);
  ChartOp::attachInterface<ChartModel>(*context);
  FromParentsOp::attachInterface<FromParentsModel>(*context);
  RootOp::attachInterface<RootModel>(*context);
  ChildRowsOp::attachInterface<ChildRowsModel>(*context);
  NoRowsOp::attachInterface<NoRowsModel>(*context);
}

void cambium::tree::registerInterpretModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TreeDialect *) {
    attachMaxSpanningMeaning(context);
    attachRecursionMeaning(context);
    attachStructureMeaning(context);
  });
}
