//===-- test/Differential/RandomLoop.cpp - Random loops -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `depth.iterate` whose flags are computed from ids: integers, also where
// they are floats, so that rounding moves none of them.
//
//===----------------------------------------------------------------------===//
#include "ModelText.h"
#include "llvm/ADT/STLExtras.h"

using namespace cambium::difftest;
using llvm::Twine;

namespace {
class LoopMaker {
public:
  explicit LoopMaker(Scope &outer)
      : outer(outer), model(outer.getModel()), random(model.getRandom()),
        overNodes(random.chance(0.7)) {}

  std::vector<Named> make() {
    Scope body = overNodes ? Scope::loopOverNodes(outer) : Scope(model, &outer);
    addCounter();
    addCarried(body);
    bool isCompact = overNodes && random.chance(0.35);
    std::vector<Named> next;
    for (const Named &arg : args)
      next.push_back(isCompact ? makeReading(body, arg) : Named());
    if (!isCompact) {
      addRandomOps(body, random.between(1, 6));
      for (auto [value, arg] : llvm::zip_equal(next, args))
        value = makeNext(body, arg);
    }
    addYield(body, next);
    return addLoop(body, isCompact                         ? " compact"
                         : overNodes && random.chance(0.4) ? " masked"
                                                           : "");
  }

private:
  /// What counts down from the ids of a node, or from the greatest one.
  void addCounter() {
    NamedIds words = outer.getIds().front();
    type = model.print({overNodes ? Rows::Nodes : Rows::None, {}},
                       overNodes ? "i32" : "");
    least = random.between(0, words.limit / 2);
    if (overNodes) {
      start = words.name;
      return;
    }
    std::string rows = model.drawName(), ids = model.print({Rows::Nodes, {}});
    start = model.drawName();
    outer.addText("  " + rows + " = arith.sitofp " + words.name + " : " +
                  model.print({Rows::Nodes, {}}, "i32") + " to " + ids + "\n");
    outer.addText("  " + start + " = nn.max " + rows + " over 0 : " + ids +
                  "\n");
  }

  void addCarried(Scope &body) {
    Rows rows = overNodes ? Rows::Nodes : Rows::None;
    for (int64_t i = 0, count = random.between(1, 2); i < count; ++i) {
      auto init = outer.find([&](const Named &value) {
        return value.type.rows == rows && value.type.getSize() <= 40;
      });
      if (!init)
        init = outer.constantLike({"", {rows, {model.drawSize()}}, 1}, 0.5);
      args.push_back({model.drawName(), init->type, 1});
      carried += args.back().name + " = " + init->name + " : " +
                 model.print(init->type) + ", ";
      body.addArgument(args.back());
    }
    counter = model.drawName();
    carried += counter + " = " + start + " : " + type;
  }

  std::string typeOf(const Named &value) { return model.print(value.type); }

  Named squash(Scope &body, const Named &value) {
    return body.add("math.tanh " + value.name + " : " + typeOf(value),
                    value.type, 1);
  }

  Named sum(Scope &body, const Named &a, const Named &b) {
    return body.add("arith.addf " + a.name + ", " + b.name + " : " + typeOf(a),
                    a.type, 1);
  }

  /// From a random value and the one before.
  Named makeNext(Scope &body, const Named &arg) {
    Rows rows = arg.type.rows;
    Named other =
        *body.find([&](const Named &value) { return value.type.rows == rows; });
    other = body.coerce(other, arg.type.dims, /*keepRows=*/true);
    return squash(body, sum(body, arg, other));
  }

  /// From what other rows have, where they have stopped too: keys and means.
  Named makeReading(Scope &body, const Named &arg) {
    int64_t size = arg.type.getSize();
    Named flat = body.reshape(arg, {size});
    std::string type = typeOf(flat);
    Named weight = model.useParameter({size, size});
    Named keys = body.add("nn.linear " + flat.name + ", " + weight.name +
                              " : " + type + ", " + typeOf(weight),
                          flat.type, 1);
    Named read = body.add("nn.attention " + flat.name + ", " + keys.name +
                              ", " + flat.name + " heads 1 : " + type + ", " +
                              type + ", " + type,
                          flat.type, 1);
    if (random.chance(0.6)) {
      Named mean = body.add("nn.mean " + keys.name + " over 0 : " + type,
                            {Rows::None, {size}}, 1);
      read = sum(body, read, body.repeat(mean, flat));
    }
    return squash(body, body.reshape(sum(body, read, keys), arg.type.dims));
  }

  /// The counter goes down, by one or a half; the loop goes on above `least`.
  void addYield(Scope &body, const std::vector<Named> &next) {
    auto constant = [&](int64_t number) {
      std::string name = model.drawName(), scalar = model.drawName();
      std::string element = overNodes ? "i32" : model.getElement().str();
      std::string text = std::to_string(number) + (overNodes ? "" : ".5");
      std::string alone = "tensor<" + element + ">";
      body.addText("    " + scalar + " = arith.constant dense<" + text +
                   "> : " + alone + "\n");
      if (!overNodes)
        return scalar;
      body.addText("    " + name + " = nn.broadcast " + scalar +
                   " dims [] like " + counter + " : " + alone + ", " + type +
                   " -> " + type + "\n");
      return name;
    };
    std::string one = constant(overNodes ? 1 : 0), bound = constant(least);
    std::string less = model.drawName(), go = model.drawName();
    body.addText("    " + less + " = arith.sub" + (overNodes ? "i " : "f ") +
                 counter + ", " + one + " : " + type + "\n");
    body.addText("    " + go + " = arith.cmp" +
                 (overNodes ? "i sgt, " : "f ogt, ") + less + ", " + bound +
                 " : " + type + "\n");
    std::string names = go, types = overNodes ? "tensor<?xi1>" : "tensor<i1>";
    for (const Named &value : next) {
      names += ", " + value.name;
      types += ", " + typeOf(value);
    }
    body.addText("    depth.yield " + names + ", " + less + " : " + types +
                 ", " + type + "\n");
  }

  std::vector<Named> addLoop(const Scope &body, const std::string &form) {
    std::vector<Named> results;
    std::string names;
    for (const Named &arg : args) {
      results.push_back({model.drawName(), arg.type, 1});
      names += results.back().name + ", ";
    }
    std::string steps = model.drawName();
    outer.addText("  " + names + model.drawName() + ", " + steps +
                  " = depth.iterate max " + Twine(random.between(1, 4)) + form +
                  " carried(" + carried + ") {\n" + body.getText() + "  }\n");
    for (const Named &result : results)
      outer.addArgument(result);
    TensorType counts{args.front().type.rows, {}};
    outer.add("arith.sitofp " + steps + " : " + model.print(counts, "i32") +
                  " to " + model.print(counts),
              counts, 1);
    return results;
  }

  Scope &outer;
  ModelText &model;
  Random &random;
  bool overNodes;
  /// The counter: its type, first value and name, and above what it goes on.
  std::string type, start, counter;
  int64_t least = 0;
  std::vector<Named> args;
  std::string carried;
};
} // namespace

std::vector<Named> cambium::difftest::addRandomLoop(Scope &function) {
  return LoopMaker(function).make();
}
