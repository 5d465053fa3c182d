//===-- lib/Kernels/CPU/WordTiles.h - Products of a processor's tiles -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_WORDTILES_H
#define CAMBIUM_LIB_KERNELS_CPU_WORDTILES_H

#include "ProductTile.h"
#include "WordForm.h"

namespace cambium {

/// Emits products of words with tiles (AMX). Of the eight registers four have
/// sums: two times two, or one row of four where there are few rows. A tile of
/// the left operand has 16 words of each of its rows, one of a panel 16 of its
/// rows with a vector of words each; what is missing behind the last row of a
/// panel is filled with zeros in a copy.
class WordTiles {
public:
  /// Rows that are multiplied together, at most.
  static constexpr int64_t kRows = 2 * TargetCosts::amxRows;

  WordTiles(mlir::OpBuilder &builder, mlir::Location loc, const WordForm &form)
      : b(builder), loc(loc), form(form) {}

  /// The converted left operand, panels and their columns.
  void begin(mlir::Value left, mlir::Value panels, int64_t width);
  /// Gives the registers back to the system.
  void end();
  /// Sets the shapes of tiles for so many rows, `kRows` at most.
  void setRows(mlir::Value count);
  /// What follows multiplies `count` rows of a panel from `first` on; rows of
  /// the left operand are `leftWords` words apart.
  void beginPanel(const ProductPanel &panel, mlir::Value first,
                  mlir::Value count, mlir::Value leftWords);
  /// Multiplies `count` rows of the left operand, of `all`, from `row` on. If
  /// they are fewer than those before, shapes are set for them, and back.
  void multiply(const ProductPanel &panel, mlir::Value row, mlir::Value count,
                mlir::Value all);
  /// The sums of a row of what was multiplied.
  llvm::SmallVector<mlir::Value> loadSums(const ProductPanel &panel,
                                          mlir::Value row);

private:
  /// Tiles that are multiplied together: so many of rows, and vectors of a
  /// panel from `first` on.
  struct Unit {
    int64_t rows, first, vectors;

    int64_t sum(int64_t row, int64_t vector) const { return 2 * row + vector; }
    int64_t left(int64_t row) const { return 4 + row; }
    int64_t right(int64_t vector) const {
      return 4 + rows + vector % (4 - rows);
    }
  };

  mlir::Value index(int64_t value);
  mlir::Value i32(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value times(mlir::Value value, int64_t factor);
  mlir::Value memoryFor(int64_t size, mlir::Type element);
  /// The address of word `offset` of memory that lies in one piece.
  mlir::Value addressOf(mlir::Value memory, mlir::Value offset);
  mlir::Value pointerTo(mlir::Value address);
  void intrinsic(llvm::StringRef name, llvm::ArrayRef<int64_t> registers,
                 mlir::ValueRange operands = {});
  /// Loads or stores a tile whose rows are `words` words apart.
  void move(llvm::StringRef name, int64_t tile, mlir::Value address,
            mlir::Value words);

  void emitUnit(const Unit &unit, mlir::Value row);
  /// Adds the products of tiles; the left one and the panel's from there on.
  void emitStep(const Unit &unit, mlir::Value leftAt, mlir::Value rightAt);
  void fillRest(const ProductPanel &panel);

  mlir::OpBuilder &b;
  mlir::Location loc;
  const WordForm &form;
  /// Columns of a panel.
  int64_t width = 0;
  mlir::Value left, panels;
  /// Memory of a thread: shapes of tiles, sums, and the last rows of a panel.
  mlir::Value shapes, sums, rest;
  /// Of a panel: the address of its first word, whole tiles of rows, rows
  /// behind these, and words from one row of the left operand to the next.
  mlir::Value panelAt, numSteps, numRest, leftWords;
  mlir::Value firstRow;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_WORDTILES_H
