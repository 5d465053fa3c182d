//===-- test/Differential/RandomOps.cpp - Random ops ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace cambium::difftest;

namespace {
/// The most elements of a row: differences take time.
constexpr int64_t kLargestRow = 80;

/// Adds one op at a time. The members fail if the values do not suit them.
class OpMaker {
public:
  explicit OpMaker(Scope &scope)
      : scope(scope), model(scope.getModel()), random(model.getRandom()) {}

  void addOne() {
    static constexpr bool (OpMaker::*kMakers[])() = {
        &OpMaker::addUnary,    &OpMaker::addUnary,     &OpMaker::addPositive,
        &OpMaker::addBinary,   &OpMaker::addBinary,    &OpMaker::addQuotient,
        &OpMaker::addChoice,   &OpMaker::addFma,       &OpMaker::addLinear,
        &OpMaker::addLinear,   &OpMaker::addOwnLinear, &OpMaker::addMatmul,
        &OpMaker::addMatmul,   &OpMaker::addReduction, &OpMaker::addReduction,
        &OpMaker::addAlong,    &OpMaker::addCosine,    &OpMaker::addBroadcast,
        &OpMaker::addConcat,   &OpMaker::addSplit,     &OpMaker::addSlice,
        &OpMaker::addPad,      &OpMaker::addReshape,   &OpMaker::addTranspose,
        &OpMaker::addTraining, &OpMaker::addEmbed,     &OpMaker::addPick,
        &OpMaker::addOneHot,   &OpMaker::addAttention,
    };
    for (int tries = 0; tries < 20; ++tries)
      if ((this->*kMakers[random.below(std::size(kMakers))])())
        return;
  }

private:
  std::string typeOf(const Named &value) const {
    return model.print(value.type);
  }

  /// `op %x : type` or `op %x, %y : type`, of the same type.
  bool addSame(llvm::StringRef op, std::vector<Named> operands, double bound,
               llvm::StringRef attributes = "") {
    std::string text = op.str();
    for (const Named &operand : operands)
      text += (&operand == operands.data() ? " " : ", ") + operand.name;
    scope.add(text + attributes.str() + " : " + typeOf(operands[0]),
              operands[0].type, bound);
    return true;
  }

  /// Another value of the type, repeated over the rows if need be.
  Named findLike(const Named &value) {
    if (value.type.hasRows() && random.chance(0.4))
      if (auto row = scope.find(TensorType{Rows::None, value.type.dims}))
        return scope.repeat(*row, value);
    return *scope.find(value.type);
  }

  /// A dimension, also that of the rows; the value has one.
  int64_t pickDim(const Named &value) {
    return random.below(value.type.getRank());
  }
  /// A dimension that is not that of the rows.
  int64_t pickFixedDim(const Named &value) {
    return value.type.getFirstDim() + random.below(value.type.dims.size());
  }
  int64_t &sizeOf(TensorType &type, int64_t dim) {
    return type.dims[dim - type.getFirstDim()];
  }

  //===------------------------------------------------------------------===//
  // Elementwise
  //===------------------------------------------------------------------===//

  bool addUnary() {
    static constexpr llvm::StringLiteral kOps[] = {
        "math.tanh",  "nn.sigmoid", "nn.relu",    "nn.leaky_relu", "nn.gelu",
        "math.sin",   "math.cos",   "math.erf",   "math.atan",     "math.absf",
        "arith.negf", "math.exp",   "math.expm1", "math.exp2"};
    Named x = scope.pick();
    llvm::StringRef op = kOps[random.below(std::size(kOps))];
    if (op == "nn.leaky_relu")
      return addSame(op, {x}, x.bound, " {slope = 0.2 : f64}");
    if (op == "nn.gelu" && random.chance(0.5))
      return addSame(op, {x}, x.bound, " {tanh}");
    bool grows = op.contains("exp");
    if (grows && x.bound > 2)
      return false;
    return addSame(op, {x}, grows ? 4 : x.bound);
  }

  /// Functions of positive numbers, here of those in (0.5, 1.5).
  Named makePositive(const Named &x) {
    addSame("nn.sigmoid", {x}, 1);
    Named gate = scope.getValues().back();
    addSame("arith.addf", {gate, scope.constantLike(gate, 0.5)}, 1.5);
    return scope.getValues().back();
  }

  bool addPositive() {
    static constexpr llvm::StringLiteral kOps[] = {
        "math.log", "math.log1p", "math.log2", "math.sqrt", "math.rsqrt"};
    Named x = makePositive(scope.pick());
    return addSame(kOps[random.below(std::size(kOps))], {x}, 1.5);
  }

