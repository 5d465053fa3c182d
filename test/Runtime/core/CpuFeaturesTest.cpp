//===-- test/Runtime/core/CpuFeaturesTest.cpp - Features that are refused -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <sys/syscall.h>

#ifdef SYS_arch_prctl
#include <cstddef>
#include <cstring>
#include <iterator>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cambium::test;

namespace {

/// From here on the system refuses this process what has to be asked for.
bool refuseRequests() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program = {std::size(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// A processor may have tiles that the system does not let programs use.
TEST(CpuFeaturesTest, RefusesTilesThatTheSystemRefuses) {
  if (readFile("/proc/cpuinfo").find(" amx_tile ") == std::string::npos)
    GTEST_SKIP() << "this processor has no tiles";
  if (syscall(SYS_arch_prctl, 0x1023, 18) != 0)
    GTEST_SKIP() << "the system refuses tiles";
  CustomModule custom("{\"abi\": 6, \"entries\": []}");
  custom.abi.cpu_features = "amx_tile";
  Module module;
  EXPECT_OK(custom.load(module));
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Module refused;
    bool isRight = refuseRequests() &&
                   custom.load(refused) == CAMBIUM_STATUS_INCOMPATIBLE &&
                   std::strstr(cambium_last_error(),
                               "lacks amx_tile (refused by the system) (");
    _exit(isRight ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

} // namespace
#endif
