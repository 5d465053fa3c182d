//===-- lib/Support/Tensor.cpp - Plain tensors of the interpreter --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cambium;

static int64_t product(llvm::ArrayRef<int64_t> sizes) {
  int64_t size = 1;
  for (int64_t d : sizes)
    size *= d;
  return size;
}

Tensor Tensor::floats(llvm::ArrayRef<int64_t> shape, double fill) {
  Tensor result;
  result.shape.assign(shape.begin(), shape.end());
  result.reals.assign(product(shape), fill);
  return result;
}

Tensor Tensor::ints(llvm::ArrayRef<int64_t> shape, int64_t fill) {
  Tensor result;
  result.shape.assign(shape.begin(), shape.end());
  result.holdsFloats = false;
  result.integers.assign(product(shape), fill);
  return result;
}

Tensor Tensor::zeros(llvm::ArrayRef<int64_t> shape) const {
  return holdsFloats ? floats(shape) : ints(shape);
}

int64_t Tensor::getRowSize() const { return getSize(1, getRank()); }

int64_t Tensor::getSize(int64_t begin, int64_t end) const {
  return product(getShape().slice(begin, end - begin));
}

Tensor Tensor::getRow(int64_t row) const {
  Tensor result = zeros(getShape().drop_front());
  int64_t size = getRowSize();
  result.copy(0, *this, row * size, size);
  return result;
}

void Tensor::setRow(int64_t row, const Tensor &value) {
  int64_t size = getRowSize();
  assert(value.getNumElements() == size && "a row of another size");
  copy(row * size, value, 0, size);
}

void Tensor::copy(int64_t to, const Tensor &source, int64_t from,
                  int64_t count) {
  assert(holdsFloats == source.holdsFloats && "elements of another kind");
  if (holdsFloats)
    std::copy_n(source.reals.begin() + from, count, reals.begin() + to);
  else
    std::copy_n(source.integers.begin() + from, count, integers.begin() + to);
}

Tensor Tensor::withShape(llvm::ArrayRef<int64_t> newShape) const {
  assert(product(newShape) == getNumElements() && "another number of elements");
  Tensor result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  return result;
}

void Tensor::roundToFloat() {
  for (double &x : reals)
    x = static_cast<float>(x);
}

void Tensor::wrapTo(unsigned width) {
  if (width >= 64)
    return;
  for (int64_t &x : integers)
    x = width == 1
            ? x & 1
            : static_cast<int64_t>(static_cast<uint64_t>(x) << (64 - width)) >>
                  (64 - width);
}

std::string Tensor::describeShape() const {
  if (shape.empty())
    return "scalar";
  return llvm::join(
      llvm::map_range(shape, [](int64_t d) { return std::to_string(d); }), "x");
}
