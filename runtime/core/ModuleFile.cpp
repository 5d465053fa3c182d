//===-- runtime/core/ModuleFile.cpp - Shared objects of modules -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModuleFile.h"
#include "Checksum.h"
#include "InputFile.h"
#include "cambium/trailer.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

// Of Linux 6.3; older headers lack it.
#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

using namespace cambium::runtime;

/// Code and constants of a module reach each other within 2 GiB.
static constexpr int64_t kLargestModule = int64_t{2} << 30;

ModuleFile::~ModuleFile() {
  if (library)
    dlclose(library);
  if (memory >= 0)
    close(memory);
}

cambium_status_t cambium::runtime::checkTrailer(const char *bytes, int64_t size,
                                                const char *where) {
  cambium_trailer_t trailer = {};
  constexpr auto trailerBytes = static_cast<int64_t>(sizeof(trailer));
  if (size >= trailerBytes)
    std::memcpy(&trailer, bytes + size - trailerBytes, sizeof(trailer));
  if (std::memcmp(trailer.magic, CAMBIUM_TRAILER_MAGIC,
                  sizeof(trailer.magic)) != 0 ||
      trailer.size != static_cast<uint64_t>(size - trailerBytes))
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s is truncated, or was changed after cambium-compile wrote "
                "it: expected a checksum at the end of its %lld bytes",
                where, static_cast<long long>(size));
  Checksum checksum;
  checksum.add(bytes, size - trailerBytes);
  uint64_t actual = checksum.finish();
  if (actual == trailer.checksum)
    return CAMBIUM_STATUS_OK;
  return fail(CAMBIUM_STATUS_MALFORMED,
              "%s is damaged: expected the checksum %016" PRIx64
              ", but got %016" PRIx64,
              where, trailer.checksum, actual);
}

static cambium_status_t writeAll(int file, const char *bytes, int64_t size,
                                 const char *path) {
  while (size > 0) {
    ssize_t done = write(file, bytes, static_cast<size_t>(size));
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return fail(errno == ENOSPC || errno == ENOMEM
                      ? CAMBIUM_STATUS_OUT_OF_MEMORY
                      : CAMBIUM_STATUS_IO_ERROR,
                  "cannot copy module '%s' into memory: %s", path,
                  std::strerror(errno));
    bytes += done;
    size -= done;
  }
  return CAMBIUM_STATUS_OK;
}

/// An executable file without a name, named in /proc/self/maps after `path`.
static int createMemoryFile(const char *path) {
  const char *slash = std::strrchr(path, '/');
  char name[200];
  std::snprintf(name, sizeof(name), "%s", slash ? slash + 1 : path);
  constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int file = memfd_create(name, flags | MFD_EXEC);
  return file < 0 && errno == EINVAL ? memfd_create(name, flags) : file;
}

cambium_status_t ModuleFile::copy(const char *path) {
  InputFile input;
  CAMBIUM_TRY(input.open(path, "module"));
  numBytes = input.size();
  if (numBytes > kLargestModule)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s is no module: expected at most %lld bytes, but got %lld",
                input.where().c_str(), static_cast<long long>(kLargestModule),
                static_cast<long long>(numBytes));
  memory = createMemoryFile(path);
  if (memory < 0)
    return fail(CAMBIUM_STATUS_IO_ERROR,
                "cannot copy %s into memory: memfd_create: %s",
                input.where().c_str(), std::strerror(errno));
  Buffer<char> piece;
  if (!piece.resize(std::min<int64_t>(numBytes, 1 << 20)))
    return failOutOfMemory("reading a module");
  for (int64_t at = 0; at < numBytes; at += piece.size()) {
    int64_t size = std::min(piece.size(), numBytes - at);
    CAMBIUM_TRY(input.readAt(at, piece.data(), size));
    CAMBIUM_TRY(writeAll(memory, piece.data(), size, path));
  }
  constexpr int seals =
      F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (fcntl(memory, F_ADD_SEALS, seals) != 0)
    return fail(CAMBIUM_STATUS_IO_ERROR, "cannot seal the copy of %s: %s",
                input.where().c_str(), std::strerror(errno));
  return CAMBIUM_STATUS_OK;
}

cambium_status_t ModuleFile::check(const char *path, bool &outHasDevice) const {
  std::string where = format("module '%s'", path);
  if (numBytes == 0)
    return checkElf("", 0, where.c_str(), outHasDevice);
  auto size = static_cast<size_t>(numBytes);
  void *mapping = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, memory, 0);
  if (mapping == MAP_FAILED)
    return fail(CAMBIUM_STATUS_OUT_OF_MEMORY, "cannot map %s: %s",
                where.c_str(), std::strerror(errno));
  auto *bytes = static_cast<const char *>(mapping);
  cambium_status_t status =
      checkElf(bytes, numBytes, where.c_str(), outHasDevice);
  munmap(mapping, size);
  return status;
}

cambium_status_t ModuleFile::load(const char *path,
                                  cambium_abi_query_fn &out_query,
                                  cambium_abi_device_query_fn &out_device) {
  CAMBIUM_TRY(copy(path));
  bool hasDevice = false;
  CAMBIUM_TRY(check(path, hasDevice));
  char name[64];
  std::snprintf(name, sizeof(name), "/proc/self/fd/%d", memory);
  library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail(CAMBIUM_STATUS_MALFORMED, "cannot load module '%s': %s", path,
                dlerror());
  void *symbol = dlsym(library, CAMBIUM_ABI_QUERY_SYMBOL);
  if (!symbol)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "'%s' is not a Cambium module: expected the symbol '%s'", path,
                CAMBIUM_ABI_QUERY_SYMBOL);
  out_query = reinterpret_cast<cambium_abi_query_fn>(symbol);
  if (hasDevice)
    out_device = reinterpret_cast<cambium_abi_device_query_fn>(
        dlsym(library, CAMBIUM_ABI_DEVICE_QUERY_SYMBOL));
  return CAMBIUM_STATUS_OK;
}
