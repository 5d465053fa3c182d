//===-- test/Runtime/core/ProcessorsTest.cpp - Affinity and quotas --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../../runtime/core/Processors.h"
#include "TestSupport.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <thread>

using cambium::runtime::numProcessors;
using cambium::runtime::processorQuota;
using cambium::test::TemporaryFolder;

namespace {

/// The files of a system below a folder.
class System {
public:
  System &file(const std::string &path, const std::string &text) {
    std::filesystem::path whole = folder / path.substr(1);
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
    return *this;
  }
  double quota() {
    std::string root = folder / "";
    return processorQuota(root.substr(0, root.size() - 1).c_str());
  }

private:
  TemporaryFolder folder;
};

constexpr char kSecond[] =
    "22 1 0:20 / /proc rw - proc proc rw\n"
    "31 25 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";
constexpr char kFirst[] =
    "32 31 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "33 31 0:30 / /sys/fs/cgroup/set rw - cgroup cgroup rw,cpuset\n"
    "34 31 0:31 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup "
    "rw,cpu,cpuacct\n";

} // namespace

TEST(ProcessorsTest, SecondVersion) {
  System system;
  system.file("/proc/self/mountinfo", kSecond)
      .file("/proc/self/cgroup", "0::/user/me\n")
      .file("/sys/fs/cgroup/user/me/cpu.max", "150000 100000\n");
  EXPECT_EQ(system.quota(), 1.5);
}

/// The least quota of all groups around.
TEST(ProcessorsTest, GroupsAroundCount) {
  System system;
  system.file("/proc/self/mountinfo", kSecond)
      .file("/proc/self/cgroup", "0::/user/me/job\n")
      .file("/sys/fs/cgroup/user/me/job/cpu.max", "400000 100000\n")
      .file("/sys/fs/cgroup/user/me/cpu.max", "max 100000\n")
      .file("/sys/fs/cgroup/user/cpu.max", "50000 100000\n");
  EXPECT_EQ(system.quota(), 0.5);
}

TEST(ProcessorsTest, FirstVersion) {
  System system;
  system.file("/proc/self/mountinfo", kFirst)
      .file("/proc/self/cgroup",
            "5:memory:/other\n4:cpuset:/wrong\n3:cpu,cpuacct:/job\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "250000\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(system.quota(), 2.5);
}

/// A container without a name space of its own sees its group as the mount's
/// root, and its whole path in /proc.
TEST(ProcessorsTest, MountOfAContainer) {
  System system;
  system
      .file("/proc/self/mountinfo",
            "31 25 0:28 /docker/ab /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
      .file("/proc/self/cgroup", "0::/docker/ab/inner\n")
      .file("/sys/fs/cgroup/inner/cpu.max", "max 100000\n")
      .file("/sys/fs/cgroup/cpu.max", "300000 100000\n");
  EXPECT_EQ(system.quota(), 3);
  system.file("/proc/self/cgroup", "0::/../elsewhere\n");
  EXPECT_EQ(system.quota(), 3);
}

TEST(ProcessorsTest, NoQuota) {
  System system;
  EXPECT_TRUE(std::isinf(system.quota()));
  system.file("/proc/self/mountinfo", kSecond);
  EXPECT_TRUE(std::isinf(system.quota()));
  system.file("/proc/self/cgroup", "0::/\n")
      .file("/sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_TRUE(std::isinf(system.quota()));
}

/// Any text in these files means no quota, or one that makes sense.
TEST(ProcessorsTest, DamagedFiles) {
  for (const char *text :
       {"", "\n", "-5 100000\n", "100000\n", "0 0\n", "nan nan\n", "1e400 1\n",
        "x", "100000 0\n", "99999999999999999999999999 1\n"}) {
    System system;
    system.file("/proc/self/mountinfo", kSecond)
        .file("/proc/self/cgroup", "0::/\n")
        .file("/sys/fs/cgroup/cpu.max", text);
    EXPECT_GT(system.quota(), 1) << text;
  }
  std::string longLine(20000, 'x');
  System system;
  system
      .file("/proc/self/mountinfo",
            longLine + "\n" + kSecond + " - \n" + longLine)
      .file("/proc/self/cgroup", longLine + "\n:\n0:\n0::/a\n")
      .file("/sys/fs/cgroup/a/cpu.max", "100000 50000\n");
  EXPECT_EQ(system.quota(), 2);
}

TEST(ProcessorsTest, FollowsAffinity) {
  int32_t all = numProcessors();
  EXPECT_GE(all, 1);
  std::thread bound([] {
    cpu_set_t all, one;
    CPU_ZERO(&one);
    ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
    for (int i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &all) && !CPU_COUNT(&one))
        CPU_SET(i, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    EXPECT_EQ(numProcessors(), 1);
  });
  bound.join();
}
