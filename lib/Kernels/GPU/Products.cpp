//===-- Products.cpp - Matrix products by blocks of threads ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductMath.h"
#include "ProductTiles.h"
#include "Stages.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace cambium;

bool cambium::spreadProduct(linalg::MatmulOp op, const TargetCosts &costs) {
  std::optional<Product> product = classifyProduct(op);
  if (!product)
    return false;
  OpBuilder b(op);
  Location loc = op.getLoc();
  ProductStart start = findStart(op);
  ProductOperands operands(b, op, *product, start,
                           [](Value operand) { return operand; });
  DeviceBuilder device(b, loc, costs);
  Value width = device.index(costs.blockTile);
  auto tiles = [&](int64_t dim) -> Value {
    Value size = memref::DimOp::create(b, loc, operands.out, dim);
    return arith::CeilDivUIOp::create(b, loc, size, width);
  };
  Value count = device.multiply(tiles(0), tiles(1));
  Value tile = beginStage(b, loc, count, rt::Unit::Block, costs);
  Value across = tiles(1);
  int64_t steps = costs.blockTile / costs.blockSide;
  ProductTile place{
      device.multiply(arith::DivUIOp::create(b, loc, tile, across), width),
      memref::DimOp::create(b, loc, operands.out, 0),
      device.multiply(arith::RemUIOp::create(b, loc, tile, across), width),
      steps,
      steps,
      chooseMath(op, costs, kStageFlag)};
  emitProductTile(b, loc, product->element, operands, place, costs);
  op.erase();
  if (start.replaced)
    start.replaced->erase();
  return true;
}

/// What a size never exceeds, if that is known.
static std::optional<int64_t> mostOf(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return constant;
  Operation *op = cast<Value>(size).getDefiningOp();
  if (auto least = dyn_cast_or_null<arith::MinSIOp>(op))
    for (Value operand : least->getOperands())
      if (std::optional<int64_t> constant = getConstantIntValue(operand))
        return constant;
  std::optional<int64_t> most;
  if (auto least = dyn_cast_or_null<affine::AffineMinOp>(op))
    for (AffineExpr result : least.getMap().getResults())
      if (auto constant = dyn_cast<AffineConstantExpr>(result))
        most =
            std::min(most.value_or(constant.getValue()), constant.getValue());
  return most;
}

/// Steps of a tile that has these elements of a part of a matrix.
static int64_t stepsOf(Value matrix, unsigned dim, const TargetCosts &costs) {
  int64_t most = costs.blockTile / costs.blockSide;
  auto type = cast<MemRefType>(matrix.getType());
  OpFoldResult size =
      Builder(matrix.getContext()).getIndexAttr(type.getDimSize(dim));
  if (type.isDynamicDim(dim)) {
    auto part = matrix.getDefiningOp<memref::SubViewOp>();
    if (!part || part.getType().getRank() != part.getSourceType().getRank())
      return most;
    size = part.getMixedSizes()[dim];
  }
  std::optional<int64_t> elements = mostOf(size);
  if (!elements)
    return most;
  int64_t steps =
      llvm::divideCeil(std::max<int64_t>(1, *elements), costs.blockSide);
  return std::min<int64_t>(most, llvm::PowerOf2Ceil(steps));
}

void cambium::emitProduct(OpBuilder &b, linalg::MatmulOp op,
                          const ProductStart &start, const TargetCosts &costs) {
  Location loc = op.getLoc();
  Product product = *classifyProduct(op);
  Value out = op.getDpsInits()[0];
  ProductTile tile{{},
                   {},
                   {},
                   stepsOf(out, 0, costs),
                   stepsOf(out, 1, costs),
                   chooseMath(op, costs, kStageFlag)};
  ProductOperands operands(
      b, op, product, start, [](Value operand) { return operand; },
      /*isShared=*/false);
  DeviceBuilder device(b, loc, costs);
  OpBuilder::InsertionGuard guard(b);
  auto begin = [&](unsigned dim, int64_t steps) -> Value {
    Value size = memref::DimOp::create(b, loc, operands.out, dim);
    auto loop = scf::ForOp::create(b, loc, device.index(0), size,
                                   device.index(steps * costs.blockSide));
    b.setInsertionPointToStart(loop.getBody());
    return loop.getInductionVar();
  };
  tile.rowEnd = memref::DimOp::create(b, loc, operands.out, 0);
  tile.rowBegin = begin(0, tile.rowSteps);
  tile.columnBegin = begin(1, tile.columnSteps);
  emitProductTile(b, loc, product.element, operands, tile, costs);
}
