//===-- test/Differential/RandomSearch.cpp - Random searches ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `depth.search` whose scores are a table of the last word, of which no two
// sums of a few are near to each other unless they are equal, and a little of
// what random ops compute: it decides between equal ones.
//
//===----------------------------------------------------------------------===//
#include "OpMaker.h"
#include "llvm/ADT/STLExtras.h"

using namespace cambium::difftest;
using llvm::Twine;

namespace {
class SearchMaker {
public:
  explicit SearchMaker(Scope &outer)
      : outer(outer), model(outer.getModel()), random(model.getRandom()),
        words(random.between(2, 6)), count(random.between(1, 4)),
        max(random.between(1, 5)) {}

  void make() {
    begin = addWord();
    end = addWord();
    std::optional<Named> read = makeRead();
    Scope body(model, &outer);
    // What was found is a constant, which need not depend on all.
    body.forbid(/*failing=*/true, /*each=*/true);
    NamedIds last{model.drawName(), Rows::Hypotheses, words};
    body.addIds(last);
    addCarried(body);
    addVectors(body, last);
    if (read)
      addReading(body, *read);
    if (random.chance(0.4))
      addGrown(body);
    addRandomOps(body, random.between(1, 4));
    addYield(body, last);
    addSearch(body, last.name);
  }

private:
  std::string typeOf(const Named &value) const {
    return model.print(value.type);
  }

  std::string addWord() {
    std::string word = model.drawName();
    outer.addLine(Twine(word) + " = arith.constant dense<" +
                  Twine(random.below(words)) + "> : tensor<i32>");
    return word;
  }

  /// Rows of the example, as vectors, for the hypotheses to read.
  std::optional<Named> makeRead() {
    auto rows = outer.find([](const Named &value) {
      return value.type.rows == Rows::Nodes || value.type.rows == Rows::Others;
    });
    if (!rows || random.chance(0.3))
      return std::nullopt;
    return outer.coerce(*rows, {width}, /*keepRows=*/true);
  }

  void addCarried(Scope &body) {
    for (int64_t i = 0, number = random.below(3); i < number; ++i) {
      auto init = outer.find([](const Named &value) {
        return !value.type.hasRows() && value.type.getSize() <= 40;
      });
      if (!init)
        return;
      args.push_back(
          {model.drawName(), {Rows::Hypotheses, init->type.dims}, 1});
      carried += (carried.empty() ? "" : ", ") + args.back().name + " = " +
                 init->name + " : " + typeOf(*init);
      body.addArgument(args.back());
    }
  }

  void addVectors(Scope &body, const NamedIds &last) {
    Named table = model.useTable(words, width);
    vectors = body.add("nn.embed " + last.name + ", " + table.name + " : " +
                           model.print({Rows::Hypotheses, {}}, "i32") + ", " +
                           typeOf(table),
                       {Rows::Hypotheses, {width}}, 1);
  }

  void addReading(Scope &body, const Named &rows) {
    body.add("nn.attention " + vectors.name + ", " + rows.name + ", " +
                 rows.name + " heads 2 : " + typeOf(vectors) + ", " +
                 typeOf(rows) + ", " + typeOf(rows),
             vectors.type, rows.bound);
  }

  /// Vectors of all words of a hypothesis, to which the last one attends.
  void addGrown(Scope &body) {
    std::string before = model.drawName(), all = model.drawName(),
                row = typeOf(vectors), own = "tensor<?x?" + row.substr(8);
    grows = " grows(" + before + " : " + own + ")";
    grown = ", " + all;
    grownType = ", " + own;
    body.addLine(Twine(all) + " = depth.append " + before + ", " +
                 vectors.name + " : " + own + ", " + row);
    const std::string &read = random.chance(0.7) ? all : before;
    body.add("nn.attention " + vectors.name + ", " + read + ", " + read +
                 " heads 2 : " + row + ", " + own + ", " + own,
             vectors.type, 1);
  }

