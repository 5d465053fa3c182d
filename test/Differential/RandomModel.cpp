//===-- test/Differential/RandomModel.cpp - Random models ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModelText.h"
#include "llvm/ADT/STLExtras.h"

using namespace cambium::difftest;
using llvm::Twine;

namespace {
/// Where nodes come from.
enum class Source { Tree, Chain, ReversedChain, Parents };

class ModelMaker {
public:
  explicit ModelMaker(Random &random)
      : random(random), model(random), scope(model) {}

  std::string make() {
    chooseSource();
    addInputs();
    addRandomOps(scope, random.below(4));
    for (int64_t i = 0, count = random.between(1, 2); i < count; ++i) {
      if (i > 0 && random.chance(0.5))
        addUnfold();
      else
        addFold();
      addRandomOps(scope, random.below(3));
      if (random.chance(0.4))
        addLoop();
    }
    Named loss = addLoss();
    // The derivative of attention has none.
    bool isTwice = llvm::StringRef(scope.getText()).contains("nn.attention");
    if (random.chance(0.1) && !isTwice)
      loss = addGradientPenalty(loss);
    return finish(loss);
  }

private:
  //===------------------------------------------------------------------===//
  // Inputs
  //===------------------------------------------------------------------===//

  void addArgument(const Twine &name, const Twine &type) {
    std::string text = "%" + name.str() + ": " + type.str() +
                       " {cambium.name = \"" + name.str() + "\"}";
    arguments += (arguments.empty() ? "" : ",\n                ") + text;
  }

  void chooseSource() {
    double choice = random.uniform(0, 1);
    source = choice < 0.65  ? Source::Tree
             : choice < 0.8 ? Source::Chain
             : choice < 0.9 ? Source::ReversedChain
                            : Source::Parents;
    arity = -1;
    if (source == Source::Tree && random.chance(0.4))
      arity = random.between(1, 3);
    if (source == Source::Chain || source == Source::ReversedChain)
      arity = random.chance(0.5) ? 1 : -1;
  }

  void addIds(const Twine &name, Rows rows, int64_t limit) {
    addArgument(name, model.print({rows, {}}, "i32"));
    scope.addIds({"%" + name.str(), rows, limit});
  }

  void addFloats(const Twine &name, const TensorType &type) {
    addArgument(name, model.print(type));
    scope.addArgument({"%" + name.str(), type, 1});
  }

  void addInputs() {
    if (source == Source::Tree)
      addArgument("tree", "!tree.tree");
    addIds("words", Rows::Nodes, random.between(3, 9));
    makeTree();
    // The vectors of the words, so that every model learns a table.
    NamedIds words = scope.getIds().front();
    Named table = model.useTable(words.limit, model.drawSize());
    scope.add("nn.embed " + words.name + ", " + table.name + " : " +
                  model.print({Rows::Nodes, {}}, "i32") + ", " +
                  model.print(table.type),
              {Rows::Nodes, {table.type.dims[1]}}, 1);
    if (random.chance(0.4))
      addFloats("vectors", {Rows::Nodes, drawDims()});
    if (random.chance(0.4))
      addFloats("query", {Rows::None, drawDims()});
    if (source == Source::Tree && random.chance(0.3))
      edges = Named{"%weights", {Rows::Edges, drawDims()}, 1};
    if (edges)
      addArgument("weights", model.print(edges->type));
  }

  void makeTree() {
    if (source == Source::Chain || source == Source::ReversedChain)
      scope.addText(Twine("  %tree = tree.chain %words") +
                    (source == Source::Chain ? "" : " reversed") +
                    " : tensor<?xi32>\n");
    if (source != Source::Parents)
      return;
    addArgument("heads", "tensor<?xi32>");
    scope.addText("  %tree = tree.from_parents %heads : tensor<?xi32>\n");
  }

  std::vector<int64_t> drawDims() {
    std::vector<int64_t> dims;
    for (double p : {0.85, 0.15})
      if (random.chance(p))
        dims.push_back(model.drawSize());
    if (dims.size() == 2 && dims[0] * dims[1] > 64)
      dims.pop_back();
    return dims;
  }

  //===------------------------------------------------------------------===//
  // Recursions
  //===------------------------------------------------------------------===//

  /// Some of the values with a row per node.
  std::vector<Named> chooseNodeInputs() {
    std::vector<Named> inputs;
    for (const Named &value : llvm::reverse(scope.getValues()))
      if (value.type.rows == Rows::Nodes && inputs.size() < 2 &&
          random.chance(0.7))
        inputs.push_back(value);
    return inputs;
  }

