//===-- runtime/core/TensorReader.cpp - Reading files of tensors ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checksum.h"
#include "Json.h"
#include "Safetensors.h"

#include <algorithm>
#include <cstdio>

using namespace cambium::runtime;

/// No header is larger; what claims to be is something else.
static constexpr int64_t kLargestHeader = 100 << 20;
static constexpr int64_t kLengthBytes = 8;

const char *cambium::runtime::fileTypeName(cambium_type_t type) {
  switch (type) {
  case CAMBIUM_TYPE_F32:
    return "F32";
  case CAMBIUM_TYPE_F64:
    return "F64";
  case CAMBIUM_TYPE_I32:
    return "I32";
  case CAMBIUM_TYPE_I64:
    return "I64";
  case CAMBIUM_TYPE_I8:
    return "I8";
  case CAMBIUM_TYPE_I1:
    return "BOOL";
  }
  return "";
}

std::string cambium::runtime::describeTensor(const std::string &type,
                                             const int64_t *shape,
                                             size_t rank) {
  std::string text = type + "[";
  for (size_t i = 0; i < rank; ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

/// Bytes of an element of a type of the file format; 0 for an unknown one.
static int64_t fileTypeSize(const std::string &type) {
  for (const char *name : {"BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3"})
    if (type == name)
      return 1;
  for (const char *name : {"I16", "U16", "F16", "BF16"})
    if (type == name)
      return 2;
  for (const char *name : {"I32", "U32", "F32"})
    if (type == name)
      return 4;
  for (const char *name : {"I64", "U64", "F64"})
    if (type == name)
      return 8;
  return 0;
}

cambium_status_t TensorReader::open(const char *filePath,
                                    const char *fileKind) {
  CAMBIUM_TRY(file.open(filePath, fileKind));
  fileSize = file.size();
  if (fileSize < kLengthBytes)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s is not a safetensors file: expected a header, but got %lld "
                "bytes",
                where().c_str(), static_cast<long long>(fileSize));
  uint64_t length = 0;
  CAMBIUM_TRY(file.readAt(0, &length, kLengthBytes));
  if (length > kLargestHeader)
    return fail(
        CAMBIUM_STATUS_MALFORMED,
        "%s is not a safetensors file: expected a header of at most %lld "
        "bytes, but got %llu",
        where().c_str(), static_cast<long long>(kLargestHeader),
        static_cast<unsigned long long>(length));
  dataBegin = kLengthBytes + static_cast<int64_t>(length);
  if (dataBegin > fileSize)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s is truncated: expected a header of %llu bytes, but got a "
                "file of %lld",
                where().c_str(), static_cast<unsigned long long>(length),
                static_cast<long long>(fileSize));
  header.resize(static_cast<size_t>(dataBegin));
  CAMBIUM_TRY(file.readAt(0, header.data(), dataBegin));
  cambium_status_t status = parseHeader();
  return status ? status : checkPlaces();
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

cambium_status_t TensorReader::parseHeader() {
  JsonDocument document;
  std::string reason;
  document.parse(header.data() + kLengthBytes, header.size() - kLengthBytes,
                 reason);
  if (!reason.empty())
    return fail(CAMBIUM_STATUS_MALFORMED, "%s is not a safetensors file: %s",
                where().c_str(), reason.c_str());
  Json root(document, "");
  cambium_status_t status = root.expectObject();
  for (Json item = root.first(); !status && item.exists(); item = item.next())
    status = item.name() == "__metadata__" ? parseMetadata(item)
                                           : parseTensor(item.name(), item);
  if (status)
    prefixError("%s: ", where().c_str());
  return status;
}

cambium_status_t TensorReader::parseMetadata(const Json &json) {
  CAMBIUM_TRY(json.expectObject());
  for (Json item = json.first(); item.exists(); item = item.next()) {
    const char *text = nullptr;
    size_t size = 0;
    CAMBIUM_TRY(item.readString(text, size));
    metadata[item.name()] = std::string(text, size);
  }
  return CAMBIUM_STATUS_OK;
}

/// Reads a shape; `bytes` is of one element before, of the tensor afterwards.
static cambium_status_t
readDimensions(const Json &json, std::vector<int64_t> &shape, int64_t &bytes) {
  unsigned rank = 0;
  if (!json.isPresent())
    return json.expected("an array of sizes");
  CAMBIUM_TRY(json.readArray(rank));
  Json dimension = json.first();
  for (; dimension.exists(); dimension = dimension.next()) {
    int64_t size = 0;
    CAMBIUM_TRY(dimension.readInteger(size));
    if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes))
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s: expected a size that fits, but got %lld",
                  dimension.where().c_str(), static_cast<long long>(size));
    shape.push_back(size);
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t TensorReader::parseTensor(const std::string &name,
                                           const Json &json) {
  CAMBIUM_TRY(json.expectObject());
  FileTensor tensor;
  const char *type = nullptr;
  size_t length = 0;
  CAMBIUM_TRY(json["dtype"].readString(type, length));
  tensor.type = std::string(type, length);
  int64_t bytes = fileTypeSize(tensor.type);
  if (bytes == 0)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s.dtype: expected a type of the format, but got \"%s\"",
                name.c_str(), tensor.type.c_str());
  CAMBIUM_TRY(readDimensions(json["shape"], tensor.shape, bytes));
  unsigned numOffsets = 0;
  CAMBIUM_TRY(json["data_offsets"].readArray(numOffsets));
  if (numOffsets != 2)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s.data_offsets: expected two numbers, but got %u",
                name.c_str(), numOffsets);
  Json begin = json["data_offsets"].first();
  CAMBIUM_TRY(begin.readInteger(tensor.begin));
  CAMBIUM_TRY(begin.next().readInteger(tensor.end));
  if (tensor.begin < 0 || tensor.end < tensor.begin ||
      tensor.end - tensor.begin != bytes)
    return fail(
        CAMBIUM_STATUS_MALFORMED,
        "%s.data_offsets: expected %lld bytes for %s, but got [%lld, "
        "%lld]",
        name.c_str(), static_cast<long long>(bytes),
        describeTensor(tensor.type, tensor.shape.data(), tensor.shape.size())
            .c_str(),
        static_cast<long long>(tensor.begin),
        static_cast<long long>(tensor.end));
  if (!tensors.emplace(name, std::move(tensor)).second)
    return fail(CAMBIUM_STATUS_MALFORMED, "%s: the name stands there twice",
                name.c_str());
  return CAMBIUM_STATUS_OK;
}