  bool addQuotient() {
    Named x = scope.pick(), y = findLike(x);
    bool isPower = random.chance(0.3);
    if (isPower && y.bound > 2)
      return false;
    Named positive = makePositive(isPower ? x : y);
    if (isPower)
      return addSame("math.powf", {positive, y}, 2);
    return addSame("arith.divf", {x, positive}, 2 * x.bound);
  }

  bool addBinary() {
    static constexpr llvm::StringLiteral kOps[] = {
        "arith.addf", "arith.subf",     "arith.mulf",
        "arith.mulf", "arith.maximumf", "arith.minimumf"};
    Named x = scope.pick(), y = findLike(x);
    llvm::StringRef op = kOps[random.below(std::size(kOps))];
    double bound = op == "arith.mulf" ? x.bound * y.bound : x.bound + y.bound;
    return addSame(op, {x, y}, bound);
  }

  bool addFma() {
    Named x = scope.pick(), y = findLike(x), z = findLike(x);
    return addSame("math.fma", {x, y, z}, x.bound * y.bound + z.bound);
  }

  bool addChoice() {
    Named x = scope.pick(), y = findLike(x), z = findLike(x);
    std::string condition = model.drawName();
    scope.addText("    " + condition + " = arith.cmpf ogt, " + x.name + ", " +
                  y.name + " : " + typeOf(x) + "\n");
    scope.add("arith.select " + condition + ", " + x.name + ", " + z.name +
                  " : " + model.print(x.type, "i1") + ", " + typeOf(x),
              x.type, std::max(x.bound, z.bound));
    return true;
  }

  //===------------------------------------------------------------------===//
  // Products
  //===------------------------------------------------------------------===//

  bool addLinear() {
    Named x = scope.pick();
    if (x.type.dims.empty())
      return false;
    TensorType type = x.type;
    type.dims.back() = model.drawSize();
    if (type.getSize() > kLargestRow)
      return false;
    Named weight = model.useParameter({x.type.dims.back(), type.dims.back()});
    std::string operands = x.name + ", " + weight.name;
    std::string types = typeOf(x) + ", " + typeOf(weight);
    if (random.chance(0.5)) {
      Named bias = model.useParameter({type.dims.back()});
      operands += ", " + bias.name;
      types += ", " + typeOf(bias);
    }
    scope.add("nn.linear " + operands + " : " + types, type, 1.5 * x.bound);
    return true;
  }

  /// A weight that is a value of the example or of the node.
  bool addOwnLinear() {
    Named x = scope.pick();
    if (x.type.dims.empty())
      return false;
    auto weight = scope.find([&](const Named &value) {
      return !value.type.hasRows() && value.type.dims.size() == 2 &&
             value.type.dims[0] == x.type.dims.back();
    });
    if (!weight)
      return false;
    TensorType type = x.type;
    type.dims.back() = weight->type.dims[1];
    if (type.getSize() > kLargestRow)
      return false;
    scope.add("nn.linear " + x.name + ", " + weight->name + " : " + typeOf(x) +
                  ", " + typeOf(*weight),
              type, 4 * x.bound * weight->bound);
    return true;
  }

  /// The dimensions with that of the rows as -1.
  static std::vector<int64_t> shapeOf(const Named &value) {
    std::vector<int64_t> shape = value.type.dims;
    if (value.type.hasRows())
      shape.insert(shape.begin(), -1);
    return shape;
  }

  bool addMatmul() {
    Named a = scope.pick(), b = scope.pick();
    if (a.type.hasRows() && b.type.hasRows() && a.type.rows != b.type.rows)
      return false;
    std::vector<int64_t> left = shapeOf(a), right = shapeOf(b);
    size_t batch = random.chance(0.4);
    auto fits = [&](size_t rank) {
      return rank >= batch + 1 && rank <= batch + 2;
    };
    if (!fits(left.size()) || !fits(right.size()) ||
        (batch && left[0] != right[0]) || left.back() != right[batch])
      return false;
    std::vector<int64_t> shape(left.begin(), left.end() - 1);
    if (right.size() == batch + 2)
      shape.push_back(right.back());
    TensorType type;
    if (!shape.empty() && shape[0] < 0) {
      type.rows = a.type.rows;
      shape.erase(shape.begin());
    }
    if (llvm::is_contained(shape, -1))
      return false;
    type.dims = shape;
    if (type.getSize() > kLargestRow)
      return false;
    scope.add("nn.matmul " + a.name + ", " + b.name +
                  (batch ? " {batch_dims = 1 : i64}" : "") + " : " + typeOf(a) +
                  ", " + typeOf(b),
              type, 4 * a.bound * b.bound);
    return true;
  }

