//===-- cambium/Support/ElementCost.h - What an op takes for an element ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_ELEMENTCOST_H
#define CAMBIUM_SUPPORT_ELEMENTCOST_H

#include "cambium/Support/TargetCosts.h"
#include "mlir/IR/Operation.h"

namespace cambium {

/// A rough number of simple instructions that an op takes for each element of
/// its result, on tensors, vectors or numbers alike. An elementwise op that is
/// no arithmetic is a function of numbers; another op reads or moves elements.
int64_t elementCost(mlir::Operation *op, const TargetCosts &costs);

} // namespace cambium

#endif // CAMBIUM_SUPPORT_ELEMENTCOST_H
