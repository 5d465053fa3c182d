//===-- lib/Support/Views.cpp - What a view is of -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Views.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

Value cambium::sourceOfView(Operation *op) {
  if (auto view = dyn_cast_or_null<ViewLikeOpInterface>(op))
    return view.getViewSource();
  if (auto turned = dyn_cast_or_null<memref::TransposeOp>(op))
    return turned.getIn();
  return {};
}