  //===------------------------------------------------------------------===//
  // Over a dimension
  //===------------------------------------------------------------------===//

  static TensorType withoutDim(const TensorType &type, int64_t dim) {
    TensorType result = type;
    if (type.hasRows() && dim == 0)
      result.rows = Rows::None;
    else
      result.dims.erase(result.dims.begin() + dim - type.getFirstDim());
    return result;
  }

  bool addReduction() {
    static constexpr llvm::StringLiteral kOps[] = {"nn.sum", "nn.mean",
                                                   "nn.max"};
    Named x = scope.pick();
    if (!x.type.getRank())
      return false;
    int64_t dim = x.type.hasRows() && random.chance(0.5) ? 0 : pickDim(x);
    llvm::StringRef op = kOps[random.below(std::size(kOps))];
    scope.add(op + " " + x.name + " over " + llvm::Twine(dim) + " : " +
                  typeOf(x),
              withoutDim(x.type, dim), op == "nn.sum" ? 3 * x.bound : x.bound);
    return true;
  }

  /// Around zero the derivative of what divides by a length is 1 / eps: in a
  /// recursion it would overflow.
  static constexpr const char *kEps = " {eps = 0.1 : f64}";

  bool addAlong() {
    static constexpr llvm::StringLiteral kOps[] = {
        "nn.softmax", "nn.softmax", "nn.log_softmax", "nn.l2_normalize"};
    Named x = scope.pick();
    if (!x.type.getRank())
      return false;
    int64_t dim = x.type.hasRows() && random.chance(0.5) ? 0 : pickDim(x);
    llvm::StringRef op = kOps[random.below(std::size(kOps))];
    std::string eps = op == "nn.l2_normalize" ? kEps : "";
    return addSame(op, {x}, op == "nn.log_softmax" ? 4 : 1,
                   " over " + std::to_string(dim) + eps);
  }

  bool addCosine() {
    Named x = scope.pick(), y = findLike(x);
    if (!x.type.getRank())
      return false;
    int64_t dim = pickDim(x);
    scope.add("nn.cosine_similarity " + x.name + ", " + y.name + " over " +
                  llvm::Twine(dim) + kEps + " : " + typeOf(x) + ", " +
                  typeOf(y),
              withoutDim(x.type, dim), 1);
    return true;
  }

  bool addAttention() {
    auto query = scope.find([](const Named &value) {
      return value.type.hasRows() && value.type.dims.size() == 1;
    });
    if (!query)
      return false;
    Named key = findLike(*query), value = findLike(*query);
    int64_t heads = random.chance(0.5) ? 1 : shapeOf(*query).back();
    scope.add("nn.attention " + query->name + ", " + key.name + ", " +
                  value.name + " heads " + llvm::Twine(heads) +
                  (random.chance(0.3) ? " causal" : "") + " : " +
                  typeOf(*query) + ", " + typeOf(key) + ", " + typeOf(value),
              query->type, value.bound);
    return true;
  }

  //===------------------------------------------------------------------===//
  // Shapes
  //===------------------------------------------------------------------===//

  bool addBroadcast() {
    Named x = scope.pick();
    if (x.type.hasRows() || x.type.dims.size() > 1) {
      auto like = scope.find([](const Named &v) { return v.type.hasRows(); });
      if (x.type.hasRows() || !like)
        return false;
      scope.repeat(x, *like);
      return true;
    }
    TensorType type = x.type;
    bool inFront = random.chance(0.5);
    type.dims.insert(inFront ? type.dims.begin() : type.dims.end(),
                     model.drawSize());
    if (type.getSize() > kLargestRow)
      return false;
    std::string dims = x.type.dims.empty() ? "" : inFront ? "1" : "0";
    scope.add("nn.broadcast " + x.name + " dims [" + dims + "] : " + typeOf(x) +
                  " -> " + model.print(type),
              type, x.bound);
    return true;
  }

