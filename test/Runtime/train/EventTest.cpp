//===-- test/Runtime/train/EventTest.cpp - TensorBoard's records ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
/// \file
/// The bytes of an event file; tensorboard.test reads one with the package.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "TensorBoard.h"

#include <bit>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace cambium;
using namespace cambium::train;

namespace {

TEST(EventFile, checksums) {
  // The check value of CRC-32C is 0xE3069283; masked as TFRecord asks.
  const uint32_t crc = 0xE3069283u;
  EXPECT_EQ(maskedCrc32c("123456789"), std::rotr(crc, 15) + 0xA282EAD8u);
  EXPECT_EQ(maskedCrc32c(""), 0xA282EAD8u);
}

/// The data of all records; a wrong length or checksum is a failure.
std::vector<std::string> recordsOf(const std::string &bytes) {
  std::vector<std::string> records;
  for (size_t at = 0; at < bytes.size();) {
    uint64_t length = 0;
    uint32_t lengthSum = 0, sum = 0;
    memcpy(&length, bytes.data() + at, 8);
    memcpy(&lengthSum, bytes.data() + at + 8, 4);
    EXPECT_EQ(lengthSum, maskedCrc32c(bytes.substr(at, 8)));
    if (at + 16 + length > bytes.size()) {
      ADD_FAILURE() << "a record is longer than the file";
      break;
    }
    records.push_back(bytes.substr(at + 12, length));
    memcpy(&sum, bytes.data() + at + 12 + length, 4);
    EXPECT_EQ(sum, maskedCrc32c(records.back()));
    at += 16 + length;
  }
  return records;
}

Json epoch(int64_t number) {
  Json event = Json::object();
  event.set("event", "epoch");
  event.set("epoch", number);
  event.set("train_loss", 0.5);
  event.set("dev_loss", kNone);
  return event;
}

TEST(EventFile, holdsTheEpochsSinceTheLastRestart) {
  const std::string path =
      testing::TempDir() + "cambium-events" + std::to_string(getpid());
  const EventFile file(path);
  Json restart = Json::object();
  restart.set("event", "restart");
  ASSERT_TRUE(file.rewrite({epoch(1), epoch(2), restart, epoch(1)}).ok());
  ASSERT_TRUE(file.append(epoch(300)).ok());
  std::string bytes;
  ASSERT_TRUE(data::readFile(path, bytes).ok());
  std::filesystem::remove(path);
  const std::vector<std::string> records = recordsOf(bytes);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].substr(9), std::string("\x1a\x0d") + "brain.Event:2");
  // Time 0, step 300 as a varint, a summary with one value: a loss that is not
  // a number is left out.
  const std::string time = std::string("\x09") + std::string(8, '\0');
  const std::string value = std::string("\x0a\x0a") + "loss/train" + "\x15" +
                            std::string("\0\0\0\x3f", 4);
  EXPECT_EQ(records[2],
            time + "\x10\xac\x02" + "\x2a\x13" + "\x0a\x11" + value);
}

TEST(EventFile, saysWhatItCannotWrite) {
  const EventFile file("/no/such/folder/events");
  EXPECT_EQ(file.append(epoch(1)).message(),
            "/no/such/folder/events: cannot open: No such file or directory");
}

} // namespace
