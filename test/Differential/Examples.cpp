//===-- test/Differential/Examples.cpp - Random examples ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Examples.h"
#include "cambium/Interpreter/JSON.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Tree/IR/Tree.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include <numeric>

using namespace mlir;
using namespace cambium;
using namespace cambium::difftest;

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

namespace {
/// Builds a tree from the root downwards.
class TreeMaker {
public:
  TreeMaker(TreeShape shape, int64_t arity, Random &random)
      : shape(shape), arity(arity), random(random), tree(1) {}

  void addNode() {
    int32_t parent = chooseParent(), node = tree.size();
    tree.emplace_back();
    tree[parent].push_back(node);
  }

  /// Further edges, always from an older to a younger node: no cycles.
  void shareChildren() {
    for (int64_t i = 0, count = tree.size(); i < count; ++i) {
      int32_t child = random.below(tree.size());
      int32_t parent = child ? random.below(child) : 0;
      bool isNew = !llvm::is_contained(tree[parent], child);
      if (child && hasRoom(parent) && (isNew || random.chance(0.1)))
        tree[parent].push_back(child);
    }
  }

  /// The tree with its nodes in random order, and so are their children.
  Children finish() {
    std::vector<int32_t> numbers(tree.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    random.shuffle(numbers);
    Children result(tree.size());
    for (auto [node, children] : llvm::enumerate(tree)) {
      std::vector<int32_t> &list = result[numbers[node]];
      for (int32_t child : children)
        list.push_back(numbers[child]);
      random.shuffle(list);
    }
    return result;
  }

private:
  bool hasRoom(int32_t node) const {
    return arity < 0 || static_cast<int64_t>(tree[node].size()) < arity;
  }

  int32_t chooseParent() {
    int32_t last = tree.size() - 1, wanted = random.below(tree.size());
    if (shape == TreeShape::Chain)
      wanted = last;
    else if (shape == TreeShape::Star)
      wanted = 0;
    else if (shape == TreeShape::Comb)
      wanted = last % 2 ? last - 1 : last; // a spine of the even nodes
    while (!hasRoom(wanted))
      wanted = (wanted + 1) % tree.size();
    return wanted;
  }

  TreeShape shape;
  int64_t arity;
  Random &random;
  Children tree;
};
} // namespace

Children difftest::makeTree(TreeShape shape, int64_t numNodes, int64_t arity,
                            Random &random) {
  TreeMaker maker(shape, arity, random);
  for (int64_t i = 1; i < numNodes && shape != TreeShape::Single; ++i)
    maker.addNode();
  if (shape == TreeShape::Graph)
    maker.shareChildren();
  return maker.finish();
}

int64_t difftest::countEdges(const Children &tree) {
  int64_t count = 0;
  for (const std::vector<int32_t> &children : tree)
    count += children.size();
  return count;
}

//===----------------------------------------------------------------------===//
// Examples
//===----------------------------------------------------------------------===//

ExampleMaker::ExampleMaker(const cambium_entry_t *entry,
                           FunctionOpInterface function, Random &random)
    : entry(entry), info(cambium_entry_info(entry)), random(random),
      idsOfInputs(info->num_inputs) {
  findIds(function);
  // A chain of no words has no root.
  Operation *module = SymbolTable::getNearestSymbolTable(function);
  module->walk([&](Operation *op) {
    if (isa<tree::ChainOp, tree::ChartOp, tree::FromParentsOp>(op))
      fewestRows = 1;
  });
}

/// Where the value goes: into cells, bodies and called functions, through what
/// chooses or changes its elements.
static void follow(OpOperand &use, SmallVectorImpl<Value> &worklist) {
  Operation *user = use.getOwner();
  unsigned index = use.getOperandNumber();
  if (auto call = dyn_cast<func::CallOp>(user)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
        call, call.getCalleeAttr());
    worklist.push_back(callee.getArgument(index));
  } else if (isa<tree::FoldOp, tree::UnfoldOp>(user) && index > 0) {
    worklist.push_back(user->getRegion(0).getArgument(index - 1));
  } else if (auto each = dyn_cast<nn::EachOp>(user)) {
    worklist.push_back(each.getBody().getArgument(index));
  } else if (user->hasTrait<OpTrait::Elementwise>() &&
             getElementTypeOrSelf(user->getResult(0)) ==
                 getElementTypeOrSelf(use.get())) {
    worklist.push_back(user->getResult(0));
  }
}