  /// `keyword(%arg = %operand : type, ...)`; the arguments go to the scopes.
  std::string bindNodes(const std::vector<Named> &inputs,
                        llvm::ArrayRef<Scope *> cells) {
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
    if (random.chance(0.2) || inputs.empty()) {
      NamedIds words = scope.getIds().front();
      std::string name = add(words.name, "tensor<i32>");
      for (Scope *cell : cells)
        cell->addIds({name, Rows::None, words.limit});
    }
    return text + ")";
  }

  /// What is stacked has a row per child: of any number, or fixed.
  TensorType stack(const std::vector<int64_t> &dims) const {
    if (arity < 0)
      return {Rows::Children, dims};
    TensorType type{Rows::None, dims};
    type.dims.insert(type.dims.begin(), arity);
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
      names += (i ? ", " : "") + value.name;
      types += (i ? ", " : "") + model.print(value.type);
    }
    cell.addText("    tree.yield " + names + " : " + types + "\n");
  }

  std::vector<std::vector<int64_t>> drawStates() {
    std::vector<std::vector<int64_t>> states;
    for (int64_t i = 0, count = random.between(1, 3); i < count; ++i)
      states.push_back(drawDims());
    return states;
  }

  /// Adds `%a, %b = <what> -> (types) {cell} leaf {leaf}` to the function.
  void addRecursion(const std::string &what,
                    const std::vector<std::vector<int64_t>> &shapes,
                    const Scope &cell, const Scope *leaf) {
    std::vector<Named> results;
    std::string names, types;
    for (const std::vector<int64_t> &dims : shapes) {
      results.push_back({model.drawName(), {Rows::Nodes, dims}, 1});
      names += (names.empty() ? "" : ", ") + results.back().name;
      types += (types.empty() ? "" : ", ") + model.print({Rows::None, dims});
    }
    scope.addText("  " + names + " = " + what + " -> (" + types + ") {\n" +
                  cell.getText() + "  }" +
                  (leaf ? " leaf {\n" + leaf->getText() + "  }" : "") + "\n");
    for (const Named &result : results)
      scope.addArgument(result);
    states = results;
  }

  void addFold() {
    std::vector<std::vector<int64_t>> shapes = drawStates();
    Scope cell(model, &scope), leaf(model, &scope);
    std::string text =
        "tree.fold %tree" + bindNodes(chooseNodeInputs(), {&cell, &leaf});
    std::vector<Named> seen;
    if (edges && random.chance(0.7)) {
      seen.push_back({model.drawName(), stack(edges->type.dims), 1});
      text += " edges(" + seen.back().name + " = " + edges->name + " : " +
              model.print(seen.back().type) + ")";
    }
    for (auto [i, dims] : llvm::enumerate(shapes)) {
      seen.push_back({model.drawName(), stack(dims), 1});
      text += (i ? ", " : " children(") + seen.back().name + " : " +
              model.print(seen.back().type);
    }
    for (const Named &arg : seen)
      cell.addArgument(arg);
    addRandomOps(cell, random.between(2, 10));
    addYield(cell, shapes, seen);
    bool hasLeaf = random.chance(0.25);
    if (hasLeaf) {
      addRandomOps(leaf, random.below(4));
      addYield(leaf, shapes, {});
    }
    addRecursion(text + ")", shapes, cell, hasLeaf ? &leaf : nullptr);
  }

  void addUnfold() {
    std::vector<std::vector<int64_t>> shapes = drawStates();
    Scope cell(model, &scope);
    std::string text =
        "tree.unfold %tree" + bindNodes(chooseNodeInputs(), {&cell});
    std::vector<Named> seen;
    for (auto [i, dims] : llvm::enumerate(shapes)) {
      seen.push_back({model.drawName(), {Rows::None, dims}, 1});
      text += (i ? ", " : " parent(") + seen.back().name + " : " +
              model.print(seen.back().type);
      cell.addArgument(seen.back());
    }
    addRandomOps(cell, random.between(2, 8));
    addYield(cell, shapes, seen);
    addRecursion(text + ")", shapes, cell, nullptr);
  }

  /// Its results stand for those of the last recursion if they are its rows.
  void addLoop() {
    std::vector<Named> results = addRandomLoop(scope);
    if (results.front().type.rows == Rows::Nodes)
      states = results;
  }

  //===------------------------------------------------------------------===//
  // Losses
  //===------------------------------------------------------------------===//

  /// A state of the last recursion, or what was made of it later.
  Named pickStates() {
    if (random.chance(0.7))
      return random.pick(states);
    for (const Named &value : llvm::reverse(scope.getValues()))
      if (value.type.rows == Rows::Nodes)
        return value;
    llvm_unreachable("a recursion has results");
  }

