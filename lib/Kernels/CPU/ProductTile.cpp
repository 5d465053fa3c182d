//===-- lib/Kernels/CPU/ProductTile.cpp - Register tiles of products -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

MemRefType cambium::matrixType(Type element, bool hasRows) {
  constexpr int64_t any = ShapedType::kDynamic;
  auto layout = StridedLayoutAttr::get(element.getContext(), any,
                                       {any, hasRows ? int64_t(1) : any});
  return MemRefType::get({any, any}, element, layout);
}

TileEmitter::TileEmitter(OpBuilder &builder, Location loc, Value lhs,
                         const ProductWeights &rhs, Value out, Type element,
                         const TargetCosts &costs)
    : b(builder), loc(loc), lhs(lhs), rhs(rhs), out(out), costs(costs),
      laneBytes(element.getIntOrFloatBitWidth() / 8) {
  lanes = costs.vectorBytes / laneBytes;
  vector = VectorType::get({lanes}, element);
}

Value TileEmitter::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value TileEmitter::plus(Value value, int64_t more) {
  return more ? arith::AddIOp::create(b, loc, value, index(more)).getResult()
              : value;
}

Value TileEmitter::zero() {
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
}

Value TileEmitter::load(Value memref, ValueRange indices, Value mask) {
  if (mask)
    return vector::MaskedLoadOp::create(b, loc, vector, memref, indices, mask,
                                        zero());
  return vector::LoadOp::create(b, loc, vector, memref, indices);
}

void TileEmitter::store(Value value, Value memref, ValueRange indices,
                        Value mask) {
  if (mask)
    vector::MaskedStoreOp::create(b, loc, memref, indices, mask, value);
  else
    vector::StoreOp::create(b, loc, value, memref, indices);
}

void TileEmitter::prefetch(Value address, bool isLater) {
  LLVM::Prefetch::create(b, loc, pointer(address), /*rw=*/0,
                         /*hint=*/isLater ? 2 : 3, /*cache=*/1);
}

Value TileEmitter::multiplyAdd(Value x, Value y, Value sum) {
  if (costs.hasFMA)
    return vector::FMAOp::create(b, loc, x, y, sum);
  Value product = arith::MulFOp::create(b, loc, x, y);
  return arith::AddFOp::create(b, loc, product, sum);
}

int64_t TileEmitter::lineLanes() const {
  return std::max(costs.cacheLine / laneBytes, lanes);
}

int64_t TileEmitter::panelLines() const {
  return std::max<int64_t>(costs.tileVectors * lanes / lineLanes(), 1);
}

Value TileEmitter::lineAhead(Value number, Value next) {
  Value line = arith::RemUIOp::create(b, loc, number, index(panelLines()));
  line = arith::MulIOp::create(b, loc, line, index(lineLanes()));
  return arith::AddIOp::create(b, loc, next, line);
}

SmallVector<Value> TileEmitter::loadStarts(Value row, int64_t height,
                                           const ProductPanel &panel,
                                           const ProductDepth &depth) {
  SmallVector<Value> old;
  if (zeros && panel.vectors <= costs.tileVectors) {
    Value count = index(panel.vectors * lanes);
    Value from = arith::SelectOp::create(
        b, loc, depth.clear, zeroRows(height, count),
        view(depth.start, {row, panel.column}, {index(height), count}, true));
    for (int64_t r = 0; r < height; ++r)
      for (int64_t v = 0; v < panel.vectors; ++v)
        old.push_back(
            load(from, {index(r), index(v * lanes)}, panel.maskOf(v)));
    return old;
  }
  SmallVector<Type> types(height * panel.vectors, vector);
  auto starts =
      scf::IfOp::create(b, loc, types, depth.clear, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(starts.thenBlock());
  scf::YieldOp::create(b, loc, SmallVector<Value>(types.size(), zero()));
  b.setInsertionPointToStart(starts.elseBlock());
  for (int64_t r = 0; r < height; ++r)
    for (int64_t v = 0; v < panel.vectors; ++v)
      old.push_back(load(depth.start,
                         {plus(row, r), plus(panel.column, v * lanes)},
                         panel.maskOf(v)));
  scf::YieldOp::create(b, loc, old);
  return SmallVector<Value>(starts.getResults());
}

Value TileEmitter::loadElement(Value matrix, Value row, Value column) {
  Value element =
      memref::LoadOp::create(b, loc, matrix, ValueRange{row, column});
  return vector::BroadcastOp::create(b, loc, vector, element);
}

TileEmitter::FlatElements TileEmitter::flatten(Value matrix) {
  auto parts = memref::ExtractStridedMetadataOp::create(b, loc, matrix);
  Value begin = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, matrix);
  auto bytesOf = [&](Value elements) -> Value {
    return arith::MulIOp::create(b, loc, elements, index(laneBytes));
  };
  begin = arith::AddIOp::create(b, loc, begin, bytesOf(parts.getOffset()));
  return {begin, bytesOf(parts.getStrides()[0]),
          bytesOf(parts.getStrides()[1])};
}

