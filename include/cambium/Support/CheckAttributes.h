//===-- cambium/Support/CheckAttributes.h - Misspelled attributes -*- C++ -*-=//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_CHECKATTRIBUTES
#define CAMBIUM_SUPPORT_CHECKATTRIBUTES

#include "mlir/IR/Operation.h"

namespace cambium {

/// Fails where an op of the text has an attribute that it does not know:
/// without the prefix of a dialect nobody else reads it, but MLIR keeps it.
llvm::LogicalResult checkAttributes(mlir::Operation *root);

} // namespace cambium

#endif // CAMBIUM_SUPPORT_CHECKATTRIBUTES
