//===-- test/Differential/RandomSelect.cpp - Elements by number ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpMaker.h"

using namespace cambium::difftest;

/// What is minus infinity of no rows is made 0.
bool OpMaker::addLogSumExp() {
  Named x = scope.pick();
  if (!x.type.getRank() || x.bound > 2)
    return false;
  int64_t dim = x.type.hasRows() && random.chance(0.5) ? 0 : pickDim(x);
  TensorType type = x.type;
  if (x.type.hasRows() && dim == 0)
    type.rows = Rows::None;
  else
    type.dims.erase(type.dims.begin() + dim - type.getFirstDim());
  std::string sum = model.drawName();
  scope.addLine(sum + " = nn.log_sum_exp " + x.name + " over " +
                llvm::Twine(dim) + " : " + typeOf(x));
  scope.add("math.exp " + sum + " : " + model.print(type), type, 20);
  return true;
}

/// Places are numbers of rows, of which those that are not there are the first.
bool OpMaker::addTop() {
  Named x = scope.pick();
  if (!x.type.getRank() || x.bound > 2)
    return false;
  int64_t dim = x.type.hasRows() && random.chance(0.5) ? 0 : pickDim(x);
  bool isOverRows = x.type.hasRows() && dim == 0;
  int64_t count = random.between(1, 3);
  TensorType type = x.type;
  if (isOverRows) {
    type.rows = Rows::None;
    type.dims.insert(type.dims.begin(), count);
  } else {
    sizeOf(type, dim) = count;
  }
  if (type.getSize() > kLargestRow)
    return false;
  std::string values = model.drawName(), places = model.drawName();
  scope.addLine(values + ", " + places + " = nn.top " + x.name + " count " +
                llvm::Twine(count) + " over " + llvm::Twine(dim) + " : " +
                typeOf(x));
  scope.add("math.exp " + values + " : " + model.print(type), type, 8);
  if (!isOverRows || !x.type.dims.empty())
    return true;
  auto rows = scope.find(
      [&](const Named &value) { return value.type.rows == x.type.rows; });
  TensorType taken{Rows::None, rows->type.dims};
  taken.dims.insert(taken.dims.begin(), count);
  if (taken.getSize() <= kLargestRow)
    scope.add("nn.take " + rows->name + ", " + places + " : " + typeOf(*rows) +
                  ", " + model.print(type, "i32"),
              taken, rows->bound);
  return true;
}

bool OpMaker::addSumBy() {
  auto ids =
      scope.findIds([](const NamedIds &ids) { return ids.rows != Rows::None; });
  if (!ids)
    return false;
  auto x = scope.find(
      [&](const Named &value) { return value.type.rows == ids->rows; });
  if (!x)
    return false;
  // Some ids are left out, some sums are of nothing.
  int64_t size = random.between(1, ids->limit + 1);
  TensorType type{Rows::None, x->type.dims};
  type.dims.insert(type.dims.begin(), size);
  if (type.getSize() > kLargestRow)
    return false;
  scope.add("nn.sum_by " + x->name + ", " + ids->name + " over 0 size " +
                llvm::Twine(size) + " : " + typeOf(*x) + ", " +
                model.print({ids->rows, {}}, "i32"),
            type, 3 * x->bound);
  return true;
}

/// Elements by the places of the greatest ones, or by numbers that may lie
/// outside.
bool OpMaker::addPickAlong() {
  Named x = scope.pick();
  if (x.type.dims.empty())
    return false;
  int64_t dim = pickFixedDim(x), count = random.between(1, 3);
  TensorType type = x.type;
  sizeOf(type, dim) = count;
  std::string ids = model.drawName(), ofIds;
  if (random.chance(0.5) || dim > 0) {
    ofIds = model.print(type, "i32");
    scope.addLine(model.drawName() + ", " + ids + " = nn.top " + x.name +
                  " count " + llvm::Twine(count) + " over " + llvm::Twine(dim) +
                  " : " + typeOf(x));
  } else {
    ofIds = model.print({Rows::None, {count}}, "i32");
    scope.addLine(ids + " = arith.constant dense<" +
                  llvm::Twine(random.between(-1, 3)) + "> : " + ofIds);
  }
  std::string picked = model.drawName();
  scope.addLine(picked + " = nn.pick_along " + x.name + ", " + ids + " over " +
                llvm::Twine(dim) + " : " + typeOf(x) + ", " + ofIds);
  scope.add("math.tanh " + picked + " : " + model.print(type), type, 1);
  return true;
}

bool OpMaker::addWindow() {
  auto x = scope.find([](const Named &value) { return value.type.hasRows(); });
  if (!x)
    return false;
  int64_t before = random.below(3), after = random.below(3);
  TensorType type = x->type;
  type.dims.insert(type.dims.begin(), before + 1 + after);
  if (type.getSize() > kLargestRow)
    return false;
  scope.add("nn.window " + x->name + " before " + llvm::Twine(before) +
                " after " + llvm::Twine(after) + " : " + typeOf(*x),
            type, x->bound);
  return true;
}

bool OpMaker::addRandom() {
  static constexpr llvm::StringLiteral kDistributions[] = {
      "uniform(-1.0, 1.0)", "normal(0.5, 0.5)", "gumbel(0.0, 0.5)"};
  Named x = scope.pick();
  std::string like =
      x.type.hasRows() ? "like " + x.name + " : " + typeOf(x) + " -> " : ": ";
  scope.add("nn.random " +
                kDistributions[random.below(std::size(kDistributions))].str() +
                (random.chance(0.3) ? " training " : " ") + like + typeOf(x),
            x.type, 3);
  return true;
}
