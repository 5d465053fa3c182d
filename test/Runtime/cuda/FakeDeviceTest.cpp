//===-- test/Runtime/cuda/FakeDeviceTest.cpp - What drivers may do --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Machines without a GPU, with an old driver, with one that fails: the fake
/// driver does what a test wants, and knows what is held.
///
//===----------------------------------------------------------------------===//
#include "FakeDeviceSupport.h"

#include <cstring>
#include <map>
#include <sstream>

using namespace cambium::test;

namespace {

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

TEST_F(FakeDeviceTest, Names) {
  EXPECT_OK(open("gpu"));
  EXPECT_OK(open("gpu:0"));
  for (const char *name : {"cpu", "", "gp", "gpu:", "gpu:x", "gpu:1x", "gpu:-1",
                           "gpu 1", "gpu:99999999999999999999", "gpus"})
    EXPECT_ERROR(open(name), INVALID_ARGUMENT,
                 "expected a device 'gpu' or 'gpu:N', but got '" +
                     std::string(name) + "'");
  EXPECT_ERROR(open(nullptr), INVALID_ARGUMENT,
               "cambium_device_open: argument 'name' is null");
  EXPECT_ERROR(cambium_device_open("gpu", nullptr), INVALID_ARGUMENT,
               "cambium_device_open: argument 'out_device' is null");
  EXPECT_ERROR(cambium_device_register(nullptr), INVALID_ARGUMENT,
               "cambium_device_register: argument 'backend' is null");
  EXPECT_ERROR(cambium_store_pull(nullptr), INVALID_ARGUMENT,
               "cambium_store_pull: argument 'store' is null");
  EXPECT_ERROR(cambium_store_push(nullptr, nullptr), INVALID_ARGUMENT,
               "cambium_store_push: argument 'store' is null");
  EXPECT_ERROR(open("gpu:1"), NO_DEVICE,
               "expected a GPU with a number below 1, but got 1");
  cambium_device_close(nullptr);
  EXPECT_STREQ(cambium_device_describe(nullptr), "");
}

TEST_F(FakeDeviceTest, NoDriver) {
  setenv("CAMBIUM_CUDA_DRIVER", "/no/driver.so", 1);
  EXPECT_ERROR_PART(open("gpu"), NO_DEVICE,
                    "cannot open the driver of the GPU: /no/driver.so");
}

TEST_F(FakeDeviceTest, NoDevice) {
  fake().count = 0;
  EXPECT_ERROR_PART(open("gpu"), NO_DEVICE,
                    "does not start: CUDA_ERROR_NO_DEVICE: ");
}

TEST_F(FakeDeviceTest, OldDrivers) {
  fake().version = 11080;
  EXPECT_ERROR_PART(open("gpu"), NO_DEVICE,
                    "expected one for CUDA 12.0 or later, but got 11.8");
  setenv("CAMBIUM_CUDA_DRIVER", CAMBIUM_TEST_OLD_DRIVER, 1);
  EXPECT_ERROR(open("gpu"), NO_DEVICE,
               "driver '" CAMBIUM_TEST_OLD_DRIVER
               "': expected the function 'cuGetErrorString'");
}

TEST_F(FakeDeviceTest, OldDevices) {
  fake().is_cooperative = 0;
  EXPECT_ERROR(open("gpu"), NO_DEVICE,
               "expected a GPU that starts all blocks of a kernel together, "
               "but got Fake 0, sm_80, 2 multiprocessors, 0.0 GiB, CUDA 12.4");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

TEST_F(FakeDeviceTest, OneUploadOneLaunchOneDownload) {
  Module module = deviceModule();
  Device device = openDevice();
  Session session = sessionOn(device.get());
  Store store = makeStore(module.get());
  Batch batch = trainBatch(module.get(), 1),
        tree = treeBatch(module.get(), 1, 9);
  double loss = 0;
  const std::string once =
      "cuCtxSetCurrent cuCtxSetCurrent cuMemcpyHtoDAsync_v2 "
      "cuLaunchCooperativeKernel cuMemcpyDtoHAsync_v2 cuStreamSynchronize ";
  for (int i = 0; i < 3; ++i) {
    fake().calls[0] = 0;
    ASSERT_OK(step(session.get(), store.get(), batch.get(), loss));
    EXPECT_TRUE(i == 0 || fake().calls == once + once) << fake().calls;
    fake().calls[0] = 0;
    callOk(session.get(), store.get(), tree.get());
    EXPECT_TRUE(i == 0 || fake().calls == once) << fake().calls;
  }
}

TEST_F(FakeDeviceTest, SeveralDevices) {
  fake().count = 2;
  Module module = deviceModule();
  Device devices[] = {openDevice("gpu:0"), openDevice("gpu:1")};
  EXPECT_EQ(std::string(cambium_device_describe(devices[1].get())).substr(0, 6),
            "Fake 1");
  Session here = makeSession();
  Session there[] = {sessionOn(devices[0].get()), sessionOn(devices[1].get())};
  Store store = makeStore(module.get()), other = makeStore(module.get());
  for (unsigned i = 0; i < 6; ++i) {
    Batch batch = trainBatch(module.get(), i);
    double loss = 0;
    ASSERT_OK(step(there[i / 2 % 2].get(), store.get(), batch.get(), loss));
    ASSERT_OK(step(here.get(), other.get(), batch.get(), loss));
  }
  Batch batch = affineBatch(module.get(), {4});
  for (Session &session : there)
    EXPECT_EQ(callOk(session.get(), store.get(), batch.get()),
              callOk(here.get(), other.get(), batch.get()));
  ASSERT_OK(cambium_store_pull(store.get()));
  EXPECT_EQ(contentsOf(store.get()), contentsOf(other.get()));
}

TEST_F(FakeDeviceTest, NoMemory) {
  Module module = deviceModule();
  Device device = openDevice();
  Store store = makeStore(module.get());
  Session session = sessionOn(device.get());
  Batch batch = affineBatch(module.get(), {100});
  std::string out;
  fake().memory = 332;
  EXPECT_ERROR(call(session.get(), store.get(), batch.get(), out),
               OUT_OF_MEMORY,
               "parameter 'w': expected 24 bytes of device memory, but got "
               "none (12 of 332 "
               "bytes of the GPU are free)");
  fake().memory = 2000;
  EXPECT_ERROR_PART(call(session.get(), store.get(), batch.get(), out),
                    OUT_OF_MEMORY,
                    "entry 'affine': inputs and outputs: expected 3");
  fake().memory = 1 << 20;
  EXPECT_OK(call(session.get(), store.get(), batch.get(), out));
}

/// A device reads values.
TEST_F(FakeDeviceTest, StoreForCalls) {
  Module module = deviceModule();
  cambium_store_t *handle = nullptr;
  ASSERT_OK(cambium_store_create_for_calls(module.get(), nullptr, &handle));
  Store store(handle);
  Device device = openDevice();
  Session there = sessionOn(device.get());
  std::string out;
  EXPECT_ERROR(
      call(there.get(), handle, affineBatch(module.get(), {4}).get(), out),
      WRONG_STATE,
      "a device: expected a store of cambium_store_create, but got "
      "one of cambium_store_create_for_calls");
}

/// The arrays are lost with the GPU; the host goes on with a checkpoint.
TEST_F(FakeDeviceTest, LostDevice) {
  TemporaryFolder folder;
  std::string file = folder / "file";
  Module module = deviceModule();
  Session here = makeSession();
  Store store = makeStore(module.get());
  Device device = openDevice();
  Session there = sessionOn(device.get());
  Batch batch = trainBatch(module.get(), 1);
  double loss = 0;
  ASSERT_OK(step(there.get(), store.get(), batch.get(), loss));
  ASSERT_OK(cambium_store_save(store.get(), file.c_str(), 0));
  std::string saved = contentsOf(store.get());
  ASSERT_OK(step(there.get(), store.get(), batch.get(), loss));
  fake().is_lost = 1;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(step(there.get(), store.get(), batch.get(), loss),
              CAMBIUM_STATUS_DEVICE_ERROR);
    EXPECT_EQ(step(here.get(), store.get(), batch.get(), loss),
              CAMBIUM_STATUS_DEVICE_ERROR);
    EXPECT_EQ(cambium_store_pull(store.get()), CAMBIUM_STATUS_DEVICE_ERROR);
    EXPECT_EQ(cambium_store_save(store.get(), file.c_str(), 0),
              CAMBIUM_STATUS_DEVICE_ERROR);
    EXPECT_EQ(cambium_store_load(store.get(), file.c_str(), 0),
              CAMBIUM_STATUS_DEVICE_ERROR);
  }
  ASSERT_OK(cambium_store_push(store.get(), nullptr));
  ASSERT_OK(cambium_store_load(store.get(), file.c_str(), 0));
  EXPECT_EQ(contentsOf(store.get()), saved);
  EXPECT_OK(step(here.get(), store.get(), batch.get(), loss));
  // What only the lost GPU could take back.
  fake().is_lost = 0;
}

//===----------------------------------------------------------------------===//
// Every call of the driver fails once
//===----------------------------------------------------------------------===//

/// All that is done with a device. The status of what failed, or success; what
/// it computed.
cambium_status_t doEverything(const std::string &file, std::string &out) {
  Module module = deviceModule();
  Store store = makeStore(module.get());
  cambium_device_t *opened = nullptr;
  cambium_status_t status = cambium_device_open("gpu", &opened);
  Device device(opened);
  cambium_session_t *made = nullptr;
  if (!status)
    status = cambium_session_create_on(opened, nullptr, &made);
  Session session(made);
  std::string part;
  auto run = [&](const Batch &batch) {
    if (!status)
      status = call(session.get(), store.get(), batch.get(), part);
    out += part;
  };
  double loss = 0;
  run(affineBatch(module.get(), {3}));
  run(treeBatch(module.get(), 3, 4));
  for (unsigned i = 0; !status && i < 2; ++i)
    status = step(session.get(), store.get(), trainBatch(module.get(), i).get(),
                  loss);
  cambium_store_clear_gradients(store.get());
  run(affineBatch(module.get(), {300}));
  if (!status)
    status = cambium_store_save(store.get(), file.c_str(), 0);
  if (!status)
    out += contentsOf(store.get());
  return status;
}

/// Whether the function gives something back: where it fails nobody can be
/// told.
bool isRelease(const std::string &name) {
  return name == "cuMemFree_v2" || name == "cuMemFreeHost" ||
         name == "cuStreamDestroy_v2" || name == "cuModuleUnload" ||
         name == "cuDevicePrimaryCtxRelease_v2";
}

/// Whether a call may go on without the function: where memory is given back,
/// and where there is only a number for a text.
bool isDispensable(const std::string &name) {
  return name == "cuCtxSetCurrent" || name == "cuGetErrorName" ||
         name == "cuGetErrorString";
}

void failOnce(const std::string &name, int number, int result) {
  std::snprintf(fake().fail_name, sizeof(fake().fail_name), "%s", name.c_str());
  fake().fail_at = number;
  fake().fail_seen = 0;
  fake().fail_result = result;
  fake().calls[0] = 0;
}

std::map<std::string, int> countCalls() {
  std::map<std::string, int> counts;
  std::istringstream calls(fake().calls);
  for (std::string name; calls >> name;)
    ++counts[name];
  return counts;
}

TEST_F(FakeDeviceTest, EveryCallFailsOnce) {
  TemporaryFolder folder;
  std::string right, again;
  fake().calls[0] = 0;
  ASSERT_OK(doEverything(folder / "file", right));
  int failures = 0;
  for (const auto &[name, count] : countCalls())
    for (int number = 1; number <= count; ++number)
      for (int result : {719, 2}) {
        SCOPED_TRACE(name + ":" + std::to_string(number));
        std::string out;
        failOnce(name, number, result);
        cambium_status_t status = doEverything(folder / "file", out);
        ASSERT_EQ(fake().fail_seen >= number, true);
        EXPECT_TRUE(isRelease(name) ? !status : status || isDispensable(name));
        if (status) {
          EXPECT_STRNE(cambium_last_error(), "");
        }
        EXPECT_EQ(fake().held, 0);
        ++failures;
        failOnce("", 0, 0);
        if (result == 2)
          continue;
        again.clear();
        ASSERT_OK(doEverything(folder / "file", again));
        ASSERT_EQ(again, right);
      }
  EXPECT_GT(failures, 200);
}

/// The objects of a failed call go on.
TEST_F(FakeDeviceTest, TheNextCallWorks) {
  Module module = deviceModule();
  Session here = makeSession();
  Batch tree = treeBatch(module.get(), 3, 4),
        train = trainBatch(module.get(), 1);
  std::string out;
  double loss = 0;
  auto work = [&](cambium_session_t *session, cambium_store_t *store) {
    cambium_status_t status = call(session, store, tree.get(), out);
    if (!status)
      status = step(session, store, train.get(), loss);
    if (!status)
      status = cambium_store_pull(store);
    return status;
  };
  Store right = makeStore(module.get());
  ASSERT_OK(work(here.get(), right.get()));
  Device device = openDevice();
  fake().calls[0] = 0;
  {
    Store store = makeStore(module.get());
    ASSERT_OK(work(sessionOn(device.get()).get(), store.get()));
    EXPECT_EQ(contentsOf(store.get()), contentsOf(right.get()));
  }
  for (const auto &[name, count] : countCalls())
    for (int number = 1; number <= count && !isRelease(name); ++number) {
      SCOPED_TRACE(name + ":" + std::to_string(number));
      Session session = sessionOn(device.get());
      Store store = makeStore(module.get());
      failOnce(name, number, 719);
      cambium_status_t status = work(session.get(), store.get());
      EXPECT_TRUE(status == CAMBIUM_STATUS_DEVICE_ERROR ||
                  isDispensable(name) || fake().fail_seen < number);
      failOnce("", 0, 0);
      // What a step had done when it failed is not known: begin anew.
      Store fresh = makeStore(module.get());
      EXPECT_OK(work(session.get(), fresh.get()));
      EXPECT_EQ(contentsOf(fresh.get()), contentsOf(right.get()));
      if (cambium_store_step_count(store.get(), nullptr) == 0) {
        cambium_store_clear_gradients(store.get());
        EXPECT_OK(call(session.get(), store.get(), tree.get(), out));
        EXPECT_OK(step(session.get(), store.get(), train.get(), loss));
      }
    }
}

} // namespace
