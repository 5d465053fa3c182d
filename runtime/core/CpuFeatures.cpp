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
#include <sys/syscall.h>
#include <unistd.h>

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
    // The end of the line.
    line[length - 1] = ' ';
    features = colon + 1;
    break;
  }
  return features;
}

/// Whether the system lets this process use a feature that the processor has.
/// The registers of tiles have to be asked for; asking again costs nothing.
static bool isGranted(const std::string &name) {
#ifdef SYS_arch_prctl
  // ARCH_REQ_XCOMP_PERM of Linux, and the state that tiles are.
  return name != " amx_tile " || syscall(SYS_arch_prctl, 0x1023, 18) == 0;
#else
  return true;
#endif
}

cambium_status_t cambium::runtime::checkCpuFeatures(const char *features,
                                                    const char *cpu,
                                                    const char *moduleName) {
  std::string known = readCpuInfo();
  std::string missing;
  bool isRefused = false;
  while (features && *features) {
    size_t length = std::strcspn(features, ", ");
    std::string name = " ";
    name.append(features, length) += ' ';
    features += length;
    features += *features ? 1 : 0;
    bool isKnown = known.find(name) != std::string::npos;
    bool isGiven = isGranted(name);
    if (length == 0 || (isKnown && isGiven))
      continue;
    isRefused |= !isGiven;
    if (!missing.empty())
      missing += ',';
    missing.append(name, 0, length + 1);
    if (isKnown)
      missing += " (refused by the system)";
  }
  if (missing.empty())
    return CAMBIUM_STATUS_OK;
  if (known.empty() && !isRefused) {
    log(CAMBIUM_LOG_WARNING,
        "module '%s': cannot find out whether this processor has%s", moduleName,
        missing.c_str());
    return CAMBIUM_STATUS_OK;
  }
  return fail(CAMBIUM_STATUS_INCOMPATIBLE,
              "module '%s' was compiled for cpu '%s': this processor lacks%s "
              "(compile with --mcpu=x86-64-v3, or for this machine)",
              moduleName, cpu ? cpu : "unknown", missing.c_str());
}
