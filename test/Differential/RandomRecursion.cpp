//===-- test/Differential/RandomRecursion.cpp - Random recursions over a tree
//---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cambium::difftest;
using llvm::Twine;

namespace {
class RecursionMaker {
public:
  explicit RecursionMaker(Scope &outer)
      : outer(outer), model(outer.getModel()), random(model.getRandom()) {}

  std::vector<Named> addFold() {
    std::vector<std::vector<int64_t>> shapes = drawStates();
    Scope cell(model, &outer), leaf(model, &outer);
    std::string text =
        "tree.fold %tree" + bindNodes(chooseNodeInputs(), {&cell, &leaf});
    std::vector<Named> seen;
    const std::optional<Named> &edges = model.tree.edges;
    if (edges && random.chance(0.7)) {
      seen.push_back({model.drawName(), stack(edges->type.dims), 1});
      text += " edges(" + seen.back().name + " = " + edges->name + " : " +
              model.print(seen.back().type) + ")";
    } else if (random.chance(0.3)) {
      text += addChildRows(seen);
    }
    for (auto [i, dims] : llvm::enumerate(shapes)) {
      seen.push_back({model.drawName(), stack(dims), 1});
      text += (i ? ", " : " children(") + seen.back().name + " : " +
              model.print(seen.back().type);
    }
    for (const Named &arg : seen)
      cell.addArgument(arg);
    cell.maySeeRows(outer);
    addRandomOps(cell, random.between(2, 10));
    if (!cell.seesRows() && random.chance(0.15))
      addRandomLoop(cell, 0);
    addYield(cell, shapes, seen);
    bool hasLeaf = random.chance(0.25);
    if (hasLeaf) {
      leaf.maySeeRows(outer);
      addRandomOps(leaf, random.below(4));
      addYield(leaf, shapes, {});
    }
    return addRecursion(text + ")", shapes, cell, hasLeaf ? &leaf : nullptr);
  }

  std::vector<Named> addUnfold() {
    std::vector<std::vector<int64_t>> shapes = drawStates();
    Scope cell(model, &outer);
    std::string text =
        "tree.unfold %tree" + bindNodes(chooseNodeInputs(), {&cell});
    std::vector<Named> seen;
    for (auto [i, dims] : llvm::enumerate(shapes)) {
      seen.push_back({model.drawName(), {Rows::None, dims}, 1});
      text += (i ? ", " : " parent(") + seen.back().name + " : " +
              model.print(seen.back().type);
      cell.addArgument(seen.back());
    }
    cell.maySeeRows(outer);
    addRandomOps(cell, random.between(2, 8));
    if (!cell.seesRows() && random.chance(0.15))
      addRandomLoop(cell, 0);
    addYield(cell, shapes, seen);
    return addRecursion(text + ")", shapes, cell, nullptr);
  }

  /// A fold over the spans of the nodes; its results are those of the whole.
  void addChart() {
    auto rows = outer.find(
        [](const Named &value) { return value.type.rows == Rows::Nodes; });
    if (!rows)
      return;
    std::string chart = model.drawName(), first = model.drawName(),
                last = model.drawName(), of = random.chance(0.5) ? first : last;
    std::string type = model.print(rows->type),
                ids = model.print({Rows::Nodes, {}}, "i32");
    outer.addLine(chart + ", " + first + ", " + last + " = tree.chart " +
                  rows->name + " : " + type);
    std::string ends = model.drawName();
    outer.addLine(ends + " = nn.take " + rows->name + ", " + of + " : " + type +
                  ", " + ids);
    std::vector<std::vector<int64_t>> shapes = drawStates();
    Scope cell(model, &outer), leaf(model, &outer);
    std::string text =
        "tree.fold " + chart +
        bindNodes({{ends, rows->type, rows->bound}}, {&cell, &leaf},
                  /*withWords=*/false);
    std::vector<Named> seen;
    for (auto [i, dims] : llvm::enumerate(shapes)) {
      std::vector<int64_t> pair{2};
      pair.insert(pair.end(), dims.begin(), dims.end());
      seen.push_back({model.drawName(), {Rows::Children, pair}, 1});
      text += (i ? ", " : " children(") + seen.back().name + " : " +
              model.print(seen.back().type);
      cell.addArgument(seen.back());
    }
    addRandomOps(cell, random.between(2, 8));
    addYield(cell, shapes, seen);
    addRandomOps(leaf, random.below(3));
    addYield(leaf, shapes, {});
    addWhole(chart, text + ")", shapes, cell, leaf);
  }

private:
  /// Adds the fold, and the states of its root as values.
  void addWhole(const std::string &chart, const std::string &what,
                const std::vector<std::vector<int64_t>> &shapes,
                const Scope &cell, const Scope &leaf) {
    std::vector<std::string> all;
    std::string types;
    for (const std::vector<int64_t> &dims : shapes) {
      all.push_back(model.drawName());
      types += (types.empty() ? "" : ", ") + model.print({Rows::None, dims});
    }
    outer.addText("  " + llvm::join(all, ", ") + " = " + what + " -> (" +
                  types + ") {\n" + cell.getText() + "  } leaf {\n" +
                  leaf.getText() + "  }\n");
    for (auto [name, dims] : llvm::zip_equal(all, shapes)) {
      Named whole{model.drawName(), {Rows::None, dims}, 1};
      outer.addLine(whole.name + " = tree.root " + chart + ", " + name + " : " +
                    model.print({Rows::Nodes, dims}));
      outer.addArgument(whole);
      if (&dims == &shapes.front() &&
          (cell.hasRequired() || leaf.hasRequired()))
        outer.require(whole);
    }
  }

