//===-- lib/LLVM/ForwardFields.cpp - Fields instead of structs -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/LLVM/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cambium {
#define GEN_PASS_DEF_FORWARDFIELDS
#include "cambium/LLVM/Passes.h.inc"
} // namespace cambium

using namespace mlir;

namespace {
struct ForwardFields : cambium::impl::ForwardFieldsBase<ForwardFields> {
  using ForwardFieldsBase::ForwardFieldsBase;

  void runOnOperation() override {
    // Uses come after definitions: each walk sees all there is to see.
    getOperation().walk([](LLVM::ExtractValueOp read) {
      SmallVector<OpFoldResult, 1> fields;
      if (failed(read->fold(fields)) || fields.size() != 1)
        return;
      auto field = dyn_cast<Value>(fields.front());
      if (!field || field == read.getResult())
        return;
      read.replaceAllUsesWith(field);
      read.erase();
    });
    for (Block &block : llvm::reverse(getOperation().getBody()))
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (isOpTriviallyDead(&op))
          op.erase();
  }
};
} // namespace
