//===-- test/Differential/RandomRows.cpp - Random ids, and rows by number
//---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpMaker.h"

using namespace cambium::difftest;

bool OpMaker::addEmbed() {
  if (scope.getIds().empty())
    return false;
  NamedIds ids = random.pick(scope.getIds());
  Named table = model.useTable(ids.limit, model.drawSize());
  TensorType type{ids.rows, {table.type.dims[1]}};
  scope.add("nn.embed " + ids.name + ", " + table.name +
                (random.chance(0.5) ? " padding_id 0" : "") + " : " +
                model.print({ids.rows, {}}, "i32") + ", " + typeOf(table),
            type, 1);
  return true;
}

bool OpMaker::addPick() {
  if (scope.getIds().empty())
    return false;
  NamedIds ids = random.pick(scope.getIds());
  auto x = scope.find([&](const Named &value) {
    return value.type.rows == ids.rows && value.type.dims.size() == 1;
  });
  if (!x)
    return false;
  Named rows = scope.coerce(*x, {ids.limit}, /*keepRows=*/true);
  scope.add("nn.pick " + rows.name + ", " + ids.name + " : " + typeOf(rows) +
                ", " + model.print({ids.rows, {}}, "i32"),
            {ids.rows, {}}, rows.bound);
  return true;
}

bool OpMaker::addOneHot() {
  if (scope.getIds().empty())
    return false;
  NamedIds ids = random.pick(scope.getIds());
  auto x = scope.find(TensorType{ids.rows, {}});
  if (!x)
    return false;
  scope.add("nn.one_hot " + ids.name + ", " + x->name + " size " +
                llvm::Twine(ids.limit) + " : " +
                model.print({ids.rows, {}}, "i32") + ", " + typeOf(*x),
            {ids.rows, {ids.limit}}, x->bound);
  return true;
}

/// The number of each row: ids like others, also in a table of positions that
/// is not trained.
bool OpMaker::addPositions() {
  auto rows =
      scope.find([](const Named &value) { return value.type.hasRows(); });
  if (!rows)
    return false;
  NamedIds ids{model.drawName(), rows->type.rows, random.between(2, 6)};
  scope.addLine(ids.name + " = nn.positions " + rows->name + " limit " +
                llvm::Twine(ids.limit) + " : " + typeOf(*rows));
  scope.addIds(ids);
  if (random.chance(0.4))
    return true;
  Named table = model.usePositions(ids.limit, model.drawSize());
  TensorType type{ids.rows, {table.type.dims[1]}};
  scope.add("nn.embed " + ids.name + ", " + table.name + " : " +
                model.print({ids.rows, {}}, "i32") + ", " + typeOf(table),
            type, 1);
  return true;
}

/// Numbers of rows: ids, which may be behind the end, or a constant.
NamedIds OpMaker::drawNumbers() {
  if (!scope.getIds().empty() && random.chance(0.7))
    return random.pick(scope.getIds());
  static constexpr int64_t kNumbers[] = {-3, 0, 1, 2147483647};
  std::string name = model.drawName();
  scope.addLine(name + " = arith.constant dense<" +
                llvm::Twine(kNumbers[random.below(std::size(kNumbers))]) +
                "> : tensor<i32>");
  return {name, Rows::None, 0};
}

bool OpMaker::addTake() {
  auto x = scope.find([](const Named &value) { return value.type.hasRows(); });
  if (!x)
    return false;
  NamedIds numbers = drawNumbers();
  scope.add("nn.take " + x->name + ", " + numbers.name + " : " + typeOf(*x) +
                ", " + model.print({numbers.rows, {}}, "i32"),
            {numbers.rows, x->type.dims}, x->bound);
  return true;
}

