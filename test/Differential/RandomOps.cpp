//===-- test/Differential/RandomOps.cpp - Random ops ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpMaker.h"

using namespace cambium::difftest;

void OpMaker::addOne() {
  static constexpr bool (OpMaker::*kMakers[])() = {
      &OpMaker::addUnary,     &OpMaker::addUnary,      &OpMaker::addPositive,
      &OpMaker::addBinary,    &OpMaker::addBinary,     &OpMaker::addQuotient,
      &OpMaker::addChoice,    &OpMaker::addFma,        &OpMaker::addLinear,
      &OpMaker::addLinear,    &OpMaker::addOwnLinear,  &OpMaker::addMatmul,
      &OpMaker::addMatmul,    &OpMaker::addReduction,  &OpMaker::addReduction,
      &OpMaker::addAlong,     &OpMaker::addCosine,     &OpMaker::addBroadcast,
      &OpMaker::addConcat,    &OpMaker::addSplit,      &OpMaker::addSlice,
      &OpMaker::addPad,       &OpMaker::addReshape,    &OpMaker::addTranspose,
      &OpMaker::addTraining,  &OpMaker::addEmbed,      &OpMaker::addPick,
      &OpMaker::addOneHot,    &OpMaker::addAttention,  &OpMaker::addAttention,
      &OpMaker::addPositions, &OpMaker::addTake,       &OpMaker::addTakeOfIds,
      &OpMaker::addAppend,    &OpMaker::addLogSumExp,  &OpMaker::addTop,
      &OpMaker::addSumBy,     &OpMaker::addWindow,     &OpMaker::addRandom,
      &OpMaker::addIntegers,  &OpMaker::addDivision,   &OpMaker::addDivision,
      &OpMaker::addRounding,  &OpMaker::addNorm,       &OpMaker::addPickAlong,
      &OpMaker::addConstant,  &OpMaker::addOfConstant, &OpMaker::addEach,
      &OpMaker::addPairs,     &OpMaker::addChosenTree,
  };
  for (int tries = 0; tries < 20; ++tries)
    if ((this->*kMakers[random.below(std::size(kMakers))])())
      return;
}

bool OpMaker::addSame(llvm::StringRef op, std::vector<Named> operands,
                      double bound, llvm::StringRef attributes) {
  std::string text = op.str();
  for (const Named &operand : operands)
    text += (&operand == operands.data() ? " " : ", ") + operand.name;
  scope.add(text + attributes.str() + " : " + typeOf(operands[0]),
            operands[0].type, bound);
  return true;
}

Named OpMaker::findLike(const Named &value) {
  if (value.type.hasRows() && random.chance(0.4))
    if (auto row = scope.find(TensorType{Rows::None, value.type.dims}))
      return scope.repeat(*row, value);
  return *scope.find(value.type);
}

bool OpMaker::addUnary() {
  static constexpr llvm::StringLiteral kOps[] = {
      "math.tanh",  "nn.sigmoid", "nn.relu",    "nn.leaky_relu", "nn.gelu",
      "math.sin",   "math.cos",   "math.erf",   "math.atan",     "math.absf",
      "arith.negf", "math.exp",   "math.expm1", "math.exp2"};
  Named x = scope.pick();
  llvm::StringRef op = kOps[random.below(std::size(kOps))];
  if (op == "nn.leaky_relu")
    return addSame(op, {x}, x.bound, " slope 0.2");
  if (op == "nn.gelu" && random.chance(0.5))
    return addSame(op, {x}, x.bound, " tanh");
  bool grows = op.contains("exp");
  if (grows && x.bound > 2)
    return false;
  return addSame(op, {x}, grows ? 4 : x.bound);
}

Named OpMaker::makePositive(const Named &x) {
  addSame("nn.sigmoid", {x}, 1);
  Named gate = scope.getValues().back();
  addSame("arith.addf", {gate, scope.constantLike(gate, 0.5)}, 1.5);
  return scope.getValues().back();
}

bool OpMaker::addPositive() {
  static constexpr llvm::StringLiteral kOps[] = {
      "math.log", "math.log1p", "math.log2", "math.sqrt", "math.rsqrt"};
  Named x = makePositive(scope.pick());
  return addSame(kOps[random.below(std::size(kOps))], {x}, 1.5);
}