Value TileEmitter::pointer(Value address) {
  address = arith::IndexCastOp::create(b, loc, b.getI64Type(), address);
  auto type = LLVM::LLVMPointerType::get(b.getContext());
  return LLVM::IntToPtrOp::create(b, loc, type, address);
}

Value TileEmitter::loadElement(const FlatElements &elements, int64_t row,
                               Value at) {
  Value place = arith::MulIOp::create(b, loc, elements.rowStep, index(row));
  place = arith::AddIOp::create(b, loc, at, place);
  Value element =
      LLVM::LoadOp::create(b, loc, vector.getElementType(), pointer(place));
  return vector::BroadcastOp::create(b, loc, vector, element);
}

bool TileEmitter::sumsFillRegisters(int64_t height, int64_t vectors) const {
  return height * vectors + vectors + height > costs.vectorRegisters;
}

Value TileEmitter::after(Value number, Value sum) {
  Type word = b.getI64Type();
  number = arith::IndexCastOp::create(b, loc, word, number);
  auto same = LLVM::InlineAsmOp::create(
      b, loc, word, ValueRange{number, sum}, b.getStringAttr(""),
      b.getStringAttr("=r,0,v"), {}, {},
      LLVM::TailCallKindAttr::get(b.getContext(), LLVM::TailCallKind::None), {},
      {});
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), same.getRes());
}

Value TileEmitter::castMatrix(Value matrix, bool hasRows) {
  auto type = matrixType(vector.getElementType(), hasRows);
  if (matrix.getType() == type)
    return matrix;
  return memref::CastOp::create(b, loc, type, matrix);
}

Value TileEmitter::view(Value matrix, ValueRange from, ValueRange size,
                        bool hasRows) {
  SmallVector<OpFoldResult> steps(2, b.getIndexAttr(1));
  Value part = memref::SubViewOp::create(
      b, loc, matrix, getAsOpFoldResult(from), getAsOpFoldResult(size), steps);
  return castMatrix(part, hasRows);
}

Value TileEmitter::weightsOf(const ProductPanel &panel,
                             const ProductDepth &depth) {
  Value number = arith::DivUIOp::create(b, loc, panel.column, rhs.width);
  Value inPanel = arith::RemUIOp::create(b, loc, panel.column, rhs.width);
  Value begin = arith::MulIOp::create(b, loc, number, rhs.panelStride);
  begin = arith::AddIOp::create(b, loc, begin, inPanel);
  return view(rhs.matrix, {depth.first, begin},
              {depth.count, index(panel.vectors * lanes)}, true);
}

Value TileEmitter::zeroRows(int64_t height, Value count) {
  return memref::ReinterpretCastOp::create(
      b, loc, matrixType(vector.getElementType(), true), zeros,
      OpFoldResult(b.getIndexAttr(0)),
      ArrayRef<OpFoldResult>{b.getIndexAttr(height), count},
      ArrayRef<OpFoldResult>{b.getIndexAttr(0), b.getIndexAttr(1)});
}

void TileEmitter::startFrom(Value memory, int64_t vectors) {
  zeros = memory;
  for (int64_t v = 0; v < vectors; ++v)
    store(zero(), zeros, {index(v * lanes)}, {});
}