  Named squash(Scope &body, const Named &value) {
    return body.add("math.tanh " + value.name + " : " + typeOf(value),
                    value.type, 1);
  }
  Named sum(Scope &body, const Named &a, const Named &b) {
    return body.add("arith.addf " + a.name + ", " + b.name + " : " + typeOf(a),
                    a.type, 1);
  }
  Named anyOfHypotheses(Scope &body, std::vector<int64_t> dims) {
    Named any = *body.find([](const Named &value) {
      return value.type.rows == Rows::Hypotheses && value.bound <= 3;
    });
    return body.coerce(any, std::move(dims), /*keepRows=*/true);
  }

  /// Numbers of the last word for each word; some words are forbidden.
  Named addTable(Scope &body, const NamedIds &last) {
    std::string rows;
    for (int64_t from = 0; from < words; ++from) {
      std::string row;
      for (int64_t to = 0; to < words; ++to)
        row += (to ? ", -" : "-") + std::to_string(random.below(60)) +
               (random.chance(0.1) ? ".0e30" : ".0");
      rows += (from ? ", [" : "[") + row + "]";
    }
    Named table{model.drawName(), {Rows::None, {words, words}}, 1};
    body.addLine(Twine(table.name) + " = arith.constant dense<[" + rows +
                 "]> : " + typeOf(table));
    Named scores{model.drawName(), {Rows::Hypotheses, {words}}, 1};
    body.addLine(Twine(scores.name) + " = nn.embed " + last.name + ", " +
                 table.name + " : " +
                 model.print({Rows::Hypotheses, {}}, "i32") + ", " +
                 typeOf(table));
    return scores;
  }

  void addYield(Scope &body, const NamedIds &last) {
    Named table = addTable(body, last);
    Named any = squash(body, anyOfHypotheses(body, {words}));
    Named little =
        body.add("arith.mulf " + any.name + ", " +
                     body.constantLike(any, 0.1).name + " : " + typeOf(any),
                 any.type, 0.1);
    Named scores = sum(body, table, little);
    std::string names = scores.name, types = typeOf(scores);
    for (const Named &arg : args) {
      Named next =
          squash(body, sum(body, arg, anyOfHypotheses(body, arg.type.dims)));
      names += ", " + next.name;
      types += ", " + typeOf(next);
    }
    body.addLine("depth.yield " + names + grown + " : " + types + grownType);
  }

  std::string drawForm() {
    if (random.chance(0.7))
      return "beam " + std::to_string(count) +
             (random.chance(0.2) ? " length_penalty 0.75" : "");
    return "sample " + std::to_string(count) +
           (random.chance(0.4)
                ? " among " + std::to_string(random.between(1, 4))
                : "");
  }

  void addSearch(const Scope &body, const std::string &last) {
    std::string found = model.drawName(), lengths = model.drawName(),
                scores = model.drawName();
    outer.addText("  " + found + ", " + lengths + ", " + scores +
                  " = depth.search " + drawForm() + " max " +
                  std::to_string(max) + " begin " + begin + " end " + end +
                  (carried.empty() ? "" : " carried(" + carried + ")") + grows +
                  " next(" + last + " : tensor<?xi32>) {\n" + body.getText() +
                  "  }\n");
    auto addNumbers = [&](const std::string &name, std::vector<int64_t> dims) {
      TensorType type{Rows::None, std::move(dims)};
      outer.add("arith.sitofp " + name + " : " + model.print(type, "i32") +
                    " to " + model.print(type),
                type, 3);
    };
    addNumbers(found, {count, max});
    addNumbers(lengths, {count});
    TensorType type{Rows::None, {count}};
    // Of none, minus infinity.
    outer.add("math.exp " + scores + " : " + model.print(type), type, 1);
  }

  Scope &outer;
  ModelText &model;
  Random &random;
  int64_t words, count, max, width = 4;
  std::string begin, end, carried, grows, grown, grownType;
  std::vector<Named> args;
  Named vectors;
};
} // namespace

void cambium::difftest::addRandomSearch(Scope &outer) {
  SearchMaker(outer).make();
}
