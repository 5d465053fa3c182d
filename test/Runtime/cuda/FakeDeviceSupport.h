//===-- test/Runtime/cuda/FakeDeviceSupport.h - A driver to set ----------*- C++
//-*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_RUNTIME_DEVICE_FAKEDEVICESUPPORT_H
#define CAMBIUM_TEST_RUNTIME_DEVICE_FAKEDEVICESUPPORT_H

#include "DeviceTestSupport.h"
#include "FakeDriver.h"

#include <dlfcn.h>

namespace cambium::test {

inline fake_driver_t &fake() {
  static void *library = dlopen(CAMBIUM_TEST_FAKE_DRIVER, RTLD_NOW);
  return *static_cast<fake_driver_t *>(dlsym(library, "fake_driver"));
}

/// Every test begins and ends with nothing held.
struct FakeDeviceTest : ::testing::Test {
  void SetUp() override {
    setenv("CAMBIUM_CUDA_DRIVER", CAMBIUM_TEST_FAKE_DRIVER, 1);
    usual = fake();
    EXPECT_EQ(usual.held, 0);
  }
  void TearDown() override {
    EXPECT_EQ(fake().held, 0);
    fake() = usual;
    setenv("CAMBIUM_CUDA_DRIVER", CAMBIUM_TEST_FAKE_DRIVER, 1);
  }
  cambium_status_t open(const char *name) {
    cambium_device_t *device = nullptr;
    cambium_status_t status = cambium_device_open(name, &device);
    EXPECT_EQ(device == nullptr, status != CAMBIUM_STATUS_OK);
    cambium_device_close(device);
    return status;
  }
  fake_driver_t usual;
};

} // namespace cambium::test

#endif // CAMBIUM_TEST_RUNTIME_DEVICE_FAKEDEVICESUPPORT_H
