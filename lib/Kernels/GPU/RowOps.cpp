//===-- RowOps.cpp - Ops that work row by row -----------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowOps.h"
#include "cambium/Support/Views.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace cambium;

//===----------------------------------------------------------------------===//
// Rows of a memory
//===----------------------------------------------------------------------===//

/// Whether the rows of one shape are those of the other one: what is beside
/// them in the first dimension is of size 1.
template <typename OpT> static bool keepsRows(OpT op, MemRefType wide) {
  auto first = op.getReassociationIndices()[0];
  return llvm::all_of(llvm::drop_begin(first),
                      [&](int64_t dim) { return wide.getDimSize(dim) == 1; });
}
static bool keepsRows(Operation *op) {
  if (auto shape = dyn_cast<memref::CollapseShapeOp>(op))
    return keepsRows(shape, shape.getSrcType());
  if (auto shape = dyn_cast<memref::ExpandShapeOp>(op))
    return keepsRows(shape, shape.getResultType());
  return isa<memref::CastOp>(op);
}

/// The number of rows of a view, or null.
static Value countRows(Value view) {
  Operation *op = view.getDefiningOp();
  auto type = dyn_cast<MemRefType>(view.getType());
  if (!op || !type || type.getRank() == 0 || !type.isDynamicDim(0))
    return {};
  if (auto part = dyn_cast<memref::SubViewOp>(op))
    return dyn_cast<Value>(part.getMixedSizes()[0]);
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op))
    return dyn_cast<Value>(cast.getMixedSizes()[0]);
  if (auto alloc = dyn_cast<rt::AllocOp>(op))
    return alloc.getSizes()[0];
  if (keepsRows(op))
    return countRows(op->getOperand(0));
  return {};
}

/// What a view with the same rows is of, or null.
static Value sameRows(Value view) {
  Operation *op = view.getDefiningOp();
  if (auto part = dyn_cast_or_null<memref::SubViewOp>(op))
    return isZeroInteger(part.getMixedOffsets()[0]) &&
                   isOneInteger(part.getMixedStrides()[0]) &&
                   !part.getDroppedDims().test(0)
               ? part.getSource()
               : Value();
  if (op && keepsRows(op))
    return op->getOperand(0);
  return {};
}

RowsOfMemory::RowsOfMemory(Value view) : count(countRows(view)) {
  if (!count)
    return;
  base = view;
  for (Value outer = sameRows(view); outer && countRows(outer) == count;
       outer = sameRows(outer))
    base = outer;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool RowAccess::isLocalWith(const RowAccess &other) const {
  auto isOfRow = [](Rows rows) {
    return rows == Rows::Own || rows == Rows::Edges;
  };
  return base && base == other.base && isOfRow(rows) && isOfRow(other.rows);
}

/// What the rows of a level are read from, where they are written to: the first
/// row of the memory is the first node.
static bool isBefore(const RowAccess &children, const RowAccess &written) {
  auto part =
      written.base ? written.base.getDefiningOp<memref::SubViewOp>() : nullptr;
  return part && children.rows == RowAccess::Rows::Children &&
         written.rows == RowAccess::Rows::Own &&
         part.getSource() == children.view &&
         isOneInteger(part.getMixedStrides()[0]) &&
         dyn_cast<Value>(part.getMixedOffsets()[0]) ==
             children.level->nodeBegin;
}

bool RowAccess::isApartFrom(const RowAccess &other) const {
  return (!writes && !other.writes) || !memory.meets(other.memory) ||
         isBefore(*this, other) || isBefore(other, *this);
}

/// Which rows of `source` an index shows.
RowAccess::Rows RowOp::rowsOf(OpFoldResult row, Value source, Operation *at) {
  using Rows = RowAccess::Rows;
  auto number = dyn_cast<Value>(row);
  Value rows = RowsOfMemory(source).count;
  if (!number)
    return Rows::Any;
  if (rows == count && number == op->getRegion(0).getArgument(0))
    return Rows::Own;
  if (!level)
    return Rows::Any;
  if (!countsEdges && rows && level->countsEdges(rows) &&
      level->isEdgeOf(number, op->getRegion(0).getArgument(0), at))
    return Rows::Edges;
  return level->isChild(number) ? Rows::Children : Rows::Any;
}

/// Whether a part in a loop is all of what it is of, when the loops around have
/// ended. The first dimension may be that of rows.
static bool isWhole(memref::SubViewOp part, bool skipsFirst) {
  for (int64_t dim = skipsFirst ? 1 : 0; dim < part.getSourceType().getRank();
       ++dim) {
    int64_t size = part.getSourceType().getDimSize(dim);
    OpFoldResult offset = part.getMixedOffsets()[dim];
    if (part.getStaticSizes()[dim] == size && isZeroInteger(offset))
      continue;
    auto counter = dyn_cast_or_null<BlockArgument>(dyn_cast<Value>(offset));
    auto loop = counter
                    ? dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp())
                    : nullptr;
    if (!loop || part.getStaticSizes()[dim] != 1 ||
        !isZeroInteger(getAsOpFoldResult(loop.getLowerBound())) ||
        !isOneInteger(getAsOpFoldResult(loop.getStep())) ||
        getConstantIntValue(loop.getUpperBound()) != size)
      return false;
  }
  return true;
}

