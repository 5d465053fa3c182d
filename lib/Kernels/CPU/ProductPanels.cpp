//===-- lib/Kernels/CPU/ProductPanels.cpp - Which products read panels ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductPanels.h"
#include "dialects/RT/IR/Panels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace cambium;

/// Whether it is one of the matrices that the last two dimensions are.
static bool isMatrix(memref::SubViewOp slice) {
  ArrayRef<int64_t> whole = slice.getSourceType().getShape(),
                    sizes = slice.getStaticSizes();
  size_t rank = whole.size();
  return slice.getType().getRank() == 2 && rank > 2 &&
         llvm::all_of(sizes.drop_back(2), [](int64_t n) { return n == 1; }) &&
         sizes.take_back(2) == whole.take_back(2) &&
         llvm::all_of(slice.getStaticOffsets().take_back(2),
                      [](int64_t offset) { return offset == 0; }) &&
         llvm::all_of(slice.getStaticStrides(),
                      [](int64_t step) { return step == 1; });
}

rt::ParamOp cambium::paramWithPanels(Value rhs, const TargetCosts &costs) {
  auto slice = rhs.getDefiningOp<memref::SubViewOp>();
  auto param = (slice ? slice.getSource() : rhs).getDefiningOp<rt::ParamOp>();
  if (!param || !rt::hasPanels(cast<MemRefType>(rhs.getType()), costs))
    return {};
  if (slice && !isMatrix(slice))
    return {};
  return param;
}

TargetCosts cambium::narrowestTile(const TargetCosts &costs) {
  TargetCosts narrow = costs;
  narrow.tileVectors = costs.tileVectors - 1;
  if (!narrow.tileVectors)
    return costs;
  // As many vectors as before.
  narrow.panelsAtOnce = llvm::divideCeil(costs.panelsAtOnce * costs.tileVectors,
                                         narrow.tileVectors);
  auto sumsOf = [](const TargetCosts &tile) {
    return tile.tileVectors * tile.tileRows(tile.tileVectors);
  };
  return sumsOf(narrow) >= sumsOf(costs) ? narrow : costs;
}

TargetCosts cambium::costsOfProduct(const TargetCosts &costs, ShapedType rhs) {
  TargetCosts narrow = narrowestTile(costs);
  int64_t columns = rhs.getDimSize(1), bytes = rhs.getElementTypeBitWidth() / 8;
  // Nobody knows what panels of them would have.
  if (ShapedType::isDynamic(columns))
    return narrow;
  auto columnsOf = [&](const TargetCosts &tile) {
    return llvm::alignTo(columns, tile.panelColumns(bytes));
  };
  int64_t wide = columnsOf(costs), more = columnsOf(narrow) - wide;
  return more * costs.panelExcess > wide ? costs : narrow;
}
