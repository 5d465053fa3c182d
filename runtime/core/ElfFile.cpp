//===-- runtime/core/ElfFile.cpp - What a module's file may hold ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The dynamic loader believes what a shared object says: it maps, relocates
/// and runs its constructors before anybody can look. So everything that it
/// will read is looked at before, in bounds, and what is not known to be
/// harmless is refused.
///
//===----------------------------------------------------------------------===//
#include "ModuleFile.h"

#include <elf.h>

using namespace cambium::runtime;

namespace {

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
constexpr uint32_t kRelocations[] = {R_X86_64_NONE, R_X86_64_64,
                                     R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT,
                                     R_X86_64_RELATIVE};
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
constexpr uint32_t kRelocations[] = {R_AARCH64_NONE, R_AARCH64_ABS64,
                                     R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT,
                                     R_AARCH64_RELATIVE};
#else
#error "expected x86-64 or AArch64"
#endif

/// Entries of the dynamic section that run no code and name no other file.
constexpr int64_t kEntries[] = {
    DT_NEEDED,   DT_PLTRELSZ, DT_PLTGOT,    DT_HASH,      DT_STRTAB,
    DT_SYMTAB,   DT_RELA,     DT_RELASZ,    DT_RELAENT,   DT_STRSZ,
    DT_SYMENT,   DT_SONAME,   DT_SYMBOLIC,  DT_PLTREL,    DT_JMPREL,
    DT_BIND_NOW, DT_FLAGS,    DT_GNU_HASH,  DT_RELACOUNT, DT_FLAGS_1,
    DT_VERSYM,   DT_VERNEED,  DT_VERNEEDNUM};
/// Those that run code at loading or unloading.
constexpr int64_t kConstructors[] = {
    DT_INIT,       DT_FINI,         DT_INIT_ARRAY,    DT_INIT_ARRAYSZ,
    DT_FINI_ARRAY, DT_FINI_ARRAYSZ, DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ};
/// What the runtime itself has brought into the process.
constexpr const char *kLibraries[] = {"libc.so.6", "libm.so.6"};

template <typename T, size_t N> bool isOneOf(const T (&values)[N], T value) {
  for (T known : values)
    if (known == value)
      return true;
  return false;
}

/// One file, as the dynamic loader would read it.
class Elf {
public:
  Elf(const char *bytes, int64_t size, const char *where)
      : bytes(bytes), size(static_cast<uint64_t>(size)), where(where) {}

  cambium_status_t check();
  /// Whether there is a query function of devices, once `check` is done.
  bool hasDeviceQuery() const { return hasDevice; }

private:
  cambium_status_t checkHeader();
  cambium_status_t checkSegments();
  cambium_status_t checkLoaded(const Elf64_Phdr &segment, unsigned index);
  cambium_status_t readDynamic();
  cambium_status_t checkEntry(const Elf64_Dyn &entry);
  cambium_status_t checkLibraries();
  cambium_status_t checkSymbols();
  cambium_status_t checkRelocations(uint64_t address, uint64_t length);

  /// Whether [place, place + count) lies in the file.
  bool isInside(uint64_t place, uint64_t count) const {
    return count <= size && place <= size - count;
  }
  template <typename T> bool read(uint64_t place, T &out) const {
    if (!isInside(place, sizeof(T)))
      return false;
    std::memcpy(&out, bytes + place, sizeof(T));
    return true;
  }
  Elf64_Phdr segment(unsigned index) const {
    Elf64_Phdr found;
    std::memcpy(&found, bytes + header.e_phoff + index * sizeof(found),
                sizeof(found));
    return found;
  }
  /// The place in the file of `count` bytes that are loaded to an address.
  bool find(uint64_t address, uint64_t count, uint64_t &place) const;
  template <typename T> bool readLoaded(uint64_t address, T &out) const {
    uint64_t place = 0;
    return find(address, sizeof(T), place) && read(place, out);
  }
  /// Whether the loader may write 8 bytes to an address.
  bool isWritable(uint64_t address) const;
  /// The text at an offset of the table of texts; null if it has no end.
  const char *text(uint64_t offset) const;
  uint64_t dynamic(int64_t tag) const;
  cambium_status_t malformed(const char *what) const {
    return fail(CAMBIUM_STATUS_MALFORMED, "%s is damaged: %s", where, what);
  }
  cambium_status_t refuse(const char *what) const {
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s is not a Cambium module: it has %s", where, what);
  }

  const char *bytes;
  uint64_t size;
  const char *where;
  Elf64_Ehdr header = {};
  bool hasDevice = false;
  uint64_t dynamicPlace = 0, numDynamic = 0, numSymbols = 0;
};

bool Elf::find(uint64_t address, uint64_t count, uint64_t &place) const {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr loaded = segment(i);
    uint64_t offset = address - loaded.p_vaddr;
    if (loaded.p_type != PT_LOAD || address < loaded.p_vaddr ||
        count > loaded.p_filesz || offset > loaded.p_filesz - count)
      continue;
    place = loaded.p_offset + offset;
    return true;
  }
  return false;
}

