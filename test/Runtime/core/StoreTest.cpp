//===-- test/Runtime/core/StoreTest.cpp - Parameters and metadata ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

using namespace cambium::test;

TEST(StoreTest, Values) {
  Module module = fakeModule();
  Store store = makeStore(module.get());
  EXPECT_EQ(cambium_store_module(store.get()), module.get());
  const auto *table =
      static_cast<const float *>(cambium_store_value(store.get(), 0));
  const auto *w =
      static_cast<const float *>(cambium_store_value(store.get(), 1));
  const auto *frozen =
      static_cast<const int64_t *>(cambium_store_value(store.get(), 2));
  for (int i = 0; i < 16; ++i) {
    EXPECT_GE(table[i], -1.0f);
    EXPECT_LT(table[i], 1.0f);
  }
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(w[i], 0.5f);
  EXPECT_EQ(*frozen, 42);
  for (int64_t i = 0; i < 3; ++i)
    EXPECT_EQ(reinterpret_cast<uintptr_t>(cambium_store_value(store.get(), i)) %
                  64,
              0u);
  EXPECT_EQ(cambium_store_value(store.get(), 3), nullptr);
  EXPECT_EQ(cambium_store_value(store.get(), -1), nullptr);
}

TEST(StoreTest, ValuesThatAreSet) {
  Module module = fakeModule();
  Store store = makeStore(module.get());
  const float numbers[] = {1, 2, 3};
  auto set = [&](int64_t parameter, cambium_type_t type, int64_t count) {
    return cambium_store_set_value(store.get(), parameter, type, count,
                                   numbers);
  };
  ASSERT_OK(set(1, CAMBIUM_TYPE_F32, 3));
  const auto *w =
      static_cast<const float *>(cambium_store_value(store.get(), 1));
  EXPECT_EQ(w[2], 3.0f);
  EXPECT_ERROR(set(1, CAMBIUM_TYPE_F32, 2), INVALID_ARGUMENT,
               "parameter 'w': expected 3 elements of f32, but got 2 of f32");
  EXPECT_ERROR(set(1, CAMBIUM_TYPE_I32, 3), INVALID_ARGUMENT,
               "parameter 'w': expected 3 elements of f32, but got 3 of i32");
  EXPECT_ERROR(set(3, CAMBIUM_TYPE_F32, 3), INVALID_ARGUMENT,
               "expected the index of one of 3 parameters, but got 3");
  EXPECT_ERROR(set(-1, CAMBIUM_TYPE_F32, 3), INVALID_ARGUMENT,
               "expected the index of one of 3 parameters, but got -1");
  EXPECT_EQ(w[0], 1.0f);
}

TEST(StoreTest, NoElementsAreSetFromNull) {
  CustomModule custom(
      "{\"abi\": 6, \"params\": [{\"name\": \"none\", \"type\": \"f32\", "
      "\"shape\": [3, 0]}], \"entries\": []}");
  Module module;
  ASSERT_OK(custom.load(module));
  Store store = makeStore(module.get());
  EXPECT_OK(
      cambium_store_set_value(store.get(), 0, CAMBIUM_TYPE_F32, 0, nullptr));
}

TEST(StoreTest, TrainingMemoryOnDemand) {
  Module module = fakeModule();
  Store store = makeStore(module.get());
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(cambium_store_gradient(store.get(), i), nullptr);
    EXPECT_EQ(cambium_store_state(store.get(), i, 0), nullptr);
  }
  ASSERT_OK(cambium_store_prepare_training(store.get()));
  ASSERT_OK(cambium_store_prepare_training(store.get()));
  EXPECT_NE(cambium_store_gradient(store.get(), 0), nullptr);
  EXPECT_NE(cambium_store_state(store.get(), 0, 0), nullptr);
  EXPECT_EQ(cambium_store_state(store.get(), 0, 1), nullptr);
  EXPECT_NE(cambium_store_state(store.get(), 1, 1), nullptr);
  EXPECT_EQ(cambium_store_state(store.get(), 1, 2), nullptr);
  EXPECT_EQ(cambium_store_state_elements(store.get(), 0, 0), 16);
  EXPECT_EQ(cambium_store_state_elements(store.get(), 0, 1), 0);
  EXPECT_EQ(cambium_store_state_elements(store.get(), 1, 1), 3);
  EXPECT_EQ(cambium_store_state_elements(store.get(), 9, 0), 0);
  EXPECT_EQ(cambium_store_gradient(store.get(), 2), nullptr); // frozen
}

