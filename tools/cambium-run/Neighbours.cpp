//===-- tools/cambium-run/Neighbours.cpp - The nearest texts --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Neighbours.h"
#include "Output.h"
#include "runtime/train/Format.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace cambium;
using namespace cambium::run;
using namespace cambium::train;

/// Makes vectors as long as 1; zero stays zero.
static void normalize(std::vector<float> &vectors, size_t width) {
  for (size_t begin = 0; begin < vectors.size(); begin += width) {
    double sum = 0;
    for (size_t i = begin; i < begin + width; ++i)
      sum += double(vectors[i]) * vectors[i];
    const double length = std::sqrt(sum);
    for (size_t i = begin; i < begin + width && length > 0; ++i)
      vectors[i] = static_cast<float>(vectors[i] / length);
  }
}

Status run::printVectors(const Setup &setup, const data::Dataset &dataset) {
  std::vector<float> vectors;
  if (Status status = setup.evaluator.vectorsOf(dataset, vectors); !status.ok())
    return status;
  const size_t width = vectors.size() / dataset.size();
  for (int64_t i = 0; i < dataset.size(); ++i) {
    for (size_t column = 0; column < width; ++column)
      run::print("%s%.9g", column ? " " : "",
                 static_cast<double>(vectors[i * width + column]));
    run::print("\t%s\n", plainColumn(dataset.texts[i]).c_str());
  }
  return flushOutput();
}

Status Neighbours::open(const Setup &setup, const std::string &file) {
  Status status = setup.read(file, dataset);
  if (status.ok())
    status = setup.evaluator.vectorsOf(dataset, vectors);
  if (status.ok())
    normalize(vectors, vectors.size() / dataset.size());
  return status;
}

Status Neighbours::print(const Setup &setup, const data::Dataset &queries,
                         int64_t count) const {
  std::vector<float> asked;
  if (Status status = setup.evaluator.vectorsOf(queries, asked); !status.ok())
    return status;
  const size_t width = vectors.size() / dataset.size();
  normalize(asked, width);
  std::vector<double> cosines(dataset.size());
  std::vector<int64_t> order(dataset.size());
  for (int64_t query = 0; query < queries.size(); ++query) {
    const float *vector = asked.data() + query * width;
    for (int64_t i = 0; i < dataset.size(); ++i)
      cosines[i] = std::inner_product(vector, vector + width,
                                      vectors.data() + i * width, 0.0);
    // What is no number is behind all others.
    auto rank = [&](int64_t i) {
      return std::isnan(cosines[i]) ? -INFINITY : cosines[i];
    };
    std::iota(order.begin(), order.end(), 0);
    const int64_t shown = std::min(count, dataset.size());
    std::partial_sort(order.begin(), order.begin() + shown, order.end(),
                      [&](int64_t a, int64_t b) {
                        return rank(a) != rank(b) ? rank(a) > rank(b) : a < b;
                      });
    for (int64_t place = 0; place < shown; ++place) {
      const int64_t found = order[place];
      run::print("%lld\t%.4f\t%lld\t%s\n",
                 static_cast<long long>(queries.lines[query]), cosines[found],
                 static_cast<long long>(dataset.lines[found]),
                 plainColumn(dataset.texts[found]).c_str());
    }
  }
  return flushOutput();
}
