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
  ModelMaker(Random &random, llvm::StringRef import)
      : random(random), model(random, import), scope(model) {}

  std::string make() {
    chooseSource();
    addInputs();
    addRandomOps(scope, random.below(4));
    for (int64_t i = 0, count = random.between(1, 2); i < count; ++i) {
      states = addRandomRecursion(scope, i > 0 && random.chance(0.5));
      addRandomOps(scope, random.below(3));
      if (random.chance(0.4))
        addLoop();
    }
    if (random.chance(0.15))
      addRandomChart(scope);
    if (random.chance(0.2))
      addRandomSearch(scope);
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

  void addArgument(const Twine &name, const Twine &type,
                   const Twine &rows = "") {
    std::string text = "%" + name.str() + ": " + type.str() +
                       " {cambium.name = \"" + name.str() + "\"" + rows.str() +
                       "}";
    arguments += (arguments.empty() ? "" : ",\n                ") + text;
  }

  void chooseSource() {
    double choice = random.uniform(0, 1);
    source = choice < 0.65  ? Source::Tree
             : choice < 0.8 ? Source::Chain
             : choice < 0.9 ? Source::ReversedChain
                            : Source::Parents;
    int64_t &arity = model.tree.arity;
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
      addFloats("vectors", {Rows::Nodes, model.drawDims()});
    if (random.chance(0.4))
      addFloats("query", {Rows::None, model.drawDims()});
    if (source == Source::Tree && random.chance(0.3))
      model.tree.edges = Named{"%weights", {Rows::Edges, model.drawDims()}, 1};
    if (auto &edges = model.tree.edges)
      addArgument("weights", model.print(edges->type));
    if (random.chance(0.45))
      addOthers();
    if (random.chance(0.2))
      addSet();
  }

  /// A set whose members have rows.
  void addSet() {
    NamedIds set{"%set", Rows::Members, random.between(3, 9)};
    addArgument("set", "tensor<?x?xi32>", ", cambium.rows = \"members\"");
    addEachOfSet(scope, set);
  }

  /// A second sequence: ids, their vectors, and perhaps others.
  void addOthers() {
    static constexpr const char *kRows = ", cambium.rows = \"others\"";
    NamedIds places{"%places", Rows::Others, random.between(3, 9)};
    std::string type = model.print({Rows::Others, {}}, "i32");
    addArgument("places", type, kRows);
    scope.addIds(places);
    Named table = model.useTable(places.limit, model.drawSize());
    scope.add("nn.embed " + places.name + ", " + table.name + " : " + type +
                  ", " + model.print(table.type),
              {Rows::Others, {table.type.dims[1]}}, 1);
    if (random.chance(0.5))
      return;
    Named more{"%others", {Rows::Others, model.drawDims()}, 1};
    addArgument("others", model.print(more.type), kRows);
    scope.addArgument(more);
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

  /// Its results stand for those of the last recursion if they are its rows.
  void addLoop() {
    std::vector<Named> results = addRandomLoop(scope, 1);
    if (!results.empty() && results.front().type.rows == Rows::Nodes)
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
    Named logits = addOtherValue(scope.coerce(summary, {classes}));
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

  /// Adds a value that is not of the nodes, so that it has a gradient too.
  Named addOtherValue(const Named &logits) {
    auto value = scope.find(
        [](const Named &value) { return value.type.rows != Rows::Nodes; });
    if (!value || random.chance(0.3))
      return logits;
    Named other = scope.coerce(*value, logits.type.dims);
    return scope.add("arith.addf " + logits.name + ", " + other.name + " : " +
                         model.print(logits.type),
                     logits.type, logits.bound + other.bound);
  }

  /// A loss at every node.
  Named addNodeLoss(const Named &states) {
    int64_t classes = random.between(2, 6);
    Named logits = scope.coerce(states, {classes}, /*keepRows=*/true);
    addArgument("labels", "tensor<?xi32>");
    Named losses =
        scope.add("nn.cross_entropy " + logits.name + ", %labels" +
                      (random.chance(0.3) ? " ignore_id -1" : "") + " : " +
                      model.print(logits.type) + ", tensor<?xi32>",
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

  static bool mayBeResult(Rows rows) {
    return rows == Rows::None || rows == Rows::Nodes || rows == Rows::Others ||
           rows == Rows::Members;
  }

  std::string finish(const Named &loss) {
    // Further results, so that more than the loss is compared.
    std::vector<Named> results{loss};
    for (const Named &value : std::vector<Named>(scope.getRequired()))
      results.push_back(mayBeResult(value.type.rows)
                            ? value
                            : scope.coerce(value, value.type.dims));
    for (const Named &value : llvm::reverse(scope.getValues()))
      if (results.size() < 4 && mayBeResult(value.type.rows) &&
          llvm::none_of(
              results,
              [&](const Named &result) { return result.name == value.name; }) &&
          value.name[1] == 'v' && random.chance(0.4))
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
  /// The results of the last recursion.
  std::vector<Named> states;
};
} // namespace

std::string cambium::difftest::makeRandomModel(Random &random,
                                               llvm::StringRef import) {
  return ModelMaker(random, import).make();
}
