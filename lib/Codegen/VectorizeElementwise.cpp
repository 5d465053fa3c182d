//===-- lib/Codegen/VectorizeElementwise.cpp - Vector loops for elementwise code ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop nest per op: all dimensions but the last in order, the last one in
// steps of a vector register, the rest of it under a mask. Sums over leading
// dimensions (a column sum) fit the same scheme: the result is a vector that is
// read and written for every row, so the order of additions is that of the rows.
//
//===----------------------------------------------------------------------===//
#include "cambium/Codegen/Passes.h"
#include "cambium/Target/Machine.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace cambium {
#define GEN_PASS_DEF_VECTORIZEELEMENTWISE
#include "cambium/Codegen/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// Elements that a chunk of a parallel loop has at least: what takes some ten
/// microseconds.
static constexpr int64_t kGrainElements = 1 << 15;

//===----------------------------------------------------------------------===//
// What can be vectorized
//===----------------------------------------------------------------------===//

/// Whether the last dimension of the memref is contiguous.
static bool isContiguous(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         (strides.empty() || strides.back() == 1);
}

/// Each operand either runs along the last loop, contiguously, or does not depend
/// on it (then it must not be a result).
static bool hasVectorAccess(linalg::GenericOp op) {
  unsigned last = op.getNumLoops() - 1;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isScalar = !type;
    if (isScalar || !map.isProjectedPermutation(/*allowZeroInResults=*/true)) {
      if (isScalar && map.getNumResults() == 0 && op.isDpsInput(&operand))
        continue;
      return false;
    }
    if (!map.isFunctionOfDim(last)) {
      if (op.isDpsInit(&operand))
        return false;
      continue;
    }
    auto expr = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (!expr || expr.getPosition() != last || !isContiguous(type))
      return false;
  }
  return true;
}

/// Whether every op of the body has a vector form.
static bool hasVectorBody(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return inner.hasTrait<OpTrait::ConstantLike>() ||
           OpTrait::hasElementwiseMappableTraits(&inner);
  });
}

static bool canVectorize(linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumLoops() == 0)
    return false;
  if (op.getIteratorTypesArray().back() != utils::IteratorType::parallel)
    return false;
  return hasVectorAccess(op) && hasVectorBody(op);
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

namespace {
class Emitter {
public:
  Emitter(linalg::GenericOp op, int64_t lanes, OpBuilder &builder)
      : op(op), lanes(lanes), b(builder), loc(op.getLoc()), loops(op.getNumLoops()),
        ivs(loops) {
    zero = arith::ConstantIndexOp::create(b, loc, 0);
    one = arith::ConstantIndexOp::create(b, loc, 1);
    for (unsigned loop = 0; loop < loops; ++loop)
      sizes.push_back(sizeOf(loop));
  }

