//===-- test/Runtime/emulator/DriverTest.cpp - The driver's functions -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestSupport.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <thread>

using namespace cambium::test;

namespace {

using Words = std::vector<uint32_t>;

class EmulatorDriverTest : public EmulatorTest {
protected:
  static cambium_emulator_counters_t counters() {
    cambium_emulator_counters_t now;
    cambium_emulator_read_counters(&now);
    return now;
  }
  const std::string copy = "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
                           "add.s64 %rd2, %rd2, %rd1;\n"
                           "ld.global.b32 %r2, [%rd2];\n"
                           "st.global.b32 [%rd2], %r2;";
};

/// All that the backend looks up, by these very names.
TEST_F(EmulatorDriverTest, LibraryHasItsFunctions) {
  void *library = dlopen(CAMBIUM_EMULATOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  for (const char *name : {"cuInit",
                           "cuDriverGetVersion",
                           "cuDeviceGetCount",
                           "cuDeviceGet",
                           "cuDeviceGetName",
                           "cuDeviceGetAttribute",
                           "cuDeviceTotalMem_v2",
                           "cuDevicePrimaryCtxRetain",
                           "cuDevicePrimaryCtxRelease_v2",
                           "cuCtxSetCurrent",
                           "cuModuleLoadDataEx",
                           "cuModuleUnload",
                           "cuModuleGetFunction",
                           "cuFuncSetAttribute",
                           "cuFuncGetAttribute",
                           "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                           "cuMemGetInfo_v2",
                           "cuMemAlloc_v2",
                           "cuMemFree_v2",
                           "cuMemHostAlloc",
                           "cuMemFreeHost",
                           "cuMemcpyHtoDAsync_v2",
                           "cuMemcpyDtoHAsync_v2",
                           "cuMemsetD8Async",
                           "cuStreamCreate",
                           "cuStreamDestroy_v2",
                           "cuStreamSynchronize",
                           "cuEventCreate",
                           "cuEventRecord",
                           "cuEventSynchronize",
                           "cuEventElapsedTime",
                           "cuEventDestroy_v2",
                           "cuLaunchCooperativeKernel",
                           "cuLaunchKernel",
                           "cuGetErrorName",
                           "cuGetErrorString"})
    EXPECT_NE(dlsym(library, name), nullptr) << name;
  auto version = reinterpret_cast<CUresult (*)(int *)>(
      dlsym(library, "cuDriverGetVersion"));
  int number = 0;
  EXPECT_EQ(version(&number), CUDA_SUCCESS);
  EXPECT_EQ(number, 12080);
  dlclose(library);
}

TEST_F(EmulatorDriverTest, ConfigurationDecidesTheDevice) {
  start("sm=80,blocks=5,devices=2,memory=16,driver=12000");
  int value = 0;
  EXPECT_EQ(cuDeviceGetCount(&value), CUDA_SUCCESS);
  EXPECT_EQ(value, 2);
  auto attribute = [&](CUdevice_attribute which) {
    EXPECT_EQ(cuDeviceGetAttribute(&value, which, 1), CUDA_SUCCESS);
    return value;
  };
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), 8);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT), 5);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH), 1);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
            163 << 10);
  EXPECT_EQ(cuDeviceGet(&value, 2), CUDA_ERROR_INVALID_DEVICE);
  size_t bytes = 0;
  EXPECT_EQ(cuDeviceTotalMem_v2(&bytes, 0), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 16u << 20);
  CUdeviceptr address = 0;
  EXPECT_EQ(cuMemAlloc_v2(&address, (16 << 20) + 1), CUDA_ERROR_OUT_OF_MEMORY);
  load(".version 8.0\n.target sm_90\n.address_size 64\n");
  EXPECT_EQ(loaded, CUDA_ERROR_NO_BINARY_FOR_GPU);
  load(".version 8.3\n.target sm_80\n.address_size 64\n");
  EXPECT_EQ(loaded, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  EXPECT_NE(loadText.find("from 6.0 to 8.0, but got '8.3'"), std::string::npos)
      << loadText;
  start("sm=100");
  load(".version 8.0\n.target sm_90a\n.address_size 64\n");
  EXPECT_EQ(loaded, CUDA_ERROR_NO_BINARY_FOR_GPU);
  load("\x7f"
       "ELF");
  EXPECT_EQ(loaded, CUDA_ERROR_NO_BINARY_FOR_GPU);
}