/// What an op in the loop does with the memory behind a value.
RowAccess RowOp::accessOf(Value value, Operation *at) {
  RowAccess access;
  access.memory = Memory::of(value);
  memref::SubViewOp first;
  unsigned depth = 0;
  bool isAll = true;
  while (Value source = sourceOfView(value.getDefiningOp())) {
    Operation *view = value.getDefiningOp();
    if (!op->isProperAncestor(view))
      break;
    isAll &= !first || isWhole(first, /*skipsFirst=*/false);
    first = dyn_cast<memref::SubViewOp>(view);
    isAll &= first != nullptr;
    value = source;
    ++depth;
  }
  access.view = value;
  if (!first || !isOneInteger(first.getMixedSizes()[0]))
    return access;
  access.rows = rowsOf(first.getMixedOffsets()[0], value, at);
  if (access.rows == RowAccess::Rows::Own ||
      access.rows == RowAccess::Rows::Edges)
    access.base = RowsOfMemory(value).base;
  access.covers = isAll && access.rows == RowAccess::Rows::Own &&
                  value == access.base && isWhole(first, /*skipsFirst=*/true);
  access.level = level;
  auto type = cast<MemRefType>(value.getType());
  access.byColumn = depth == 1 && type.getRank() == 2 &&
                    isZeroInteger(first.getMixedOffsets()[1]) &&
                    first.getType().getRank() == 1 &&
                    first.getType().getShape() == type.getShape().drop_front();
  return access;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The length of the rows that an op in a loop works on, element by element, or
/// 0.
static int64_t widthOf(linalg::LinalgOp op) {
  if (op.getNumLoops() != 1 || op.getNumParallelLoops() != 1 ||
      ShapedType::isDynamic(op.getStaticLoopRanges()[0]))
    return 0;
  bool isPlain = llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return map.isIdentity() || map.getNumResults() == 0;
  });
  return isPlain && !op.hasIndexSemantics() ? op.getStaticLoopRanges()[0] : 0;
}

void RowOp::addIn(Operation *inner) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
  if (!effects)
    return;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &effect : instances) {
    Value value = effect.getValue();
    RowAccess access;
    if (value && isa<MemRefType>(value.getType()))
      access = accessOf(value, inner);
    access.writes = !isa<MemoryEffects::Read>(effect.getEffect());
    access.byColumn &= isa<linalg::LinalgOp>(inner);
    if (access.writes && !access.byColumn)
      width = 0;
    accesses.push_back(access);
  }
}

void RowOp::setCount(Value value) {
  count = value;
  level = LevelOfForest::of(count);
  if (level)
    return;
  level = LevelOfForest::ofEdges(count);
  countsEdges = level.has_value();
}

bool RowOp::addLoop() {
  auto loop = cast<rt::ForEachOp>(op);
  setCount(loop.getCount());
  width = -1;
  bool isKnown = true;
  loop.getBody().walk([&](Operation *inner) {
    if (isa<memref::AllocaOp, rt::ForEachOp>(inner) ||
        inner->hasTrait<rt::NeedsEntry>())
      isKnown = false;
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(inner)) {
      int64_t own = widthOf(linalgOp);
      width = width == -1 || width == own ? own : 0;
      return;
    }
    auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
    isKnown &= effects || isMemoryEffectFree(inner) ||
               inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  });
  if (!isKnown || width == -1)
    return false;
  loop.getBody().walk([&](Operation *inner) {
    if (inner->getParentOfType<linalg::LinalgOp>())
      return;
    addIn(inner);
  });
  return true;
}

