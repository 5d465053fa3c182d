//===-- runtime/core/Safetensors.h - The file format of tensors ----*- C++ -*-//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A safetensors file is the length of a header (8 bytes, little endian), the
/// header (JSON: name -> type, shape, place of the data; texts under
/// "__metadata__"), then the data. Ours have a checksum among the metadata:
/// XXH64 of the whole file in which the digits of the checksum are zeros.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_SAFETENSORS_H
#define CAMBIUM_RUNTIME_CORE_SAFETENSORS_H

#include "InputFile.h"
#include "Support.h"

#include <map>
#include <string>
#include <vector>

namespace cambium::runtime {

class Json;

/// The spelling of a type in the file.
const char *fileTypeName(cambium_type_t type);
/// "F32[2, 3]"
std::string describeTensor(const std::string &type, const int64_t *shape,
                           size_t rank);

/// How a file differs from a model, as lines of a message: the first
/// differences of each kind, and how many more there are.
class Differences {
public:
  enum Kind { OfParameter, Extra };
  void add(const std::string &text, Kind kind = OfParameter) {
    if (counts[kind]++ < kMost)
      lines += "\n  " + text;
    else
      ++hidden;
  }
  size_t size() const { return counts[OfParameter] + counts[Extra]; }
  std::string text() const {
    return hidden ? lines + "\n  and " + std::to_string(hidden) + " more"
                  : lines;
  }

private:
  static constexpr size_t kMost = 12;
  size_t counts[2] = {}, hidden = 0;
  std::string lines;
};

/// A tensor in a file that was opened for reading.
struct FileTensor {
  std::string type;
  std::vector<int64_t> shape;
  int64_t begin = 0, end = 0; // within the data
};

/// A file opened for reading, its header checked.
class TensorReader {
public:
  TensorReader() = default;
  TensorReader(const TensorReader &) = delete;
  TensorReader &operator=(const TensorReader &) = delete;

  /// `what` names the file in messages: "checkpoint".
  cambium_status_t open(const char *path, const char *what);
  /// Compares the checksum, if the file has one.
  cambium_status_t verify();
  cambium_status_t read(const FileTensor &tensor, void *out);

  std::map<std::string, FileTensor> tensors;
  std::map<std::string, std::string, std::less<>> metadata;

private:
  cambium_status_t parseHeader();
  cambium_status_t parseTensor(const std::string &name, const Json &json);
  cambium_status_t parseMetadata(const Json &json);
  cambium_status_t checkPlaces();
  std::string where() const { return file.where(); }

  InputFile file;
  int64_t fileSize = 0;
  int64_t dataBegin = 0;
  std::string header; // with its length in front
};

/// A tensor to be written.
struct TensorToWrite {
  std::string name;
  cambium_type_t type;
  const int64_t *shape;
  int32_t rank;
  const void *data;
  int64_t bytes;
};

/// Writes a file that appears whole or not at all.
cambium_status_t
writeTensors(const char *path, const std::vector<TensorToWrite> &tensors,
             const std::map<std::string, std::string, std::less<>> &metadata);

/// The key of the checksum in the metadata, and what stands before its digits
/// in the header.
constexpr const char *kChecksumKey = "cambium.checksum";
constexpr const char *kChecksumPrefix = "\"cambium.checksum\":\"";
constexpr int kChecksumDigits = 16;

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_SAFETENSORS_H