  void run() { emitOuter(0); }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  /// The size of a loop: that of an operand's dimension which it runs along.
  Value sizeOf(unsigned loop) {
    staticSizes.push_back(ShapedType::kDynamic);
    Value size;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        auto position = dyn_cast<AffineDimExpr>(expr);
        if (!type || !position || position.getPosition() != loop)
          continue;
        if (!type.isDynamicDim(dim)) {
          staticSizes.back() = type.getDimSize(dim);
          return index(type.getDimSize(dim));
        }
        if (!size)
          size = memref::DimOp::create(b, loc, operand.get(), dim);
      }
    }
    return size;
  }

  /// Outer loops; the first one in parallel where rows do not depend on each other.
  void emitOuter(unsigned loop) {
    if (loop + 1 == loops)
      return emitVectorLoop();
    OpBuilder::InsertionGuard guard(b);
    bool parallel = loop == 0 &&
                    op.getIteratorTypesArray()[0] == utils::IteratorType::parallel &&
                    !op->getParentOfType<rt::ParallelOp>();
    Value begin = zero, end = sizes[loop];
    if (parallel) {
      auto task = rt::ParallelOp::create(b, loc, end, grain());
      Block *body = b.createBlock(&task.getBody(), {}, {b.getIndexType(), b.getIndexType()},
                                  {loc, loc});
      rt::YieldOp::create(b, loc);
      b.setInsertionPointToStart(body);
      begin = body->getArgument(0);
      end = body->getArgument(1);
    }
    auto rows = scf::ForOp::create(b, loc, begin, end, one);
    b.setInsertionPointToStart(rows.getBody());
    ivs[loop] = rows.getInductionVar();
    emitOuter(loop + 1);
  }

  /// Rows that a chunk has at least.
  int64_t grain() {
    int64_t elements = 1;
    for (int64_t size : ArrayRef(staticSizes).drop_front())
      elements *= ShapedType::isDynamic(size) ? 64 : size;
    return std::max<int64_t>(1, kGrainElements / std::max<int64_t>(1, elements));
  }

  /// The last loop: whole vectors, then the rest under a mask.
  void emitVectorLoop() {
    loadInvariant();
    int64_t size = staticSizes.back();
    Value width = index(lanes), whole;
    if (ShapedType::isDynamic(size)) {
      Value rest = arith::RemUIOp::create(b, loc, sizes.back(), width);
      whole = arith::SubIOp::create(b, loc, sizes.back(), rest);
    } else {
      whole = index(size / lanes * lanes);
    }
    if (ShapedType::isDynamic(size) || size >= lanes) {
      OpBuilder::InsertionGuard guard(b);
      auto vectors = scf::ForOp::create(b, loc, zero, whole, width);
      b.setInsertionPointToStart(vectors.getBody());
      ivs.back() = vectors.getInductionVar();
      emitBody(Value());
    }
    ivs.back() = whole;
    auto maskType = VectorType::get({lanes}, b.getI1Type());
    if (!ShapedType::isDynamic(size)) {
      SmallVector<bool> bits(lanes, false);
      std::fill_n(bits.begin(), size % lanes, true);
      if (size % lanes)
        emitBody(arith::ConstantOp::create(b, loc, DenseElementsAttr::get(maskType, bits)));
      return;
    }
    Value rest = arith::SubIOp::create(b, loc, sizes.back(), whole);
    Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, rest, zero);
    auto tail = scf::IfOp::create(b, loc, any, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&tail.getThenRegion().front());
    emitBody(vector::CreateMaskOp::create(b, loc, maskType, ValueRange{rest}));
  }

  SmallVector<Value> indicesOf(OpOperand &operand) {
    SmallVector<Value> indices;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      indices.push_back(dim ? ivs[dim.getPosition()] : zero);
    }
    return indices;
  }

  bool runsAlongVector(OpOperand &operand) {
    return op.getMatchingIndexingMap(&operand).isFunctionOfDim(loops - 1);
  }

  VectorType vectorOf(Type element) { return VectorType::get({lanes}, element); }

  /// Operands that are the same for the whole vector loop.
  void loadInvariant() {
    for (OpOperand &operand : op->getOpOperands()) {
      if (runsAlongVector(operand))
        continue;
      Value scalar = operand.get();
      if (isa<MemRefType>(scalar.getType()))
        scalar = memref::LoadOp::create(b, loc, scalar, indicesOf(operand));
      invariant[&operand] =
          vector::BroadcastOp::create(b, loc, vectorOf(scalar.getType()), scalar);
    }
  }

  Value load(OpOperand &operand, Value mask) {
    Type element = cast<MemRefType>(operand.get().getType()).getElementType();
    VectorType type = vectorOf(element);
    if (!mask)
      return vector::LoadOp::create(b, loc, type, operand.get(), indicesOf(operand));
    Value pass = arith::ConstantOp::create(b, loc, type, b.getZeroAttr(type));
    return vector::MaskedLoadOp::create(b, loc, type, operand.get(), indicesOf(operand), mask,
                                        pass);
  }

  /// One vector of every result.
  void emitBody(Value mask) {
    IRMapping map;
    Block *body = op.getBody();
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument arg = op.getMatchingBlockArgument(&operand);
      if (arg.use_empty())
        continue;
      Value known = invariant.lookup(&operand);
      map.map(arg, known ? known : load(operand, mask));
    }
    for (Operation &inner : body->without_terminator())
      cloneAsVector(inner, map);
    auto yield = cast<linalg::YieldOp>(body->getTerminator());
    for (auto [value, init] : llvm::zip_equal(yield.getValues(), op.getDpsInitsMutable())) {
      Value result = asVector(value, map);
      if (mask)
        vector::MaskedStoreOp::create(b, loc, init.get(), indicesOf(init), mask, result);
      else
        vector::StoreOp::create(b, loc, result, init.get(), indicesOf(init));
    }
  }

  /// The vector form of a value of the body, or of a scalar from outside.
  Value asVector(Value value, IRMapping &map) {
    if (Value known = map.lookupOrNull(value))
      return known;
    Value vector = vector::BroadcastOp::create(b, loc, vectorOf(value.getType()), value);
    map.map(value, vector);
    return vector;
  }

  void cloneAsVector(Operation &inner, IRMapping &map) {
    if (inner.hasTrait<OpTrait::ConstantLike>()) {
      Operation *clone = b.clone(inner);
      Value scalar = clone->getResult(0);
      map.map(inner.getResult(0),
              vector::BroadcastOp::create(b, loc, vectorOf(scalar.getType()), scalar));
      return;
    }
    SmallVector<Value> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(asVector(operand, map));
    SmallVector<Type> types;
    for (Type type : inner.getResultTypes())
      types.push_back(vectorOf(type));
    OperationState state(inner.getLoc(), inner.getName(), operands, types, inner.getAttrs());
    Operation *clone = b.create(state);
    map.map(inner.getResults(), clone->getResults());
  }

  linalg::GenericOp op;
  int64_t lanes;
  OpBuilder &b;
  Location loc;
  unsigned loops;
  SmallVector<Value> ivs, sizes;
  SmallVector<int64_t> staticSizes;
  Value zero, one;
  llvm::DenseMap<OpOperand *, Value> invariant;
};

struct VectorizeElementwise
    : cambium::impl::VectorizeElementwiseBase<VectorizeElementwise> {
  using VectorizeElementwiseBase::VectorizeElementwiseBase;

  void runOnOperation() override {
    int64_t bytes = getTargetTraits(getOperation()).vectorBytes;
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      // Fills and copies have a general form; products have their own pass.
      if (!generic && isa<linalg::FillOp, linalg::CopyOp, linalg::BroadcastOp>(op)) {
        FailureOr<linalg::GenericOp> general = linalg::generalizeNamedOp(rewriter, op);
        if (succeeded(general))
          generic = *general;
      }
      if (!generic || !canVectorize(generic))
        continue;
      rewriter.setInsertionPoint(generic);
      Emitter(generic, lanesOf(generic, bytes), rewriter).run();
      rewriter.eraseOp(generic);
    }
  }

  /// As many elements as fit a register, of the largest floating-point type.
  static int64_t lanesOf(linalg::GenericOp op, int64_t bytes) {
    bool isDouble = llvm::any_of(op->getOperandTypes(), [](Type type) {
      return getElementTypeOrSelf(type).isF64();
    });
    return bytes / (isDouble ? 8 : 4);
  }
};
} // namespace
