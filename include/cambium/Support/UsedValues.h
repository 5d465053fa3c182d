//===-- cambium/Support/UsedValues.h - What an op uses --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_USEDVALUES_H
#define CAMBIUM_SUPPORT_USEDVALUES_H

#include "mlir/IR/Operation.h"

namespace cambium {

/// The values from outside that an op and the ops in it use, each once: its
/// operands, then the others.
llvm::SmallVector<mlir::Value> getUsedValues(mlir::Operation *op);

} // namespace cambium

#endif // CAMBIUM_SUPPORT_USEDVALUES_H