Value TileEmitter::keptPanel(Value memory, const ProductDepth &depth) {
  auto width = b.getIndexAttr(costs.tileVectors * lanes);
  return memref::ReinterpretCastOp::create(
      b, loc, matrixType(vector.getElementType(), true), memory,
      OpFoldResult(b.getIndexAttr(0)),
      ArrayRef<OpFoldResult>{depth.count, width},
      ArrayRef<OpFoldResult>{width, b.getIndexAttr(1)});
}

Value TileEmitter::elementsOf(Value row, int64_t height,
                              const ProductDepth &depth) {
  bool hasRows = lhs.getType() == matrixType(vector.getElementType(), true);
  return view(lhs, {row, depth.first}, {index(height), depth.count}, hasRows);
}

Value TileEmitter::placeOf(int64_t number) {
  Value inPanel = index(number % costs.tileVectors * lanes * laneBytes);
  if (number < costs.tileVectors)
    return inPanel;
  Value panel = arith::MulIOp::create(
      b, loc, rhs.panelStride, index(number / costs.tileVectors * laneBytes));
  return arith::AddIOp::create(b, loc, panel, inPanel);
}

SmallVector<Value> TileEmitter::loadWeights(Value at,
                                            const ProductPanel &panel) {
  SmallVector<Value> vectors;
  for (int64_t v = 0; v < panel.vectors; ++v) {
    Value place = arith::AddIOp::create(b, loc, at, placeOf(v));
    Value mask = panel.maskOf(v), vector;
    if (mask)
      vector =
          LLVM::MaskedLoadOp::create(b, loc, this->vector, pointer(place), mask,
                                     zero(), b.getI32IntegerAttr(laneBytes));
    else
      vector =
          LLVM::LoadOp::create(b, loc, this->vector, pointer(place), laneBytes);
    vectors.push_back(vector);
  }
  return vectors;
}

Value TileEmitter::withRowStep(Value matrix, Value condition, Value step) {
  auto parts = memref::ExtractStridedMetadataOp::create(b, loc, matrix);
  step =
      arith::SelectOp::create(b, loc, condition, step, parts.getStrides()[0]);
  return memref::ReinterpretCastOp::create(
      b, loc, matrixType(vector.getElementType(), true), parts.getBaseBuffer(),
      OpFoldResult(parts.getOffset()),
      getAsOpFoldResult(ValueRange(parts.getSizes())),
      ArrayRef<OpFoldResult>{step, b.getIndexAttr(1)});
}

Value TileEmitter::piecesOf(Value row, Value first, int64_t height,
                            Value count) {
  auto left = memref::ExtractStridedMetadataOp::create(b, loc, lhs);
  Value toRow = arith::MulIOp::create(b, loc, row, left.getStrides()[0]);
  Value toFirst = arith::MulIOp::create(b, loc, first, left.getStrides()[1]);
  Value offset = arith::AddIOp::create(b, loc, left.getOffset(), toRow);
  offset = arith::AddIOp::create(b, loc, offset, toFirst);
  return memref::ReinterpretCastOp::create(
      b, loc, matrixType(vector.getElementType(), true), left.getBaseBuffer(),
      OpFoldResult(offset),
      ArrayRef<OpFoldResult>{count, b.getIndexAttr(height)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(height), b.getIndexAttr(1)});
}

