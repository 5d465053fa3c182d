//===-- test/Fuzz/ElfTarget.cpp - Any bytes as a module's file ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The checks that a file passes before the dynamic loader sees it, behind the
/// checksum, which is made right here. Whatever they accept has all of its
/// segments inside the file.
///
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "Checksum.h"
#include "ModuleFile.h"
#include "cambium/trailer.h"

#include <cstring>
#include <elf.h>
#include <string>

using namespace cambium::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  cambium::runtime::Checksum checksum;
  checksum.add(bytes.data(), static_cast<int64_t>(size));
  cambium_trailer_t trailer = {{}, size, checksum.finish()};
  std::memcpy(trailer.magic, CAMBIUM_TRAILER_MAGIC, sizeof trailer.magic);
  bytes.append(reinterpret_cast<const char *>(&trailer), sizeof trailer);
  bool hasDevice = false;
  cambium_status_t status = cambium::runtime::checkElf(
      bytes.data(), static_cast<int64_t>(bytes.size()), "module", hasDevice);
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
