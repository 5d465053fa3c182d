//===-- test/Differential/RandomIntegers.cpp - Random arithmetic of ids ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers are made of ids and become numbers, or ids again. One division of a
// model may have a divisor that is 0 in some examples: what it makes is of the
// results, so that compiled code has to divide.
//
//===----------------------------------------------------------------------===//
#include "OpMaker.h"
#include "llvm/Support/MathExtras.h"

using namespace cambium::difftest;
using llvm::StringRef;
using llvm::Twine;

std::string OpMaker::typeOf(const Integers &value) const {
  return model.print({value.rows, {}}, "i32");
}

std::optional<Integers> OpMaker::findIntegers() {
  auto ids = scope.findIds([](const NamedIds &) { return true; });
  if (!ids)
    return std::nullopt;
  return Integers{ids->name, ids->rows, static_cast<double>(ids->limit)};
}

Integers OpMaker::integer(const Integers &like, int64_t number) {
  std::string scalar = model.drawName();
  double bound = std::abs(static_cast<double>(number));
  scope.addLine(Twine(scalar) + " = arith.constant dense<" + Twine(number) +
                "> : tensor<i32>");
  if (like.rows == Rows::None)
    return {scalar, like.rows, bound};
  Integers rows{model.drawName(), like.rows, bound};
  scope.addLine(Twine(rows.name) + " = nn.broadcast " + scalar +
                " dims [] like " + like.name + " : tensor<i32>, " +
                typeOf(like) + " -> " + typeOf(rows));
  return rows;
}

Integers OpMaker::compute(StringRef op, const Integers &a, const Integers &b,
                          double bound) {
  Integers result{model.drawName(), a.rows, bound};
  scope.addLine(Twine(result.name) + " = " + op + " " + a.name + ", " + b.name +
                " : " + typeOf(a));
  return result;
}

/// A number between -1 and 1, or ids below a small limit.
Named OpMaker::useIntegers(const Integers &x) {
  TensorType type{x.rows, {}};
  Named number = scope.add("arith.sitofp " + x.name + " : " + typeOf(x) +
                               " to " + model.print(type),
                           type, 1);
  Named scale = scope.constantLike(number, 1 / std::max(1.0, x.bound));
  number = scope.add("arith.mulf " + number.name + ", " + scale.name + " : " +
                         model.print(type),
                     type, 1);
  if (random.chance(0.5))
    return number;
  int64_t limit = random.between(1, 5);
  Integers rest = compute("arith.remsi", x, integer(x, limit), limit);
  NamedIds ids{model.drawName(), x.rows, limit};
  scope.addLine(Twine(ids.name) + " = math.absi " + rest.name + " : " +
                typeOf(x));
  scope.addIds(ids);
  return number;
}

bool OpMaker::addIntegers() {
  static constexpr llvm::StringLiteral kOps[] = {
      "arith.addi", "arith.subi",  "arith.muli",  "arith.andi", "arith.ori",
      "arith.xori", "arith.maxsi", "arith.minsi", "select"};
  auto a = findIntegers();
  if (!a)
    return false;
  Integers b = integer(*a, random.between(-7, 7));
  if (auto other = findIntegers(); other && other->rows == a->rows)
    b = *other;
  StringRef op = kOps[random.below(std::size(kOps))];
  // Upstream makes x ^ x a constant, of no size.
  if (op == "arith.xori" && a->name == b.name)
    op = "arith.subi";
  if (op == "select") {
    std::string condition = model.drawName();
    Integers chosen{model.drawName(), a->rows, std::max(a->bound, b.bound)};
    scope.addLine(Twine(condition) + " = arith.cmpi slt, " + a->name + ", " +
                  b.name + " : " + typeOf(*a));
    scope.addLine(Twine(chosen.name) + " = arith.select " + condition + ", " +
                  a->name + ", " + b.name + " : " +
                  model.print({a->rows, {}}, "i1") + ", " + typeOf(*a));
    useIntegers(chosen);
    return true;
  }
  double bound = a->bound + b.bound + 1;
  if (op == "arith.muli")
    bound = a->bound * b.bound + 1;
  else if (op.ends_with("i") && !op.contains("add") && !op.contains("sub"))
    bound = llvm::PowerOf2Ceil(static_cast<uint64_t>(bound));
  useIntegers(compute(op, *a, b, bound));
  return true;
}

/// What is never 0: a constant, also one that needs no check or whose quotient
/// wraps, or positive or negative data.
Integers OpMaker::drawDivisor(const Integers &x) {
  static constexpr int64_t kConstants[] = {1, 2, 3, 7, -1, -2, -2147483648};
  if (random.chance(0.4))
    return integer(x, kConstants[random.below(std::size(kConstants))]);
  auto limit = static_cast<int64_t>(x.bound);
  switch (random.below(3)) {
  case 0:
    return compute("arith.addi", x, integer(x, 1), x.bound + 1);
  case 1:
    return compute("arith.subi", x, integer(x, limit), x.bound);
  default:
    return compute("arith.ori", x, integer(x, 1), 2 * x.bound + 1);
  }
}

bool OpMaker::addDivision() {
  static constexpr llvm::StringLiteral kOps[] = {
      "arith.divsi", "arith.remsi", "arith.floordivsi", "arith.ceildivsi"};
  auto x = findIntegers();
  if (!x)
    return false;
  Integers dividend = *x;
  if (auto other = findIntegers(); other && other->rows == x->rows)
    dividend = *other;
  if (random.chance(0.2))
    dividend = integer(*x, -2147483648);
  bool isRisky = scope.mayFail() && random.chance(0.4) && model.takeRisk();
  Integers divisor =
      isRisky
          ? compute("arith.subi", *x,
                    integer(*x, random.below(static_cast<int64_t>(x->bound))),
                    x->bound)
          : drawDivisor(*x);
  Named number = useIntegers(compute(kOps[random.below(std::size(kOps))],
                                     dividend, divisor, dividend.bound + 1));
  if (isRisky)
    scope.require(number);
  return true;
}

/// What is rounded lies far from where it would be rounded otherwise.
bool OpMaker::addRounding() {
  static constexpr llvm::StringLiteral kOps[] = {
      "math.floor", "math.ceil", "math.round", "math.roundeven", "math.trunc"};
  auto x = findIntegers();
  if (!x)
    return false;
  TensorType type{x->rows, {}};
  Named number = scope.add("arith.sitofp " + x->name + " : " + typeOf(*x) +
                               " to " + model.print(type),
                           type, 1);
  addSame("arith.mulf", {number, scope.constantLike(number, 0.625)}, 1);
  addSame("arith.subf",
          {scope.getValues().back(), scope.constantLike(number, 1.2)}, 1);
  addSame(kOps[random.below(std::size(kOps))], {scope.getValues().back()}, 1);
  Named rounded = scope.getValues().back();
  addSame("math.tanh", {rounded}, 1);
  if (random.chance(0.5))
    return true;
  Integers whole{model.drawName(), x->rows, x->bound + 2};
  scope.addLine(Twine(whole.name) + " = arith.fptosi " + rounded.name + " : " +
                model.print(type) + " to " + typeOf(whole));
  useIntegers(whole);
  return true;
}
