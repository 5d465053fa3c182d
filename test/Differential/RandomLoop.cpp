//===-- test/Differential/RandomLoop.cpp - Random loops ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `depth.iterate` or `depth.ponder` whose flags, or all but a little of whose
// probabilities, are computed from ids: integers, also where they are floats,
// so that rounding moves no decision. Or a loop of a fixed number, without any.
// Iterations may have parameters of their own.
//
//===----------------------------------------------------------------------===//
#include "OpMaker.h"
#include "llvm/ADT/STLExtras.h"

using namespace cambium::difftest;
using llvm::Twine;

namespace {
class LoopMaker {
public:
  LoopMaker(Scope &outer, int64_t depth)
      : outer(outer), model(outer.getModel()), random(model.getRandom()),
        depth(depth) {}

  std::vector<Named> make() {
    if (!chooseRows())
      return {};
    least = random.between(0, number.limit / 2);
    max = random.between(1, 4);
    isFixed = random.chance(0.25);
    isPonder = !isFixed && random.chance(0.25);
    Scope body = overRows() ? Scope::loopOverRows(outer) : Scope(model, &outer);
    // Forms differ in whether rows that have stopped are computed.
    body.forbid(/*failing=*/!isFixed, /*each=*/true);
    addCarried(body);
    for (int64_t i = 0, count = random.below(3); i < count; ++i)
      addSlice(body, model.drawDims());
    bool isCompact = overRows() && !isFixed && random.chance(0.35);
    std::vector<Named> next;
    for (const Named &arg : args)
      next.push_back(isCompact ? makeReading(body, arg) : Named());
    if (!isCompact) {
      addAny(body);
      for (auto [value, arg] : llvm::zip_equal(next, args))
        value = makeNext(body, arg);
      next.front() = body.withRequired(next.front());
    }
    std::string form = isCompact ? " compact"
                       : overRows() && !isFixed && random.chance(0.4)
                           ? " masked"
                           : "";
    if (random.chance(0.3))
      form += " rematerialize";
    if (!isPonder && !isFixed && random.chance(0.3))
      form += " active(" + addFlags(outer, number.name, random.below(4)) +
              " : " + flagType() + ")";
    if (isFixed)
      addFixedYield(body, next);
    else
      isPonder ? addPonderYield(body, next) : addYield(body, next);
    return addLoop(body, form);
  }

private:
  //===------------------------------------------------------------------===//
  // Who stops, and when
  //===------------------------------------------------------------------===//

  bool overRows() const { return number.rows != Rows::None; }

  /// Rows that have ids, or the whole example (in a cell, the node).
  bool chooseRows() {
    auto whole = outer.findNumber();
    auto rows = outer.findIds([](const NamedIds &ids) {
      return ids.rows == Rows::Nodes || ids.rows == Rows::Others ||
             ids.rows == Rows::Appended;
    });
    bool isPerRow = rows && random.chance(0.7);
    if (!isPerRow && !whole)
      return false;
    number = isPerRow ? *rows : *whole;
    return true;
  }

  std::string numberType() const {
    return model.print({number.rows, {}}, overRows() ? "i32" : "");
  }
  std::string flagType() const { return model.print({number.rows, {}}, "i1"); }
  std::string typeOf(const Named &value) const {
    return model.print(value.type);
  }

  /// An integer per row, or a number and a half of the example.
  std::string addConstant(Scope &scope, int64_t value) {
    std::string scalar = model.drawName();
    std::string type = model.print({}, overRows() ? "i32" : "");
    scope.addLine(Twine(scalar) + " = arith.constant dense<" + Twine(value) +
                  (overRows() ? "" : ".5") + "> : " + type);
    if (!overRows())
      return scalar;
    std::string rows = model.drawName();
    scope.addLine(Twine(rows) + " = nn.broadcast " + scalar + " dims [] like " +
                  number.name + " : " + type + ", " + numberType() + " -> " +
                  numberType());
    return rows;
  }

  /// Whether a number is above another one.
  std::string addFlags(Scope &scope, const std::string &of, int64_t bound) {
    std::string than = addConstant(scope, bound), flags = model.drawName();
    scope.addLine(Twine(flags) + " = arith.cmp" +
                  (overRows() ? "i sgt, " : "f ogt, ") + of + ", " + than +
                  " : " + numberType());
    return flags;
  }

  //===------------------------------------------------------------------===//
  // The body
  //===------------------------------------------------------------------===//

