//===-- EntrySignature.h - The arguments of entries ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LLVM_ENTRYSIGNATURE_H
#define CAMBIUM_LLVM_ENTRYSIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cambium {

/// What the arguments of an entry stand for; see the description of the `rt`
/// dialect. Indices are those of the arrays of `cambium_abi_call_t`.
struct EntrySignature {
  /// A row space of the examples.
  struct Space {
    std::string name;
    bool ofNodes = false;
    /// Index of the space whose rows have these rows, or rt::kPerExample.
    int64_t in = -1;
  };
  /// A tree of the examples.
  struct Forest {
    std::string name;
    int64_t space = 0;
    int64_t arity = -1;
    bool singleRoot = true;
  };
  /// An input or an output.
  struct Tensor {
    std::string name;
    mlir::MemRefType type;
    /// Index of a space, or rt::kPerExample, or rt::kPerCall.
    int64_t space = 0;
    /// Index of the forest whose edges are the rows, or -1.
    int64_t edgesOf = -1;
    /// Values are ids below the limit, if there is one.
    std::optional<int64_t> limit;

    /// The shape of a row.
    llvm::ArrayRef<int64_t> rowShape() const;
  };

  llvm::SmallVector<Space> spaces;
  llvm::SmallVector<Forest> forests;
  llvm::SmallVector<Tensor> inputs, outputs;
};

/// Reads and checks the arguments of an entry; errors are reported at the
/// entry.
mlir::FailureOr<EntrySignature> readSignature(mlir::func::FuncOp entry);

} // namespace cambium

#endif // CAMBIUM_LLVM_ENTRYSIGNATURE_H
