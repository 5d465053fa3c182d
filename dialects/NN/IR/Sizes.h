//===-- dialects/NN/IR/Sizes.h - Names of numbers -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_IR_SIZES_H
#define CAMBIUM_DIALECTS_NN_IR_SIZES_H

#include "dialects/NN/IR/NN.h"
#include "llvm/ADT/MapVector.h"

namespace cambium::nn {

/// Numbers, and initializers, by name: what `--size` and `with` give.
using Numbers = llvm::MapVector<mlir::StringAttr, mlir::Attribute>;
/// Numbers of the sizes of a file by name.
using SizeValues = llvm::MapVector<mlir::StringAttr, int64_t>;

/// The value of a size computed from others; none if one of them is not known,
/// or if it exceeds 64 bits.
std::optional<int64_t> evaluate(SizeAttr size, const SizeValues &values);

/// The numbers of all sizes, where `given` holds those of some. Fails where a
/// size that is computed from others is given another number.
llvm::LogicalResult
completeSizes(llvm::ArrayRef<SizeAttr> sizes, SizeValues &given,
              llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Makes the dimensions of `written` those of `actual`: binds the sizes among
/// them. Fails, with nothing said, where they cannot be.
llvm::LogicalResult unify(mlir::Type written, mlir::Type actual,
                          llvm::ArrayRef<SizeAttr> sizes, SizeValues &values);

/// Puts numbers in the place of sizes, and of `#nn.given` and `nn.constant`
/// those in `numbers`, everywhere in an op. Fails at an op whose constant has a
/// shape that changes.
llvm::LogicalResult replaceSizes(mlir::Operation *op,
                                 llvm::ArrayRef<SizeAttr> sizes,
                                 const SizeValues &values);

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_IR_SIZES_H
