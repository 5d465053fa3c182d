//===-- runtime/core/Checksum.cpp - A fast checksum (XXH64) ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checksum.h"

#include <algorithm>
#include <cstring>

using namespace cambium::runtime;

static uint64_t rotate(uint64_t x, int bits) {
  return (x << bits) | (x >> (64 - bits));
}

static uint64_t load64(const char *bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

template <uint64_t prime1, uint64_t prime2>
static uint64_t round(uint64_t lane, uint64_t word) {
  return rotate(lane + word * prime2, 31) * prime1;
}

void Checksum::addStripe(const char *bytes) {
  for (int i = 0; i < 4; ++i)
    lanes[i] = round<kPrime1, kPrime2>(lanes[i], load64(bytes + 8 * i));
}

uint64_t Checksum::mergeLanes() const {
  uint64_t hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) +
                  rotate(lanes[2], 12) + rotate(lanes[3], 18);
  for (uint64_t lane : lanes)
    hash = (hash ^ round<kPrime1, kPrime2>(0, lane)) * kPrime1 + kPrime4;
  return hash;
}

void Checksum::add(const void *data, int64_t size) {
  const char *bytes = static_cast<const char *>(data);
  total += static_cast<uint64_t>(size);
  if (pendingSize > 0) {
    int64_t missing = std::min(kStripe - pendingSize, size);
    std::memcpy(pending + pendingSize, bytes, static_cast<size_t>(missing));
    pendingSize += missing;
    bytes += missing;
    size -= missing;
    if (pendingSize < kStripe)
      return;
    addStripe(pending);
    pendingSize = 0;
  }
  for (; size >= kStripe; size -= kStripe, bytes += kStripe)
    addStripe(bytes);
  if (size > 0)
    std::memcpy(pending, bytes, static_cast<size_t>(size));
  pendingSize = size;
}

uint64_t Checksum::finish() const {
  uint64_t hash = total < uint64_t{kStripe} ? kPrime5 : mergeLanes();
  hash += total;
  const char *rest = pending, *end = pending + pendingSize;
  for (; end - rest >= 8; rest += 8)
    hash =
        rotate(hash ^ round<kPrime1, kPrime2>(0, load64(rest)), 27) * kPrime1 +
        kPrime4;
  if (end - rest >= 4) {
    uint32_t word;
    std::memcpy(&word, rest, sizeof(word));
    hash = rotate(hash ^ (word * kPrime1), 23) * kPrime2 + kPrime3;
    rest += 4;
  }
  for (; rest < end; ++rest)
    hash = rotate(hash ^ (static_cast<unsigned char>(*rest) * kPrime5), 11) *
           kPrime1;
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}