bool OpMaker::addTakeOfIds() {
  auto ids =
      scope.findIds([](const NamedIds &ids) { return ids.rows != Rows::None; });
  if (!ids)
    return false;
  NamedIds numbers = drawNumbers();
  NamedIds taken{model.drawName(), numbers.rows, ids->limit};
  scope.addLine(taken.name + " = nn.take " + ids->name + ", " + numbers.name +
                " : " + model.print({ids->rows, {}}, "i32") + ", " +
                model.print({numbers.rows, {}}, "i32"));
  scope.addIds(taken);
  return true;
}

/// The rows of other things behind those of the nodes, or the same ones again.
bool OpMaker::addAppend() {
  auto first = scope.find([](const Named &value) {
    return value.type.rows == Rows::Nodes || value.type.rows == Rows::Children;
  });
  if (!first)
    return false;
  auto others = scope.find(
      [](const Named &value) { return value.type.rows == Rows::Others; });
  bool isTwice = !others || random.chance(0.3);
  Named second = isTwice ? findLike(*first)
                         : scope.coerce(*others, first->type.dims,
                                        /*keepRows=*/true);
  scope.add("nn.append " + first->name + ", " + second.name + " : " +
                typeOf(*first) + ", " + typeOf(second),
            {isTwice ? Rows::Twice : Rows::Appended, first->type.dims},
            std::max(first->bound, second.bound));
  return true;
}

/// What each row makes of its scores for rows of the same example.
bool OpMaker::addPairs() {
  if (scope.isLoopOverRows())
    return false;
  auto x = scope.find([](const Named &value) {
    return value.type.dims.size() == 1 && value.bound <= 2 &&
           value.type.hasRows();
  });
  if (!x)
    return false;
  Named y = findLike(*x);
  std::string scores = model.drawName(), row = model.drawName(),
              small = model.drawName(), mean = model.drawName(),
              result = model.drawName();
  TensorType numbers{x->type.rows, {}}, number{Rows::None, {}};
  std::string list = model.print(numbers), one = model.print(number);
  scope.addLine(scores + " = nn.pair_scores " + x->name + ", " + y.name +
                " : " + typeOf(*x) + ", " + typeOf(y));
  scope.addLine(result + " = nn.each rows(" + row + " = " + scores + " : " +
                list + ") -> (" + one + ") {");
  scope.addLine("  " + small + " = math.tanh " + row + " : " + list);
  scope.addLine("  " + mean + " = nn.mean " + small + " over 0 : " + list);
  scope.addLine("  nn.yield " + mean + " : " + one);
  scope.addLine("}");
  scope.addArgument({result, numbers, 1});
  return true;
}

/// The tree that whole numbers choose: they are the same in all number types,
/// and many trees are as good.
bool OpMaker::addChosenTree() {
  if (scope.isLoopOverRows())
    return false;
  auto ids = scope.findIds([](const NamedIds &ids) {
    return ids.rows == Rows::Nodes || ids.rows == Rows::Others;
  });
  if (!ids)
    return false;
  std::string floats = model.drawName(), columns = model.drawName(),
              scores = model.drawName(), parents = model.drawName();
  std::string list = model.print({ids->rows, {}}),
              column = model.print({ids->rows, {1}});
  scope.addLine(floats + " = arith.sitofp " + ids->name + " : " +
                model.print({ids->rows, {}}, "i32") + " to " + list);
  scope.addLine(columns + " = nn.reshape " + floats + " : " + list + " -> " +
                column);
  scope.addLine(scores + " = nn.pair_scores " + columns + ", " + columns +
                " : " + column + ", " + column);
  scope.addLine(parents + " = tree.max_spanning " + scores + " : tensor<?x?x" +
                model.getElement() + ">");
  auto x = scope.find(
      [&](const Named &value) { return value.type.rows == ids->rows; });
  if (!x)
    return true;
  scope.add("nn.take " + x->name + ", " + parents + " : " + typeOf(*x) + ", " +
                model.print({ids->rows, {}}, "i32"),
            x->type, x->bound);
  return true;
}
