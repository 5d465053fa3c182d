//===-- test/Differential/RandomEach.cpp - Random bodies for rows ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An `nn.each` of rows of the example, or of the members of a set, which have
// rows of their own.
//
//===----------------------------------------------------------------------===//
#include "OpMaker.h"

using namespace cambium::difftest;
using llvm::Twine;

namespace {
class EachMaker {
public:
  explicit EachMaker(Scope &outer)
      : outer(outer), model(outer.getModel()), random(model.getRandom()),
        body(model, &outer) {}

  bool make() {
    auto first = outer.find([](const Named &value) {
      return value.type.rows == Rows::Nodes || value.type.rows == Rows::Others;
    });
    if (!first)
      return false;
    Rows rows = first->type.rows;
    addRows(*first);
    if (random.chance(0.5))
      addRows(*outer.find(
          [&](const Named &value) { return value.type.rows == rows; }));
    if (auto ids = outer.findIds(
            [&](const NamedIds &ids) { return ids.rows == rows; }))
      addIds(*ids, {Rows::None, {}});
    finish(rows);
    return true;
  }

  /// Each member of a set: its rows are ids and their vectors.
  void makeOfSet(const NamedIds &set) {
    std::string type = model.print({Rows::Others, {}}, "i32");
    NamedIds arg{model.drawName(), Rows::Others, set.limit};
    bind(arg.name, set.name, type);
    body.addIds(arg);
    Named table = model.useTable(set.limit, model.drawSize());
    body.add("nn.embed " + arg.name + ", " + table.name + " : " + type + ", " +
                 model.print(table.type),
             {Rows::Others, {table.type.dims[1]}}, 1);
    finish(Rows::Members);
  }

private:
  void bind(const std::string &arg, const std::string &rows,
            const std::string &type) {
    inputs += (inputs.empty() ? "" : ", ") + arg + " = " + rows + " : " + type;
  }
  void addRows(const Named &value) {
    TensorType row{Rows::None, value.type.dims};
    Named arg{model.drawName(), row, value.bound};
    bind(arg.name, value.name, model.print(row));
    body.addArgument(arg);
  }
  void addIds(const NamedIds &ids, const TensorType &row) {
    NamedIds arg{model.drawName(), Rows::None, ids.limit};
    bind(arg.name, ids.name, model.print(row, "i32"));
    body.addIds(arg);
  }

  void finish(Rows rows) {
    body.maySeeRows(outer);
    addRandomOps(body, random.between(1, 6));
    std::string names, types, yielded;
    for (int64_t i = 0, count = random.between(1, 2); i < count; ++i) {
      TensorType type{Rows::None, model.drawDims()};
      Named value = body.coerce(body.pick(), type.dims);
      value = body.withRequired(value);
      value = body.add("math.tanh " + value.name + " : " + model.print(type),
                       type, 1);
      Named result{model.drawName(), {rows, type.dims}, 1};
      names += (i ? ", " : "") + result.name;
      types += (i ? ", " : "") + model.print(type);
      yielded += (i ? ", " : "") + value.name;
      made.push_back(result);
    }
    outer.addLine(Twine(names) + " = nn.each rows(" + inputs + ") -> (" +
                  types + ") {\n" + body.getText() + "    nn.yield " + yielded +
                  " : " + types + "\n  }");
    for (const Named &result : made)
      outer.addArgument(result);
    if (body.hasRequired())
      outer.require(made.front());
  }

  Scope &outer;
  ModelText &model;
  Random &random;
  Scope body;
  std::string inputs;
  std::vector<Named> made;
};
} // namespace

bool OpMaker::addEach() {
  return scope.mayHoldEach() && EachMaker(scope).make();
}

void cambium::difftest::addEachOfSet(Scope &outer, const NamedIds &set) {
  EachMaker(outer).makeOfSet(set);
}