  void addCarried(Scope &body) {
    for (int64_t i = 0, count = random.between(1, 2); i < count; ++i) {
      auto init = outer.find([&](const Named &value) {
        return value.type.rows == number.rows && value.type.getSize() <= 40;
      });
      if (!init)
        init = makeInit();
      args.push_back({model.drawName(), init->type, 1});
      carried += (i ? ", " : "") + args.back().name + " = " + init->name +
                 " : " + model.print(init->type);
      body.addArgument(args.back());
    }
    if (isFixed)
      addCarriedOfExample(body);
    if (isPonder || isFixed)
      return;
    counter = model.drawName();
    carried += ", " + counter + " = " + number.name + " : " + numberType();
  }

  /// Beside rows, a loop of a fixed number may carry what has none.
  void addCarriedOfExample(Scope &body) {
    auto init = outer.find([&](const Named &value) {
      return !value.type.hasRows() && value.type.getSize() <= 40;
    });
    if (!init || random.chance(0.5))
      return;
    args.push_back({model.drawName(), init->type, 1});
    carried += ", " + args.back().name + " = " + init->name + " : " +
               model.print(init->type);
    body.addArgument(args.back());
  }

  /// A parameter of each iteration: a value of the body.
  Named addSlice(Scope &body, std::vector<int64_t> dims) {
    std::vector<int64_t> stacked{max};
    stacked.insert(stacked.end(), dims.begin(), dims.end());
    Named array = model.useParameter(stacked);
    Named slice{model.drawName(), {Rows::None, std::move(dims)}, 1};
    slices += (slices.empty() ? "" : ", ") + slice.name + " = " + array.name +
              " : " + typeOf(array);
    body.addArgument(slice);
    return slice;
  }

  /// A value where there is none of such rows.
  Named makeInit() {
    if (!overRows())
      return outer.constantLike({"", {Rows::None, {model.drawSize()}}, 1}, 0.5);
    Named table = model.useTable(number.limit, model.drawSize());
    TensorType type{number.rows, {table.type.dims[1]}};
    return outer.add("nn.embed " + number.name + ", " + table.name + " : " +
                         numberType() + ", " + typeOf(table),
                     type, 1);
  }

  /// Ops, and perhaps a loop, or a walk over a tree that is not of the rows
  /// (nor of those of a loop around this one).
  void addAny(Scope &body) {
    addRandomOps(body, random.between(1, 6));
    if (depth == 0)
      return;
    if (number.rows == Rows::Others && random.chance(0.3))
      addRandomRecursion(body, random.chance(0.3));
    if (random.chance(0.2))
      addRandomLoop(body, depth - 1);
  }

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
  /// Nothing of it is drawn; what the row makes of it may be.
  Named makeReading(Scope &body, const Named &arg) {
    int64_t size = arg.type.getSize();
    Named flat = body.reshape(arg, {size});
    std::string type = typeOf(flat);
    Named weight = random.chance(0.4) ? addSlice(body, {size, size})
                                      : model.useParameter({size, size});
    Named keys = body.add("nn.linear " + flat.name + ", " + weight.name +
                              " : " + type + ", " + typeOf(weight),
                          flat.type, 1);
    int64_t heads = size % 2 ? 1 : 2;
    AttentionTerms terms;
    terms.readsPlaces = false;
    if (random.chance(0.3))
      terms.keyBias = makeKeyBias(body, keys, heads);
    Named read = addAttention(body, flat, keys, flat, heads, terms);
    if (random.chance(0.6)) {
      Named mean = body.add("nn.mean " + keys.name + " over 0 : " + type,
                            {Rows::None, {size}}, 1);
      read = sum(body, read, body.repeat(mean, flat));
    }
    if (random.chance(0.3))
      read = body.add("nn.dropout " + read.name + " rate 0.3 : " + type,
                      read.type, 1);
    return squash(body, body.reshape(sum(body, read, keys), arg.type.dims));
  }

  /// The counter goes down, by one or a half; the loop goes on above `least`.
  void addYield(Scope &body, const std::vector<Named> &next) {
    std::string one = addConstant(body, overRows()), less = model.drawName();
    body.addLine(Twine(less) + " = arith.sub" + (overRows() ? "i " : "f ") +
                 counter + ", " + one + " : " + numberType());
    std::string go = addFlags(body, less, least);
    addYieldOf(body, go, flagType(), next, ", " + less, ", " + numberType());
  }

