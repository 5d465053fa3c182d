//===-- runtime/core/TensorWriter.cpp - Writing files of tensors ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtomicFile.h"
#include "Checksum.h"
#include "JsonWriter.h"
#include "Safetensors.h"

using namespace cambium::runtime;

namespace {

/// The header with its length in front, padded so that the data is aligned.
std::string
makeHeader(const std::vector<TensorToWrite> &tensors,
           const std::map<std::string, std::string, std::less<>> &metadata) {
  JsonWriter json;
  json.beginObject();
  json.key("__metadata__");
  json.beginObject();
  json.key(kChecksumKey);
  json.text(std::string(kChecksumDigits, '0'));
  for (const auto &item : metadata) {
    json.key(item.first);
    json.text(item.second);
  }
  json.endObject();
  int64_t offset = 0;
  for (const TensorToWrite &tensor : tensors) {
    json.key(tensor.name);
    json.beginObject();
    json.key("dtype");
    json.text(fileTypeName(tensor.type));
    json.key("shape");
    json.beginArray();
    for (int32_t i = 0; i < tensor.rank; ++i)
      json.integer(tensor.shape[i]);
    json.endArray();
    json.key("data_offsets");
    json.beginArray();
    json.integer(offset);
    json.integer(offset += tensor.bytes);
    json.endArray();
    json.endObject();
  }
  json.endObject();
  std::string text = json.result();
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
