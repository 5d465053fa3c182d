//===-- Sameness.cpp - Values that are computed alike ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Sameness.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace cambium::ragged;

bool Sameness::isSame(Value one, Value other) {
  if (auto found = known.find(one); found != known.end())
    return found->second == other;
  if (one == other)
    return true;
  Operation *a = one.getDefiningOp(), *b = other.getDefiningOp();
  if (!a || !b || a->getName() != b->getName() ||
      a->getAttrDictionary() != b->getAttrDictionary() ||
      one.getType() != other.getType() ||
      a->getNumOperands() != b->getNumOperands() || a->getNumRegions() != 0 ||
      cast<OpResult>(one).getResultNumber() !=
          cast<OpResult>(other).getResultNumber())
    return false;
  for (auto [x, y] : llvm::zip_equal(a->getOperands(), b->getOperands()))
    if (!isSame(x, y))
      return false;
  known[one] = other;
  return true;
}