void TileEmitter::askForResult(Value row, int64_t height,
                               const ProductPanel &panel) {
  auto askFor = [&](Value at) {
    for (int64_t lane = 0; lane < panel.vectors * lanes; lane += lineLanes())
      memref::PrefetchOp::create(
          b, loc, out, ValueRange{at, plus(panel.column, lane)},
          /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
  };
  if (height <= costs.fewRows) {
    for (int64_t r = 0; r < height; ++r)
      askFor(plus(row, r));
    return;
  }
  // A loop is less code, and a higher tile takes longer anyway.
  auto rows = scf::ForOp::create(b, loc, index(0), index(height), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(rows.getBody());
  askFor(arith::AddIOp::create(b, loc, row, rows.getInductionVar()));
}

void TileEmitter::emitTile(Value row, int64_t height,
                           const TileOperands &operands,
                           const ProductPanel &panel,
                           const ProductDepth &depth) {
  askForResult(row, height, panel);
  Paths paths{flatten(operands.elements), flatten(operands.weights), {}, {}};
  SmallVector<Value> sums = loadStarts(row, height, panel, depth);
  sums.append({paths.left.begin, paths.weights.begin});
  if (operands.ahead) {
    paths.ahead = flatten(operands.ahead);
    Value line = arith::MulIOp::create(b, loc, operands.line, index(laneBytes));
    sums.push_back(arith::AddIOp::create(b, loc, paths.ahead.begin, line));
  }
  Value whole = index(0);
  if (operands.isFirst) {
    // The first tile waits for memory, not for instructions. What it executes
    // is also what is left of others.
    Value rest =
        arith::RemUIOp::create(b, loc, depth.count, index(costs.tileSteps));
    Value most = arith::SubIOp::create(b, loc, depth.count, rest);
    whole = arith::SelectOp::create(b, loc, operands.isFirst, whole, most);
    emitSteps({index(0), whole, costs.tileSteps}, height, paths, panel, sums);
    paths.waits = true;
  }
  if (operands.kept) {
    paths.kept = flatten(operands.kept);
    Value size = arith::MulIOp::create(b, loc, whole, paths.kept.rowStep);
    sums.push_back(arith::AddIOp::create(b, loc, paths.kept.begin, size));
  }
  emitSteps({whole, depth.count, 1}, height, paths, panel, sums);
  for (int64_t r = 0; r < height; ++r)
    for (int64_t v = 0; v < panel.vectors; ++v)
      store(sums[r * panel.vectors + v], out,
            {plus(row, r), plus(panel.column, v * lanes)}, panel.maskOf(v));
}

void TileEmitter::emitSteps(const Steps &steps, int64_t height,
                            const Paths &paths, const ProductPanel &panel,
                            SmallVectorImpl<Value> &sums) {
  auto reduction = scf::ForOp::create(b, loc, steps.first, steps.last,
                                      index(steps.count), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(reduction.getBody());
  llvm::copy(reduction.getRegionIterArgs(), sums.begin());
  for (int64_t step = 0; step < steps.count; ++step)
    emitStep(height, paths, panel, sums);
  scf::YieldOp::create(b, loc, sums);
  llvm::copy(reduction.getResults(), sums.begin());
}

void TileEmitter::emitStep(int64_t height, const Paths &paths,
                           const ProductPanel &panel,
                           MutableArrayRef<Value> sums) {
  auto places = sums.drop_front(height * panel.vectors);
  Value &at = places[0];
  SmallVector<Value> vectors = loadWeights(places[1], panel);
  if (paths.waits)
    askForRow(places[1], paths.weights.rowStep, panel);
  move(places[1], paths.weights.rowStep);
  places = places.drop_front(2);
  if (paths.ahead.begin) {
    prefetch(places.front(), /*isLater=*/true);
    move(places.front(), paths.ahead.rowStep);
    places = places.drop_front();
  }
  if (paths.kept.begin) {
    for (auto [v, vector] : llvm::enumerate(vectors))
      LLVM::StoreOp::create(
          b, loc, vector, pointer(plus(places.front(), v * lanes * laneBytes)),
          laneBytes);
    move(places.front(), paths.kept.rowStep);
  }
  bool isTight = sumsFillRegisters(height, panel.vectors);
  for (int64_t r = 0; r < height; ++r) {
    Value all = loadElement(paths.left, r, at);
    for (int64_t v = 0; v < panel.vectors; ++v) {
      Value &sum = sums[r * panel.vectors + v];
      sum = multiplyAdd(all, vectors[v], sum);
    }
    if (isTight && r + 1 < height)
      at = after(at, sums[(r + 1) * panel.vectors - 1]);
  }
  move(at, paths.left.step);
}

void TileEmitter::askForRow(Value at, Value rowStep,
                            const ProductPanel &panel) {
  Value far = arith::MulIOp::create(b, loc, rowStep, index(costs.rowsAhead));
  far = arith::AddIOp::create(b, loc, at, far);
  for (int64_t lane = 0; lane < panel.vectors * lanes; lane += lineLanes())
    prefetch(plus(far, lane * laneBytes), /*isLater=*/false);
}

void TileEmitter::move(Value &place, Value step) {
  place = arith::AddIOp::create(b, loc, place, step);
}
