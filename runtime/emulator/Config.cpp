//===-- runtime/emulator/Config.cpp - CAMBIUM_EMULATOR --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Config.h"

#include <cstdlib>
#include <cstring>

using namespace cambium::emulator;

namespace {

bool parseNumber(const std::string &text, uint64_t least, uint64_t most,
                 uint64_t &value) {
  if (text.empty() || text.size() > 18 ||
      text.find_first_not_of("0123456789") != std::string::npos)
    return false;
  value = std::strtoull(text.c_str(), nullptr, 10);
  return value >= least && value <= most;
}

struct Number {
  const char *name;
  uint64_t least, most;
  void (*set)(Config &, uint64_t);
};

constexpr Number kNumbers[] = {
    {"sm", 70, 121,
     [](Config &c, uint64_t v) { c.architecture = static_cast<int>(v); }},
    {"blocks", 1, 4096,
     [](Config &c, uint64_t v) { c.blocks = static_cast<int>(v); }},
    {"devices", 0, 16,
     [](Config &c, uint64_t v) { c.devices = static_cast<int>(v); }},
    {"driver", 11000, 13990,
     [](Config &c, uint64_t v) { c.driver = static_cast<int>(v); }},
    {"seed", 0, UINT64_MAX, [](Config &c, uint64_t v) { c.seed = v; }},
    {"memory", 1, 1 << 20, [](Config &c, uint64_t v) { c.memory = v << 20; }},
    {"hang", 1, UINT64_MAX, [](Config &c, uint64_t v) { c.hang = v; }},
    {"races", 0, 1, [](Config &c, uint64_t v) { c.races = v; }},
    {"uninitialized", 0, 1, [](Config &c, uint64_t v) { c.uninitialized = v; }},
};

bool parseFailure(const std::string &value, Config &config) {
  size_t colon = value.rfind(':');
  uint64_t call = 0;
  if (colon == std::string::npos || colon == 0 ||
      !parseNumber(value.substr(colon + 1), 1, UINT32_MAX, call))
    return false;
  config.failures.push_back(
      {value.substr(0, colon), static_cast<int64_t>(call)});
  return true;
}

bool parseEntry(const std::string &name, const std::string &value,
                Config &config, std::string &error) {
  for (const Number &number : kNumbers) {
    if (name != number.name)
      continue;
    uint64_t parsed = 0;
    if (parseNumber(value, number.least, number.most, parsed)) {
      number.set(config, parsed);
      return true;
    }
    error = "expected " + name + " from " + std::to_string(number.least) +
            " to " + std::to_string(number.most) + ", but got '" + value + "'";
    return false;
  }
  if (name == "report" && !value.empty()) {
    config.report = value;
    return true;
  }
  if (name == "fail") {
    if (parseFailure(value, config))
      return true;
    error = "expected fail=FUNCTION:NUMBER, but got '" + value + "'";
    return false;
  }
  error = "expected sm, blocks, devices, driver, seed, memory, hang, races, "
          "uninitialized, report or fail, but got '" +
          name + "'";
  return false;
}

} // namespace

bool cambium::emulator::parseConfig(const std::string &text, Config &config,
                                    std::string &error) {
  config = Config();
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    std::string entry = text.substr(at, end - at);
    size_t equals = entry.find('=');
    if (equals == std::string::npos) {
      error = "expected NAME=VALUE, but got '" + entry + "'";
      return false;
    }
    if (!parseEntry(entry.substr(0, equals), entry.substr(equals + 1), config,
                    error))
      return false;
    at = end + 1;
  }
  return true;
}
