//===-- runtime/core/AtomicFile.cpp - Files that appear whole -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtomicFile.h"
#include "cambium/tensors.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cambium::runtime;

cambium_status_t AtomicFile::create() {
  // Now, since nothing may fail once the file has its name.
  size_t slash = target.rfind('/');
  folder = slash == std::string::npos ? "."
           : slash == 0               ? "/"
                                      : target.substr(0, slash);
  // A pipe or a device, which a new file must not replace.
  struct stat info;
  if (stat(target.c_str(), &info) == 0 && !S_ISREG(info.st_mode) &&
      !S_ISDIR(info.st_mode))
    return fail(CAMBIUM_STATUS_IO_ERROR,
                "cannot write '%s': not a regular file", target.c_str());
  static std::atomic<unsigned> counter{0};
  do {
    path = format("%s.tmp-%ld-%u", target.c_str(), static_cast<long>(getpid()),
                  counter.fetch_add(1));
    file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EEXIST);
  if (file < 0)
    return failed("create");
  isThere = true;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t AtomicFile::write(const void *data, int64_t size) {
  const char *bytes = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t done = ::write(file, bytes, static_cast<size_t>(size));
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return failed("write");
    bytes += done;
    size -= done;
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t AtomicFile::writeAt(int64_t offset, const void *data,
                                     int64_t size) {
  if (lseek(file, offset, SEEK_SET) != offset)
    return failed("write");
  return write(data, size);
}

void AtomicFile::flushFolder() const {
  int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // The data is safe already; some file systems cannot flush a folder.
  if (handle < 0 || fsync(handle) != 0)
    log(CAMBIUM_LOG_WARNING, "cannot flush the folder '%s': %s", folder.c_str(),
        std::strerror(errno));
  if (handle >= 0)
    close(handle);
}

cambium_status_t AtomicFile::publish() {
  if (fsync(file) != 0)
    return failed("flush");
  int closed = close(file);
  file = -1;
  if (closed != 0)
    return failed("close");
  if (rename(path.c_str(), target.c_str()) != 0)
    return failed("rename");
  isThere = false;
  flushFolder();
  return CAMBIUM_STATUS_OK;
}

cambium_status_t cambium_file_write(const char *path, const void *data,
                                    int64_t bytes) {
  CAMBIUM_CHECK_ARGUMENT(path);
  if (bytes < 0 || (bytes > 0 && !data))
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "expected the contents of '%s', but got %lld bytes%s", path,
                static_cast<long long>(bytes), data ? "" : " at null");
  return guarded("a file", [&] {
    AtomicFile file(path);
    CAMBIUM_TRY(file.create());
    CAMBIUM_TRY(file.write(data, bytes));
    return file.publish();
  });
}
