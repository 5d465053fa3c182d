//===-- test/Differential/ModelText.cpp - The text of a model ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace cambium::difftest;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

int64_t TensorType::getSize() const {
  return std::accumulate(dims.begin(), dims.end(), int64_t(1),
                         std::multiplies<>());
}

/// `[1, 2]`.
static std::string printList(ArrayRef<int64_t> list) {
  std::string text;
  for (int64_t number : list)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

//===----------------------------------------------------------------------===//
// ModelText
//===----------------------------------------------------------------------===//

ModelText::ModelText(Random &random, StringRef import)
    : random(random), import(import),
      element(random.chance(0.1) ? "f64" : "f32") {
  // Below, at and above the widths of vectors.
  static constexpr int64_t kSizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 20};
  for (int i = 0; i < 3; ++i)
    sizes.push_back(kSizes[random.below(std::size(kSizes))]);
}

std::vector<int64_t> ModelText::drawDims() {
  std::vector<int64_t> dims;
  for (double p : {0.85, 0.15})
    if (random.chance(p))
      dims.push_back(drawSize());
  if (dims.size() == 2 && dims[0] * dims[1] > 64)
    dims.pop_back();
  return dims;
}

Named ModelText::declare(ArrayRef<int64_t> dims, StringRef init,
                         StringRef attributes) {
  std::string symbol = "p" + std::to_string(nextParameter++);
  Named value{drawName(), {Rows::None, dims.vec()}, 1};
  std::string type = print(value.type);
  // A stack of rows, or of numbers, computes the same and learns otherwise.
  bool isStack = attributes.empty() && !dims.empty() && random.chance(0.1);
  std::string declared = " : " + type + " init <" + init.str() + ">" +
                         (isStack ? " slices 1" : attributes.str()) + "\n";
  if (random.chance(0.5)) {
    uses += "  " + value.name + " = nn.param \"" + symbol + "\"" + declared;
    return value;
  }
  parameters += "nn.param @" + symbol + declared;
  uses += "  " + value.name + " = nn.use @" + symbol + " : " + type + "\n";
  return value;
}

std::string ModelText::getParameters() const {
  return (import.empty() ? "" : "nn.import \"" + import + "\"\n") + parameters;
}

std::optional<std::string> ModelText::drawModule(bool hasRows) {
  // The file's functions are written for f32.
  if (import.empty() || element != "f32" || random.chance(0.5))
    return std::nullopt;
  return hasRows ? "dense" : "dense_one";
}

std::string ModelText::drawScope(int64_t from, int64_t to) {
  return "m" + std::to_string(from) + "_" + std::to_string(to) + "_" +
         std::to_string(random.below(3));
}

Named ModelText::useParameter(ArrayRef<int64_t> dims) {
  std::vector<Named> &known = byDims[dims.vec()];
  if (!known.empty() && random.chance(0.3))
    return random.pick(known);
  known.push_back(declare(dims, "uniform(-0.5, 0.5)"));
  return known.back();
}

Named ModelText::useTable(int64_t limit, int64_t width) {
  return declare({limit, width}, "normal(0.0, 0.5)");
}

Named ModelText::usePositions(int64_t limit, int64_t width) {
  if (random.chance(0.6))
    return useTable(limit, width);
  return declare({limit, width}, "sinusoidal(1.0)", " frozen");
}

std::string ModelText::print(const TensorType &type, StringRef other) const {
  std::string text = "tensor<";
  if (type.hasRows())
    text += "?x";
  for (int64_t dim : type.dims)
    text += std::to_string(dim) + "x";
  return text + (other.empty() ? element : other.str()) + ">";
}

//===----------------------------------------------------------------------===//
// Scope
//===----------------------------------------------------------------------===//

Scope::Scope(ModelText &model, const Scope *outer)
    : model(model), indent(outer ? "    " : "  ") {
  if (!outer)
    return;
  // A cell sees what is one per example.
  for (const Named &value : outer->values)
    if (!value.type.hasRows())
      values.push_back(value);
  for (const NamedIds &id : outer->ids)
    if (id.rows == Rows::None)
      ids.push_back(id);
  number = outer->number;
  canFail = outer->canFail;
  canHoldEach = outer->canHoldEach;
}

Scope Scope::loopOverRows(const Scope &outer) {
  Scope scope(outer.model, &outer);
  scope.overRows = true;
  for (const Named &value : outer.values)
    if (value.type.hasRows())
      scope.values.push_back(value);
  for (const NamedIds &id : outer.ids)
    if (id.rows != Rows::None)
      scope.ids.push_back(id);
  return scope;
}

void Scope::maySeeRows(const Scope &outer) {
  if (outer.overRows || !model.getRandom().chance(0.3))
    return;
  for (const Named &value : outer.values)
    if (value.type.rows == Rows::Nodes || value.type.rows == Rows::Others) {
      values.push_back(value);
      seen = true;
    }
}