TEST_F(EmulatorDriverTest, WrongConfigurationIsAnError) {
  struct {
    const char *text, *error;
  } cases[] = {
      {"sm=20", "expected sm from 70 to 121, but got '20'"},
      {"blocks=0", "expected blocks from 1"},
      {"seed=x", "expected seed from 0"},
      {"colour=red", "expected sm, blocks, devices"},
      {"fail=cuInit", "expected fail=FUNCTION:NUMBER, but got 'cuInit'"},
      {"sm", "expected NAME=VALUE, but got 'sm'"},
      {"report=", "but got 'report'"}};
  for (const auto &one : cases) {
    EXPECT_EQ(cambium_emulator_configure(one.text), 1) << one.text;
    expectFinding({one.error});
  }
}

TEST_F(EmulatorDriverTest, CallsFailWhenTheyShall) {
  start("fail=cuMemAlloc:2,fail=cuStreamCreate:1");
  CUdeviceptr first = 0, second = 0;
  EXPECT_EQ(cuMemAlloc_v2(&first, 8), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAlloc_v2(&second, 8), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuMemAlloc_v2(&second, 8), CUDA_SUCCESS);
  CUstream stream = nullptr;
  EXPECT_EQ(cuStreamCreate(&stream, 1), CUDA_ERROR_OUT_OF_MEMORY);
  // The third call of all: cuInit, cuDevicePrimaryCtxRetain, cuCtxSetCurrent.
  stop();
  ASSERT_EQ(cambium_emulator_configure("fail=any:2"), 0);
  CUcontext context = nullptr;
  EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
}

