//===-- runtime/train/Schedule.cpp - Learning rates of a training ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"
#include "Names.h"

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cmath>

using namespace cambium;
using namespace cambium::train;

const std::vector<std::string> &Schedule::kinds() {
  static const std::vector<std::string> all = {
      "constant",     "linear",      "polynomial", "cosine",
      "inverse-sqrt", "exponential", "steps",      "plateau"};
  return all;
}

Status Schedule::check(const std::string &kind) {
  std::string known;
  for (const std::string &each : kinds()) {
    if (each == kind)
      return Status();
    known += (known.empty() ? "" : ", ") + each;
  }
  return Status::error("expected a schedule, one of " + known + ", but got '" +
                       kind + "'" + didYouMean(kind, kinds()));
}

double Schedule::factor(int64_t update, int64_t stalls) const {
  if (update < warmup)
    return static_cast<double>(update + 1) / static_cast<double>(warmup);
  if (kind == "constant")
    return 1;
  if (kind == "inverse-sqrt") {
    double reference = static_cast<double>(std::max<int64_t>(warmup, 1));
    return std::max(floor, std::sqrt(reference / double(update + 1)));
  }
  const double passed = double(update - warmup) / double(every);
  if (kind == "exponential")
    return std::max(floor, std::pow(decay, passed));
  if (kind == "steps")
    return std::max(floor, std::pow(decay, std::floor(passed)));
  if (kind == "plateau")
    return std::max(floor, std::pow(decay, double(stalls)));
  double length = static_cast<double>(std::max<int64_t>(total - warmup, 1));
  double left = std::clamp(1 - double(update - warmup) / length, 0.0, 1.0);
  if (kind == "cosine")
    left = 0.5 - 0.5 * std::cos(left * M_PI);
  else if (kind == "polynomial")
    left = std::pow(left, power);
  return floor + (1 - floor) * left;
}

Status train::parseUpdates(const char *option, const std::string &text,
                           int64_t updatesPerEpoch, int64_t &updates) {
  double number = -1;
  const char *end = text.data() + text.size();
  auto [rest, error] =
      std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const std::string_view unit(rest, static_cast<size_t>(end - rest));
  const double each = unit.empty() ? 1 : static_cast<double>(updatesPerEpoch);
  // Steps are counted in 64 bits.
  if (error != std::errc() || !(number >= 0 && number * each <= 1e15) ||
      !(unit.empty() || unit == "epoch" || unit == "epochs"))
    return Status::error(std::string("expected --") + option +
                         " as a number of updates (500) or of epochs (1epoch), "
                         "but got '" +
                         text + "'");
  updates = std::llround(number * each);
  return Status();
}

Status train::parseRates(const std::vector<std::string> &texts,
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
    if (equals == 0 || number.empty() || *end ||
        !(rate.value >= 0 && rate.value <= FLT_MAX))
      return Status::error("expected --lr as a rate (0.001) or GROUP=RATE, but "
                           "got '" +
                           text + "'");
    rates.push_back(rate);
  }
  return Status();
}