void ExampleMaker::findIds(FunctionOpInterface function) {
  for (BlockArgument arg : function.getArguments()) {
    int64_t input = cambium_entry_find_input(
        entry, getArgumentName(function, arg.getArgNumber()).c_str());
    if (input < 0)
      continue;
    Ids &ids = idsOfInputs[input];
    SmallVector<Value> worklist{arg};
    while (!worklist.empty())
      for (OpOperand &use : worklist.pop_back_val().getUses()) {
        follow(use, worklist);
        ids.areParents |= isa<tree::FromParentsOp>(use.getOwner());
        auto loss = dyn_cast<nn::CrossEntropyOp>(use.getOwner());
        if (!loss || use.getOperandNumber() != 1)
          continue;
        int64_t classes = loss.getLogits().getType().getShape().back();
        ids.areRows |= ShapedType::isDynamic(classes);
        if (!loss.getIgnoreId())
          continue;
        ids.limit = std::max<int64_t>(classes, 1);
        ids.ignored = *loss.getIgnoreId();
      }
  }
}

void ExampleMaker::makeTrees(ExampleData &example, std::vector<int64_t> &rows,
                             int64_t size) {
  for (int64_t i = 0; i < info->num_trees; ++i) {
    const cambium_tree_info_t *tree = cambium_entry_tree(entry, i);
    auto shape = static_cast<TreeShape>(
        random.below(static_cast<int64_t>(TreeShape::Graph) + 1));
    int64_t count = rows[tree->space];
    if (count < 0)
      count = random.between(1, size);
    // Nothing but one node fits a tree without children.
    if (tree->arity == 0)
      count = 1;
    example.trees.push_back(makeTree(shape, count, tree->arity, random));
    rows[tree->space] = example.trees.back().size();
  }
}

void ExampleMaker::fill(InputData &input, const cambium_tensor_info_t &tensor,
                        const Ids &ids) {
  int64_t count = input.numRows;
  for (int64_t i = 0; i < tensor.rank; ++i)
    count *= tensor.shape[i];
  bool isFloat =
      tensor.type == CAMBIUM_TYPE_F32 || tensor.type == CAMBIUM_TYPE_F64;
  int64_t limit = tensor.limit ? tensor.limit : std::max<int64_t>(ids.limit, 2);
  if (ids.areRows)
    limit = std::max<int64_t>(input.numRows, 1);
  for (int64_t i = 0; i < count; ++i) {
    // Exact in a float, so that f32 and f64 start equal.
    if (isFloat)
      input.values.push_back(random.between(-4096, 4096) / 4096.0);
    else if (ids.ignored && random.chance(0.3))
      input.values.push_back(*ids.ignored);
    else // small ids often: 0 may mean padding
      input.values.push_back(random.chance(0.2) ? 0 : random.below(limit));
  }
  if (!ids.areParents)
    return;
  Children tree = makeTree(TreeShape::Any, count, -1, random);
  input.values.assign(count, -1);
  for (auto [node, children] : llvm::enumerate(tree))
    for (int32_t child : children)
      input.values[child] = node;
}

void ExampleMaker::countRows(ExampleData &example, std::vector<int64_t> &rows,
                             int64_t size) {
  example.rowCounts.resize(rows.size());
  for (auto [space, count] : llvm::enumerate(rows))
    if (count < 0 && cambium_entry_space_in(entry, space) < 0)
      count = random.between(fewestRows, size);
  for (auto [space, count] : llvm::enumerate(rows)) {
    if (count >= 0)
      continue;
    count = 0;
    int64_t around = rows[cambium_entry_space_in(entry, space)];
    for (int64_t row = 0; row < around; ++row) {
      example.rowCounts[space].push_back(random.between(fewestRows, 4));
      count += example.rowCounts[space].back();
    }
  }
}

ExampleData ExampleMaker::make(int64_t size) {
  ExampleData example;
  example.key = random.next();
  std::vector<int64_t> rows(info->num_spaces, -1);
  makeTrees(example, rows, size);
  countRows(example, rows, size);
  for (int64_t i = 0; i < info->num_inputs; ++i) {
    const cambium_tensor_info_t *tensor = cambium_entry_input(entry, i);
    InputData &input = example.inputs.emplace_back();
    if (tensor->edges_of >= 0)
      input.numRows = countEdges(example.trees[tensor->edges_of]);
    else
      input.numRows = tensor->space < 0 ? 1 : rows[tensor->space];
    fill(input, *tensor, idsOfInputs[i]);
    // One per call: what the first example has.
    if (tensor->space == CAMBIUM_SPACE_CALL)
      input = perCall.try_emplace(i, input).first->second;
  }
  return example;
}

std::vector<ExampleData> ExampleMaker::make(int64_t count, int64_t size) {
  std::vector<ExampleData> examples;
  for (int64_t i = 0; i < count; ++i)
    examples.push_back(make(size));
  return examples;
}