/// A context belongs to the thread that made it current.
TEST_F(EmulatorDriverTest, OtherThreadsHaveNoContext) {
  CUresult before = CUDA_SUCCESS, after = CUDA_SUCCESS;
  std::thread([&] {
    CUdeviceptr address = 0;
    before = cuMemAlloc_v2(&address, 8);
    CUcontext context = nullptr;
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    after = cuMemAlloc_v2(&address, 8);
    cuMemFree_v2(address);
    cuDevicePrimaryCtxRelease_v2(0);
  }).join();
  EXPECT_EQ(before, CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(after, CUDA_SUCCESS);
}

TEST_F(EmulatorDriverTest, WrongHandlesAndArguments) {
  auto *nothing = reinterpret_cast<void *>(uintptr_t{0x1000});
  CUmodule module = load(kernelOf(""));
  CUfunction kernel = function(module, "t"), other = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&other, module, "u"), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(cuModuleUnload(static_cast<CUmodule>(nothing)),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamDestroy_v2(static_cast<CUstream>(nothing)),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventDestroy_v2(static_cast<CUevent>(nothing)),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(launch(static_cast<CUfunction>(nothing), 1, 1, {0}),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(launch(kernel, 1, 1025, {0}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(kernel, 0, 1, {0}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(kernel, 1, 1, {0}, 50 << 10), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetAttribute(kernel,
                               CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               200 << 10),
            CUDA_SUCCESS);
  EXPECT_EQ(launch(kernel, 1, 1, {0}, 50 << 10), CUDA_SUCCESS);
  EXPECT_EQ(cuFuncSetAttribute(kernel,
                               CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               228 << 10),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(launch(kernel, 1, 1, {0}), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(EmulatorDriverTest, EventsAndTexts) {
  CUevent begin, end;
  ASSERT_EQ(cuEventCreate(&begin, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuEventCreate(&end, 0), CUDA_SUCCESS);
  float time = -1;
  EXPECT_EQ(cuEventElapsedTime(&time, begin, end), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventRecord(begin, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuEventRecord(end, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuEventSynchronize(end), CUDA_SUCCESS);
  EXPECT_EQ(cuEventElapsedTime(&time, begin, end), CUDA_SUCCESS);
  EXPECT_GE(time, 0);
  EXPECT_EQ(cuEventDestroy_v2(begin), CUDA_SUCCESS);
  EXPECT_EQ(cuEventDestroy_v2(end), CUDA_SUCCESS);
  const char *text = nullptr;
  EXPECT_EQ(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_INVALID_PTX");
  EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(12345), &text),
            CUDA_ERROR_INVALID_VALUE);
}

/// 32 lanes of 4 bytes in a row are 4 sectors; a stride of 32 bytes needs 32.
TEST_F(EmulatorDriverTest, SectorsAreCounted) {
  run(copy, Words(32, 1));
  EXPECT_EQ(counters().global_load_requests, 1);
  EXPECT_EQ(counters().global_load_bytes, 128);
  EXPECT_EQ(counters().global_load_sectors, 4);
  EXPECT_EQ(counters().global_store_sectors, 4);
  cambium_emulator_clear_counters();
  run(replaced(copy, "%r1, 4", "%r1, 32"), Words(256, 1));
  EXPECT_EQ(counters().global_load_sectors, 32);
  cambium_emulator_clear_counters();
  run(replaced(copy, "%r1, 4", "%r1, 0"), Words(256, 1), 1, 1);
  EXPECT_EQ(counters().global_load_sectors, 1);
}

/// Words that are 32 apart are in one bank; 33 apart, in different ones.
TEST_F(EmulatorDriverTest, ConflictsOfBanksAreCounted) {
  for (auto strideAndConflicts :
       {std::pair<int, int>{4, 0}, {8, 1}, {128, 31}, {132, 0}, {0, 0}}) {
    cambium_emulator_clear_counters();
    run("mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, " +
            std::to_string(strideAndConflicts.first) +
            ";\nmov.b64 %rd3, tile;\nadd.s64 %rd3, %rd3, %rd2;\n"
            "mov.b32 %r2, 0;\n@!%p1 bra NEXT;\nNEXT:\n"
            "ld.shared.b32 %r2, [%rd3];",
        Words(1, 1), 1, 32, ".shared .align 4 .b8 tile[4224];\n");
    EXPECT_EQ(counters().bank_conflicts, strideAndConflicts.second)
        << strideAndConflicts.first;
    start("uninitialized=0");
  }
}

TEST_F(EmulatorDriverTest, ReportHoldsTheCountersOfALaunch) {
  std::string path = testing::TempDir() + "/emulator-report.txt";
  std::remove(path.c_str());
  start("report=" + path);
  run(copy, Words(32, 1));
  stop();
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str().find("launch t\nlaunches 1\ninstructions 7\n"), 0u)
      << text.str();
  EXPECT_NE(text.str().find("\nglobal_load_sectors 4\n"), std::string::npos);
  std::remove(path.c_str());
}

TEST_F(EmulatorDriverTest, KindsAddUp) {
  run(copy, Words(32, 1));
  auto c = counters();
  EXPECT_EQ(c.launches, 1);
  EXPECT_EQ(c.lane_operations, 32 * c.instructions);
  EXPECT_EQ(c.integer + c.floating + c.fused_multiply_add + c.special +
                c.convert + c.move + c.compare + c.global + c.shared + c.local +
                c.parameter + c.atomic + c.fence + c.warp + c.matrix +
                c.control + c.barrier,
            c.instructions);
  EXPECT_EQ(c.uploads, 1);
  EXPECT_EQ(c.downloaded_bytes, 128);
  EXPECT_EQ(c.synchronizations, 1);
}

} // namespace
