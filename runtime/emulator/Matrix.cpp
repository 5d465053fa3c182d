//===-- runtime/emulator/Matrix.cpp - ldmatrix, stmatrix, mma.sync --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Products sum in f32, from the accumulator on, in the order of k, each
/// addition rounded to nearest. Hardware rounds less, so its last bits differ.
///
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "Round.h"
#include "Table.h"

#include <cstring>

using namespace cambium::emulator;

namespace {

void needAll(const Warp &warp, uint32_t mask) {
  if (mask != kAllLanes)
    warp.fail(Fault::Reason::Divergence, "expected all lanes of a warp");
}

/// Lanes 8 m to 8 m + 7 have the addresses of the rows of matrix m.
void rowsOf(Warp &warp, const Instruction &i, const Operand &address,
            Access access, int matrices, uint8_t **host) {
  uint64_t addresses[kLanes];
  addressesOf(warp, address, i.immediate, addresses);
  uint32_t rows = matrices == 4 ? kAllLanes : (1u << (8 * matrices)) - 1;
  Instruction shared = i;
  shared.space = Space::Shared;
  for (int l = 0; l < kLanes; ++l)
    if (addresses[l] >> kSpaceShift == kSharedWindow)
      addresses[l] &= kOffsetMask;
  resolve(warp, shared, rows, addresses, 16, access, host);
}

/// The element k (0, 1) of a lane; transposed if `variant`.
size_t rowOf(const Instruction &i, int lane, int k) {
  return static_cast<size_t>(i.variant ? lane % 4 * 2 + k : lane / 4);
}
size_t columnOf(const Instruction &i, int lane, int k) {
  return static_cast<size_t>(i.variant ? lane / 4 : lane % 4 * 2 + k);
}

void loadMatrix(Lanes &lanes, const Instruction &i, uint32_t mask) {
  auto &warp = static_cast<Warp &>(lanes);
  needAll(warp, mask);
  int matrices = i.numOperands - 1;
  uint8_t *host[kLanes];
  rowsOf(warp, i, i.operands[matrices], Access::Read, matrices, host);
  for (int m = 0; m < matrices; ++m)
    for (int l = 0; l < kLanes; ++l) {
      uint16_t parts[2];
      for (int k = 0; k < 2; ++k)
        std::memcpy(parts + k,
                    host[static_cast<size_t>(8 * m) + rowOf(i, l, k)] +
                        2 * columnOf(i, l, k),
                    2);
      writeLane(lanes, i.operands[m], l, parts[0] | uint32_t{parts[1]} << 16);
    }
}

void storeMatrix(Lanes &lanes, const Instruction &i, uint32_t mask) {
  auto &warp = static_cast<Warp &>(lanes);
  needAll(warp, mask);
  int matrices = i.numOperands - 1;
  uint8_t *host[kLanes];
  rowsOf(warp, i, i.operands[0], Access::Write, matrices, host);
  for (int m = 0; m < matrices; ++m)
    for (int l = 0; l < kLanes; ++l)
      for (int k = 0; k < 2; ++k) {
        auto part = static_cast<uint16_t>(
            readLane(lanes, i.operands[1 + m], l) >> (16 * k));
        std::memcpy(host[static_cast<size_t>(8 * m) + rowOf(i, l, k)] +
                        2 * columnOf(i, l, k),
                    &part, 2);
      }
  ++warp.grid->events;
}

enum Element : uint8_t { kBFloat, kHalf, kTf32 };

float elementOf(uint64_t word, int part, uint8_t type) {
  if (type == kTf32)
    return floatOfBits(static_cast<uint32_t>(word) & ~0x1fffu);
  auto half = static_cast<uint16_t>(word >> (16 * part));
  return type == kHalf ? floatOfHalf(half)
                       : floatOfBits(static_cast<uint32_t>(half) << 16);
}

/// A fragment register holds `PerWord` elements of a row of A or a column of B.
template <int K, uint8_t Type>
void multiply(Lanes &lanes, const Instruction &i, uint32_t mask) {
  needAll(static_cast<Warp &>(lanes), mask);
  constexpr int perWord = Type == kTf32 ? 1 : 2;
  constexpr int wordsOfB = K / (4 * perWord), wordsOfA = 2 * wordsOfB;
  const Operand *o = i.operands;
  float a[16][K], b[K][8], c[16][8];
  for (int l = 0; l < kLanes; ++l) {
    int group = l / 4, in = l % 4;
    for (int w = 0; w < wordsOfA; ++w)
      for (int p = 0; p < perWord; ++p)
        a[group + (w & 1) * 8][in * perWord + p + w / 2 * 4 * perWord] =
            elementOf(readLane(lanes, o[4 + w], l), p, Type);
    for (int w = 0; w < wordsOfB; ++w)
      for (int p = 0; p < perWord; ++p)
        b[in * perWord + p + w * 4 * perWord][group] =
            elementOf(readLane(lanes, o[4 + wordsOfA + w], l), p, Type);
    for (int w = 0; w < 4; ++w)
      c[group + w / 2 * 8][in * 2 + (w & 1)] =
          floatOfBits(static_cast<uint32_t>(
              readLane(lanes, o[4 + wordsOfA + wordsOfB + w], l)));
  }
  for (auto &row : c)
    for (int n = 0; n < 8; ++n)
      for (int k = 0; k < K; ++k)
        row[n] += a[&row - c][k] * b[k][n];
  for (int l = 0; l < kLanes; ++l)
    for (int w = 0; w < 4; ++w) {
      float value = c[l / 4 + w / 2 * 8][l % 4 * 2 + (w & 1)];
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      writeLane(lanes, o[w], l, value == value ? bits : 0x7fffffffu);
    }
}

constexpr Kind kMatrix = Kind::Matrix;
constexpr Kind kShared = Kind::Shared;

#define LOAD(COUNT, OPERANDS)                                                  \
  {"ldmatrix.sync.aligned.m8n8." COUNT ".shared{,::cta}.b16", loadMatrix,      \
   OPERANDS "a", kShared},                                                     \
      {"ldmatrix.sync.aligned.m8n8." COUNT ".trans.shared{,::cta}.b16",        \
       loadMatrix,                                                             \
       OPERANDS "a",                                                           \
       kShared,                                                                \
       Flow::None,                                                             \
       0,                                                                      \
       1}
#define STORE(COUNT, OPERANDS)                                                 \
  {"stmatrix.sync.aligned.m8n8." COUNT ".shared{,::cta}.b16", storeMatrix,     \
   "a" OPERANDS, kShared},                                                     \
      {"stmatrix.sync.aligned.m8n8." COUNT ".trans.shared{,::cta}.b16",        \
       storeMatrix,                                                            \
       "a" OPERANDS,                                                           \
       kShared,                                                                \
       Flow::None,                                                             \
       0,                                                                      \
       1}

constexpr Form kRows[] = {
    LOAD("x1", "{4}"),
    LOAD("x2", "{44}"),
    LOAD("x4", "{4444}"),
    STORE("x1", "{4}"),
    STORE("x2", "{44}"),
    STORE("x4", "{4444}"),
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", multiply<8, kBFloat>,
     "{4444}{44}{4}{4444}", kMatrix},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
     multiply<16, kBFloat>, "{4444}{4444}{44}{4444}", kMatrix},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", multiply<8, kHalf>,
     "{4444}{44}{4}{4444}", kMatrix},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", multiply<16, kHalf>,
     "{4444}{4444}{44}{4444}", kMatrix},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", multiply<4, kTf32>,
     "{4444}{44}{4}{4444}", kMatrix},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", multiply<8, kTf32>,
     "{4444}{4444}{44}{4444}", kMatrix},
};

} // namespace

Forms cambium::emulator::matrixForms() {
  return {kRows, sizeof kRows / sizeof *kRows};
}