/// An operand of a linalg op: own rows, if its first dimension is that of rows.
void RowOp::addOperand(OpOperand &operand, AffineMap map) {
  if (!isa<MemRefType>(operand.get().getType()))
    return;
  auto add = [&](bool writes) {
    RowAccess access;
    access.memory = Memory::of(operand.get());
    access.view = operand.get();
    access.writes = writes;
    RowsOfMemory rows(operand.get());
    bool isOwn = map.getNumResults() != 0 &&
                 map.getResult(0) == getAffineDimExpr(0, op->getContext());
    // All operands have as many rows, whatever value says so.
    if (isOwn && rows.count) {
      access.rows = RowAccess::Rows::Own;
      access.base = rows.base;
      access.covers = map.isIdentity() && operand.get() == rows.base;
    }
    access.byColumn = map.getNumResults() == 2 && map.isIdentity();
    accesses.push_back(access);
  };
  auto linalgOp = cast<linalg::LinalgOp>(op);
  bool isOutput = linalgOp.isDpsInit(&operand);
  if (!isOutput || linalgOp.payloadUsesValueFromOperand(&operand))
    add(false);
  if (isOutput)
    add(true);
}

bool RowOp::addProduct() {
  auto product = cast<linalg::MatmulOp>(op);
  std::optional<Product> known = classifyProduct(product);
  auto type = cast<MemRefType>(product.getDpsInits()[0].getType());
  auto left = cast<MemRefType>(product.getDpsInputs()[0].getType());
  if (!known || known->lhsTransposed || type.isDynamicDim(1) ||
      left.isDynamicDim(1))
    return false;
  start = findStart(product);
  width = type.getDimSize(1);
  MLIRContext *context = op->getContext();
  auto map = [&](ArrayRef<unsigned> dims) {
    SmallVector<AffineExpr> results;
    for (unsigned dim : dims)
      results.push_back(getAffineDimExpr(dim, context));
    return AffineMap::get(2, 0, results, context);
  };
  addOperand(product->getOpOperand(0), map({0}));
  addOperand(product->getOpOperand(1), map({}));
  addOperand(product->getOpOperand(2), map({0, 1}));
  if (start.row) {
    RowAccess row;
    row.view = start.row;
    row.memory = Memory::of(row.view);
    accesses.push_back(row);
  }
  return true;
}

/// Elements of two dimensions can be computed column by column.
bool RowOp::addElements() {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  AffineExpr row = getAffineDimExpr(0, op->getContext());
  if (linalgOp.getNumLoops() == 0 ||
      linalgOp.getIteratorTypesArray()[0] != utils::IteratorType::parallel)
    return false;
  bool isFlat = linalgOp.getNumLoops() == 2 &&
                linalgOp.getNumParallelLoops() == 2 &&
                !ShapedType::isDynamic(linalgOp.getStaticLoopRanges()[1]);
  width = isFlat ? linalgOp.getStaticLoopRanges()[1] : 0;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
    bool hasRow = map.isFunctionOfDim(0);
    if (!map.isProjectedPermutation() || (hasRow && map.getResult(0) != row) ||
        (linalgOp.isDpsInit(&operand) && !hasRow))
      return false;
    if (linalgOp.isDpsInit(&operand) && !map.isIdentity())
      width = 0;
    addOperand(operand, map);
  }
  op->getRegion(0).walk([&](Operation *inner) { addIn(inner); });
  return true;
}

/// How many rows the op has, or null: all operands have as many. The number of
/// a level's nodes says more than others; else what is read knows best, since
/// results may be a part of an array for another purpose.
static Value countOf(linalg::LinalgOp op) {
  if (!RowsOfMemory(op.getDpsInits()[0]).count)
    return {};
  Value count;
  AffineExpr row = getAffineDimExpr(0, op.getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool hasRows = map.getNumResults() != 0 && map.getResult(0) == row;
    Value other = hasRows ? RowsOfMemory(operand.get()).count : Value();
    if (other && LevelOfForest::of(other))
      return other;
    if (!count)
      count = other;
  }
  return count;
}

std::optional<RowOp> RowOp::of(Operation *op) {
  RowOp row;
  row.op = op;
  if (isa<rt::ForEachOp>(op))
    return row.addLoop() ? std::optional(row) : std::nullopt;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureBufferSemantics())
    return std::nullopt;
  Value count = countOf(linalgOp);
  if (!count)
    return std::nullopt;
  row.setCount(count);
  bool isKnown =
      isa<linalg::MatmulOp>(op) ? row.addProduct() : row.addElements();
  return isKnown ? std::optional(row) : std::nullopt;
}

int64_t RowOp::depth() const {
  return cast<MemRefType>(op->getOperand(0).getType()).getDimSize(1);
}

bool RowOp::writesTo(Value base) const {
  return llvm::any_of(accesses, [&](const RowAccess &access) {
    return access.writes && access.base == base;
  });
}
