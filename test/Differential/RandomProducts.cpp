//===-- test/Differential/RandomProducts.cpp - Random products and reductions
//---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpMaker.h"
#include "llvm/ADT/STLExtras.h"

using namespace cambium::difftest;

/// The dimensions with that of the rows as -1.
static std::vector<int64_t> shapeOf(const Named &value) {
  std::vector<int64_t> shape = value.type.dims;
  if (value.type.hasRows())
    shape.insert(shape.begin(), -1);
  return shape;
}

bool OpMaker::addLinear() {
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

bool OpMaker::addOwnLinear() {
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

bool OpMaker::addMatmul() {
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
                (batch ? " batch_dims 1" : "") + " : " + typeOf(a) + ", " +
                typeOf(b),
            type, 4 * a.bound * b.bound);
  return true;
}

static TensorType withoutDim(const TensorType &type, int64_t dim) {
  TensorType result = type;
  if (type.hasRows() && dim == 0)
    result.rows = Rows::None;
  else
    result.dims.erase(result.dims.begin() + dim - type.getFirstDim());
  return result;
}

bool OpMaker::addReduction() {
  static constexpr llvm::StringLiteral kOps[] = {"nn.sum", "nn.mean", "nn.max"};
  Named x = scope.pick();
  if (!x.type.getRank())
    return false;
  int64_t dim = x.type.hasRows() && random.chance(0.5) ? 0 : pickDim(x);
  llvm::StringRef op = kOps[random.below(std::size(kOps))];
  scope.add(op + " " + x.name + " over " + llvm::Twine(dim) + " : " + typeOf(x),
            withoutDim(x.type, dim), op == "nn.sum" ? 3 * x.bound : x.bound);
  return true;
}

/// Around zero the derivative of what divides by a length is 1 / eps: in a
/// recursion it would overflow.
static constexpr const char *kEps = " eps 0.1";

bool OpMaker::addAlong() {
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

bool OpMaker::addCosine() {
  Named x = scope.pick(), y = findLike(x);
  if (!x.type.getRank())
    return false;
  int64_t dim = pickDim(x);
  scope.add("nn.cosine_similarity " + x.name + ", " + y.name + " over " +
                llvm::Twine(dim) + kEps + " : " + typeOf(x) + ", " + typeOf(y),
            withoutDim(x.type, dim), 1);
  return true;
}

bool OpMaker::addNorm() {
  Named x = scope.pick();
  if (x.type.dims.empty())
    return false;
  Named scale = model.useParameter({x.type.dims.back()});
  Named shift = model.useParameter({x.type.dims.back()});
  scope.add("nn.layer_norm " + x.name + ", " + scale.name + ", " + shift.name +
                kEps + " : " + typeOf(x) + ", " + typeOf(scale) + ", " +
                typeOf(shift),
            x.type, 4);
  return true;
}
