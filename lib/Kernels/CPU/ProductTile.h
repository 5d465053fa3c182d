//===-- lib/Kernels/CPU/ProductTile.h - Register tiles of products -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_PRODUCTTILE_H
#define CAMBIUM_LIB_KERNELS_CPU_PRODUCTTILE_H

#include "cambium/Support/TargetCosts.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace cambium {

/// A matrix of any size with any strides, or with contiguous rows.
mlir::MemRefType matrixType(mlir::Type element, bool hasRows);

/// Columns that are computed together: `vectors` vectors from `column` on, of
/// which the last ones have masks, or none. More vectors than a tile has are
/// those of the next panels, where these lie together.
struct ProductPanel {
  mlir::Value column;
  int64_t vectors;
  llvm::SmallVector<mlir::Value> masks;

  /// The mask of a vector, null where it has all lanes.
  mlir::Value maskOf(int64_t number) const {
    int64_t first = vectors - static_cast<int64_t>(masks.size());
    return number < first ? mlir::Value() : masks[number - first];
  }
};

/// A block of the reduction: `count` products from `first` on, and what sums
/// start from: the elements of `start`, or 0 with `clear`.
struct ProductDepth {
  mlir::Value first, count, start, clear;
};

/// The right operand of a product: a matrix, how many elements panels as wide
/// as a tile are apart, and how many columns these have. Where they lie in the
/// rows, that is the same; else each panel has its rows for itself.
struct ProductWeights {
  mlir::Value matrix, panelStride, width, isPacked;
};

/// What a tile multiplies: its part of the left operand, `[rows, count]`, and
/// the panel's of the right one, `[count, columns]`; and a matrix of `count`
/// rows, or null, of each of which the element in column `line` is asked for:
/// it is used later; and whether it is the first tile of the panel, or null
/// where that makes no difference. The first one asks for what follows in the
/// panel, too, and memory, or null, gets what it reads there: other tiles find
/// it.
struct TileOperands {
  mlir::Value elements, weights;
  mlir::Value ahead = {}, line = {}, isFirst = {}, kept = {};
};

/// Emits register tiles: one sum for each element, whose products are added in
/// ascending order of the reduction.
class TileEmitter {
public:
  TileEmitter(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs,
              const ProductWeights &rhs, mlir::Value out, mlir::Type element,
              const TargetCosts &costs);

  /// The part of the right operand that a panel uses, where it lies.
  mlir::Value weightsOf(const ProductPanel &panel, const ProductDepth &depth);
  /// Where a whole panel of it stands in `memory`, row after row.
  mlir::Value keptPanel(mlir::Value memory, const ProductDepth &depth);
  /// The part of the left operand that a tile uses, where it lies.
  mlir::Value elementsOf(mlir::Value row, int64_t height,
                         const ProductDepth &depth);
  /// `count` pieces of `height` elements of the left operand's memory, one
  /// after the other, from an element on.
  mlir::Value piecesOf(mlir::Value row, mlir::Value first, int64_t height,
                       mlir::Value count);
  /// The same matrix, of a type for any size with any strides; or, with
  /// `hasRows`, with contiguous rows.
  mlir::Value castMatrix(mlir::Value matrix, bool hasRows);

  /// Sums of tiles that start from nothing start from `memory`, which gets as
  /// many zeros: a tile has one code for both.
  void startFrom(mlir::Value memory, int64_t vectors);

  /// The same memory, with rows `step` elements apart if `condition` holds.
  mlir::Value withRowStep(mlir::Value matrix, mlir::Value condition,
                          mlir::Value step);

  /// Elements of a line of the caches.
  int64_t lineLanes() const;
  /// Lines of the caches that a row of a panel has.
  int64_t panelLines() const;
  /// A line of the panel that lies `next` elements behind another one. Each of
  /// the tiles that use a panel asks for one line of each row of the next
  /// panel, so that asking costs no tile much: `number` is the tile's.
  mlir::Value lineAhead(mlir::Value number, mlir::Value next);

