//===-- test/Runtime/cuda/FakeCodeTest.cpp - Code that drivers get --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which of the images of a module a GPU gets, and what is refused before a
/// launch.
///
//===----------------------------------------------------------------------===//
#include "FakeDeviceSupport.h"

#include <cstring>

using namespace cambium::test;

namespace {

/// The module with other parts.
struct CustomDevice {
  CustomDevice() : table(*device_cambium_device_query()) { current() = &table; }
  ~CustomDevice() { current() = nullptr; }
  Module load() { return deviceModule(query); }

  cambium_abi_device_module_t table;

private:
  static const cambium_abi_device_module_t *&current() {
    static const cambium_abi_device_module_t *now;
    return now;
  }
  static const cambium_abi_device_module_t *query() { return current(); }
};

cambium_abi_image_t ptx(const char *arch, const char *text) {
  return {arch, CAMBIUM_ABI_IMAGE_PTX, 0, text,
          static_cast<int64_t>(std::strlen(text))};
}

struct CodeTest : FakeDeviceTest {
  /// A call with these images.
  cambium_status_t run(std::vector<cambium_abi_image_t> images) {
    CustomDevice custom;
    custom.table.images = images.data();
    custom.table.num_images = static_cast<int64_t>(images.size());
    Module module = custom.load();
    return runIn(module.get());
  }
  /// A call of `twice` with these launches.
  cambium_status_t run(cambium_abi_launch_t first) {
    CustomDevice custom;
    cambium_abi_device_entry_t entry = custom.table.entries[0];
    cambium_abi_launch_t launches[] = {first, entry.launches[1]};
    entry.launches = launches;
    custom.table.entries = &entry;
    custom.table.num_entries = 1;
    Module module = custom.load();
    return runIn(module.get());
  }
  cambium_status_t runIn(const cambium_module_t *module) {
    Device device = openDevice();
    Session session = sessionOn(device.get());
    Store store = makeStore(module);
    Batch batch = scalarBatch<int32_t>(module, "twice", CAMBIUM_TYPE_I32, {3});
    std::string out;
    return call(session.get(), store.get(), batch.get(), out);
  }
};

TEST_F(CodeTest, TheBestImage) {
  std::vector<cambium_abi_image_t> images = {
      ptx("sm_70", ".version 70"), ptx("sm_90a", ".version 90a"),
      ptx("sm_90", ".version 90"), ptx("sm_80", ".version 80"),
      ptx("sm_100", ".version 100")};
  const std::pair<int, const char *> expected[] = {
      {75, ".version 70"},  {80, ".version 80"}, {89, ".version 80"},
      {90, ".version 90a"}, {95, ".version 90"}, {120, ".version 100"}};
  for (const auto &[sm, image] : expected) {
    fake().sm = sm;
    EXPECT_OK(run(images));
    EXPECT_STREQ(fake().image, image) << sm;
  }
  fake().sm = 61;
  EXPECT_ERROR(run(images), INCOMPATIBLE,
               "expected code for sm_61 or an earlier GPU, but got code for "
               "sm_70, sm_90a, sm_90, sm_80, sm_100");
  EXPECT_ERROR(run(std::vector<cambium_abi_image_t>()), INCOMPATIBLE,
               "expected code for sm_61 or an earlier GPU, but got code for "
               "none");
  EXPECT_ERROR_PART(run({ptx("gfx942", ""), ptx("sm_", ""), ptx("sm_80b", "")}),
                    INCOMPATIBLE, "but got code for gfx942, sm_, sm_80b");
}

TEST_F(CodeTest, CubinsComeFirst) {
  fake().sm = 86;
  cambium_abi_image_t cubin = ptx("sm_80", ".version of a cubin");
  cubin.kind = CAMBIUM_ABI_IMAGE_CUBIN;
  EXPECT_OK(run({ptx("sm_80", ".version 80"), cubin}));
  EXPECT_STREQ(fake().image, ".version of a cubin");
  // Not of another generation, and not before later code.
  fake().sm = 90;
  EXPECT_OK(run({ptx("sm_80", ".version 80"), cubin}));
  EXPECT_STREQ(fake().image, ".version 80");
  fake().sm = 86;
  EXPECT_OK(run({ptx("sm_86", ".version 86"), cubin}));
  EXPECT_STREQ(fake().image, ".version 86");
}

TEST_F(CodeTest, RefusedImages) {
  cambium_abi_image_t cubin = ptx("sm_80", "damaged");
  cubin.kind = CAMBIUM_ABI_IMAGE_CUBIN;
  EXPECT_OK(run({cubin, ptx("sm_80", ".version 80")}));
  EXPECT_ERROR(run({cubin}), INCOMPATIBLE,
               "the driver refuses the code for sm_80: "
               "CUDA_ERROR_NO_BINARY_FOR_GPU: as its name says: no image that "
               "I know");
  EXPECT_ERROR_PART(run({ptx("sm_80", "damaged"), ptx("sm_70", ".version 70")}),
                    INCOMPATIBLE, "the driver refuses the code for sm_80");
}

TEST_F(CodeTest, Limits) {
  const cambium_abi_launch_t good = {"first", 32, 0, 1, 2, 1, 0};
  EXPECT_OK(run(good));
  auto with = [&](auto change) {
    cambium_abi_launch_t launch = good;
    change(launch);
    return run(launch);
  };
  EXPECT_ERROR(with([](auto &l) { l.threads = 513; }), INCOMPATIBLE,
               "entry 'twice': kernel 'first' needs blocks of 513 threads, but "
               "the GPU has 512 for it");
  EXPECT_ERROR_PART(with([](auto &l) { l.threads = 0; }), INCOMPATIBLE,
                    "needs blocks of 0 threads");
  EXPECT_ERROR(with([](auto &l) { l.shared_bytes = 99001; }), INCOMPATIBLE,
               "entry 'twice': kernel 'first' needs 100001 bytes of shared "
               "memory, but a block of the GPU has 100000");
  EXPECT_OK(with([](auto &l) { l.shared_bytes = 99000; }));
  EXPECT_ERROR(with([](auto &l) { l.flags = 3; }), INCOMPATIBLE,
               "entry 'twice': kernel 'first' of entry 'twice' has the flags "
               "3, which this release does not know");
  EXPECT_ERROR(with([](auto &l) { l.kernel = "third"; }), DEVICE_ERROR,
               "entry 'twice': cuModuleGetFunction: CUDA_ERROR_NOT_FOUND: as "
               "its name says");
  // The fake driver refuses more blocks than fit.
  EXPECT_OK(with([](auto &l) {
    l.blocks_per_processor = 7;
    l.max_blocks = 0;
  }));
  fake().blocks = 0;
  EXPECT_ERROR(run(good), INCOMPATIBLE,
               "entry 'twice': a block of kernel 'first' does not fit on the "
               "GPU");
}

TEST_F(CodeTest, OtherVersions) {
  CustomDevice custom;
  custom.table.version = 7;
  Module module = custom.load();
  EXPECT_ERROR(runIn(module.get()), INCOMPATIBLE,
               "module 'static' has no code for devices of version 2: compile "
               "the model with --gpu-arch");
  Session here = makeSession();
  Store store = makeStore(module.get());
  Batch batch = affineBatch(module.get(), {2});
  callOk(here.get(), store.get(), batch.get());
}

TEST_F(CodeTest, FilesOfModules) {
  cambium_module_t *module = nullptr;
  EXPECT_ERROR_PART(
      cambium_module_load(CAMBIUM_TEST_MODULES "/FakeDeviceData.so", &module),
      MALFORMED,
      "expected the symbol 'cambium_module_query' alone, but got "
      "'cambium_device_query'");
  EXPECT_ERROR_PART(
      cambium_module_load(CAMBIUM_TEST_MODULES "/FakeDeviceAlone.so", &module),
      MALFORMED, "expected the symbol 'cambium_module_query'");
}

} // namespace
