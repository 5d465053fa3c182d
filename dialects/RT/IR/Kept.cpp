//===-- dialects/RT/IR/Kept.cpp - What is kept between calls --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/RT/IR/Kept.h"
#include "dialects/RT/IR/Bounds.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cambium;

int64_t rt::placeBehind(int64_t bytes) {
  return llvm::alignTo(bytes, uint64_t(TargetCosts().cacheLine));
}

rt::KeptBytes rt::countKept(ModuleOp module) {
  KeptBytes bytes;
  module.walk([&](KeptOp op) {
    int64_t size = staticBytes(op.getType()).value_or(0);
    int64_t &all = op.getMarks() ? bytes.marks : bytes.rows;
    all = std::max(all, placeBehind(op.getFrom() + size));
  });
  return bytes;
}
