//===-- cambium/Support/TargetCosts.h - What work costs on a machine ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every size and cost of a machine that a pass decides by stands here, and
// nowhere else: lanes, tiles, blocks, and how much work is worth a thread.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_TARGETCOSTS_H
#define CAMBIUM_SUPPORT_TARGETCOSTS_H

#include <cstdint>
#include <string_view>

namespace cambium {

/// The costs and sizes of one target; the values here are those of any
/// x86-64.
struct TargetCosts {
  //===--- Registers ------------------------------------------------------===//

  /// Bytes of a vector register: 16, 32 or 64.
  int64_t vectorBytes = 16;
  /// Bytes of a line of the caches; constants begin with one.
  int64_t cacheLine = 64;
  /// Bytes of a page of memory: a processor asks for no line behind it by
  /// itself.
  static constexpr int64_t pageBytes = 4096;
  /// Number of vector registers.
  int64_t vectorRegisters = 16;
  /// Whether there is a fused multiply-add.
  bool hasFMA = false;
  /// Whether an instruction multiplies two bf16 (four bytes) of each lane and
  /// adds the products, in less time than it takes f32.
  bool hasBF16Dot = false, hasInt8Dot = false;
  /// Whether there are tiles (AMX): registers for matrices, whose products one
  /// instruction adds to a third one. A tile has at most so many rows, of so
  /// many words of 32 bits.
  bool hasBF16Tiles = false, hasInt8Tiles = false;
  static constexpr int64_t amxRows = 16, amxWords = 16;
  /// Whether lanes of a vector are read from places of their own in about the
  /// time of as many loads.
  bool hasGathers = false;
  /// Whether an estimate of the reciprocal has 14 bits, of which one step makes
  /// all, in less time than a division takes.
  bool hasReciprocal = false;

  //===--- Products -------------------------------------------------------===//

  /// Columns from which on a weight is worth a product of its own: a few
  /// vectors, and several tiles of rows.
  int64_t wideColumns = 96;
  /// Vectors of a register tile, at most; rows of one, at most; and rows that
  /// threads share, whole tiles.
  int64_t tileVectors = 2, maxTileRows = 8, shareRows = 24;
  /// Products of an element that a pass of the loop of a tile adds:
  /// instructions of the loop itself take the place of multiplications.
  int64_t tileSteps = 2;
  /// Products of an element that a block has, at most, and its rows: what is
  /// used of all three matrices stays in the cache of a processor. A panel of
  /// the right operand that lies row by row uses few of the cache's sets.
  int64_t reductionBlock = 512, panelReductionBlock = 1024, blockRows = 96;
  /// The same where the left operand is copied: the copy fits the stack of a
  /// thread that has 256 KB. And lines that are asked for before they are
  /// copied.
  int64_t copiedReductionBlock = 256, copyBytes = 96 << 10;
  static constexpr int64_t copyAhead = 8;
  /// Bytes of a row of a converted left operand that go at once; so many rows
  /// have room in `copyBytes`. And products of an element whose factors are
  /// integers of 8 bits, at most: rows of them go whole.
  int64_t convertedRowBytes = 2048;
  static constexpr int64_t mostIntegers = 1 << 14;
  /// Panels that one row reads at once.
  int64_t panelsAtOnce = 4;
  /// Bytes of a parameter from which on its value is kept in panels, too: a
  /// smaller one stays in the first cache.
  int64_t panelBytes = 64 << 10;
  /// One of so many parts of its columns is what panels may have more to be
  /// narrower: a level of one row reads all of them. And rows of a panel from
  /// which on the first of its tiles asks for them: about what 70 cycles read.
  static constexpr int64_t panelExcess = 16, rowsAhead = 6;
  /// How many rows are few, and products that are then added to an element at
  /// once.
  int64_t fewRows = 4, leastSteps = 3, mostSteps = 8;
  /// Bytes of a row of a tile of a transposition, at most.
  int64_t transposeBytes = 32;

  //===--- Rows that are the same -----------------------------------------===//

  /// Multiply-adds of a row from which on it is worth to compute equal rows
  /// once: finding them and copying what was computed costs less.
  int64_t sharedWork = 1 << 12;

  //===--- Rows that stop -------------------------------------------------===//

  /// Multiply-adds of a row for each element of it that an iteration moves,
  /// from which on moving takes 1 % of the time: about 32 take as long as one
  /// element that is read and written in the second cache.
  int64_t movedWork = 3200;

  //===--- Attention ------------------------------------------------------===//

  /// Queries of a tile; keys of one where all of a segment are too many.
  int64_t attentionTile = 64, attentionKeys = 32;
  /// Chunks of units, at most, and what is worth one: products of two elements.
  int64_t attentionChunks = 16, attentionWork = 1 << 18;

  //===--- Threads: what is worth waking one ------------------------------===//

  /// Multiply-adds of a product, or of products that threads do together.
  int64_t productWork = 1 << 16;
  /// Simple instructions of a loop over vectors.
  int64_t loopWork = 1 << 16;
  /// Elements that a loop over rows moves.
  int64_t rowWork = 1 << 15;

  //===--- GPUs -----------------------------------------------------------===//

