//===-- lib/Support/Lifetime.cpp - Where the contents of memory matter ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Lifetime.h"
#include "cambium/Support/Views.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cambium;

/// Whether an op that reads or writes memory has no other way to keep it: what
/// it results in is numbers.
static bool keepsNothing(Operation *user) {
  return !user->hasTrait<OpTrait::IsTerminator>() &&
         llvm::all_of(user->getResultTypes(),
                      [](Type type) {
                        return isa<VectorType>(type) ||
                               type.isIntOrIndexOrFloat();
                      }) &&
         (user->getNumRegions() == 0 || isa<MemoryEffectOpInterface>(user));
}

std::optional<Lifetime> Lifetime::of(Operation *alloc) {
  Lifetime life;
  SmallVector<Value> worklist(alloc->getResults());
  while (!worklist.empty()) {
    Value memory = worklist.pop_back_val();
    for (Operation *user : memory.getUsers()) {
      Operation *inBlock = alloc->getBlock()->findAncestorOpInBlock(*user);
      if (!inBlock)
        return std::nullopt;
      if (sourceOfView(user)) {
        llvm::copy_if(
            user->getResults(), std::back_inserter(worklist),
            [](Value result) { return isa<BaseMemRefType>(result.getType()); });
        if (inBlock == user)
          life.views.insert(user);
        continue;
      }
      if (!keepsNothing(user))
        return std::nullopt;
      if (!life.first || inBlock->isBeforeInBlock(life.first))
        life.first = inBlock;
      if (!life.last || life.last->isBeforeInBlock(inBlock))
        life.last = inBlock;
    }
  }
  if (!life.first)
    return std::nullopt;
  return life;
}