Named Scope::add(const Twine &op, const TensorType &type, double bound) {
  Named result{model.drawName(), type, bound};
  text += indent + result.name + " = " + op.str() + "\n";
  if (bound > 3)
    return add("math.tanh " + Twine(result.name) + " : " + model.print(type),
               type, 1);
  values.push_back(result);
  return result;
}

Named Scope::pick() {
  Random &random = model.getRandom();
  if (values.size() > 4 && random.chance(0.5))
    return values[values.size() - 1 - random.below(4)];
  return random.pick(values);
}

std::optional<Named>
Scope::find(llvm::function_ref<bool(const Named &)> isWanted) {
  std::vector<Named> found;
  for (const Named &value : values)
    if (isWanted(value))
      found.push_back(value);
  if (found.empty())
    return std::nullopt;
  return model.getRandom().pick(found);
}

std::optional<Named> Scope::find(const TensorType &type) {
  return find([&](const Named &value) { return value.type == type; });
}

std::optional<NamedIds>
Scope::findIds(llvm::function_ref<bool(const NamedIds &)> isWanted) {
  std::vector<NamedIds> found;
  for (const NamedIds &id : ids)
    if (isWanted(id))
      found.push_back(id);
  if (found.empty())
    return std::nullopt;
  return model.getRandom().pick(found);
}

std::optional<NamedIds> Scope::findNumber() {
  if (number)
    return number;
  auto known = findIds([](const NamedIds &) { return true; });
  if (!known)
    return std::nullopt;
  TensorType type{known->rows, {}};
  number = {model.drawName(), Rows::None, known->limit};
  addLine(Twine(number->name) + " = arith.sitofp " + known->name + " : " +
          model.print(type, "i32") + " to " + model.print(type));
  if (!type.hasRows())
    return number;
  std::string all = std::exchange(number->name, model.drawName());
  addLine(Twine(number->name) + " = nn.max " + all +
          " over 0 : " + model.print(type));
  return number;
}

Named Scope::constantLike(const Named &like, double number) {
  TensorType row{Rows::None, like.type.dims};
  Named constant = add(llvm::formatv("arith.constant dense<{0:e}> : {1}",
                                     number, model.print(row))
                           .str(),
                       row, std::abs(number));
  return like.type.hasRows() ? repeat(constant, like) : constant;
}

Named Scope::repeat(const Named &value, const Named &like) {
  TensorType type{like.type.rows, value.type.dims};
  std::vector<int64_t> dims(value.type.dims.size());
  std::iota(dims.begin(), dims.end(), 1);
  return add("nn.broadcast " + value.name + " dims " + printList(dims) +
                 " like " + like.name + " : " + model.print(value.type) + ", " +
                 model.print(like.type) + " -> " + model.print(type),
             type, value.bound);
}

Named Scope::reshape(const Named &value, std::vector<int64_t> dims) {
  TensorType type{value.type.rows, std::move(dims)};
  if (type == value.type)
    return value;
  return add("nn.reshape " + value.name + " : " + model.print(value.type) +
                 " -> " + model.print(type),
             type, value.bound);
}

Named Scope::withRequired(Named value) {
  for (const Named &other : std::vector<Named>(required)) {
    bool hasSameRows = other.type.rows == value.type.rows;
    Named term = coerce(other, value.type.dims, hasSameRows);
    if (!hasSameRows && value.type.hasRows())
      term = repeat(term, value);
    value = add("arith.addf " + value.name + ", " + term.name + " : " +
                    model.print(value.type),
                value.type, value.bound + term.bound);
  }
  return value;
}

Named Scope::coerce(Named value, std::vector<int64_t> dims, bool keepRows) {
  if (value.type.hasRows() && !keepRows)
    value = add("nn.sum " + value.name + " over 0 : " + model.print(value.type),
                {Rows::None, value.type.dims}, 2 * value.bound);
  if (value.type.dims == dims)
    return value;
  int64_t from = value.type.getSize();
  int64_t to = TensorType{Rows::None, dims}.getSize();
  value = reshape(value, {from});
  TensorType made{value.type.rows, {to}};
  if (auto module = model.drawModule(value.type.hasRows())) {
    value = add("nn.call @" + *module + "(" + value.name + ") in \"" + *module +
                    model.drawScope(from, to) + "\" : (" +
                    model.print(value.type) + ") -> " + model.print(made),
                made, 1.5 * value.bound);
    return reshape(value, std::move(dims));
  }
  Named weight = model.useParameter({from, to});
  value = add("nn.linear " + value.name + ", " + weight.name + " : " +
                  model.print(value.type) + ", " + model.print(weight.type),
              made, 1.5 * value.bound);
  return reshape(value, std::move(dims));
}
