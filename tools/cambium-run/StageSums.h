//===-- tools/cambium-run/StageSums.h - Where kernels spend time -*- C++
//-*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_STAGESUMS_H
#define CAMBIUM_RUN_STAGESUMS_H

#include "runtime/train/Engine.h"
#include "runtime/train/Json.h"

namespace cambium::run {

/// The times of an entry's stages on a device, summed over calls.
class StageSums {
public:
  /// Adds those of a call.
  void add(const std::vector<train::StageTime> &stages);

  bool empty() const { return sums.empty(); }
  /// Stages in the order of the code, each with its sums over all calls.
  train::Json json() const;
  /// A table of stages, the longest first; what never ran is left out.
  std::string table() const;

private:
  int64_t calls = 0;
  std::vector<train::StageTime> sums;
};

} // namespace cambium::run

#endif // CAMBIUM_RUN_STAGESUMS_H
