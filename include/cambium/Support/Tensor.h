//===-- Tensor.h - Plain tensors of the interpreter ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_TENSOR_H
#define CAMBIUM_SUPPORT_TENSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cassert>
#include <cstdint>
#include <string>
#include <vector>

namespace cambium {

/// A dense tensor in row-major order whose elements are doubles or 64-bit
/// integers. Types narrower than these are the interpreter's business: it
/// rounds and wraps what an op computes before anybody reads it. A scalar has
/// rank 0.
class Tensor {
public:
  Tensor() = default;
  /// A tensor of numbers, all equal to `fill`.
  static Tensor floats(llvm::ArrayRef<int64_t> shape, double fill = 0);
  /// A tensor of integers, all equal to `fill`.
  static Tensor ints(llvm::ArrayRef<int64_t> shape, int64_t fill = 0);
  /// A tensor of zeros with the kind of elements of this one.
  Tensor zeros(llvm::ArrayRef<int64_t> shape) const;

  bool isFloat() const { return holdsFloats; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getDim(int64_t dim) const { return shape[dim]; }
  int64_t getNumElements() const {
    return holdsFloats ? reals.size() : integers.size();
  }
  /// The number of rows, and of elements of one row. The rank is at least 1.
  int64_t getNumRows() const { return shape.front(); }
  int64_t getRowSize() const;
  /// The product of the dimensions in `[begin, end)`.
  int64_t getSize(int64_t begin, int64_t end) const;

  /// Elements by their place in row-major order.
  double &f(int64_t index) { return assert(holdsFloats), reals[index]; }
  double f(int64_t index) const { return assert(holdsFloats), reals[index]; }
  int64_t &i(int64_t index) { return assert(!holdsFloats), integers[index]; }
  int64_t i(int64_t index) const {
    return assert(!holdsFloats), integers[index];
  }

  /// One row, without its first dimension; writing it back.
  Tensor getRow(int64_t row) const;
  void setRow(int64_t row, const Tensor &value);
  /// Copies `count` elements of another tensor of the same kind.
  void copy(int64_t to, const Tensor &source, int64_t from, int64_t count);
  /// The same elements in another shape of as many elements.
  Tensor withShape(llvm::ArrayRef<int64_t> newShape) const;

  /// Rounds every element to the nearest float.
  void roundToFloat();
  /// Keeps the lowest `width` bits of every integer, sign-extended (one bit: 0
  /// or 1).
  void wrapTo(unsigned width);

  /// The shape as `3x4`, or `scalar`.
  std::string describeShape() const;

private:
  llvm::SmallVector<int64_t, 4> shape;
  bool holdsFloats = true;
  std::vector<double> reals;
  std::vector<int64_t> integers;
};

} // namespace cambium

#endif // CAMBIUM_SUPPORT_TENSOR_H