  /// Some of the values with a row per node.
  std::vector<Named> chooseNodeInputs() {
    std::vector<Named> inputs;
    for (const Named &value : llvm::reverse(outer.getValues()))
      if (value.type.rows == Rows::Nodes && inputs.size() < 2 &&
          random.chance(0.7))
        inputs.push_back(value);
    return inputs;
  }

  /// `keyword(%arg = %operand : type, ...)`; the arguments go to the scopes.
  std::string bindNodes(const std::vector<Named> &inputs,
                        llvm::ArrayRef<Scope *> cells, bool withWords = true) {
    std::string text;
    auto add = [&](const std::string &operand, const std::string &type) {
      std::string name = model.drawName();
      text += (text.empty() ? " nodes(" : ", ") + name + " = " + operand +
              " : " + type;
      return name;
    };
    for (const Named &input : inputs) {
      TensorType row{Rows::None, input.type.dims};
      Named arg{add(input.name, model.print(row)), row, input.bound};
      for (Scope *cell : cells)
        cell->addArgument(arg);
    }
    if (withWords && (random.chance(0.2) || inputs.empty())) {
      NamedIds words = *outer.findIds(
          [](const NamedIds &ids) { return ids.rows == Rows::Nodes; });
      std::string name = add(words.name, "tensor<i32>");
      for (Scope *cell : cells)
        cell->addIds({name, Rows::None, words.limit});
    }
    return text + ")";
  }

  /// Rows of the nodes as those of the edges to them.
  std::string addChildRows(std::vector<Named> &seen) {
    auto rows = outer.find([](const Named &value) {
      return value.type.rows == Rows::Nodes && value.type.getSize() <= 20;
    });
    if (!rows)
      return "";
    std::string name = model.drawName();
    outer.addLine(Twine(name) + " = tree.child_rows %tree, " + rows->name +
                  " : " + model.print(rows->type));
    seen.push_back({model.drawName(), stack(rows->type.dims), rows->bound});
    return " edges(" + seen.back().name + " = " + name + " : " +
           model.print(seen.back().type) + ")";
  }

  /// What is stacked has a row per child: of any number, or fixed.
  TensorType stack(const std::vector<int64_t> &dims) const {
    if (model.tree.arity < 0)
      return {Rows::Children, dims};
    TensorType type{Rows::None, dims};
    type.dims.insert(type.dims.begin(), model.tree.arity);
    return type;
  }

  /// `yield` of values with the dimensions of the states that depend on `seen`.
  void addYield(Scope &cell, const std::vector<std::vector<int64_t>> &shapes,
                const std::vector<Named> &seen) {
    std::string names, types;
    for (auto [i, dims] : llvm::enumerate(shapes)) {
      Named value = cell.getValues().empty()
                        ? cell.constantLike({"", {Rows::None, dims}, 1}, 0.25)
                        : cell.coerce(cell.pick(), dims);
      if (!seen.empty()) {
        Named other = cell.coerce(random.pick(seen), dims);
        value = cell.add("arith.addf " + value.name + ", " + other.name +
                             " : " + model.print(value.type),
                         value.type, value.bound + other.bound);
      }
      value =
          cell.add(Twine(random.chance(0.7) ? "math.tanh " : "nn.sigmoid ") +
                       value.name + " : " + model.print(value.type),
                   value.type, 1);
      if (i == 0)
        value = cell.withRequired(value);
      names += (i ? ", " : "") + value.name;
      types += (i ? ", " : "") + model.print(value.type);
    }
    cell.addText("    tree.yield " + names + " : " + types + "\n");
  }

  std::vector<std::vector<int64_t>> drawStates() {
    std::vector<std::vector<int64_t>> states;
    for (int64_t i = 0, count = random.between(1, 3); i < count; ++i)
      states.push_back(model.drawDims());
    return states;
  }

  /// Adds `%a, %b = <what> -> (types) {cell} leaf {leaf}` to the function.
  std::vector<Named>
  addRecursion(const std::string &what,
               const std::vector<std::vector<int64_t>> &shapes,
               const Scope &cell, const Scope *leaf) {
    std::vector<Named> results;
    std::string names, types;
    for (const std::vector<int64_t> &dims : shapes) {
      results.push_back({model.drawName(), {Rows::Nodes, dims}, 1});
      names += (names.empty() ? "" : ", ") + results.back().name;
      types += (types.empty() ? "" : ", ") + model.print({Rows::None, dims});
    }
    outer.addText("  " + names + " = " + what + " -> (" + types + ") {\n" +
                  cell.getText() + "  }" +
                  (leaf ? " leaf {\n" + leaf->getText() + "  }" : "") + "\n");
    for (const Named &result : results)
      outer.addArgument(result);
    if (cell.hasRequired() || (leaf && leaf->hasRequired()))
      outer.require(results.front());
    return results;
  }

  Scope &outer;
  ModelText &model;
  Random &random;
};
} // namespace

std::vector<Named> cambium::difftest::addRandomRecursion(Scope &outer,
                                                         bool isDown) {
  RecursionMaker maker(outer);
  return isDown ? maker.addUnfold() : maker.addFold();
}

void cambium::difftest::addRandomChart(Scope &outer) {
  RecursionMaker(outer).addChart();
}
