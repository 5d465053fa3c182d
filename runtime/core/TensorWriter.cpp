//===-- runtime/core/TensorWriter.cpp - Writing files of tensors ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtomicFile.h"
#include "Checksum.h"
#include "Safetensors.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

using namespace cambium::runtime;

namespace {

using JsonBuffer =
    rapidjson::GenericStringBuffer<rapidjson::UTF8<>, JsonAllocator>;
using JsonWriter = rapidjson::Writer<JsonBuffer, rapidjson::UTF8<>,
                                     rapidjson::UTF8<>, JsonAllocator>;

void writeText(JsonWriter &json, const std::string &text) {
  json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

/// The header with its length in front, padded so that the data is aligned.
std::string
makeHeader(const std::vector<TensorToWrite> &tensors,
           const std::map<std::string, std::string, std::less<>> &metadata) {
  JsonBuffer buffer;
  JsonWriter json(buffer);
  json.StartObject();
  json.Key("__metadata__");
  json.StartObject();
  json.Key(kChecksumKey);
  writeText(json, std::string(kChecksumDigits, '0'));
  for (const auto &item : metadata) {
    writeText(json, item.first);
    writeText(json, item.second);
  }
  json.EndObject();
  int64_t offset = 0;
  for (const TensorToWrite &tensor : tensors) {
    writeText(json, tensor.name);
    json.StartObject();
    json.Key("dtype");
    json.String(fileTypeName(tensor.type));
    json.Key("shape");
    json.StartArray();
    for (int32_t i = 0; i < tensor.rank; ++i)
      json.Int64(tensor.shape[i]);
    json.EndArray();
    json.Key("data_offsets");
    json.StartArray();
    json.Int64(offset);
    json.Int64(offset += tensor.bytes);
    json.EndArray();
    json.EndObject();
  }
  json.EndObject();
  std::string text(buffer.GetString(), buffer.GetSize());
  while ((text.size() + sizeof(uint64_t)) % kAlignment != 0)
    text += ' ';
  uint64_t length = text.size();
  return std::string(reinterpret_cast<const char *>(&length), sizeof(length)) +
         text;
}

} // namespace

cambium_status_t cambium::runtime::writeTensors(
    const char *path, const std::vector<TensorToWrite> &tensors,
    const std::map<std::string, std::string, std::less<>> &metadata) {
  std::string header = makeHeader(tensors, metadata);
  AtomicFile file(path);
  CAMBIUM_TRY(file.create());
  Checksum checksum;
  checksum.add(header.data(), static_cast<int64_t>(header.size()));
  CAMBIUM_TRY(file.write(header.data(), static_cast<int64_t>(header.size())));
  for (const TensorToWrite &tensor : tensors) {
    checksum.add(tensor.data, tensor.bytes);
    CAMBIUM_TRY(file.write(tensor.data, tensor.bytes));
  }
  std::string digits =
      format("%016llx", static_cast<unsigned long long>(checksum.finish()));
  size_t place = header.find(kChecksumPrefix) + std::strlen(kChecksumPrefix);
  CAMBIUM_TRY(file.writeAt(static_cast<int64_t>(place), digits.data(),
                           kChecksumDigits));
  return file.publish();
}