  /// One value per example, from those of the nodes.
  Named summarize(const Named &states) {
    if (random.chance(0.6))
      return scope.add("tree.root %tree, " + states.name + " : " +
                           model.print(states.type),
                       {Rows::None, states.type.dims}, states.bound);
    // Attention: a softmax over the nodes.
    Named scores = scope.coerce(states, {}, /*keepRows=*/true);
    Named weights = scope.add("nn.softmax " + scores.name +
                                  " over 0 : " + model.print(scores.type),
                              scores.type, 1);
    Named flat = scope.reshape(states, {states.type.getSize()});
    return scope.add("nn.matmul " + weights.name + ", " + flat.name + " : " +
                         model.print(weights.type) + ", " +
                         model.print(flat.type),
                     {Rows::None, flat.type.dims}, 1);
  }

  Named addLoss() {
    Named chosen = pickStates();
    double choice = random.uniform(0, 1);
    if (choice < 0.3)
      return addNodeLoss(chosen);
    Named summary = summarize(chosen);
    int64_t classes = random.between(2, 6);
    Named logits = scope.coerce(summary, {classes});
    std::string type = model.print(logits.type);
    if (choice < 0.55) {
      addArgument("label", "tensor<i32>");
      return scope.add("nn.cross_entropy " + logits.name +
                           ", %label : " + type + ", tensor<i32>",
                       {}, 3);
    }
    addArgument("target", type);
    if (choice < 0.8)
      return scope.add(
          "nn.mse " + logits.name + ", %target : " + type + ", " + type, {}, 3);
    Named target =
        scope.add("nn.softmax %target over 0 : " + type, logits.type, 1);
    if (choice < 0.9)
      return scope.add("nn.cross_entropy " + logits.name + ", " + target.name +
                           " : " + type + ", " + type,
                       {}, 3);
    Named logProbs = scope.add(
        "nn.log_softmax " + logits.name + " over 0 : " + type, logits.type, 3);
    return scope.add("nn.kl_divergence " + target.name + ", " + logProbs.name +
                         " : " + type + ", " + type,
                     {}, 3);
  }

  /// A loss at every node.
  Named addNodeLoss(const Named &states) {
    int64_t classes = random.between(2, 6);
    Named logits = scope.coerce(states, {classes}, /*keepRows=*/true);
    addArgument("labels", "tensor<?xi32>");
    Named losses =
        scope.add("nn.cross_entropy " + logits.name + ", %labels" +
                      (random.chance(0.3) ? " {ignore_id = -1 : i64}" : "") +
                      " : " + model.print(logits.type) + ", tensor<?xi32>",
                  {Rows::Nodes, {}}, 3);
    return scope.add(Twine(random.chance(0.5) ? "nn.sum " : "nn.mean ") +
                         losses.name + " over 0 : " + model.print(losses.type),
                     {}, 3);
  }

  /// Adds the squared gradient with respect to a value that is no parameter.
  Named addGradientPenalty(const Named &loss) {
    auto query = scope.find([](const Named &value) {
      return value.name == "%query" && value.type.dims.size() == 1;
    });
    if (!query)
      return loss;
    std::string type = model.print(query->type), scalar = model.print({});
    Named gradient = scope.add("train.gradient " + loss.name + " wrt " +
                                   query->name + " : " + scalar + ", " + type,
                               query->type, 1);
    Named square = scope.add("arith.mulf " + gradient.name + ", " +
                                 gradient.name + " : " + type,
                             query->type, 1);
    Named sum = scope.add("nn.sum " + square.name + " over 0 : " + type, {}, 1);
    return scope.add(
        "arith.addf " + loss.name + ", " + sum.name + " : " + scalar, {}, 3);
  }

  //===------------------------------------------------------------------===//
  // The whole
  //===------------------------------------------------------------------===//

  std::string finish(const Named &loss) {
    // Further results, so that more than the loss is compared.
    std::vector<Named> results{loss};
    for (const Named &value : llvm::reverse(scope.getValues()))
      if (results.size() < 4 && value.type.rows != Rows::Edges &&
          value.name != loss.name && value.name[1] == 'v' && random.chance(0.4))
        results.push_back(value);
    std::string names, types;
    for (const Named &result : results) {
      names += (names.empty() ? "" : ", ") + result.name;
      types += (types.empty() ? "" : ", ") + model.print(result.type);
    }
    return model.getParameters() + "\nfunc.func @loss(" + arguments +
           ")\n    -> (" + types + ") {\n" + model.getUses() + scope.getText() +
           "  return " + names + " : " + types +
           "\n}\n\ntrain.step @train loss @loss optimizer "
           "#train.optimizer<sgd>\n";
  }

  Random &random;
  ModelText model;
  Scope scope;
  std::string arguments;
  Source source;
  int64_t arity;
  std::optional<Named> edges;
  /// The results of the last recursion.
  std::vector<Named> states;
};
} // namespace

std::string cambium::difftest::makeRandomModel(Random &random) {
  return ModelMaker(random).make();
}
