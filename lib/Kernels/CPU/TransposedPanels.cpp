//===-- lib/Kernels/CPU/TransposedPanels.cpp - Transposed weights ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TransposedPanels.h"
#include "../Products.h"
#include "ProductPanels.h"
#include "dialects/RT/IR/Panels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cambium;

/// Whether the op transposes a matrix of known size whose rows are contiguous.
static bool isOfMatrix(linalg::TransposeOp op) {
  auto type = dyn_cast<MemRefType>(op.getInput().getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  return type && type.hasStaticShape() &&
         op.getPermutation() == ArrayRef<int64_t>{1, 0} &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         strides.back() == 1;
}

/// Whether the product reads `memory` as its right operand, and as no other.
static bool readsRight(linalg::MatmulOp op, Value memory) {
  std::optional<Product> product = classifyProduct(op);
  return product && !product->rhsTransposed && op.getInputs()[1] == memory &&
         op.getInputs()[0] != memory && op.getOutputs()[0] != memory;
}

bool TransposedPanels::find(Operation *memory) {
  SmallVector<linalg::TransposeOp> found;
  SmallVector<linalg::MatmulOp> products;
  Block *block = nullptr;
  bool isOneBlock = true;
  for (Operation *user : memory->getUsers()) {
    auto transpose = dyn_cast<linalg::TransposeOp>(user);
    auto product = dyn_cast<linalg::MatmulOp>(user);
    if (transpose && isOfMatrix(transpose) &&
        transpose.getInit() == memory->getResult(0))
      found.push_back(transpose);
    else if (product && readsRight(product, memory->getResult(0)))
      products.push_back(product);
    else
      return false;
    isOneBlock &= !block || user->getBlock() == block;
    block = user->getBlock();
  }
  if (found.empty() || (found.size() > 1 && !isOneBlock))
    return false;
  // A product reads what the last one before it has made.
  llvm::DenseMap<Operation *, SmallVector<linalg::MatmulOp>> readBy;
  for (linalg::MatmulOp product : products) {
    Operation *last = found.size() == 1 ? found.front() : nullptr;
    for (linalg::TransposeOp transpose : found)
      if (found.size() > 1 && transpose->isBeforeInBlock(product) &&
          (!last || last->isBeforeInBlock(transpose)))
        last = transpose;
    if (!last)
      return false;
    readBy[last].push_back(product);
  }
  for (linalg::TransposeOp transpose : found)
    readers[transpose] = readBy.lookup(transpose);
  return true;
}

/// Whether a parameter may be transposed before that op instead of behind it:
/// it has no effect on parameters.
static bool mayPass(Operation *op) {
  if (isMemoryEffectFree(op) || isa<rt::AllocOp>(op))
    return true;
  auto loops = dyn_cast<linalg::LinalgOp>(op);
  return loops && loops.hasPureBufferSemantics() &&
         llvm::all_of(loops.getDpsInits(), [](Value result) {
           return memoryOf(result).getDefiningOp<rt::AllocOp>();
         });
}

/// Whether a parameter of the same size, which is there before `first`.
static bool isAlike(linalg::TransposeOp first, linalg::TransposeOp next) {
  return first.getInput().getType() == next.getInput().getType() &&
         memoryOf(next.getInput()).getDefiningOp<rt::ParamOp>() &&
         DominanceInfo().properlyDominates(next.getInput(), first);
}

void TransposedPanels::make(Operation *root,
                            ArrayRef<linalg::MatmulOp> products) {
  llvm::SetVector<Operation *> memories;
  for (linalg::MatmulOp product : products) {
    auto memory = product.getInputs()[1].getDefiningOp<rt::AllocOp>();
    if (memory && rt::hasPanels(cast<MemRefType>(memory.getType()), costs))
      memories.insert(memory);
  }
  for (Operation *memory : memories)
    if (find(memory))
      replaced.push_back(memory);
  SmallVector<linalg::TransposeOp> all;
  root->walk([&](linalg::TransposeOp op) {
    if (readers.contains(op))
      all.push_back(op);
  });
  for (linalg::TransposeOp first : all) {
    if (!readers.contains(first))
      continue;
    SmallVector<linalg::TransposeOp> together{first};
    for (Operation *op = first->getNextNode(); op && mayPass(op);
         op = op->getNextNode())
      if (readers.contains(op) && isAlike(first, linalg::TransposeOp(op)))
        together.push_back(linalg::TransposeOp(op));
    emit(together);
  }
}

/// A part `[rows, columns]` of a matrix.
static Value partOf(OpBuilder &b, Location loc, Value matrix, OpFoldResult row,
                    int64_t rows, int64_t columns) {
  SmallVector<OpFoldResult> offsets{row, b.getIndexAttr(0)},
      sizes{b.getIndexAttr(rows), b.getIndexAttr(columns)},
      steps(2, b.getIndexAttr(1));
  return memref::SubViewOp::create(b, loc, matrix, offsets, sizes, steps);
}

/// The first `columns` columns of a panel.
static Value partOfPanel(OpBuilder &b, Location loc, Value panels,
                         OpFoldResult number, int64_t columns) {
  auto type = cast<MemRefType>(panels.getType());
  int64_t depth = type.getDimSize(1);
  SmallVector<OpFoldResult> offsets(3, b.getIndexAttr(0)),
      sizes{b.getIndexAttr(1), b.getIndexAttr(depth), b.getIndexAttr(columns)},
      steps(3, b.getIndexAttr(1));
  offsets[0] = number;
  auto part = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      {depth, columns}, type, offsets, sizes, steps));
  return memref::SubViewOp::create(b, loc, part, panels, offsets, sizes, steps);
}