bool Elf::isWritable(uint64_t address) const {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr loaded = segment(i);
    if (loaded.p_type == PT_LOAD && (loaded.p_flags & PF_W) &&
        address >= loaded.p_vaddr && loaded.p_memsz >= sizeof(uint64_t) &&
        address - loaded.p_vaddr <= loaded.p_memsz - sizeof(uint64_t))
      return true;
  }
  return false;
}

uint64_t Elf::dynamic(int64_t tag) const {
  Elf64_Dyn entry;
  for (uint64_t i = 0; i < numDynamic; ++i)
    if (read(dynamicPlace + i * sizeof(entry), entry) && entry.d_tag == tag)
      return entry.d_un.d_val;
  return 0;
}

const char *Elf::text(uint64_t offset) const {
  uint64_t length = dynamic(DT_STRSZ), place = 0;
  if (offset >= length || !find(dynamic(DT_STRTAB), length, place))
    return nullptr;
  bool ends = std::memchr(bytes + place + offset, 0, length - offset);
  return ends ? bytes + place + offset : nullptr;
}

cambium_status_t Elf::checkHeader() {
  if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s is not a shared object (no ELF header)", where);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_DYN ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s is an ELF file, but not a 64-bit shared object", where);
  if (header.e_machine != kMachine)
    return fail(CAMBIUM_STATUS_INCOMPATIBLE,
                "%s was compiled for another machine: expected ELF machine %d, "
                "but got %d",
                where, kMachine, header.e_machine);
  return CAMBIUM_STATUS_OK;
}

/// The loader maps from the first to the last address, in order.
cambium_status_t Elf::checkLoaded(const Elf64_Phdr &loaded, unsigned index) {
  constexpr uint64_t page = 4096, most = uint64_t{1} << 40;
  if (!isInside(loaded.p_offset, loaded.p_filesz) ||
      loaded.p_filesz > loaded.p_memsz || loaded.p_memsz > most ||
      loaded.p_vaddr > most || loaded.p_offset % page != loaded.p_vaddr % page)
    return malformed("a segment lies outside of it");
  if ((loaded.p_flags & PF_W) && (loaded.p_flags & PF_X))
    return refuse("memory that is writable and executable");
  for (unsigned i = 0; i < index; ++i) {
    Elf64_Phdr before = segment(i);
    if (before.p_type == PT_LOAD &&
        before.p_vaddr + before.p_memsz > loaded.p_vaddr)
      return malformed("segments overlap");
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Elf::checkSegments() {
  if (header.e_phnum > 64 ||
      !isInside(header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)))
    return malformed("its segments lie outside of it");
  bool hasStack = false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr found = segment(i);
    switch (found.p_type) {
    case PT_LOAD:
      CAMBIUM_TRY(checkLoaded(found, i));
      break;
    case PT_DYNAMIC:
      if (numDynamic)
        return malformed("two dynamic sections");
      numDynamic = found.p_filesz / sizeof(Elf64_Dyn);
      if (!numDynamic || !find(found.p_vaddr, found.p_filesz, dynamicPlace))
        return malformed("its dynamic section lies outside of it");
      break;
    case PT_GNU_STACK:
      hasStack = true;
      if (found.p_flags & PF_X)
        return refuse("an executable stack");
      break;
    case PT_NULL:
    case PT_NOTE:
    case PT_PHDR:
    case PT_GNU_RELRO:
    case PT_GNU_EH_FRAME:
    case PT_GNU_PROPERTY:
      break;
    default:
      return refuse(found.p_type == PT_TLS ? "thread-local variables"
                                           : "a segment of an unknown kind");
    }
  }
  if (!hasStack)
    return refuse("an executable stack");
  return numDynamic ? CAMBIUM_STATUS_OK : refuse("no dynamic section");
}

