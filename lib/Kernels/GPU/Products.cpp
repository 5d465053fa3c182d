//===-- Products.cpp - Matrix products by blocks of threads ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductTiles.h"
#include "Stages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

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
      steps, steps};
  emitProductTile(b, loc, product->element, operands, place, costs);
  op.erase();
  if (start.replaced)
    start.replaced->erase();
  return true;
}