/// One loop over whole panels; what does not fill a panel is transposed behind
/// it.
void TransposedPanels::emit(ArrayRef<linalg::TransposeOp> together) {
  linalg::TransposeOp first = together.front();
  Location loc = first.getLoc();
  OpBuilder b(first);
  auto from = cast<MemRefType>(first.getInput().getType());
  int64_t rows = from.getDimSize(0), depth = from.getDimSize(1);
  auto right = MemRefType::get({depth, rows}, from.getElementType());
  TargetCosts tile = costsOfProduct(costs, right);
  int64_t width = tile.panelColumns(from.getElementTypeBitWidth() / 8);
  int64_t whole = rows / width, rest = rows % width;
  auto type = MemRefType::get({whole + (rest > 0), depth, width},
                              from.getElementType());
  SmallVector<Value> memories;
  for (linalg::TransposeOp op : together) {
    Operation *old = op.getInit().getDefiningOp();
    OpBuilder outside(old->getBlock() == first->getBlock() ? first : old);
    memories.push_back(rt::AllocOp::create(outside, loc, type, ValueRange()));
    for (linalg::MatmulOp reader : readers.lookup(op))
      panels[reader] = memories.back();
  }
  auto transposeAll = [&](OpBuilder &b, OpFoldResult row, OpFoldResult panel,
                          int64_t count) {
    for (auto [op, memory] : llvm::zip_equal(together, memories))
      linalg::TransposeOp::create(
          b, loc,
          partOf(b, loc, linalg::TransposeOp(op).getInput(), row, count, depth),
          partOfPanel(b, loc, memory, panel, count), ArrayRef<int64_t>{1, 0});
  };
  Value count = arith::ConstantIndexOp::create(b, loc, whole);
  int64_t work = depth * width * static_cast<int64_t>(together.size());
  auto loop = rt::ForEachOp::create(b, loc, count, b.getI64IntegerAttr(work));
  {
    OpBuilder inside = OpBuilder::atBlockBegin(&loop.getBody().front());
    Value step = arith::ConstantIndexOp::create(inside, loc, width);
    Value row = arith::MulIOp::create(inside, loc, loop.getNumber(), step);
    transposeAll(inside, row, loop.getNumber(), width);
  }
  if (rest)
    transposeAll(b, b.getIndexAttr(whole * width), b.getIndexAttr(whole), rest);
  remark::passed(
      loc, remark::RemarkOpts::name("Panels").category("kernels-emit-products"))
      << remark::metric("Transposed", together.size());
  for (linalg::TransposeOp op : together) {
    readers.erase(op);
    op.erase();
  }
}

void TransposedPanels::finish() {
  for (Operation *memory : replaced)
    memory->erase();
}