/// The tensors cover the data without overlap or gap.
cambium_status_t TensorReader::checkPlaces() {
  using Item = std::pair<const std::string, FileTensor>;
  std::vector<const Item *> items;
  for (const Item &item : tensors)
    items.push_back(&item);
  std::sort(items.begin(), items.end(), [](const Item *a, const Item *b) {
    return std::make_pair(a->second.begin, a->second.end) <
           std::make_pair(b->second.begin, b->second.end);
  });
  int64_t end = 0;
  for (const Item *item : items) {
    if (item->second.begin != end)
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s: tensor '%s' begins at byte %lld of the data, expected "
                  "%lld: tensors overlap or leave a gap",
                  where().c_str(), item->first.c_str(),
                  static_cast<long long>(item->second.begin),
                  static_cast<long long>(end));
    end = item->second.end;
  }
  int64_t present = fileSize - dataBegin;
  if (end == present)
    return CAMBIUM_STATUS_OK;
  return fail(CAMBIUM_STATUS_MALFORMED,
              "%s: expected %lld bytes of data, but got %lld%s",
              where().c_str(), static_cast<long long>(end),
              static_cast<long long>(present),
              present < end ? ": the file is truncated" : "");
}

//===----------------------------------------------------------------------===//
// The data
//===----------------------------------------------------------------------===//

cambium_status_t TensorReader::verify() {
  auto expected = metadata.find(kChecksumKey);
  size_t place = header.find(kChecksumPrefix);
  if (expected == metadata.end() || place == std::string::npos) {
    log(CAMBIUM_LOG_WARNING, "%s has no checksum: damage cannot be detected",
        where().c_str());
    return CAMBIUM_STATUS_OK;
  }
  place += std::strlen(kChecksumPrefix);
  for (size_t i = place; i < place + kChecksumDigits && i < header.size(); ++i)
    header[i] = '0';
  Checksum checksum;
  checksum.add(header.data(), static_cast<int64_t>(header.size()));
  constexpr int64_t pieceSize = 1 << 20;
  Buffer<char> piece;
  if (!piece.resize(pieceSize))
    return failOutOfMemory("reading a file");
  for (int64_t at = dataBegin; at < fileSize; at += pieceSize) {
    int64_t size = std::min(pieceSize, fileSize - at);
    CAMBIUM_TRY(file.readAt(at, piece.data(), size));
    checksum.add(piece.data(), size);
  }
  std::string actual =
      format("%016llx", static_cast<unsigned long long>(checksum.finish()));
  if (actual == expected->second)
    return CAMBIUM_STATUS_OK;
  return fail(CAMBIUM_STATUS_MALFORMED,
              "%s is damaged: expected the checksum %s, but got %s",
              where().c_str(), expected->second.c_str(), actual.c_str());
}

cambium_status_t TensorReader::read(const FileTensor &tensor, void *out) {
  return file.readAt(dataBegin + tensor.begin, out, tensor.end - tensor.begin);
}
