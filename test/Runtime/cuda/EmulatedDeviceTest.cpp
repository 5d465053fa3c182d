//===-- test/Runtime/cuda/EmulatedDeviceTest.cpp - On the emulator --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every call of the driver fails once, where kernels are the PTX of a module
/// and the emulator looks for races, bad accesses and leaks. Skipped where
/// CAMBIUM_CUDA_DRIVER names another driver.
///
//===----------------------------------------------------------------------===//
#include "DeviceTestSupport.h"

#include <dlfcn.h>

using namespace cambium::test;

namespace {

/// What the emulator offers besides a driver (cambium/emulator.h).
struct Emulator {
  int (*configure)(const char *text) = nullptr;
  size_t (*numFindings)() = nullptr;
  const char *(*finding)(size_t index) = nullptr;
  void (*clearFindings)() = nullptr;

  Emulator() {
    const char *name = std::getenv("CAMBIUM_CUDA_DRIVER");
    void *library = name ? dlopen(name, RTLD_NOW) : nullptr;
    if (!library)
      return;
    find(library, "cambium_emulator_configure", configure);
    find(library, "cambium_emulator_num_findings", numFindings);
    find(library, "cambium_emulator_finding", finding);
    find(library, "cambium_emulator_clear_findings", clearFindings);
  }
  explicit operator bool() const { return configure; }

private:
  template <typename Function>
  static void find(void *library, const char *name, Function &out) {
    out = reinterpret_cast<Function>(dlsym(library, name));
  }
};

/// Calls and steps with objects that are made for it.
cambium_status_t doEverything(std::string &out) {
  Module module = deviceModule();
  Store store = makeStore(module.get());
  Batch rows = affineBatch(module.get(), {3, 40});
  Batch tree = treeBatch(module.get(), 3, 4);
  cambium_device_t *opened = nullptr;
  cambium_status_t status = cambium_device_open("gpu", &opened);
  Device device(opened);
  cambium_session_t *made = nullptr;
  if (!status)
    status = cambium_session_create_on(opened, nullptr, &made);
  Session session(made);
  std::string part;
  for (const Batch *batch : {&rows, &tree, &rows}) {
    if (!status)
      status = call(session.get(), store.get(), batch->get(), part);
    out += part;
  }
  double loss = 0;
  if (!status)
    status = step(session.get(), store.get(), trainBatch(module.get(), 1).get(),
                  loss);
  cambium_store_clear_gradients(store.get());
  if (!status)
    status = cambium_store_pull(store.get());
  return status;
}

/// But for what gives something back, and the texts of errors.
const char *const kCalls[] = {"cuInit",
                              "cuDriverGetVersion",
                              "cuDeviceGetCount",
                              "cuDeviceGet",
                              "cuDeviceGetName",
                              "cuDeviceGetAttribute",
                              "cuDeviceTotalMem_v2",
                              "cuDevicePrimaryCtxRetain",
                              "cuModuleLoadDataEx",
                              "cuModuleGetFunction",
                              "cuFuncSetAttribute",
                              "cuFuncGetAttribute",
                              "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                              "cuMemAlloc_v2",
                              "cuMemHostAlloc",
                              "cuMemcpyHtoDAsync_v2",
                              "cuMemcpyDtoHAsync_v2",
                              "cuMemsetD8Async",
                              "cuStreamCreate",
                              "cuStreamSynchronize",
                              "cuLaunchCooperativeKernel"};

TEST(EmulatedDeviceTest, EveryCallFailsOnce) {
  Emulator emulator;
  if (!emulator)
    GTEST_SKIP() << "another driver";
  emulator.clearFindings();
  std::string right, out;
  ASSERT_OK(doEverything(right));
  int failures = 0;
  for (const char *name : kCalls) {
    cambium_status_t status = CAMBIUM_STATUS_FAILED;
    for (int number = 1; status; ++number) {
      const std::string text =
          "fail=" + std::string(name) + ":" + std::to_string(number);
      SCOPED_TRACE(text);
      ASSERT_EQ(emulator.configure(text.c_str()), 0);
      out.clear();
      status = doEverything(out);
      failures += status != CAMBIUM_STATUS_OK;
      EXPECT_TRUE(status || number > 1) << "nothing failed";
      if (status) {
        EXPECT_STRNE(cambium_last_error(), "");
      }
      ASSERT_EQ(emulator.configure(""), 0);
      out.clear();
      ASSERT_OK(doEverything(out));
      ASSERT_EQ(out, right);
      for (size_t i = 0; i < emulator.numFindings(); ++i)
        ADD_FAILURE() << emulator.finding(i);
      emulator.clearFindings();
    }
  }
  EXPECT_GT(failures, 50);
}

} // namespace
