//===-- runtime/emulator/Heap.cpp - Global memory -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Heap.h"

#include "Module.h"

#include <cstdlib>
#include <cstring>
#include <new>

using namespace cambium::emulator;

namespace {

constexpr size_t kMostGranules = size_t{1} << 22;
constexpr uint64_t kBase = kGlobalWindow << kSpaceShift;

template <class T> Zeroed<T> zeroed(uint64_t count) {
  void *memory = std::calloc(count, sizeof(T));
  if (!memory)
    throw std::bad_alloc();
  return Zeroed<T>(static_cast<T *>(memory));
}

std::string hex(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx",
                static_cast<unsigned long long>(value));
  return text;
}

} // namespace

void FreeMemory::operator()(void *memory) const { std::free(memory); }

void Allocation::define(uint64_t offset, uint64_t count) {
  uint64_t end = offset + count;
  for (; offset < end && (offset & 3); ++offset)
    defined[offset / 4] |= static_cast<uint8_t>(1 << (offset & 3));
  uint64_t words = (end - offset) / 4;
  std::memset(defined.get() + offset / 4, 15, words);
  std::memset(stamps.get() + offset / 4, 0, words * sizeof(WordStamps));
  for (offset += 4 * words; offset < end; ++offset)
    defined[offset / 4] |= static_cast<uint8_t>(1 << (offset & 3));
}

std::string Allocation::describe() const {
  return std::to_string(size) + " bytes at " + hex(begin) +
         (name.empty() ? "" : " ('" + name + "')");
}

Allocation &Heap::allocate(uint64_t size, const std::string &name) {
  if (size > limit || usedBytes > limit - size)
    throw std::bad_alloc();
  size_t count = (size >> kGranuleShift) + 2, run = 0, at = cursor;
  for (size_t tried = 0; run < count; ++at, ++tried) {
    if (tried > kMostGranules)
      throw std::bad_alloc();
    if (at + count >= kMostGranules) {
      at = 1;
      run = 0;
    }
    uint32_t slot = at < granules.size() ? granules[at] : 0;
    run = slot && allocations[slot - 1]->isAlive ? 0 : run + 1;
  }
  size_t begin = at - count;
  if (granules.size() < at)
    granules.resize(at + 64, 0);
  auto allocation = std::make_unique<Allocation>();
  uint64_t words = size / 4 + 1;
  allocation->begin = kBase + (begin << kGranuleShift);
  allocation->size = size;
  allocation->name = name;
  allocation->isAlive = true;
  allocation->bytes = zeroed<uint8_t>(words * 4);
  allocation->defined = zeroed<uint8_t>(words);
  allocation->stamps = zeroed<WordStamps>(words);
  // Bytes that nobody wrote look like it; variables are zero.
  if (name.empty())
    std::memset(allocation->bytes.get(), 0xd5,
                std::min<uint64_t>(size, 1 << 16));
  allocations.push_back(std::move(allocation));
  for (size_t g = begin; g < at; ++g)
    granules[g] = static_cast<uint32_t>(allocations.size());
  cursor = at;
  usedBytes += size;
  return *allocations.back();
}

Allocation *Heap::find(uint64_t address) {
  uint64_t granule = (address - kBase) >> kGranuleShift;
  if (address < kBase || granule >= granules.size() || !granules[granule])
    return nullptr;
  return allocations[granules[granule] - 1].get();
}

Allocation *Heap::findRange(uint64_t address, uint64_t size) {
  Allocation *found = find(address);
  if (!found || !found->isAlive)
    return nullptr;
  uint64_t offset = address - found->begin;
  return offset <= found->size && size <= found->size - offset ? found
                                                               : nullptr;
}

bool Heap::release(uint64_t address) {
  Allocation *found = find(address);
  if (!found || !found->isAlive || found->begin != address)
    return false;
  found->isAlive = false;
  found->bytes.reset();
  found->defined.reset();
  found->stamps.reset();
  usedBytes -= found->size;
  return true;
}

std::string Heap::explain(uint64_t address, uint64_t size) {
  std::string what = std::to_string(size) + " bytes at " + hex(address);
  Allocation *found = find(address);
  if (!found && address >> kSpaceShift == 0 && address > 0xffff)
    return what + ", which is no memory of the device but of the host";
  if (!found)
    return what + ", which is no memory of the device";
  if (!found->isAlive)
    return what + ", in " + found->describe() + ", which was freed";
  uint64_t offset = address - found->begin;
  return what + ", which begins " +
         (offset < found->size
              ? std::to_string(found->size - offset) + " bytes before the end"
              : std::to_string(offset - found->size) + " bytes behind") +
         " of " + found->describe();
}

std::vector<const Allocation *> Heap::leaks() const {
  std::vector<const Allocation *> alive;
  for (const auto &allocation : allocations)
    if (allocation->isAlive && allocation->name.empty())
      alive.push_back(allocation.get());
  return alive;
}
