//===-- runtime/core/Processors.cpp - What this process may use -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Processors.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <sched.h>
#include <unistd.h>

using namespace cambium::runtime;

namespace {

constexpr double kNoQuota = std::numeric_limits<double>::infinity();

/// The lines of a small file of the system; those that are too long are left
/// out. No memory is taken but the C library's.
class Lines {
public:
  Lines(const char *root, const char *path) {
    char whole[PATH_MAX];
    if (std::snprintf(whole, sizeof(whole), "%s%s", root, path) <
        static_cast<int>(sizeof(whole)))
      stream = std::fopen(whole, "re");
  }
  Lines(const Lines &) = delete;
  Lines &operator=(const Lines &) = delete;
  ~Lines() {
    if (stream)
      std::fclose(stream);
  }
  /// The next line, without its end; null after the last one.
  char *next() {
    bool isWhole = true;
    while (stream && std::fgets(line, sizeof(line), stream)) {
      bool wasWhole = isWhole;
      size_t length = std::strlen(line);
      isWhole = length + 1 < sizeof(line) || line[length - 1] == '\n';
      if (!isWhole || !wasWhole)
        continue;
      line[std::strcspn(line, "\n")] = 0;
      return line;
    }
    return nullptr;
  }

private:
  std::FILE *stream = nullptr;
  char line[2 * PATH_MAX];
};

/// A kind of control groups: its mount and where the process is in it.
struct Hierarchy {
  bool isSecond;
  char mount[PATH_MAX] = "", mountRoot[PATH_MAX] = "", group[PATH_MAX] = "";
};

/// Whether a comma-separated list has the word `cpu`.
bool hasCpu(const char *list) {
  for (const char *word = list; *word;) {
    size_t length = std::strcspn(word, ",");
    if (length == 3 && std::strncmp(word, "cpu", 3) == 0)
      return true;
    word += length + (word[length] == ',');
  }
  return false;
}

/// /proc/self/mountinfo: `36 35 98:0 /root /mount options - type source super`,
/// with fields of any number before the dash.
void findMount(const char *root, Hierarchy &hierarchy) {
  Lines lines(root, "/proc/self/mountinfo");
  while (char *line = lines.next()) {
    char *dash = std::strstr(line, " - ");
    char type[32], options[512], from[PATH_MAX], to[PATH_MAX];
    static_assert(PATH_MAX == 4096, "the widths below");
    if (!dash || std::sscanf(dash, " - %31s %*s %511s", type, options) != 2 ||
        std::sscanf(line, "%*s %*s %*s %4095s %4095s", from, to) != 2)
      continue;
    if (hierarchy.isSecond
            ? std::strcmp(type, "cgroup2") != 0
            : std::strcmp(type, "cgroup") != 0 || !hasCpu(options))
      continue;
    std::strcpy(hierarchy.mount, to);
    std::strcpy(hierarchy.mountRoot, std::strcmp(from, "/") ? from : "");
    return;
  }
}

/// /proc/self/cgroup: `0::/group` (version 2), `4:cpu,cpuacct:/group`.
void findGroup(const char *root, Hierarchy &hierarchy) {
  Lines lines(root, "/proc/self/cgroup");
  while (char *line = lines.next()) {
    char *controllers = std::strchr(line, ':');
    char *path = controllers ? std::strchr(controllers + 1, ':') : nullptr;
    if (!path || std::strlen(path + 1) >= PATH_MAX)
      continue;
    *path++ = 0;
    if (hierarchy.isSecond ? std::strcmp(line, "0:") == 0
                           : hasCpu(controllers + 1)) {
      // What is mounted may be a group below the root: a container's own.
      size_t shown = std::strlen(hierarchy.mountRoot);
      bool isBelow = std::strncmp(path, hierarchy.mountRoot, shown) == 0;
      std::strcpy(hierarchy.group, isBelow ? path + shown : "");
      return;
    }
  }
}

/// The numbers in the first line of a file; `max` is left as it is.
int readNumbers(const char *root, const char *folder, const char *name,
                double &first, double &second) {
  char path[3 * PATH_MAX];
  std::snprintf(path, sizeof(path), "%s/%s", folder, name);
  Lines lines(root, path);
  const char *line = lines.next();
  return line ? std::sscanf(line, "%lf %lf", &first, &second) : 0;
}

double quotaOfGroup(const char *root, const char *folder, bool isSecond) {
  double quota = -1, period = 0, unused = 0;
  if (isSecond)
    readNumbers(root, folder, "cpu.max", quota, period);
  else if (readNumbers(root, folder, "cpu.cfs_quota_us", quota, unused))
    readNumbers(root, folder, "cpu.cfs_period_us", period, unused);
  return quota > 0 && period > 0 ? quota / period : kNoQuota;
}

double quotaOf(const char *root, Hierarchy &hierarchy) {
  findMount(root, hierarchy);
  if (!hierarchy.mount[0])
    return kNoQuota;
  findGroup(root, hierarchy);
  // The group and all around it.
  double quota = kNoQuota;
  for (char *group = hierarchy.group;;) {
    char folder[2 * PATH_MAX];
    std::snprintf(folder, sizeof(folder), "%s%s", hierarchy.mount, group);
    quota = std::min(quota, quotaOfGroup(root, folder, hierarchy.isSecond));
    char *last = std::strrchr(group, '/');
    if (!last)
      return quota;
    *last = 0;
  }
}

} // namespace

double cambium::runtime::processorQuota(const char *root) {
  double quota = kNoQuota;
  for (bool isSecond : {false, true}) {
    Hierarchy hierarchy;
    hierarchy.isSecond = isSecond;
    quota = std::min(quota, quotaOf(root, hierarchy));
  }
  return quota;
}

int32_t cambium::runtime::numProcessors() {
  // The set grows until it holds the machine's processors.
  int32_t allowed = 0;
  for (int64_t capacity = 1024; !allowed && capacity <= 1 << 20;
       capacity *= 2) {
    cpu_set_t *set = CPU_ALLOC(capacity);
    size_t bytes = CPU_ALLOC_SIZE(capacity);
    if (!set)
      break;
    if (sched_getaffinity(0, bytes, set) == 0)
      allowed = CPU_COUNT_S(bytes, set);
    CPU_FREE(set);
  }
  if (!allowed)
    allowed = static_cast<int32_t>(sysconf(_SC_NPROCESSORS_ONLN));
  // Whole processors: a thread more would be stopped for a part of every
  // period, and the others would wait for it.
  double quota = std::min(processorQuota(""), 65536.0);
  return std::max(1, std::min(allowed, static_cast<int32_t>(quota)));
}
