//===-- ListRows.h - Rows that loops touch, listed by all threads ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_LISTROWS_H
#define CAMBIUM_LIB_KERNELS_GPU_LISTROWS_H

#include "Library.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace cambium {

/// A loop whose iterations are divided into parts: how many iterations there
/// are, a word for each, for each part, and for all.
struct PartsOfLoop {
  mlir::Value count;
  int64_t parts;
  mlir::Value marks, sums, total;
};

/// The row of each iteration, and whether none before has that row.
struct RowsOfLoop {
  mlir::Value keys, isFirst;
};

/// A loop that moves the words of an array that are flagged to its beginning.
struct KeptWords {
  mlir::Value array, flags;
};

/// Whether all iterations of a row touch it, or none does.
bool canListTogether(rt::TouchOp touch, mlir::scf::ForOp loop);

/// Lists the rows that a loop touches, before it.
void listTogether(mlir::scf::ForOp loop, rt::TouchOp touch,
                  const RowsOfLoop &rows, const PartsOfLoop &parts,
                  Library &library);

/// Replaces the op by iterations that go at once.
void clearTogether(rt::ClearTouchedOp op);

/// What a loop keeps, if it does nothing else.
std::optional<KeptWords> findKeptWords(mlir::scf::ForOp loop);

/// Replaces such a loop; `copy` has as many words as there are iterations.
void keepTogether(mlir::scf::ForOp loop, const KeptWords &kept,
                  mlir::Value copy, const PartsOfLoop &parts, Library &library);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_LISTROWS_H
