//===-- test/Fuzz/Target.h - What fuzz targets share ------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A target answers any bytes: it neither crashes nor hangs, and what it checks
/// of the outcome holds. The same file is linked with libFuzzer (the preset
/// `fuzz`) and with Replay.cpp (all other builds).
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_FUZZ_TARGET_H
#define CAMBIUM_TEST_FUZZ_TARGET_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace cambium::fuzz {

/// Ends the program, as a crash does, unless `condition` holds.
#define FUZZ_REQUIRE(condition, text)                                          \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::fprintf(stderr, "%s:%d: expected %s: %s\n", __FILE__, __LINE__,     \
                   #condition, std::string(text).c_str());                     \
      std::abort();                                                            \
    }                                                                          \
  } while (false)

/// A file in memory that can be opened by its path.
class MemoryFile {
public:
  explicit MemoryFile(std::string_view contents) {
    file = memfd_create("fuzz", MFD_CLOEXEC);
    FUZZ_REQUIRE(file >= 0, "memfd_create failed");
    ssize_t done = write(file, contents.data(), contents.size());
    FUZZ_REQUIRE(done == static_cast<ssize_t>(contents.size()), "short write");
    name = "/proc/self/fd/" + std::to_string(file);
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  ~MemoryFile() { close(file); }
  const std::string &path() const { return name; }

private:
  int file;
  std::string name;
};

} // namespace cambium::fuzz

#endif // CAMBIUM_TEST_FUZZ_TARGET_H