cambium_status_t Elf::checkEntry(const Elf64_Dyn &entry) {
  constexpr uint64_t flags = DF_BIND_NOW | DF_SYMBOLIC, flags1 = DF_1_NOW;
  if (isOneOf(kConstructors, entry.d_tag))
    return refuse(
        "code that runs when it is loaded or unloaded (constructors)");
  bool isHarmless = isOneOf(kEntries, entry.d_tag);
  if (entry.d_tag == DT_FLAGS)
    isHarmless = !(entry.d_un.d_val & ~flags);
  if (entry.d_tag == DT_FLAGS_1)
    isHarmless = !(entry.d_un.d_val & ~flags1);
  if (entry.d_tag == DT_PLTREL)
    isHarmless = entry.d_un.d_val == DT_RELA;
  if (!isHarmless)
    return fail(
        CAMBIUM_STATUS_MALFORMED,
        "%s is not a Cambium module: it has the entry 0x%llx of its dynamic "
        "section, with the value 0x%llx",
        where, static_cast<unsigned long long>(entry.d_tag),
        static_cast<unsigned long long>(entry.d_un.d_val));
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Elf::readDynamic() {
  for (uint64_t i = 0; i < numDynamic; ++i) {
    Elf64_Dyn entry;
    if (!read(dynamicPlace + i * sizeof(entry), entry))
      break;
    if (entry.d_tag == DT_NULL) {
      numDynamic = i;
      return CAMBIUM_STATUS_OK;
    }
    CAMBIUM_TRY(checkEntry(entry));
    for (uint64_t k = 0; k < i && entry.d_tag != DT_NEEDED; ++k) {
      Elf64_Dyn before;
      if (read(dynamicPlace + k * sizeof(before), before) &&
          before.d_tag == entry.d_tag)
        return malformed("an entry stands twice in its dynamic section");
    }
  }
  return malformed("its dynamic section has no end");
}

cambium_status_t Elf::checkLibraries() {
  for (uint64_t i = 0; i < numDynamic; ++i) {
    Elf64_Dyn entry;
    if (!read(dynamicPlace + i * sizeof(entry), entry) ||
        entry.d_tag != DT_NEEDED)
      continue;
    const char *name = text(entry.d_un.d_val);
    if (!name)
      return malformed("a name lies outside of it");
    bool isAllowed = false;
    for (const char *library : kLibraries)
      isAllowed |= std::strcmp(name, library) == 0;
    if (!isAllowed)
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s is not a Cambium module: it needs the library '%s'",
                  where, name);
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Elf::checkSymbols() {
  // The table has no length of its own; that of hashes has as many chains.
  uint32_t counts[2] = {};
  uint64_t hash = dynamic(DT_HASH), place = 0;
  if (!hash || !readLoaded(hash, counts) ||
      !find(hash, (2 + uint64_t{counts[0]} + counts[1]) * 4, place))
    return malformed("its table of symbols has no length");
  numSymbols = counts[1];
  uint64_t table = dynamic(DT_SYMTAB);
  if (dynamic(DT_SYMENT) != sizeof(Elf64_Sym) ||
      !find(table, numSymbols * sizeof(Elf64_Sym), place))
    return malformed("its symbols lie outside of it");
  bool hasQuery = false;
  for (uint64_t i = 1; i < numSymbols; ++i) {
    Elf64_Sym symbol;
    (void)read(place + i * sizeof(symbol), symbol);
    const char *name = text(symbol.st_name);
    if (!name)
      return malformed("a name lies outside of it");
    if (symbol.st_shndx == SHN_UNDEF ||
        ELF64_ST_BIND(symbol.st_info) == STB_LOCAL)
      continue;
    bool isFirst = std::strcmp(name, CAMBIUM_ABI_QUERY_SYMBOL) == 0;
    bool isQuery =
        (isFirst || std::strcmp(name, CAMBIUM_ABI_DEVICE_QUERY_SYMBOL) == 0) &&
        ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL &&
        ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
    uint64_t code = 0;
    if (isQuery && !find(symbol.st_value, 1, code))
      return malformed("its query function lies outside of it");
    if (!isQuery)
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s is not a Cambium module: expected the symbol '%s' alone, "
                  "but got '%s'",
                  where, CAMBIUM_ABI_QUERY_SYMBOL, name);
    hasQuery |= isFirst;
    hasDevice |= !isFirst;
  }
  if (!hasQuery)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s is not a Cambium module: expected the symbol '%s'", where,
                CAMBIUM_ABI_QUERY_SYMBOL);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Elf::checkRelocations(uint64_t address, uint64_t length) {
  uint64_t place = 0;
  if (!length)
    return CAMBIUM_STATUS_OK;
  if (length % sizeof(Elf64_Rela) || !find(address, length, place))
    return malformed("its relocations lie outside of it");
  for (uint64_t at = 0; at < length; at += sizeof(Elf64_Rela)) {
    Elf64_Rela relocation;
    (void)read(place + at, relocation);
    auto kind = static_cast<uint32_t>(ELF64_R_TYPE(relocation.r_info));
    if (!isOneOf(kRelocations, kind))
      return refuse("a relocation that runs code, or of an unknown kind");
    if (ELF64_R_SYM(relocation.r_info) >= numSymbols ||
        !isWritable(relocation.r_offset))
      return refuse("a relocation of what cannot be written");
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Elf::check() {
  CAMBIUM_TRY(checkHeader());
  CAMBIUM_TRY(checkTrailer(bytes, static_cast<int64_t>(size), where));
  CAMBIUM_TRY(checkSegments());
  CAMBIUM_TRY(readDynamic());
  CAMBIUM_TRY(checkLibraries());
  CAMBIUM_TRY(checkSymbols());
  if (dynamic(DT_RELA) && dynamic(DT_RELAENT) != sizeof(Elf64_Rela))
    return malformed("its relocations have another size");
  CAMBIUM_TRY(checkRelocations(dynamic(DT_RELA), dynamic(DT_RELASZ)));
  return checkRelocations(dynamic(DT_JMPREL), dynamic(DT_PLTRELSZ));
}

} // namespace

cambium_status_t cambium::runtime::checkElf(const char *bytes, int64_t size,
                                            const char *where,
                                            bool &outHasDevice) {
  Elf file(bytes, size, where);
  CAMBIUM_TRY(file.check());
  outHasDevice = file.hasDeviceQuery();
  return CAMBIUM_STATUS_OK;
}