bool OpMaker::addQuotient() {
  Named x = scope.pick(), y = findLike(x);
  bool isPower = random.chance(0.3);
  if (isPower && y.bound > 2)
    return false;
  Named positive = makePositive(isPower ? x : y);
  if (isPower)
    return addSame("math.powf", {positive, y}, 2);
  return addSame("arith.divf", {x, positive}, 2 * x.bound);
}

bool OpMaker::addBinary() {
  static constexpr llvm::StringLiteral kOps[] = {
      "arith.addf",    "arith.subf",     "arith.mulf",
      "arith.mulf",    "arith.maximumf", "arith.minimumf",
      "arith.maxnumf", "arith.minnumf",  "math.copysign"};
  Named x = scope.pick(), y = findLike(x);
  llvm::StringRef op = kOps[random.below(std::size(kOps))];
  double bound = op == "arith.mulf" ? x.bound * y.bound : x.bound + y.bound;
  return addSame(op, {x, y}, bound);
}

bool OpMaker::addFma() {
  Named x = scope.pick(), y = findLike(x), z = findLike(x);
  return addSame("math.fma", {x, y, z}, x.bound * y.bound + z.bound);
}

bool OpMaker::addChoice() {
  Named x = scope.pick(), y = findLike(x), z = findLike(x);
  std::string condition = model.drawName();
  scope.addText("    " + condition + " = arith.cmpf ogt, " + x.name + ", " +
                y.name + " : " + typeOf(x) + "\n");
  scope.add("arith.select " + condition + ", " + x.name + ", " + z.name +
                " : " + model.print(x.type, "i1") + ", " + typeOf(x),
            x.type, std::max(x.bound, z.bound));
  return true;
}

/// What has no derivative may be computed of what is constant to it.
bool OpMaker::addOfConstant() {
  static constexpr llvm::StringLiteral kOps[] = {
      "math.sinh", "math.cosh",  "math.asinh", "math.cbrt",
      "math.erfc", "math.atan2", "math.fpowi", "arith.extf"};
  Named x = scope.pick();
  if (x.bound > 2)
    return false;
  addSame("train.stop_gradient", {x}, x.bound);
  x = scope.getValues().back();
  llvm::StringRef op = kOps[random.below(std::size(kOps))];
  if (op == "math.atan2")
    return addSame(op, {x, makePositive(x)}, 3);
  if (op == "math.fpowi") {
    Named y = makePositive(x);
    std::string power = model.drawName();
    std::string type = model.print(y.type, "i32");
    scope.addLine(power + " = arith.fptosi " + y.name + " : " + typeOf(y) +
                  " to " + type);
    scope.add(op + " " + y.name + ", " + power + " : " + typeOf(y) + ", " +
                  type,
              y.type, 2);
    return true;
  }
  if (op != "arith.extf")
    return addSame(op, {x}, 4);
  if (model.getElement() != "f32")
    return false;
  std::string wide = model.drawName(), type = model.print(x.type, "f64");
  scope.addLine(wide + " = arith.extf " + x.name + " : " + typeOf(x) + " to " +
                type);
  scope.add("arith.truncf " + wide + " : " + type + " to " + typeOf(x), x.type,
            x.bound);
  return true;
}

bool OpMaker::addConstant() {
  TensorType type;
  std::string name = model.drawName();
  scope.add("nn.constant \"c" + name.substr(1) +
                "\" = 0.75 : " + model.print(type),
            type, 0.75);
  auto number =
      scope.find([](const Named &value) { return value.type.dims.empty(); });
  // A loop has no effects but its results.
  if (number && scope.mayHoldEach())
    scope.addLine("nn.expect_number " + number->name +
                  ", \"a value\" : " + typeOf(*number));
  return true;
}

bool OpMaker::addTraining() {
  if (random.chance(0.3))
    return addSame("train.stop_gradient", {scope.pick()}, 1);
  Named x = scope.pick();
  return addSame("nn.dropout", {x}, 2 * x.bound, " rate 0.3");
}

void cambium::difftest::addRandomOps(Scope &scope, int64_t count) {
  OpMaker maker(scope);
  for (int64_t i = 0; i < count && !scope.getValues().empty(); ++i)
    maker.addOne();
}
