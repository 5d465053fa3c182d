//===-- runtime/train/TensorBoard.cpp - Event files -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBoard.h"
#include "Evaluation.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>

using namespace cambium;
using namespace cambium::train;

uint32_t train::maskedCrc32c(std::string_view data) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> rows{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t row = i;
      for (int bit = 0; bit < 8; ++bit)
        row = (row >> 1) ^ (row & 1 ? 0x82F63B78u : 0);
      rows[i] = row;
    }
    return rows;
  }();
  uint32_t crc = ~0u;
  for (unsigned char byte : data)
    crc = (crc >> 8) ^ table[(crc ^ byte) & 0xFF];
  return std::rotr(~crc, 15) + 0xA282EAD8u;
}

namespace {

/// A protocol buffer message: fields one after the other.
class Message {
public:
  void number(int field, double value) {
    key(field, 1);
    fixed(std::bit_cast<uint64_t>(value), 8);
  }
  void number(int field, float value) {
    key(field, 5);
    fixed(std::bit_cast<uint32_t>(value), 4);
  }
  void number(int field, int64_t value) {
    key(field, 0);
    varint(static_cast<uint64_t>(value));
  }
  void text(int field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    bytes += value;
  }
  void fixed(uint64_t value, int size) {
    for (int i = 0; i < size; ++i)
      bytes += static_cast<char>(value >> (8 * i));
  }

  std::string bytes;

private:
  void key(int field, int wireType) { varint(field << 3 | wireType); }
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
  }
};

} // namespace

/// Length and data, each with its checksum.
static std::string record(const std::string &data) {
  Message result;
  result.fixed(data.size(), 8);
  result.fixed(maskedCrc32c(result.bytes), 4);
  result.bytes += data;
  result.fixed(maskedCrc32c(data), 4);
  return result.bytes;
}

/// The first event of a file: which version of the format it is of.
static std::string header(double seconds) {
  Message event;
  event.number(1, seconds);
  event.text(3, "brain.Event:2");
  return record(event.bytes);
}

/// Adds a Summary.Value: a name ("loss/train") and a number, if it is one.
static void addScalar(Message &summary, const std::string &tag,
                      const Json &number) {
  const double value = number.number(kNone);
  if (std::isnan(value))
    return;
  Message scalar;
  scalar.text(1, tag);
  scalar.number(2, static_cast<float>(value));
  summary.text(1, scalar.bytes);
}

/// An epoch of the log as one Event, with the epoch as its step.
static std::string encode(const Json &event) {
  Message summary;
  addScalar(summary, "loss/train", event["train_loss"]);
  addScalar(summary, "loss/dev", event["dev_loss"]);
  if (event["dev"].isObject())
    for (const auto &[name, value] : event["dev"].members())
      if (name != "loss")
        addScalar(summary, "dev/" + name, value);
  if (event["lr"].isObject())
    for (const auto &[group, value] : event["lr"].members())
      addScalar(summary, "learning_rate/" + group, value);
  addScalar(summary, "speed/examples_per_second", event["examples_per_second"]);
  Message result;
  result.number(1, event["unix_seconds"].number(0));
  result.number(2, event["epoch"].integer(0));
  result.text(5, summary.bytes);
  return record(result.bytes);
}

Status EventFile::rewrite(const std::vector<Json> &events) const {
  std::string epochs;
  double seconds = 0;
  for (const Json &event : events) {
    const std::string kind = event["event"].text();
    if (kind == "restart")
      epochs.clear();
    if (kind != "epoch")
      continue;
    if (epochs.empty())
      seconds = event["unix_seconds"].number(0);
    epochs += encode(event);
  }
  return data::writeFileAtomically(path, header(seconds) + epochs);
}

Status EventFile::append(const Json &event) const {
  FILE *out = fopen(path.c_str(), "abe");
  if (!out)
    return Status::error(path + ": cannot open: " + strerror(errno));
  const std::string bytes = encode(event);
  bool failed = fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size();
  failed |= fclose(out) != 0;
  return failed ? Status::error(path + ": cannot write: " + strerror(errno))
                : Status();
}
