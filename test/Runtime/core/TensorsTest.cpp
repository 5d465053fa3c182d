//===-- test/Runtime/core/TensorsTest.cpp - Files of tensors --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cambium/tensors.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace {

class Tensors : public testing::Test {
protected:
  Tensors()
      : path(testing::TempDir() + "/cambium-tensors-" +
             std::to_string(getpid()) + ".safetensors") {}
  ~Tensors() override {
    cambium_tensors_close(file);
    std::filesystem::remove(path);
  }
  cambium_status_t write() {
    const cambium_tensor_data_t tensors[] = {
        {"b", CAMBIUM_TYPE_F32, 2, shape, values},
        {"a", CAMBIUM_TYPE_I64, 0, nullptr, &number}};
    const cambium_tensor_metadata_t metadata[] = {{"made_by", "a test"}};
    return cambium_tensors_write(path.c_str(), tensors, 2, metadata, 1);
  }

  const int64_t shape[2] = {2, 3}, number = 7;
  const float values[6] = {0, 1, 2, 3, 4, 5};
  const std::string path;
  cambium_tensors_t *file = nullptr;
};

TEST_F(Tensors, comeBackAsTheyWere) {
  ASSERT_EQ(write(), CAMBIUM_STATUS_OK) << cambium_last_error();
  ASSERT_EQ(cambium_tensors_open(path.c_str(), &file), CAMBIUM_STATUS_OK);
  EXPECT_EQ(cambium_tensors_verify(file), CAMBIUM_STATUS_OK);
  ASSERT_EQ(cambium_tensors_count(file), 2);
  const int64_t index = cambium_tensors_find(file, "b");
  const cambium_tensor_t *tensor = cambium_tensors_get(file, index);
  ASSERT_NE(tensor, nullptr);
  EXPECT_STREQ(tensor->type, "F32");
  ASSERT_EQ(tensor->rank, 2);
  EXPECT_EQ(tensor->shape[1], 3);
  ASSERT_EQ(tensor->bytes, 24);
  float read[6];
  ASSERT_EQ(cambium_tensors_read(file, index, read, sizeof read),
            CAMBIUM_STATUS_OK);
  EXPECT_EQ(std::memcmp(read, values, sizeof read), 0);
  EXPECT_STREQ(cambium_tensors_metadata(file, "made_by"), "a test");
  EXPECT_EQ(cambium_tensors_metadata(file, "other"), nullptr);
  EXPECT_EQ(cambium_tensors_find(file, "c"), -1);
  EXPECT_EQ(cambium_tensors_get(file, 2), nullptr);
}

TEST_F(Tensors, refuseWhatIsWrong) {
  ASSERT_EQ(write(), CAMBIUM_STATUS_OK);
  ASSERT_EQ(cambium_tensors_open(path.c_str(), &file), CAMBIUM_STATUS_OK);
  float read[6];
  EXPECT_EQ(cambium_tensors_read(file, 9, read, sizeof read),
            CAMBIUM_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(cambium_tensors_read(file, 1, read, 8),
            CAMBIUM_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(cambium_last_error(),
               "tensor 'b': expected memory of 24 bytes, but got 8");
  EXPECT_EQ(cambium_tensors_read(nullptr, 0, read, 24),
            CAMBIUM_STATUS_INVALID_ARGUMENT);
  cambium_tensors_t *none = nullptr;
  EXPECT_EQ(cambium_tensors_open("/nowhere", &none), CAMBIUM_STATUS_NOT_FOUND);
  EXPECT_EQ(none, nullptr);
  const int64_t huge[2] = {INT64_MAX, 4};
  const cambium_tensor_data_t bad[] = {
      {"a", CAMBIUM_TYPE_F32, 2, huge, values},
      {nullptr, CAMBIUM_TYPE_F32, 2, shape, values},
      {"a", CAMBIUM_TYPE_F32, 2, nullptr, values},
      {"a", CAMBIUM_TYPE_F32, 2, shape, nullptr},
      {"a", static_cast<cambium_type_t>(77), 2, shape, values}};
  for (const cambium_tensor_data_t &tensor : bad)
    EXPECT_EQ(cambium_tensors_write(path.c_str(), &tensor, 1, nullptr, 0),
              CAMBIUM_STATUS_INVALID_ARGUMENT);
  const cambium_tensor_data_t twice[] = {
      {"a", CAMBIUM_TYPE_F32, 2, shape, values},
      {"a", CAMBIUM_TYPE_F32, 2, shape, values}};
  EXPECT_EQ(cambium_tensors_write(path.c_str(), twice, 2, nullptr, 0),
            CAMBIUM_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(cambium_last_error(), "tensor 'a': the name is given twice");
  // The file of before is still whole.
  EXPECT_EQ(cambium_tensors_verify(file), CAMBIUM_STATUS_OK);
}

TEST_F(Tensors, filesAppearWholeOrNotAtAll) {
  ASSERT_EQ(cambium_file_write(path.c_str(), "text", 4), CAMBIUM_STATUS_OK);
  EXPECT_EQ(std::filesystem::file_size(path), 4u);
  ASSERT_EQ(cambium_file_write(path.c_str(), nullptr, 0), CAMBIUM_STATUS_OK);
  EXPECT_EQ(std::filesystem::file_size(path), 0u);
  EXPECT_EQ(cambium_file_write("/nowhere/x", "text", 4),
            CAMBIUM_STATUS_IO_ERROR);
  EXPECT_EQ(cambium_file_write(path.c_str(), nullptr, 4),
            CAMBIUM_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(cambium_file_write("/dev/full", "text", 4),
            CAMBIUM_STATUS_IO_ERROR);
}

} // namespace