TEST(StoreTest, MemoryLimit) {
  Module module = fakeModule();
  cambium_store_options_t options = {};
  options.memory_limit = 80;
  cambium_store_t *handle = nullptr;
  EXPECT_ERROR(cambium_store_create(module.get(), &options, &handle),
               OUT_OF_MEMORY,
               "the parameters of module 'static' need 84 bytes, but the limit "
               "is 80");
  options.memory_limit = 100;
  ASSERT_OK(cambium_store_create(module.get(), &options, &handle));
  Store store(handle);
  EXPECT_ERROR(cambium_store_prepare_training(store.get()), OUT_OF_MEMORY,
               "the optimizer state of parameter 'table' needs 64 bytes beside "
               "84 of this store, but the limit is 100");
}

/// A model larger than the machine is refused before any memory is touched.
TEST(StoreTest, LargerThanTheMachine) {
  CustomModule custom(
      "{\"abi\": 6, \"params\": [{\"name\": \"huge\", \"type\": \"f64\", "
      "\"shape\": [1000000000000, 1000]}], \"entries\": []}");
  Module module;
  ASSERT_OK(custom.load(module));
  cambium_store_t *store = nullptr;
  EXPECT_ERROR_PART(cambium_store_create(module.get(), nullptr, &store),
                    OUT_OF_MEMORY,
                    "the parameters of module 'static' need 8000000000000000 "
                    "bytes, but the limit is ");
  EXPECT_EQ(store, nullptr);
}

TEST(StoreTest, SkippedInitializers) {
  Module module = fakeModule();
  cambium_store_options_t options = {};
  options.skip_initializers = true;
  cambium_store_t *handle = nullptr;
  ASSERT_OK(cambium_store_create(module.get(), &options, &handle));
  Store store(handle);
  EXPECT_EQ(*static_cast<const float *>(cambium_store_value(handle, 1)), 0.0f);
  EXPECT_EQ(*static_cast<const int64_t *>(cambium_store_value(handle, 2)), 0);
}

TEST(StoreTest, Metadata) {
  Module module = fakeModule();
  Store store = makeStore(module.get());
  EXPECT_EQ(cambium_store_num_metadata(store.get()), 0);
  EXPECT_EQ(cambium_store_metadata(store.get(), "epoch"), nullptr);
  ASSERT_OK(cambium_store_set_metadata(store.get(), "epoch", "3"));
  ASSERT_OK(cambium_store_set_metadata(store.get(), "best", "0.5"));
  ASSERT_OK(cambium_store_set_metadata(store.get(), "epoch", "4"));
  EXPECT_EQ(cambium_store_num_metadata(store.get()), 2);
  EXPECT_STREQ(cambium_store_metadata(store.get(), "epoch"), "4");
  EXPECT_STREQ(cambium_store_metadata_key(store.get(), 0), "best");
  EXPECT_STREQ(cambium_store_metadata_key(store.get(), 1), "epoch");
  EXPECT_EQ(cambium_store_metadata_key(store.get(), 2), nullptr);
  ASSERT_OK(cambium_store_set_metadata(store.get(), "best", nullptr));
  EXPECT_EQ(cambium_store_num_metadata(store.get()), 1);
  EXPECT_ERROR(
      cambium_store_set_metadata(store.get(), "cambium.x", "1"),
      INVALID_ARGUMENT,
      "metadata key 'cambium.x': expected one that does not start with "
      "\"cambium.\"");
  EXPECT_ERROR(cambium_store_set_metadata(store.get(), "name", "\xff"),
               INVALID_ARGUMENT, "metadata key 'name': expected UTF-8 text");
}
