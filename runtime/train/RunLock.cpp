//===-- runtime/train/RunLock.cpp - One training per folder ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunLock.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cambium;
using namespace cambium::train;

static constexpr const char *kBegin = "process ";

bool RunLock::isLock(const std::string &path) {
  std::string text;
  return data::readFile(path, text).ok() && text.rfind(kBegin, 0) == 0;
}

/// "process 17 on host": who wrote a lock.
static std::string ownerOf(int descriptor) {
  char text[256];
  const ssize_t size = ::pread(descriptor, text, sizeof text, 0);
  std::string owner(text, size > 0 ? static_cast<size_t>(size) : 0);
  while (!owner.empty() && owner.back() == '\n')
    owner.pop_back();
  return owner.empty() ? "another process" : owner;
}

/// Whether the path still names the opened file, which its last owner may have
/// removed in the meantime.
static bool isCurrent(int descriptor, const std::string &path) {
  struct stat opened, named;
  return ::fstat(descriptor, &opened) == 0 &&
         ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

/// For messages only: a full disk is found by what matters. What the file says
/// at each moment begins as a lock.
static void writeOwner(int descriptor) {
  char host[65] = "";
  ::gethostname(host, sizeof host - 1);
  const std::string owner =
      kBegin + std::to_string(::getpid()) + " on " + host + "\n";
  const auto size = static_cast<ssize_t>(owner.size());
  if (::pwrite(descriptor, owner.data(), owner.size(), 0) == size &&
      ::ftruncate(descriptor, size) != 0)
    return;
}

Status RunLock::acquire(const std::string &folder) {
  if (descriptor >= 0)
    return Status();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return Status::error(folder +
                         ": cannot create the run folder: " + error.message());
  path = folder + "/lock";
  auto failed = [&](const char *what) {
    return Status::error(path + ": cannot " + what + ": " + strerror(errno));
  };
  while (true) {
    descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
      return failed("open");
    int locked;
    do
      locked = ::flock(descriptor, LOCK_EX | LOCK_NB);
    while (locked != 0 && errno == EINTR);
    if (locked != 0) {
      Status status =
          errno == EWOULDBLOCK
              ? Status::error(folder + ": expected a folder that nobody " +
                              "writes to, but " + ownerOf(descriptor) +
                              " is training in it")
              : failed("lock");
      ::close(descriptor);
      descriptor = -1;
      return status;
    }
    if (isCurrent(descriptor, path))
      break;
    ::close(descriptor);
  }
  // A file of that name may be another one.
  struct stat file;
  if (::fstat(descriptor, &file) == 0 && file.st_size > 0 && !isLock(path)) {
    ::close(descriptor);
    descriptor = -1;
    return Status::error(path + ": expected the lock of a training, but got "
                                "another file, which would be removed");
  }
  writeOwner(descriptor);
  return Status();
}

void RunLock::release() {
  if (descriptor < 0)
    return;
  // Removed while it is held, so that nobody else's is.
  ::unlink(path.c_str());
  ::close(descriptor);
  descriptor = -1;
}
