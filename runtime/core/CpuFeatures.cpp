//===-- runtime/core/CpuFeatures.cpp - What this CPU can do ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Module.h"

#include <cstdio>
#include <memory>

using namespace cambium::runtime;

/// The features of the first processor as a text with a space before and after
/// each name; empty when the system does not say.
static std::string readCpuInfo() {
  std::string features;
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(
      std::fopen("/proc/cpuinfo", "r"), std::fclose);
  if (!file)
    return features;
  struct Line {
    ~Line() { std::free(text); }
    char *text = nullptr;
    size_t capacity = 0;
  } buffer;
  ssize_t length;
  while ((length = getline(&buffer.text, &buffer.capacity, file.get())) > 0) {
    char *line = buffer.text;
    bool isList = std::strncmp(line, "flags", 5) == 0 ||
                  std::strncmp(line, "Features", 8) == 0;
    const char *colon = isList ? std::strchr(line, ':') : nullptr;
    if (!colon)
      continue;
    if (line[length - 1] == '\n')
      line[length - 1] = '\0';
    features = std::string(colon + 1) + " ";
    break;
  }
  return features;
}

/// The same from the processor itself, for systems without /proc: the features
/// that vectorized code depends on.
static std::string askCpu() {
  std::string features = " ";
#if defined(__x86_64__)
  __builtin_cpu_init();
#define CAMBIUM_FEATURE(name, text)                                            \
  if (__builtin_cpu_supports(name))                                            \
    features += text " ";
  CAMBIUM_FEATURE("sse3", "pni")
  CAMBIUM_FEATURE("ssse3", "ssse3")
  CAMBIUM_FEATURE("sse4.1", "sse4_1")
  CAMBIUM_FEATURE("sse4.2", "sse4_2")
  CAMBIUM_FEATURE("popcnt", "popcnt")
  CAMBIUM_FEATURE("avx", "avx")
  CAMBIUM_FEATURE("avx2", "avx2")
  CAMBIUM_FEATURE("fma", "fma")
  CAMBIUM_FEATURE("bmi", "bmi1")
  CAMBIUM_FEATURE("bmi2", "bmi2")
  CAMBIUM_FEATURE("avx512f", "avx512f")
  CAMBIUM_FEATURE("avx512bw", "avx512bw")
  CAMBIUM_FEATURE("avx512cd", "avx512cd")
  CAMBIUM_FEATURE("avx512dq", "avx512dq")
  CAMBIUM_FEATURE("avx512vl", "avx512vl")
#undef CAMBIUM_FEATURE
#endif
  return features;
}

cambium_status_t cambium::runtime::checkCpuFeatures(const char *features,
                                                    const char *cpu,
                                                    const char *moduleName) {
  std::string known = readCpuInfo();
  bool complete = !known.empty();
  if (!complete)
    known = askCpu();
  std::string missing;
  while (features && *features) {
    size_t length = std::strcspn(features, ", ");
    std::string name(features, length);
    features += length;
    features += *features ? 1 : 0;
    if (name.empty() || known.find(" " + name + " ") != std::string::npos)
      continue;
    missing += (missing.empty() ? "" : ", ") + name;
  }
  if (missing.empty())
    return CAMBIUM_STATUS_OK;
  if (!complete) {
    log(CAMBIUM_LOG_WARNING,
        "module '%s': cannot find out whether this processor has %s",
        moduleName, missing.c_str());
    return CAMBIUM_STATUS_OK;
  }
  return fail(CAMBIUM_STATUS_INCOMPATIBLE,
              "module '%s' was compiled for cpu '%s': this processor lacks %s "
              "(compile with --mcpu=x86-64-v3, or for this machine)",
              moduleName, cpu ? cpu : "unknown", missing.c_str());
}
