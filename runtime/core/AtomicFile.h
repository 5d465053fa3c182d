//===-- runtime/core/AtomicFile.h - Files that appear whole -----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_ATOMICFILE_H
#define CAMBIUM_RUNTIME_CORE_ATOMICFILE_H

#include "Support.h"

#include <unistd.h>

namespace cambium::runtime {

/// A file under a temporary name, removed again unless it is published.
class AtomicFile {
public:
  explicit AtomicFile(std::string target) : target(std::move(target)) {}
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;
  ~AtomicFile() {
    if (file >= 0)
      close(file);
    if (isThere)
      unlink(path.c_str());
  }

  cambium_status_t create();
  cambium_status_t write(const void *data, int64_t size);
  cambium_status_t writeAt(int64_t offset, const void *data, int64_t size);
  /// Flushes the file to the disk and gives it its name.
  cambium_status_t publish();

private:
  cambium_status_t failed(const char *step) const {
    int error = errno;
    return fail(CAMBIUM_STATUS_IO_ERROR,
                "cannot write '%s': cannot %s '%s': %s", target.c_str(), step,
                path.c_str(), std::strerror(error));
  }
  void flushFolder() const;

  std::string target, path, folder;
  int file = -1;
  bool isThere = false;
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_ATOMICFILE_H