  /// Emits `height` rows from `row` on of a panel.
  void emitTile(mlir::Value row, int64_t height, const TileOperands &operands,
                const ProductPanel &panel, const ProductDepth &depth);
  /// Emits what the sums of a row start from, as the result.
  void emitStart(mlir::Value row, mlir::Value first, mlir::Value last,
                 const ProductDepth &depth);
  /// Emits `height` rows from `row` on of all columns from `first` to `last`
  /// without a panel: `steps` products are added to each element before the
  /// next one, so that rows of the right operand are read from end to end.
  void emitStripe(mlir::Value row, int64_t height, int64_t steps,
                  mlir::Value first, mlir::Value last,
                  const ProductDepth &depth);

private:
  mlir::Value index(int64_t value);
  mlir::Value plus(mlir::Value value, int64_t more);
  mlir::Value zero();
  mlir::Value load(mlir::Value memref, mlir::ValueRange indices,
                   mlir::Value mask);
  void store(mlir::Value value, mlir::Value memref, mlir::ValueRange indices,
             mlir::Value mask);
  mlir::Value multiplyAdd(mlir::Value x, mlir::Value y, mlir::Value sum);
  mlir::Value view(mlir::Value matrix, mlir::ValueRange from,
                   mlir::ValueRange size, bool hasRows);
  /// The vectors of the row of a matrix like the right operand's part that
  /// begins at an address.
  llvm::SmallVector<mlir::Value> loadWeights(mlir::Value at,
                                             const ProductPanel &panel);
  mlir::Value pointer(mlir::Value address);
  /// Asks for the line at an address for the first cache, or, with `isLater`,
  /// for the second one.
  void prefetch(mlir::Value address, bool isLater);
  /// How many bytes from the begin of a row of the right operand's part a
  /// vector of a panel stands.
  mlir::Value placeOf(int64_t number);
  /// What the sums of a tile start from. Without anything to start from, they
  /// do not wait for what is in the memory of the result.
  llvm::SmallVector<mlir::Value> loadStarts(mlir::Value row, int64_t height,
                                            const ProductPanel &panel,
                                            const ProductDepth &depth);
  mlir::Value zeroRows(int64_t height, mlir::Value count);
  /// An element of a matrix in all lanes.
  mlir::Value loadElement(mlir::Value matrix, mlir::Value row,
                          mlir::Value column);
  /// Where a matrix begins in memory: elements of a row of it are `step` bytes
  /// apart, rows `rowStep`.
  struct FlatElements {
    mlir::Value begin, rowStep, step;
  };
  FlatElements flatten(mlir::Value matrix);
  /// The element `at` of a row, in all lanes.
  mlir::Value loadElement(const FlatElements &elements, int64_t row,
                          mlir::Value at);
  /// Whether sums and vectors leave no registers for elements of all rows.
  bool sumsFillRegisters(int64_t height, int64_t vectors) const;
  /// The same number, which nobody has before the sum is there. LLVM would read
  /// the elements of all rows first, so that sums leave the registers.
  mlir::Value after(mlir::Value number, mlir::Value sum);
  /// Asks for what a tile writes at the end, so that it is there by then.
  void askForResult(mlir::Value row, int64_t height, const ProductPanel &panel);
  /// Products of an element from `first` to `last`, of which a pass of the loop
  /// adds `count`.
  struct Steps {
    mlir::Value first, last;
    int64_t count;
  };
  /// What a tile reads, row after row of the reduction, and what it asks for
  /// and keeps, if `begin` is there; and whether it asks for rows of its own
  /// panel, too. Addresses are computed here, each by an addition in a pass:
  /// LLVM would find that out for all of a loop's, in a fifth of the time that
  /// code takes.
  struct Paths {
    FlatElements left, weights, ahead, kept;
    bool waits = false;
  };
  /// Adds them to the sums of a tile. Behind the sums stands where each path
  /// goes on.
  void emitSteps(const Steps &steps, int64_t height, const Paths &paths,
                 const ProductPanel &panel,
                 llvm::SmallVectorImpl<mlir::Value> &sums);
  void emitStep(int64_t height, const Paths &paths, const ProductPanel &panel,
                llvm::MutableArrayRef<mlir::Value> sums);
  /// Asks for the row of a panel that the loop of a tile reads a few rows
  /// later.
  void askForRow(mlir::Value at, mlir::Value rowStep,
                 const ProductPanel &panel);
  void move(mlir::Value &place, mlir::Value step);
  void emitStripeStep(mlir::Value row, int64_t height, int64_t steps,
                      mlir::Value first, mlir::Value last,
                      const ProductDepth &depth);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Value lhs;
  const ProductWeights &rhs;
  mlir::Value out;
  const TargetCosts &costs;
  int64_t lanes, laneBytes;
  mlir::VectorType vector;
  /// A row of zeros, as wide as a tile.
  mlir::Value zeros;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_PRODUCTTILE_H
