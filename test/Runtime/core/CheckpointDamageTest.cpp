//===-- test/Runtime/core/CheckpointDamageTest.cpp - Damaged checkpoints --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../../runtime/core/Checksum.h"
#include "TestSupport.h"

#include <cstring>

using namespace cambium::test;

namespace {

class CheckpointDamageTest : public ::testing::Test {
protected:
  Module module = fakeModule();
  Store store = makeStore(module.get(), 1);
  TemporaryFolder folder;
  std::string path = folder / "model.safetensors";

  /// Loads a file with these bytes; the store must not change when it fails.
  cambium_status_t loadBytes(const std::string &bytes) {
    writeFile(path, bytes);
    std::string before = snapshot();
    cambium_status_t status = cambium_store_load(store.get(), path.c_str(), 0);
    EXPECT_TRUE(status == CAMBIUM_STATUS_OK || snapshot() == before);
    return status;
  }

  std::string snapshot() const {
    return std::string(
               static_cast<const char *>(cambium_store_value(store.get(), 0)),
               64) +
           std::string(
               static_cast<const char *>(cambium_store_value(store.get(), 1)),
               12);
  }

  static std::string fileOf(const std::string &header, size_t dataBytes) {
    uint64_t length = header.size();
    return std::string(reinterpret_cast<const char *>(&length), 8) + header +
           std::string(dataBytes, '\1');
  }

  std::string goodBytes() {
    std::string good = folder / "good.safetensors";
    EXPECT_OK(cambium_store_set_metadata(store.get(), "note", "unharmed"));
    EXPECT_OK(cambium_store_save(store.get(), good.c_str(), 0));
    return readFile(good);
  }
};

/// The three tensors of the fake module, without checksum.
constexpr const char *kPlain =
    "{\"table\":{\"dtype\":\"F32\",\"shape\":[8,2],\"data_offsets\":[0,64]},"
    "\"w\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[64,76]},"
    "\"frozen\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[76,84]}}";

#define EXPECT_DAMAGE(bytes, text)                                             \
  EXPECT_ERROR(loadBytes(bytes), MALFORMED, "checkpoint '" + path + "'" + text)

} // namespace

/// Files of other programs have no checksum; that is a warning.
TEST_F(CheckpointDamageTest, WithoutChecksum) {
  std::string warning;
  cambium_set_logger(
      [](void *user, cambium_log_level_t, const char *text) {
        *static_cast<std::string *>(user) = text;
      },
      &warning, CAMBIUM_LOG_WARNING);
  EXPECT_OK(loadBytes(fileOf(kPlain, 84)));
  cambium_set_logger(nullptr, nullptr, CAMBIUM_LOG_ERROR);
  EXPECT_EQ(warning, "checkpoint '" + path +
                         "' has no checksum: damage cannot be detected");
}

TEST_F(CheckpointDamageTest, NotSafetensors) {
  EXPECT_DAMAGE("", " is not a safetensors file: expected a header, but got 0 "
                    "bytes");
  EXPECT_DAMAGE("Once upon a time there was a file of another kind",
                " is not a safetensors file: expected a header of at most "
                "104857600 bytes, but got 8030046917602012751");
  EXPECT_DAMAGE(fileOf("hello", 0),
                " is not a safetensors file: Invalid value. (at byte 0)");
  EXPECT_DAMAGE(fileOf("[]", 0),
                ": top level: expected an object, but got an array");
}

TEST_F(CheckpointDamageTest, HugeHeader) {
  std::string bytes = fileOf(kPlain, 84);
  bytes[7] = 0x7f;
  EXPECT_ERROR_PART(loadBytes(bytes), MALFORMED,
                    "expected a header of at most 104857600 bytes");
  bytes[7] = 0;
  bytes[2] = 1;
  EXPECT_ERROR_PART(loadBytes(bytes), MALFORMED, "is truncated");
}

TEST_F(CheckpointDamageTest, WrongPlaces) {
  auto with = [](std::string from, std::string to) {
    std::string header = kPlain;
    header.replace(header.find(from), from.size(), to);
    return header;
  };
  EXPECT_DAMAGE(fileOf(kPlain, 83), ": expected 84 bytes of data, but got 83: "
                                    "the file is truncated");
  EXPECT_DAMAGE(fileOf(kPlain, 85), ": expected 84 bytes of data, but got 85");
  EXPECT_DAMAGE(fileOf(with("[64,76]", "[60,72]"), 84),
                ": tensor 'w' begins at byte 60 of the data, expected 64: "
                "tensors overlap or leave a gap");
  EXPECT_DAMAGE(fileOf(with("[76,84]", "[80,88]"), 88),
                ": tensor 'frozen' begins at byte 80 of the data, expected 76: "
                "tensors overlap or leave a gap");
  EXPECT_DAMAGE(fileOf(with("[64,76]", "[64,80]"), 84),
                ": w.data_offsets: expected 12 bytes for F32[3], but got [64, "
                "80]");
  EXPECT_DAMAGE(fileOf(with("[64,76]", "[-12,0]"), 84),
                ": w.data_offsets: expected 12 bytes for F32[3], but got [-12, "
                "0]");
  EXPECT_DAMAGE(fileOf(with("[64,76]", "[64]"), 84),
                ": w.data_offsets: expected two numbers, but got 1");
}

