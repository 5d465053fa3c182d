//===-- runtime/core/Initialize.cpp - Drawing parameters ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Initialize.h"
#include "Random.h"
#include "Session.h"

#include <cmath>

using namespace cambium::runtime;

uint64_t cambium_mix(uint64_t key, uint64_t index) { return mix(key, index); }

float cambium_uniform(uint64_t key) { return uniform(key); }

uint64_t cambium::runtime::parameterKey(uint64_t seed, const char *name) {
  return mix(seed, hashName(name));
}

namespace {

int64_t sliceSizeOf(const TensorToDraw &tensor) {
  int64_t size = 1;
  for (int32_t i = tensor.slices; i < tensor.rank; ++i)
    size *= tensor.shape[i];
  return size;
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// A standard normal number that depends on the key alone (Box-Muller).
double drawNormal(uint64_t key) {
  constexpr double twoPi = 6.283185307179586476925;
  double radius = std::sqrt(-2.0 * std::log(uniformPositive(mix(key, 0))));
  return radius * std::cos(twoPi * uniformPositive(mix(key, 1)));
}

/// The same, at most two deviations from the mean: drawn again until it fits.
double drawTruncated(uint64_t key) {
  for (uint64_t attempt = 0;; ++attempt) {
    double value = drawNormal(mix(key, attempt));
    if (std::fabs(value) <= 2.0)
      return value;
  }
}

/// What elements are drawn from, after fan-in and fan-out are known.
struct Distribution {
  cambium_init_kind_t kind; // ZEROS ... TRUNCATED_NORMAL
  double a, b;
  uint64_t key;
  int64_t sliceSize;

  /// Sines and cosines of the row, a frequency per pair of the `b` columns.
  double wave(int64_t index) const {
    auto columns = static_cast<int64_t>(b);
    index %= sliceSize;
    int64_t column = index % columns;
    double exponent = static_cast<double>(column / 2 * 2) / b;
    double angle =
        static_cast<double>(index / columns) * std::pow(10000, -exponent);
    return column % 2 ? std::cos(angle) : std::sin(angle);
  }

  double operator()(int64_t index) const {
    uint64_t element = mix(key, static_cast<uint64_t>(index));
    switch (kind) {
    case CAMBIUM_INIT_CONSTANT:
      return a;
    case CAMBIUM_INIT_UNIFORM:
      return a + (b - a) * static_cast<double>(uniform(element));
    case CAMBIUM_INIT_NORMAL:
      return a + b * drawNormal(element);
    case CAMBIUM_INIT_TRUNCATED_NORMAL:
      return a + b * drawTruncated(element);
    case CAMBIUM_INIT_SINUSOIDAL:
      return a * wave(index);
    default:
      return 0;
    }
  }
};

Distribution distributionOf(const cambium_init_t &init, uint64_t key,
                            const TensorToDraw &tensor) {
  double fans = 1;
  if (tensor.rank > tensor.slices)
    fans = static_cast<double>(tensor.shape[tensor.slices]) +
           static_cast<double>(tensor.shape[tensor.rank - 1]);
  int64_t size = sliceSizeOf(tensor);
  switch (init.kind) {
  case CAMBIUM_INIT_XAVIER_UNIFORM: {
    double bound = init.a * std::sqrt(6.0 / fans);
    return {CAMBIUM_INIT_UNIFORM, -bound, bound, key, size};
  }
  case CAMBIUM_INIT_XAVIER_NORMAL:
    return {CAMBIUM_INIT_NORMAL, 0, init.a * std::sqrt(2.0 / fans), key, size};
  case CAMBIUM_INIT_SINUSOIDAL:
    return {init.kind, init.a,
            static_cast<double>(tensor.shape[tensor.rank - 1]), key, size};
  default:
    return {init.kind, init.a, init.b, key, size};
  }
}

template <typename T> struct FillTask {
  Distribution distribution;
  T *data;
};

template <typename T> void fillPiece(void *opaque, int64_t begin, int64_t end) {
  auto *task = static_cast<FillTask<T> *>(opaque);
  for (int64_t i = begin; i < end; ++i)
    task->data[i] = static_cast<T>(task->distribution(i));
}

template <typename T>
void fillTensor(const Distribution &distribution, const TensorToDraw &tensor,
                cambium_session &threads) {
  FillTask<T> task = {distribution, static_cast<T *>(tensor.data)};
  parallelFor(threads, fillPiece<T>, &task, tensor.numElements, 4096);
}

//===----------------------------------------------------------------------===//
// Orthogonal matrices
//===----------------------------------------------------------------------===//

/// A dot product whose order of additions is fixed and allows vectors.
double dot(const double *x, const double *y, int64_t size) {
  constexpr int lanes = 8;
  double sums[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= size; i += lanes)
    for (int lane = 0; lane < lanes; ++lane)
      sums[lane] += x[i + lane] * y[i + lane];
  double sum = 0;
  for (int lane = 0; lane < lanes; ++lane)
    sum += sums[lane];
  for (; i < size; ++i)
    sum += x[i] * y[i];
  return sum;
}

/// Makes the `count` vectors of `size` numbers orthonormal: Gram-Schmidt,
/// twice, which is as good as Householder's method and simpler.
void orthonormalize(double *vectors, int64_t count, int64_t size) {
  for (int64_t i = 0; i < count; ++i) {
    double *vector = vectors + i * size;
    for (int round = 0; round < 2; ++round)
      for (int64_t j = 0; j < i; ++j) {
        const double *other = vectors + j * size;
        double part = dot(vector, other, size);
        for (int64_t k = 0; k < size; ++k)
          vector[k] -= part * other[k];
      }
    double norm = std::sqrt(dot(vector, vector, size));
    for (int64_t k = 0; k < size; ++k)
      vector[k] /= norm;
  }
}

/// m x n matrices whose shorter side's vectors are orthonormal, times the
/// gain: one for each slice.
template <typename T>
cambium_status_t drawOrthogonal(double gain, uint64_t key,
                                const TensorToDraw &tensor) {
  if (tensor.numElements == 0)
    return CAMBIUM_STATUS_OK;
  int64_t columns = tensor.shape[tensor.rank - 1];
  int64_t elements = sliceSizeOf(tensor), rows = elements / columns;
  bool isWide = rows <= columns;
  int64_t count = isWide ? rows : columns, size = isWide ? columns : rows;
  Buffer<double> vectors;
  if (!vectors.resize(elements))
    return failOutOfMemory("an orthogonal initializer");
  for (int64_t first = 0; first < tensor.numElements; first += elements) {
    for (int64_t i = 0; i < elements; ++i)
      vectors[i] = drawNormal(mix(key, static_cast<uint64_t>(first + i)));
    orthonormalize(vectors.data(), count, size);
    auto *data = static_cast<T *>(tensor.data) + first;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column)
        data[row * columns + column] = static_cast<T>(
            gain * vectors[isWide ? row * size + column : column * size + row]);
  }
  return CAMBIUM_STATUS_OK;
}

} // namespace

cambium_status_t cambium::runtime::draw(const cambium_init_t &init,
                                        uint64_t key,
                                        const TensorToDraw &tensor,
                                        cambium_session &threads) {
  if (init.kind == CAMBIUM_INIT_ORTHOGONAL)
    return tensor.type == CAMBIUM_TYPE_F32
               ? drawOrthogonal<float>(init.a, key, tensor)
               : drawOrthogonal<double>(init.a, key, tensor);
  Distribution distribution = distributionOf(init, key, tensor);
  switch (tensor.type) {
  case CAMBIUM_TYPE_F32:
    fillTensor<float>(distribution, tensor, threads);
    break;
  case CAMBIUM_TYPE_F64:
    fillTensor<double>(distribution, tensor, threads);
    break;
  case CAMBIUM_TYPE_I32:
    fillTensor<int32_t>(distribution, tensor, threads);
    break;
  case CAMBIUM_TYPE_I64:
    fillTensor<int64_t>(distribution, tensor, threads);
    break;
  case CAMBIUM_TYPE_I8:
  case CAMBIUM_TYPE_I1:
    fillTensor<int8_t>(distribution, tensor, threads);
    break;
  }
  return CAMBIUM_STATUS_OK;
}