  void addFixedYield(Scope &body, const std::vector<Named> &next) {
    std::string names, types;
    for (const Named &value : next) {
      names += (names.empty() ? "" : ", ") + value.name;
      types += (types.empty() ? "" : ", ") + typeOf(value);
    }
    body.addLine("depth.yield " + names + " : " + types);
  }

  /// Of the numbers above `least` and of the others, halting probabilities that
  /// differ by far more than what is learned of them: no sum of up to four of
  /// one kind comes near to 1.
  void addPonderYield(Scope &body, const std::vector<Named> &next) {
    std::string flags = addFlags(body, number.name, least);
    TensorType type{number.rows, {}};
    Named like = body.coerce(next.front(), {}, /*keepRows=*/true);
    auto constant = [&](double value) {
      return body.constantLike(like, value).name;
    };
    static constexpr double kProbabilities[] = {0.1, 0.28, 0.4, 0.6};
    std::string high = constant(kProbabilities[random.below(4)]);
    std::string low = constant(kProbabilities[random.below(4)]);
    std::string base = model.drawName(), learned = model.drawName();
    std::string probability = model.drawName(), text = model.print(type);
    body.addLine(Twine(base) + " = arith.select " + flags + ", " + high + ", " +
                 low + " : " + flagType() + ", " + text);
    Named any = squash(body, like);
    body.addLine(Twine(learned) + " = arith.mulf " + any.name + ", " +
                 constant(0.02) + " : " + text);
    body.addLine(Twine(probability) + " = arith.addf " + base + ", " + learned +
                 " : " + text);
    addYieldOf(body, probability, text, next, "", "");
  }

  void addYieldOf(Scope &body, std::string names, std::string types,
                  const std::vector<Named> &next, const Twine &moreNames,
                  const Twine &moreTypes) {
    for (const Named &value : next) {
      names += ", " + value.name;
      types += ", " + typeOf(value);
    }
    body.addLine("depth.yield " + names + moreNames + " : " + types +
                 moreTypes);
  }

  //===------------------------------------------------------------------===//
  // The loop
  //===------------------------------------------------------------------===//

  std::string drawPonder() {
    std::string text =
        random.chance(0.5) ? " combine convex" : " combine weighted_sum";
    text += random.chance(0.5) ? " remainder none" : " remainder forced";
    return text + (random.chance(0.3) ? " epsilon 5.0e-2" : "");
  }

  std::vector<Named> addLoop(const Scope &body, const std::string &form) {
    std::vector<Named> results;
    std::string names;
    for (const Named &arg : args) {
      results.push_back({model.drawName(), arg.type, 1});
      names += (names.empty() ? "" : ", ") + results.back().name;
    }
    // Beside the values: a counter and the number of iterations, or that number
    // and the remainder.
    std::string first = model.drawName(), second = model.drawName();
    outer.addText("  " + names + (isFixed ? "" : ", " + first + ", " + second) +
                  " = " + (isPonder ? "depth.ponder max " : "depth.iterate ") +
                  (isPonder || isFixed ? "" : "max ") + Twine(max) +
                  (isPonder ? drawPonder() : "") + form + " carried(" +
                  carried + ")" +
                  (slices.empty() ? "" : " slices(" + slices + ")") + " {\n" +
                  body.getText() + "  }\n");
    for (const Named &result : results)
      outer.addArgument(result);
    if (body.hasRequired())
      outer.require(results.front());
    if (isFixed) {
      llvm::erase_if(results, [&](const Named &result) {
        return result.type.rows != number.rows;
      });
      return results;
    }
    TensorType counts{number.rows, {}};
    outer.add("arith.sitofp " + (isPonder ? first : second) + " : " +
                  model.print(counts, "i32") + " to " + model.print(counts),
              counts, 1);
    if (isPonder)
      outer.addArgument({second, counts, 1});
    return results;
  }

  Scope &outer;
  ModelText &model;
  Random &random;
  int64_t depth;
  bool isPonder = false, isFixed = false;
  int64_t max = 1;
  /// Whose ids decide, the name of what counts down from them, and above what
  /// it goes on.
  NamedIds number;
  std::string counter;
  int64_t least = 0;
  std::vector<Named> args;
  std::string carried, slices;
};
} // namespace

std::vector<Named> cambium::difftest::addRandomLoop(Scope &outer,
                                                    int64_t depth) {
  return LoopMaker(outer, depth).make();
}
