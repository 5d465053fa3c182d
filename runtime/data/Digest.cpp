//===-- runtime/data/Digest.cpp - What tells files apart ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include "../core/Checksum.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

using namespace cambium::data;
namespace fs = std::filesystem;

static std::string digitsOf(const cambium::runtime::Checksum &checksum) {
  char digits[17];
  snprintf(digits, sizeof digits, "%016llx",
           static_cast<unsigned long long>(checksum.finish()));
  return digits;
}

std::string cambium::data::digestOf(std::string_view contents) {
  cambium::runtime::Checksum checksum;
  checksum.add(contents.data(), static_cast<int64_t>(contents.size()));
  return digitsOf(checksum);
}

static Status addFile(const std::string &path,
                      cambium::runtime::Checksum &checksum) {
  if (Status status = expectRegular(path); !status.ok())
    return status;
  const std::unique_ptr<FILE, int (*)(FILE *)> file(fopen(path.c_str(), "re"),
                                                    fclose);
  std::error_code error;
  if (!file || fs::is_directory(path, error))
    return Status::error(path +
                         ": cannot open: " + strerror(file ? EISDIR : errno));
  std::string piece(1 << 16, '\0');
  while (const size_t size = fread(piece.data(), 1, piece.size(), file.get()))
    checksum.add(piece.data(), static_cast<int64_t>(size));
  return ferror(file.get())
             ? Status::error(path + ": cannot read: " + strerror(errno))
             : Status();
}

Status cambium::data::digestPath(const std::string &path, std::string &digest) {
  std::vector<std::string> files;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    files.push_back(path);
  } else {
    for (fs::recursive_directory_iterator entry(path, error), end;
         !error && entry != end; entry.increment(error))
      if (entry->is_regular_file(error))
        files.push_back(entry->path().string());
    if (error)
      return Status::error(path + ": cannot read: " + error.message());
    std::sort(files.begin(), files.end());
  }
  cambium::runtime::Checksum checksum;
  for (const std::string &file : files) {
    // Of a folder, also what its files are called.
    if (file != path)
      checksum.add(file.data() + path.size(),
                   static_cast<int64_t>(file.size() - path.size()));
    if (Status status = addFile(file, checksum); !status.ok())
      return status;
  }
  digest = digitsOf(checksum);
  return Status();
}
