//===-- dialects/Ragged/IR/LoopValues.h - Values of loops by kind --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands, region arguments, yields and results of the loops stand in an order
// that the ops alone know: others name them by kind.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_IR_LOOPVALUES_H
#define CAMBIUM_DIALECTS_RAGGED_IR_LOOPVALUES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace cambium::ragged {

using Values = llvm::SmallVector<mlir::Value>;

/// The arrays that a `ragged.levels` reads.
struct LevelsInputs {
  Values nodes, edges, base, shared;
};

/// The arguments of the region of a `ragged.levels`.
struct LevelsArgs {
  mlir::Value partition;
  Values nodes, edges, recurrent, shared;
  Values inOrder() const;
};

/// What a level of a `ragged.levels` yields, or its results.
struct LevelsYields {
  Values recurrent, nodes, edges, shared;
  Values inOrder() const;
};

/// The arguments of the region of a `ragged.iterate`.
struct IterateArgs {
  mlir::Value ids;
  Values states, shared;
  Values inOrder() const;
};

/// What an iteration of a `ragged.iterate` yields.
struct IterateYields {
  mlir::Value flags;
  Values states, shared, records;
  Values inOrder() const;
};

/// The results of a `ragged.iterate`.
struct IterateResults {
  Values states;
  mlir::Value steps;
  Values shared, records;
  Values inOrder() const;
};

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_IR_LOOPVALUES_H
