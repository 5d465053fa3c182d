//===-- lib/Kernels/CPU/WordRows.h - Left operands as words ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_WORDROWS_H
#define CAMBIUM_LIB_KERNELS_CPU_WORDROWS_H

#include "WordForm.h"

namespace cambium {

/// Emits the conversion of rows of f32 to words that meet those of panels. What
/// is missing in the last vector of a row is 0 (128 as an integer); integers
/// for tiles have anything behind it.
class WordRows {
public:
  WordRows(mlir::OpBuilder &builder, mlir::Location loc, const WordForm &form)
      : b(builder), loc(loc), form(form) {}

  /// Words that a row of `count` elements takes.
  mlir::Value wordsOf(mlir::Value count);

  /// Emits the elements from `first` on of a row, rounded to bf16, to nearest
  /// even; NaN stays NaN. To `words` from `offset` on.
  void emitRounded(mlir::Value matrix, mlir::Value row, mlir::Value first,
                   mlir::Value count, mlir::Value words, mlir::Value offset);
  /// Emits a row as integers from 1 to 255: 128 stands for 0, and an element is
  /// about 127 of its parts of the largest absolute value. Returns the size of
  /// such a part: NaN where an element is not finite, 0 where all are less
  /// than 2^-120.
  mlir::Value emitIntegers(mlir::Value matrix, mlir::Value row,
                           mlir::Value count, mlir::Value words,
                           mlir::Value offset);

private:
  using Body = llvm::function_ref<mlir::Value(mlir::Value k, mlir::Value bits,
                                              mlir::Value carried)>;

  /// The same by an instruction, for which numbers below the normal ones are 0.
  void emitTruncated(mlir::Value matrix, mlir::Value row, mlir::Value first,
                     mlir::Value count, mlir::Value words, mlir::Value offset);

  mlir::Value index(int64_t value);
  mlir::Value bitsOf(int64_t value);
  mlir::Value splat(double value);
  mlir::Value magnitude(mlir::Value bits);
  /// For each vector of a row, as integers.
  mlir::Value forVectors(mlir::Value matrix, mlir::Value row, mlir::Value first,
                         mlir::Value count, mlir::Value carried, Body body);
  /// One of 127 parts of an absolute value, of which the bits are given, and
  /// how many parts 1 is.
  mlir::Value partOf(mlir::Value largest, mlir::Value &inverse);
  /// Stores lanes of a narrower type.
  void storeLanes(mlir::Value values, mlir::Value words, mlir::Value offset,
                  mlir::Value k);

  mlir::OpBuilder &b;
  mlir::Location loc;
  const WordForm &form;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_WORDROWS_H
