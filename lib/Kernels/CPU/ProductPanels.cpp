//===-- lib/Kernels/CPU/ProductPanels.cpp - Which products read panels ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductPanels.h"
#include "../Products.h"
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

/// Elements of the panels of a matrix.
static int64_t panelElements(ShapedType matrix, const TargetCosts &costs) {
  int64_t width = costs.panelColumns(matrix.getElementTypeBitWidth() / 8);
  return matrix.getDimSize(0) * llvm::divideCeil(matrix.getDimSize(1), width) *
         width;
}

/// A tile of fewer vectors and more rows that multiplies as much with what it
/// has in registers; that of `costs` if there is none.
static TargetCosts narrowerTile(const TargetCosts &costs) {
  TargetCosts narrow = costs;
  narrow.tileVectors = costs.tileVectors - 1;
  auto sumsOf = [](const TargetCosts &tile) {
    return tile.tileVectors * tile.tileRows(tile.tileVectors);
  };
  return narrow.tileVectors && sumsOf(narrow) >= sumsOf(costs) ? narrow : costs;
}

TargetCosts cambium::costsOfProducts(ModuleOp module) {
  TargetCosts costs = rt::getTargetCosts(module), narrow = narrowerTile(costs);
  // Words are counted by the width that all modules of the target have.
  if (rt::getPanelFormat(module) != rt::PanelFormat::Values)
    return costs;
  // What a block of rows has of the left operand stays in the second cache, and
  // so does a weight that is no larger: reading it again costs little.
  int64_t block = costs.blockRows * costs.panelReductionBlock;
  llvm::DenseMap<StringAttr, MemRefType> matrices;
  module.walk([&](linalg::MatmulOp op) {
    std::optional<Product> product = classifyProduct(op);
    if (!product || product->rhsTransposed)
      return;
    Value rhs = op.getDpsInputs()[1];
    auto type = cast<MemRefType>(rhs.getType());
    rt::ParamOp param = paramWithPanels(rhs, costs);
    if (param && type.getNumElements() > block)
      matrices[param.getParamAttr().getAttr()] = type;
  });
  int64_t more = 0;
  for (auto [name, matrix] : matrices)
    more += panelElements(matrix, narrow) - panelElements(matrix, costs);
  return matrices.empty() || more > 0 ? costs : narrow;
}
