//===-- runtime/core/InputFile.cpp - Files to read ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InputFile.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cambium::runtime;

InputFile::~InputFile() {
  if (file >= 0)
    close(file);
}

cambium_status_t InputFile::open(const char *filePath, const char *fileKind) {
  path = filePath;
  what = fileKind;
  // A pipe would wait for its writer.
  file = ::open(filePath, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat info;
  if (file < 0 || fstat(file, &info) != 0)
    return fail(errno == ENOENT ? CAMBIUM_STATUS_NOT_FOUND
                                : CAMBIUM_STATUS_IO_ERROR,
                "cannot open %s: %s", where().c_str(), std::strerror(errno));
  if (!S_ISREG(info.st_mode))
    return fail(CAMBIUM_STATUS_IO_ERROR, "cannot read %s: not a regular file",
                where().c_str());
  numBytes = info.st_size;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t InputFile::readAt(int64_t offset, void *out,
                                   int64_t size) const {
  char *bytes = static_cast<char *>(out);
  while (size > 0) {
    ssize_t done = pread(file, bytes, static_cast<size_t>(size), offset);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return fail(CAMBIUM_STATUS_IO_ERROR, "cannot read %s: %s",
                  where().c_str(),
                  done < 0 ? std::strerror(errno) : "it became shorter");
    bytes += done;
    offset += done;
    size -= done;
  }
  return CAMBIUM_STATUS_OK;
}
