//===-- runtime/train/TaskMemory.cpp - Which examples a memory keeps ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskMemory.h"
#include "Batches.h"

#include <algorithm>
#include <limits>

using namespace cambium;
using namespace cambium::train;

std::vector<int64_t> train::drawSome(int64_t count, int64_t size,
                                     uint64_t seed) {
  std::vector<int64_t> all(size);
  for (int64_t i = 0; i < size; ++i)
    all[i] = i;
  for (int64_t i = 0; i < count; ++i)
    std::swap(all[i],
              all[i + randomBelow(cambium_mix(seed, i), uint64_t(size - i))]);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

namespace {

class KMeans {
public:
  KMeans(const std::vector<float> &points, int64_t width, uint64_t seed,
         const std::function<bool()> &shouldStop)
      : points(points), width(width), seed(seed), shouldStop(shouldStop),
        size(static_cast<int64_t>(points.size()) / width) {}

  /// Both end early where they are asked to stop.
  void begin(int64_t count);
  /// Moves the centres; false where they stay.
  bool move();
  double distance(int64_t point, int64_t centre) const;

private:
  void addCentre(int64_t point) {
    centres.insert(centres.end(), points.begin() + point * width,
                   points.begin() + (point + 1) * width);
  }
  int64_t count() const { return static_cast<int64_t>(centres.size()) / width; }

  const std::vector<float> &points;
  const int64_t width;
  const uint64_t seed;
  const std::function<bool()> &shouldStop;
  const int64_t size;
  std::vector<double> centres;
};

} // namespace

/// The square of it.
double KMeans::distance(int64_t point, int64_t centre) const {
  double sum = 0;
  for (int64_t k = 0; k < width; ++k) {
    const double by =
        double(points[point * width + k]) - centres[centre * width + k];
    sum += by * by;
  }
  return sum;
}

/// Each next centre is far from those that there are, with the chance of the
/// square.
void KMeans::begin(int64_t wanted) {
  addCentre(static_cast<int64_t>(randomBelow(cambium_mix(seed, 0), size)));
  std::vector<double> nearest(size, std::numeric_limits<double>::infinity());
  while (count() < wanted && !shouldStop()) {
    double total = 0;
    for (int64_t i = 0; i < size; ++i)
      total += nearest[i] = std::min(nearest[i], distance(i, count() - 1));
    const uint64_t key = cambium_mix(seed, uint64_t(count()));
    double left = double(key >> 11) * 0x1p-53 * total;
    int64_t chosen = 0;
    if (total > 0)
      while (chosen + 1 < size && (left -= nearest[chosen]) >= 0)
        ++chosen;
    else // Equal points: any of them.
      chosen = static_cast<int64_t>(randomBelow(key, size));
    addCentre(chosen);
  }
}

bool KMeans::move() {
  std::vector<double> sums(centres.size(), 0);
  std::vector<int64_t> owned(count(), 0);
  for (int64_t i = 0; i < size && !shouldStop(); ++i) {
    int64_t owner = 0;
    double best = distance(i, 0);
    for (int64_t c = 1; c < count(); ++c)
      if (const double far = distance(i, c); far < best) {
        best = far;
        owner = c;
      }
    ++owned[owner];
    for (int64_t k = 0; k < width; ++k)
      sums[owner * width + k] += points[i * width + k];
  }
  // A centre that no point is nearest to stays.
  const std::vector<double> before = centres;
  for (int64_t c = 0; c < count(); ++c)
    for (int64_t k = 0; owned[c] > 0 && k < width; ++k)
      centres[c * width + k] = sums[c * width + k] / double(owned[c]);
  return centres != before;
}

std::vector<int64_t>
train::chooseCentral(const std::vector<float> &points, int64_t width,
                     int64_t count, uint64_t seed,
                     const std::function<bool()> &shouldStop) {
  constexpr int kMostMoves = 100;
  KMeans means(points, width, seed, shouldStop);
  means.begin(count);
  int moves = 0;
  while (moves < kMostMoves && !shouldStop() && means.move())
    ++moves;
  const int64_t size = static_cast<int64_t>(points.size()) / width;
  std::vector<int64_t> chosen;
  std::vector<bool> isTaken(size, false);
  for (int64_t centre = 0; centre < count; ++centre) {
    if (shouldStop())
      return {};
    int64_t best = -1;
    for (int64_t i = 0; i < size; ++i)
      if (!isTaken[i] && (best < 0 || means.distance(i, centre) <
                                          means.distance(best, centre)))
        best = i;
    isTaken[best] = true;
    chosen.push_back(best);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}