  /// Threads of a warp, and of a block.
  int64_t warpThreads = 32, blockThreads = 256;
  /// Bytes that a thread reads or writes at once, at most.
  int64_t accessBytes = 16;
  /// Rows and columns of a block's tile of a product; products of an element
  /// that it has in shared memory at a time; and elements behind each row
  /// there, so that what threads write at once is in different banks.
  int64_t blockTile = 64, blockDepth = 16, blockPad = 2;
  /// The threads of a block stand in a square of so many rows for a product.
  int64_t blockSide = 16;
  /// Products that a thread multiplies for together, at most, and sums that it
  /// has for each row.
  int64_t sharedProducts = 5, rowSums = 4;
  /// Rows, columns and words of 32 bits of a product of tensor cores; and how
  /// many rows, columns or products of an element are too few for them: they
  /// would multiply zeros.
  static constexpr int64_t matrixRows = 16, matrixColumns = 8, matrixWords = 8;
  int64_t leastMatrix = 8;
  /// Words of a row or column that a block has in shared memory for them at a
  /// time, and words behind these, so that what a warp reads at once is in
  /// different banks. The warps of a block stand in so many rows.
  int64_t sliceWords = 32, slicePad = 4, warpRows = 2;
  /// Bytes that the threads of a block can share on every GPU that runs what is
  /// made for `arch`. Later ones take it, too, and some have less: sm_86 and
  /// sm_89 than sm_80, sm_120 than sm_90. What is made for sm_90a runs there
  /// alone.
  static constexpr int64_t sharedBytes(std::string_view arch) {
    if (arch.starts_with("sm_7"))
      return 64 << 10;
    return arch == "sm_90a" ? 227 << 10 : 99 << 10;
  }
  /// Columns of which a block computes a copy that others compute, too.
  int64_t copiedColumns = 1 << 10;
  /// Elements that an iteration of a loop moves, from which on a warp and not
  /// a thread is to execute it.
  int64_t warpWork = 8;
  /// Parts of the iterations that list rows in their order; parts of a sum, and
  /// the terms from which on it has parts.
  int64_t listParts = 256, sumParts = 1 << 10, splitSum = 1 << 13;
  /// Iterations of which each looks for the next one of its row, at most: more
  /// are sorted. Those of a run that are put in order each on its own.
  static constexpr int64_t linkedAlone = 512, orderedRun = 32;
  /// Values that a kernel has in registers while a stage works, at most: two
  /// registers each, and the stage has the others of its 255.
  static constexpr size_t controlValues = 16;
  /// Elements that a loop that is not independent moves at once, at most, for
  /// one warp to execute it.
  int64_t oneWarpWork = 1 << 13;

  //===--- Loops ----------------------------------------------------------===//

  /// Bytes of memory that an iteration of an independent loop can have for its
  /// own, at most: they stand on a thread's stack. Where a block of threads
  /// executes it, they stand in the memory that it shares.
  int64_t privateBytes = 1 << 14, blockBytes = 48 << 10;

  /// Simple instructions that a division and a function of numbers count for.
  int64_t divisionCost = 8, functionCost = 20;
  /// Instructions of a body from which on a second copy of it, for the last
  /// lanes of a row, costs more than a mask in every iteration.
  int64_t expensiveBody = 24;
  /// Vectors that a reduction works on at once, so that additions need not wait
  /// for each other.
  int64_t unroll = 4;
  /// Iterations that a loop of unknown length counts for.
  int64_t unknownLength = 16;
  /// Operands of an elementwise loop made of ops that read the same, and of one
  /// made of ops that read each other: more would not fit the registers.
  int64_t siblingOperands = 28, fusedOperands = 64;

  //===--- Making the code ------------------------------------------------===//

  /// Instructions from which on a part of the program is worth a thread's start
  /// and a copy of the declarations; parts, at most: not more than most
  /// machines can work on at a time.
  int64_t partInstructions = 1500, maxParts = 8;
  /// Instructions of a function that is not cut into smaller ones, at most.
  int64_t functionInstructions = 6000;

  /// Rows of a register tile of `vectors` vectors: accumulators, one row of B
  /// and one element of A fit into the registers.
  int64_t tileRows(int64_t vectors) const {
    int64_t fit = (vectorRegisters - 1 - vectors) / vectors;
    return fit < maxTileRows ? fit : maxTileRows;
  }

  /// Elements of `elementBytes` that a panel is wide: as a register tile.
  int64_t panelColumns(int64_t elementBytes) const {
    return tileVectors * (vectorBytes / elementBytes);
  }

  /// Elements of a left operand that stay in the second cache, two of the
  /// largest blocks: there, requests ahead only take the place of loads.
  int64_t cachedElements() const { return 2 * blockRows * panelReductionBlock; }

  /// Rows of a block of a copied left operand, whole tiles.
  int64_t copiedRowBlock(int64_t elementBytes) const {
    return copyBytes / (copiedReductionBlock * elementBytes) / shareRows *
           shareRows;
  }

  /// Products that are added at once to an element of so many rows: their left
  /// factors, the sums and a vector of B fit into the registers. 1 where that
  /// is not worth it.
  int64_t stripeSteps(int64_t rows) const {
    int64_t fit = (vectorRegisters - 1 - rows) / rows;
    if (rows > fewRows || fit < leastSteps)
      return 1;
    return fit < mostSteps ? fit : mostSteps;
  }
};

} // namespace cambium

#endif // CAMBIUM_SUPPORT_TARGETCOSTS_H
