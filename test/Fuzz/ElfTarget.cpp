//===-- test/Fuzz/ElfTarget.cpp - Any bytes as a module's file ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The check that a file passes before the dynamic loader sees it. Whatever it
/// accepts has all of its segments inside the file.
///
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "Module.h"

#include <cstring>
#include <elf.h>

using namespace cambium::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MemoryFile file({reinterpret_cast<const char *>(data), size});
  cambium_status_t status = cambium::runtime::checkElfFile(file.path().c_str());
  if (status) {
    FUZZ_REQUIRE(status == CAMBIUM_STATUS_MALFORMED ||
                     status == CAMBIUM_STATUS_INCOMPATIBLE,
                 cambium_last_error());
    return 0;
  }
  Elf64_Ehdr header;
  FUZZ_REQUIRE(size >= sizeof header, "a header");
  std::memcpy(&header, data, sizeof header);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    uint64_t place = header.e_phoff + i * sizeof segment;
    FUZZ_REQUIRE(place + sizeof segment <= size, "segments inside the file");
    std::memcpy(&segment, data + place, sizeof segment);
    if (segment.p_type == PT_LOAD)
      FUZZ_REQUIRE(segment.p_offset + segment.p_filesz <= size &&
                       segment.p_offset <= size,
                   "what is loaded inside the file");
  }
  return 0;
}
