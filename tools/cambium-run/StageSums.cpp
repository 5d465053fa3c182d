//===-- tools/cambium-run/StageSums.cpp - Where kernels spend time --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StageSums.h"
#include "runtime/train/Format.h"

#include <algorithm>

using namespace cambium;
using namespace cambium::run;
using namespace cambium::train;

void StageSums::add(const std::vector<StageTime> &stages) {
  ++calls;
  if (sums.size() != stages.size())
    sums.assign(stages.size(), StageTime());
  for (size_t i = 0; i < stages.size(); ++i) {
    sums[i].stage = stages[i].stage;
    sums[i].count += stages[i].count;
    sums[i].seconds += stages[i].seconds;
    sums[i].waited += stages[i].waited;
  }
}

Json StageSums::json() const {
  Json::Array list;
  for (const StageTime &sum : sums) {
    Json item = Json::object();
    item.set("stage", sum.stage);
    item.set("calls", calls);
    item.set("runs", sum.count);
    item.set("seconds", sum.seconds);
    item.set("waited_seconds", sum.waited);
    list.push_back(item);
  }
  return list;
}

std::string StageSums::table() const {
  std::vector<StageTime> sorted = sums;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const StageTime &a, const StageTime &b) {
                     return a.seconds > b.seconds;
                   });
  double total = 0;
  for (const StageTime &sum : sums)
    total += sum.seconds;
  std::vector<std::vector<std::string>> rows = {
      {"us/call", "part", "waiting", "runs/call", "us/run", "stage"}};
  for (const StageTime &sum : sorted) {
    if (!sum.count)
      continue;
    auto per = [&](double part, double whole) {
      return formatNumber(whole > 0 ? part / whole : 0, 3);
    };
    rows.push_back({per(1e6 * sum.seconds, double(calls)),
                    per(sum.seconds, total), per(sum.waited, sum.seconds),
                    per(double(sum.count), double(calls)),
                    per(1e6 * sum.seconds, double(sum.count)), sum.stage});
  }
  return formatTable(rows);
}
