//===-- runtime/emulator/Config.h - CAMBIUM_EMULATOR ------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_CONFIG_H
#define CAMBIUM_EMULATOR_CONFIG_H

#include <cstdint>
#include <string>
#include <vector>

namespace cambium::emulator {

/// The Nth call of a driver function fails; of any function, if it is `any`.
struct Failure {
  std::string function;
  int64_t call = 0;
};

struct Config {
  int architecture = 90;
  /// Multiprocessors, which hold as many blocks as fit.
  int blocks = 3;
  int devices = 1;
  /// As `cuDriverGetVersion` tells it.
  int driver = 12080;
  uint64_t seed = 0;
  uint64_t memory = uint64_t{4} << 30;
  uint64_t hang = 100000000;
  bool races = true, uninitialized = true;
  std::string report;
  std::vector<Failure> failures;
};

/// Reads `sm=90,blocks=3`; false, with the reason, if it is wrong.
bool parseConfig(const std::string &text, Config &config, std::string &error);

} // namespace cambium::emulator
#endif
