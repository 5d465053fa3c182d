//===-- tools/cambium-run/Schedule.cpp - Batches and learning rates of a
// training -//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace cambium;
using namespace cambium::run;

uint64_t run::randomBelow(uint64_t key, uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>((static_cast<Wide>(key) * bound) >> 64);
}

template <typename T> static void shuffle(std::vector<T> &items, uint64_t key) {
  for (size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[randomBelow(cambium_mix(key, i), i)]);
}

std::vector<std::vector<int32_t>> run::makeBatches(const data::Dataset &dataset,
                                                   uint64_t seed, int64_t epoch,
                                                   int64_t batchSize,
                                                   bool bucket) {
  constexpr int64_t kBatchesPerPiece = 50;
  const uint64_t key = cambium_mix(seed, static_cast<uint64_t>(epoch));
  std::vector<int32_t> order(dataset.size());
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, cambium_mix(key, 0));
  if (bucket) {
    const size_t piece = static_cast<size_t>(batchSize * kBatchesPerPiece);
    for (size_t first = 0; first < order.size(); first += piece) {
      auto begin = order.begin() + first;
      auto end = order.begin() + std::min(first + piece, order.size());
      // Examples of the same size keep their random order.
      std::vector<std::pair<int64_t, int32_t>> sized;
      for (auto at = begin; at != end; ++at)
        sized.emplace_back(dataset.sizeOf(*at),
                           static_cast<int32_t>(at - begin));
      std::sort(sized.begin(), sized.end());
      std::vector<int32_t> sorted;
      for (const auto &item : sized)
        sorted.push_back(*(begin + item.second));
      std::copy(sorted.begin(), sorted.end(), begin);
    }
  }
  std::vector<std::vector<int32_t>> batches;
  for (size_t first = 0; first < order.size(); first += batchSize)
    batches.emplace_back(order.begin() + first,
                         order.begin() +
                             std::min(first + batchSize, order.size()));
  if (bucket)
    shuffle(batches, cambium_mix(key, 1));
  return batches;
}

const std::vector<std::string> &Schedule::kinds() {
  static const std::vector<std::string> all = {
      "constant", "linear", "polynomial", "cosine", "inverse-sqrt"};
  return all;
}

double Schedule::factor(int64_t update) const {
  if (update < warmup)
    return static_cast<double>(update + 1) / static_cast<double>(warmup);
  if (kind == "constant")
    return 1;
  if (kind == "inverse-sqrt") {
    double reference = static_cast<double>(std::max<int64_t>(warmup, 1));
    return std::max(floor, std::sqrt(reference / double(update + 1)));
  }
  double length = static_cast<double>(std::max<int64_t>(total - warmup, 1));
  double left = std::clamp(1 - double(update - warmup) / length, 0.0, 1.0);
  if (kind == "cosine")
    left = 0.5 - 0.5 * std::cos(left * M_PI);
  else if (kind == "polynomial")
    left = std::pow(left, power);
  return floor + (1 - floor) * left;
}

Status run::parseWarmup(const std::string &text, int64_t updatesPerEpoch,
                        int64_t &updates) {
  size_t end = 0;
  double number = -1;
  if (!text.empty() && (isdigit(text[0]) || text[0] == '.'))
    number = std::strtod(text.c_str(), nullptr),
    end = text.find_first_not_of("0123456789.");
  std::string unit = end == std::string::npos ? "" : text.substr(end);
  if (number < 0 || number > 1e12 ||
      !(unit.empty() || unit == "epoch" || unit == "epochs"))
    return Status::error("expected --warmup as a number of updates (500) or of "
                         "epochs (1epoch), but got '" +
                         text + "'");
  updates = std::llround(unit.empty() ? number : number * updatesPerEpoch);
  return Status();
}

Status run::parseRates(const std::vector<std::string> &texts,
                       std::vector<Rate> &rates) {
  for (const std::string &text : texts) {
    size_t equals = text.find('=');
    Rate rate;
    if (equals != std::string::npos)
      rate.group = text.substr(0, equals);
    std::string number =
        equals == std::string::npos ? text : text.substr(equals + 1);
    char *end = nullptr;
    rate.value = std::strtod(number.c_str(), &end);
    if (number.empty() || *end || !std::isfinite(rate.value) || rate.value < 0)
      return Status::error("expected --lr as a rate (0.001) or GROUP=RATE, but "
                           "got '" +
                           text + "'");
    rates.push_back(rate);
  }
  return Status();
}