  bool addConcat() {
    Named x = scope.pick();
    if (x.type.dims.empty())
      return false;
    Named y = findLike(x);
    int64_t dim = pickFixedDim(x);
    TensorType type = x.type;
    sizeOf(type, dim) *= 2;
    if (type.getSize() > kLargestRow)
      return false;
    scope.add("nn.concat " + x.name + ", " + y.name + " over " +
                  llvm::Twine(dim) + " : " + typeOf(x) + ", " + typeOf(y),
              type, std::max(x.bound, y.bound));
    return true;
  }

  /// Cuts a value into two parts; both are values.
  bool addSplit() {
    Named x = scope.pick();
    if (x.type.dims.empty())
      return false;
    int64_t dim = pickFixedDim(x);
    TensorType first = x.type, second = x.type;
    int64_t size = sizeOf(first, dim);
    if (size < 2)
      return false;
    sizeOf(first, dim) = random.between(1, size - 1);
    sizeOf(second, dim) = size - sizeOf(first, dim);
    Named a{model.drawName(), first, x.bound},
        b{model.drawName(), second, x.bound};
    scope.addText("    " + a.name + ", " + b.name + " = nn.split " + x.name +
                  " over " + llvm::Twine(dim) + " sizes [" +
                  llvm::Twine(sizeOf(first, dim)) + ", " +
                  llvm::Twine(sizeOf(second, dim)) + "] : " + typeOf(x) + "\n");
    scope.addArgument(a);
    scope.addArgument(b);
    return true;
  }

  bool addSlice() {
    Named x = scope.pick();
    if (x.type.dims.empty())
      return false;
    int64_t dim = pickFixedDim(x);
    TensorType type = x.type;
    int64_t whole = sizeOf(type, dim), size = random.between(1, whole);
    sizeOf(type, dim) = size;
    scope.add("nn.slice " + x.name + " over " + llvm::Twine(dim) + " from " +
                  llvm::Twine(random.between(0, whole - size)) + " size " +
                  llvm::Twine(size) + " : " + typeOf(x),
              type, x.bound);
    return true;
  }

  bool addPad() {
    Named x = scope.pick();
    if (x.type.dims.empty())
      return false;
    int64_t dim = pickFixedDim(x), low = random.below(3),
            high = random.below(3);
    TensorType type = x.type;
    sizeOf(type, dim) += low + high;
    if (type.getSize() > kLargestRow)
      return false;
    scope.add("nn.pad " + x.name + " over " + llvm::Twine(dim) + " low " +
                  llvm::Twine(low) + " high " + llvm::Twine(high) + " : " +
                  typeOf(x),
              type, x.bound);
    return true;
  }

  bool addReshape() {
    Named x = scope.pick();
    int64_t size = x.type.getSize();
    std::vector<int64_t> dims{size};
    if (x.type.dims.size() == 1)
      dims = size % 2 ? std::vector<int64_t>{1, size}
                      : std::vector<int64_t>{2, size / 2};
    scope.reshape(x, dims);
    return true;
  }

  bool addTranspose() {
    Named x = scope.pick();
    if (x.type.dims.size() != 2)
      return false;
    TensorType type = x.type;
    std::swap(type.dims[0], type.dims[1]);
    scope.add("nn.transpose " + x.name + " perm " +
                  (type.hasRows() ? "[0, 2, 1]" : "[1, 0]") + " : " + typeOf(x),
              type, x.bound);
    return true;
  }

  //===------------------------------------------------------------------===//
  // Training and ids
  //===------------------------------------------------------------------===//

  bool addTraining() {
    if (random.chance(0.3) || !scope.mayDraw())
      return addSame("train.stop_gradient", {scope.pick()}, 1);
    Named x = scope.pick();
    return addSame("nn.dropout", {x}, 2 * x.bound, " rate 0.3");
  }

  bool addEmbed() {
    if (scope.getIds().empty())
      return false;
    NamedIds ids = random.pick(scope.getIds());
    Named table = model.useTable(ids.limit, model.drawSize());
    TensorType type{ids.rows, {table.type.dims[1]}};
    scope.add("nn.embed " + ids.name + ", " + table.name +
                  (random.chance(0.5) ? " {padding_id = 0 : i64}" : "") +
                  " : " + model.print({ids.rows, {}}, "i32") + ", " +
                  typeOf(table),
              type, 1);
    return true;
  }

  bool addPick() {
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

  bool addOneHot() {
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

  Scope &scope;
  ModelText &model;
  Random &random;
};
} // namespace

void cambium::difftest::addRandomOps(Scope &scope, int64_t count) {
  OpMaker maker(scope);
  for (int64_t i = 0; i < count && !scope.getValues().empty(); ++i)
    maker.addOne();
}
