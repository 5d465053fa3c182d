//===-- runtime/core/InputFile.h - Files to read ----------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_INPUTFILE_H
#define CAMBIUM_RUNTIME_CORE_INPUTFILE_H

#include "Support.h"

namespace cambium::runtime {

/// A regular file, opened once. Opening and reading never wait for anybody:
/// pipes, sockets and devices are refused.
class InputFile {
public:
  InputFile() = default;
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;
  ~InputFile();

  /// `what` names the file in messages: "checkpoint".
  cambium_status_t open(const char *path, const char *what);
  /// Fails when the file has become too short.
  cambium_status_t readAt(int64_t offset, void *out, int64_t size) const;
  /// When it was opened.
  int64_t size() const { return numBytes; }
  /// "checkpoint 'path'"
  std::string where() const { return what + " '" + path + "'"; }

private:
  std::string path, what;
  int file = -1;
  int64_t numBytes = 0;
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_INPUTFILE_H
