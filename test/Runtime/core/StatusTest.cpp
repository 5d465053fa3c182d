//===-- test/Runtime/core/StatusTest.cpp - Errors, logging, types ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <set>
#include <thread>

using namespace cambium::test;

TEST(StatusTest, NamesDiffer) {
  std::set<std::string> names;
  for (int i = CAMBIUM_STATUS_OK; i <= CAMBIUM_STATUS_DEVICE_ERROR; ++i)
    names.insert(cambium_status_name(static_cast<cambium_status_t>(i)));
  EXPECT_EQ(names.size(), static_cast<size_t>(CAMBIUM_STATUS_DEVICE_ERROR) + 1);
  EXPECT_STREQ(cambium_status_name(static_cast<cambium_status_t>(15)),
               "unknown status");
}

TEST(StatusTest, Versions) {
  EXPECT_EQ(cambium_abi_version(), CAMBIUM_ABI_VERSION);
  EXPECT_STREQ(cambium_version(), "1.0.0");
}

TEST(StatusTest, Types) {
  EXPECT_EQ(cambium_type_size(CAMBIUM_TYPE_F32), 4);
  EXPECT_EQ(cambium_type_size(CAMBIUM_TYPE_F64), 8);
  EXPECT_EQ(cambium_type_size(CAMBIUM_TYPE_I32), 4);
  EXPECT_EQ(cambium_type_size(CAMBIUM_TYPE_I64), 8);
  EXPECT_EQ(cambium_type_size(CAMBIUM_TYPE_I8), 1);
  EXPECT_EQ(cambium_type_size(CAMBIUM_TYPE_I1), 1);
  EXPECT_EQ(cambium_type_size(static_cast<cambium_type_t>(7)), 0);
  EXPECT_STREQ(cambium_type_name(CAMBIUM_TYPE_I1), "i1");
  EXPECT_STREQ(cambium_type_name(static_cast<cambium_type_t>(7)),
               "unknown type");
}

/// Each thread has its own error text.
TEST(StatusTest, ErrorsOfThreads) {
  cambium_module_t *module = nullptr;
  EXPECT_EQ(cambium_module_load(nullptr, &module),
            CAMBIUM_STATUS_INVALID_ARGUMENT);
  std::string other;
  std::thread([&] {
    other = cambium_last_error();
    cambium_session_create(nullptr, nullptr);
  }).join();
  EXPECT_EQ(other, "");
  EXPECT_STREQ(cambium_last_error(),
               "cambium_module_load: argument 'path' is null");
}

TEST(StatusTest, Logging) {
  using Messages = std::vector<std::pair<cambium_log_level_t, std::string>>;
  Messages messages;
  auto receive = [](void *user, cambium_log_level_t level, const char *text) {
    static_cast<Messages *>(user)->emplace_back(level, text);
  };
  cambium_set_logger(receive, &messages, CAMBIUM_LOG_INFO);
  Module module = fakeModule();
  cambium_session_create(nullptr, nullptr);
  cambium_set_logger(nullptr, nullptr, CAMBIUM_LOG_DEBUG);
  cambium_session_create(nullptr, nullptr);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].first, CAMBIUM_LOG_INFO);
  EXPECT_EQ(messages[0].second,
            "loaded module 'static': 9 entries, 3 parameters");
  EXPECT_EQ(messages[1].first, CAMBIUM_LOG_ERROR);
  EXPECT_EQ(messages[1].second,
            "cambium_session_create: argument 'out_session' is null");
}

/// The functions of docs/Design.md, from their definition.
TEST(StatusTest, RandomNumbers) {
  // splitmix64 with seed 1234567, as published with the generator.
  const uint64_t expected[] = {6457827717110365317ull, 3203168211198807973ull,
                               9817491932198370423ull};
  for (uint64_t i = 0; i < 3; ++i)
    EXPECT_EQ(cambium_mix(1234567, i), expected[i]);
  EXPECT_EQ(cambium_uniform(0), 0.0f);
  EXPECT_EQ(cambium_uniform(uint64_t{1} << 63), 0.5f);
  EXPECT_LT(cambium_uniform(~uint64_t{0}), 1.0f);
}
