//===-- test/Differential/RandomShapes.cpp - Random changes of shape ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpMaker.h"

using namespace cambium::difftest;

bool OpMaker::addBroadcast() {
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

bool OpMaker::addConcat() {
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

bool OpMaker::addSplit() {
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

bool OpMaker::addSlice() {
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

bool OpMaker::addPad() {
  Named x = scope.pick();
  if (x.type.dims.empty())
    return false;
  int64_t dim = pickFixedDim(x), low = random.below(3), high = random.below(3);
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

bool OpMaker::addReshape() {
  Named x = scope.pick();
  int64_t size = x.type.getSize();
  std::vector<int64_t> dims{size};
  if (x.type.dims.size() == 1)
    dims = size % 2 ? std::vector<int64_t>{1, size}
                    : std::vector<int64_t>{2, size / 2};
  scope.reshape(x, dims);
  return true;
}

bool OpMaker::addTranspose() {
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