TEST_F(CheckpointDamageTest, WrongDescriptions) {
  auto tensor = [](const std::string &text) {
    return fileOf("{\"w\":" + text + "}", 0);
  };
  EXPECT_DAMAGE(tensor("1"), ": w: expected an object, but got an integer");
  EXPECT_DAMAGE(tensor("{}"), ": w.dtype: expected a string, but got nothing");
  EXPECT_DAMAGE(tensor("{\"dtype\":\"F33\"}"),
                ": w.dtype: expected a type of the format, but got \"F33\"");
  EXPECT_DAMAGE(tensor("{\"dtype\":\"F32\"}"),
                ": w.shape: expected an array of sizes, but got nothing");
  EXPECT_DAMAGE(tensor("{\"dtype\":\"F32\",\"shape\":[1,-1]}"),
                ": w.shape[1]: expected a size that fits, but got -1");
  EXPECT_DAMAGE(
      tensor("{\"dtype\":\"F64\",\"shape\":[4611686018427387904,2]}"),
      ": w.shape[0]: expected a size that fits, but got 4611686018427387904");
  EXPECT_DAMAGE(fileOf("{\"__metadata__\":{\"a\":1}}", 0),
                ": __metadata__.a: expected a string, but got an integer");
  std::string twice = kPlain;
  twice.replace(twice.find("\"w\""), 3, "\"table\"");
  twice.replace(twice.find("[3]"), 3, "[3]");
  EXPECT_DAMAGE(fileOf(twice, 84), ": table: the name stands there twice");
}

TEST_F(CheckpointDamageTest, StepCountMustBeANumber) {
  std::string header = kPlain;
  header.insert(1, "\"__metadata__\":{\"cambium.step.train\":\"x\"},");
  EXPECT_ERROR(
      loadBytes(fileOf(header, 84)), MISMATCH,
      "checkpoint '" + path +
          "' does not fit module 'static' (1 mismatches):\n  the count "
          "of step 'train': expected a number, but got \"x\"");
}

/// Cut anywhere, a checkpoint is refused.
TEST_F(CheckpointDamageTest, Truncated) {
  std::string good = goodBytes();
  for (size_t size = 0; size < good.size(); ++size)
    ASSERT_EQ(loadBytes(good.substr(0, size)), CAMBIUM_STATUS_MALFORMED)
        << size;
  EXPECT_OK(loadBytes(good));
}

/// Every single flipped bit is found, in data, names, texts and padding.
TEST_F(CheckpointDamageTest, EveryFlippedBit) {
  std::string good = goodBytes();
  int found = 0;
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bytes = good;
    bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
    bool refused = loadBytes(bytes) != CAMBIUM_STATUS_OK;
    found += refused;
    // Only the name of the checksum itself may be lost without notice.
    size_t key = good.find("cambium.checksum");
    EXPECT_TRUE(refused || (i >= key - 1 && i < key + 18)) << i;
  }
  EXPECT_GT(found, static_cast<int>(good.size()) - 20);
  std::string bytes = good;
  bytes[bytes.size() - 1] = static_cast<char>(bytes[bytes.size() - 1] ^ 1);
  EXPECT_ERROR_PART(loadBytes(bytes), MALFORMED,
                    "is damaged: expected the checksum ");
}

/// The checksum is XXH64: values of the reference implementation (libxxhash)
/// for the bytes 7 i + 3, and the same when the bytes arrive in pieces.
TEST(ChecksumTest, IsXxh64) {
  const std::pair<int, uint64_t> known[] = {
      {0, 0xef46db3751d8e999},   {1, 0x1f25c8d0bc1f4bb6},
      {4, 0x9bb64b7d66ee9fda},   {31, 0xa2aa5f33cc4a6119},
      {32, 0x23c3c17ef790fd97},  {100, 0xa61f8d4c170fe531},
      {1000, 0x5f235fa033f1a3fb}};
  for (auto [size, expected] : known) {
    std::string bytes;
    for (int i = 0; i < size; ++i)
      bytes.push_back(static_cast<char>(7 * i + 3));
    for (int64_t piece : {1, 5, 32, 33, 2000}) {
      cambium::runtime::Checksum checksum;
      for (int64_t at = 0; at < size; at += piece)
        checksum.add(bytes.data() + at, std::min<int64_t>(piece, size - at));
      EXPECT_EQ(checksum.finish(), expected) << size << " by " << piece;
    }
  }
}

/// Damaged headers are answered with an error or accepted, never with a crash.
TEST_F(CheckpointDamageTest, RandomDamage) {
  std::mt19937 random = makeGenerator();
  int refused = 0;
  constexpr int rounds = 2000;
  for (int round = 0; round < rounds; ++round) {
    std::string header = kPlain;
    for (unsigned i = 0, n = 1 + random() % 3; i < n && !header.empty(); ++i) {
      size_t place = random() % header.size();
      if (random() % 2)
        header[place] = static_cast<char>(random() % 256);
      else if (random() % 2)
        header.erase(place, 1 + random() % 20);
      else
        header.insert(place, header.substr(random() % header.size(), 20));
    }
    refused += loadBytes(fileOf(header, 84)) != CAMBIUM_STATUS_OK;
  }
  EXPECT_GT(refused, rounds / 2);
}
