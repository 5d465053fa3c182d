//===-- lib/Kernels/EqualFunctions.cpp - Functions that do the same ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EqualFunctions.h"

using namespace mlir;
using namespace cambium;

static llvm::hash_code hashOf(func::FuncOp function) {
  llvm::hash_code hash = hash_value(function.getFunctionType());
  function.getBody().walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

static bool areEqual(func::FuncOp one, func::FuncOp other) {
  return one.getFunctionType() == other.getFunctionType() &&
         OperationEquivalence::isRegionEquivalentTo(
             &one.getBody(), &other.getBody(),
             OperationEquivalence::IgnoreLocations);
}

size_t EqualFunctions::insert(func::FuncOp function) {
  SmallVector<size_t> &candidates = numbers[hashOf(function)];
  for (size_t number : candidates)
    if (areEqual(all[number], function))
      return number;
  candidates.push_back(all.size());
  all.push_back(function);
  return candidates.back();
}
