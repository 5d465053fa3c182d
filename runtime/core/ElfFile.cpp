//===-- runtime/core/ElfFile.cpp - Checking shared objects before loading -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Module.h"

#include <cerrno>
#include <cstdio>
#include <elf.h>

using namespace cambium::runtime;

namespace {

/// Closes a file at the end of the scope.
struct File {
  explicit File(const char *path) : stream(std::fopen(path, "rb")) {}
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() {
    if (stream)
      std::fclose(stream);
  }
  bool read(long offset, void *data, size_t size) {
    return std::fseek(stream, offset, SEEK_SET) == 0 &&
           std::fread(data, 1, size, stream) == size;
  }
  std::FILE *stream;
};

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#else
constexpr int kMachine = EM_NONE;
#endif

} // namespace

/// The dynamic loader maps segments as the header says: a file that is shorter
/// than its header promises would fault later.
static cambium_status_t checkSegments(File &file, const char *path,
                                      const Elf64_Ehdr &header) {
  if (std::fseek(file.stream, 0, SEEK_END) != 0)
    return fail(CAMBIUM_STATUS_IO_ERROR, "cannot read module '%s': %s", path,
                std::strerror(errno));
  auto size = static_cast<uint64_t>(std::ftell(file.stream));
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    uint64_t offset = header.e_phoff + uint64_t{i} * sizeof(segment);
    bool inside =
        header.e_phoff <= size && offset + sizeof(segment) <= size &&
        file.read(static_cast<long>(offset), &segment, sizeof(segment));
    if (inside && segment.p_type == PT_LOAD)
      inside = segment.p_filesz <= size &&
               segment.p_offset <= size - segment.p_filesz;
    if (!inside)
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "module '%s' is truncated: expected segment %u inside its "
                  "%llu bytes",
                  path, i, static_cast<unsigned long long>(size));
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t cambium::runtime::checkElfFile(const char *path) {
  File file(path);
  if (!file.stream)
    return fail(errno == ENOENT ? CAMBIUM_STATUS_NOT_FOUND
                                : CAMBIUM_STATUS_IO_ERROR,
                "cannot open module '%s': %s", path, std::strerror(errno));
  Elf64_Ehdr header;
  if (!file.read(0, &header, sizeof(header)) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "module '%s' is not a shared object (no ELF header)", path);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return fail(CAMBIUM_STATUS_MALFORMED,
                "module '%s' is an ELF file, but not a 64-bit shared object",
                path);
  if (kMachine != EM_NONE && header.e_machine != kMachine)
    return fail(CAMBIUM_STATUS_INCOMPATIBLE,
                "module '%s' was compiled for another machine: expected ELF "
                "machine %d, but got %d",
                path, kMachine, header.e_machine);
  return checkSegments(file, path, header);
}
