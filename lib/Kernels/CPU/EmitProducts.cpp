//===-- EmitProducts.cpp - Matrix products as vector code ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductFunctions.h"
#include "ProductGroups.h"
#include "ProductPanels.h"
#include "TransposedPanels.h"
#include "cambium/Kernels/Passes.h"
#include "cambium/Support/Views.h"
#include "dialects/RT/IR/Panels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cambium {
#define GEN_PASS_DEF_EMITPRODUCTS
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// The ancestor of the op in the body of its function.
Operation *topLevelAncestor(Operation *op) {
  while (!isa<func::FuncOp>(op->getParentOp()))
    op = op->getParentOp();
  return op;
}

/// Whether memory behind the value may change while `region` runs: whether the
/// region writes to it or to a view of what it is a view of.
bool mayBeWrittenIn(Operation *region, Value memory) {
  while (Value source = sourceOfView(memory.getDefiningOp()))
    memory = source;
  SmallVector<Value> aliases{memory};
  for (size_t i = 0; i < aliases.size(); ++i)
    for (Operation *user : aliases[i].getUsers()) {
      if (sourceOfView(user)) {
        llvm::append_range(aliases, user->getResults());
        continue;
      }
      auto effects = dyn_cast<MemoryEffectOpInterface>(user);
      bool writes = !effects ||
                    effects.getEffectOnValue<MemoryEffects::Write>(aliases[i]);
      if (writes && region->isAncestor(user))
        return true;
    }
  return false;
}

/// Replaces the products of a module.
class ProductEmitter {
public:
  explicit ProductEmitter(ModuleOp module)
      : costs(rt::getTargetCosts(module)), functions(module, costs),
        format(rt::getPanelFormat(module)), transposedPanels(costs) {}

  /// Transposes the right operands that need it. Before `replace`: what a loop
  /// writes to is seen while its ops are still there.
  void transpose(Operation *root, ArrayRef<linalg::MatmulOp> ops) {
    for (linalg::MatmulOp op : ops) {
      std::optional<Product> product = classifyProduct(op);
      if (product && product->rhsTransposed)
        transposed[op] = transposedOnce(op, op.getDpsInputs()[1]);
    }
    transposedPanels.make(root, ops);
  }

  /// Replaces the products, in order, by calls; those that may be done together
  /// by one call.
  void replace(ArrayRef<linalg::MatmulOp> ops) {
    SmallVector<ProductCall, 0> calls;
    Together together = Together::Beside;
    for (linalg::MatmulOp op : ops) {
      std::optional<ProductCall> call = prepare(op);
      if (!call)
        continue;
      calls.push_back(*call);
      if (calls.size() == 1)
        continue;
      if (std::optional<Together> found = findTogether(calls)) {
        together = *found;
        continue;
      }
      calls.pop_back();
      emit(calls, together);
      calls.assign({*call});
    }
    if (!calls.empty())
      emit(calls, together);
    transposedPanels.finish();
    functions.finish();
  }

private:
  static void missed(linalg::MatmulOp op, StringRef reason) {
    remark::missed(op.getLoc(), remark::RemarkOpts::name("Product").category(
                                    "kernels-emit-products"))
        << remark::reason("{0}", reason);
  }

  /// The call of a product; none where there is no code for it.
  std::optional<ProductCall> prepare(linalg::MatmulOp op) {
    std::optional<Product> product = classifyProduct(op);
    if (!product) {
      missed(op, "no kernel for operands of this type or order");
      return std::nullopt;
    }
    OpBuilder builder(op);
    Value lhs = op.getDpsInputs()[0], rhs = op.getDpsInputs()[1],
          out = op.getDpsInits()[0];
    if (product->rhsTransposed && !(rhs = transposed.lookup(op))) {
      missed(op, "the right operand has no place to be transposed to");
      return std::nullopt;
    }
    Location loc = op.getLoc();
    if (product->lhsTransposed) {
      auto swap = AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0},
                                               op.getContext());
      lhs = memref::TransposeOp::create(builder, loc, lhs,
                                        AffineMapAttr::get(swap));
    }
    ProductCall call{op, *product, findStart(op), {}, costs, {}};
    Value from =
        call.start.row ? repeatRow(builder, loc, call.start.row, out) : out;
    Value clear = arith::ConstantOp::create(
        builder, loc, builder.getBoolAttr(call.start.isZero));
    if (Value words = wordsOf(builder, op, *product, rhs)) {
      call.kernel = functions.kernelOf(format);
      call.operands = {lhs, words, from, out, clear};
    } else {
      call.tile = costsOfProduct(costs, cast<ShapedType>(rhs.getType()));
      call.kernel = functions.kernelOf(product->element, product->lhsTransposed,
                                       call.tile);
      auto [matrix, panelStride] = weightsOf(builder, op, rhs, call.tile);
      Value vectors =
          arith::ConstantIndexOp::create(builder, loc, call.tile.tileVectors);
      call.operands = {lhs, matrix, from, out, clear, panelStride, vectors};
    }
    for (auto [operand, type] :
         llvm::zip(call.operands, call.kernel.getArgumentTypes()))
      if (operand.getType() != type)
        operand = memref::CastOp::create(builder, loc, type, operand);
    return call;
  }

  /// Whether the loop around the op, if there is one, is in an odd iteration.
  static Value isOdd(OpBuilder &b, linalg::MatmulOp op) {
    auto loop = op->getParentOfType<scf::ForOp>();
    if (!loop)
      return arith::ConstantOp::create(b, op.getLoc(), b.getBoolAttr(false));
    Value number = arith::IndexCastOp::create(b, op.getLoc(), b.getI64Type(),
                                              loop.getInductionVar());
    return arith::TruncIOp::create(b, op.getLoc(), b.getI1Type(), number);
  }

  /// One call of all of these, where the last one is.
  void emit(ArrayRef<ProductCall> calls, Together together) {
    linalg::MatmulOp last = calls.back().op;
    if (calls.size() == 1)
      together = Together::Beside;
    const TargetCosts &tile = calls.front().tile;
    remark::passed(
        last.getLoc(),
        remark::RemarkOpts::name("Products").category("kernels-emit-products"))
        << remark::metric("Together", calls.size())
        << remark::metric("TileRows", tile.tileRows(tile.tileVectors))
        << remark::metric("TileVectors", tile.tileVectors);
    SmallVector<Value> operands;
    for (const ProductCall &call : calls)
      llvm::append_range(operands, call.operands);
    OpBuilder builder(last);
    if (hasOrder(calls.size(), together))
      operands.push_back(isOdd(builder, last));
    func::CallOp::create(
        builder, last.getLoc(),
        functions.sharesOf(calls.front().kernel, tile, calls.size(), together,
                           calls.front().product.lhsTransposed),
        operands);
    for (const ProductCall &call : calls) {
      linalg::MatmulOp(call.op).erase();
      if (call.start.replaced)
        call.start.replaced->erase();
    }
  }

  /// Why a product multiplies in f32 where something else was asked for; empty
  /// if nothing keeps it from that. Values of a step change with every update.
  StringRef keepsF32(linalg::MatmulOp op, const Product &product) const {
    auto entry = op->getParentOfType<func::FuncOp>();
    if (!rt::isEntry(entry))
      return "it is in no function of the host's";
    if (rt::findTraining(entry))
      return "it is of a training step";
    if (product.lhsTransposed || product.rhsTransposed)
      return "an operand is transposed";
    return rt::whyNoWords(cast<MemRefType>(op.getDpsInputs()[1].getType()),
                          format, costs);
  }

  /// The panels of words that a product reads, `[panels, words]`; null where
  /// it multiplies in f32.
  Value wordsOf(OpBuilder &b, linalg::MatmulOp op, const Product &product,
                Value rhs) {
    if (format == rt::PanelFormat::Values || !product.element.isF32())
      return {};
    StringRef reason = keepsF32(op, product);
    Value panels;
    if (reason.empty()) {
      panels = panelsOf(b, op.getLoc(), rhs, costs.panelColumns(4), format);
      reason = "its right operand is no parameter, or a small one";
    }
    if (!panels)
      return missed(op, ("it multiplies in f32: " + reason).str()), Value();
    auto parts =
        memref::ExtractStridedMetadataOp::create(b, op.getLoc(), panels);
    ArrayRef<int64_t> shape = cast<MemRefType>(panels.getType()).getShape();
    int64_t words = shape[1] * shape[2];
    auto type =
        MemRefType::get({shape[0], words}, b.getI32Type(),
                        StridedLayoutAttr::get(
                            b.getContext(), ShapedType::kDynamic, {words, 1}));
    return memref::ReinterpretCastOp::create(
        b, op.getLoc(), type, parts.getBaseBuffer(),
        OpFoldResult(parts.getOffset()),
        ArrayRef<OpFoldResult>{b.getIndexAttr(shape[0]), b.getIndexAttr(words)},
        ArrayRef<OpFoldResult>{b.getIndexAttr(words), b.getIndexAttr(1)});
  }

  /// The right operand as products read it, and how far panels of it are
  /// apart: in the copy that the runtime keeps of a parameter, if that pays,
  /// else in its rows.
  std::pair<Value, Value> weightsOf(OpBuilder &b, linalg::MatmulOp op,
                                    Value rhs, const TargetCosts &tile) {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(rhs.getType());
    int64_t bytes = type.getElementTypeBitWidth() / 8;
    // There is one copy of a parameter.
    bool hasWords =
        format != rt::PanelFormat::Values && type.getElementType().isF32();
    Value panels = transposedPanels.lookup(op);
    if (!panels && !hasWords)
      panels = panelsOf(b, loc, rhs, tile.panelColumns(bytes),
                        rt::PanelFormat::Values);
    if (!panels)
      return {rhs,
              arith::ConstantIndexOp::create(b, loc, tile.panelColumns(bytes))};
    auto parts = memref::ExtractStridedMetadataOp::create(b, loc, panels);
    auto rows = MemRefType::get(
        type.getShape(), type.getElementType(),
        StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic,
                               {ShapedType::kDynamic, 1}));
    Value matrix = memref::ReinterpretCastOp::create(
        b, loc, rows, parts.getBaseBuffer(), OpFoldResult(parts.getOffset()),
        getAsIndexOpFoldResult(b.getContext(), type.getShape()),
        ArrayRef<OpFoldResult>{parts.getStrides()[1], b.getIndexAttr(1)});
    return {matrix, parts.getStrides()[0]};
  }

  /// The panels `[panels, depth, width]` of a matrix that is a parameter or the
  /// slice of one, or their words; null where it is neither, or too small.
  Value panelsOf(OpBuilder &b, Location loc, Value rhs, int64_t width,
                 rt::PanelFormat format) {
    auto slice = rhs.getDefiningOp<memref::SubViewOp>();
    rt::ParamOp param = paramWithPanels(rhs, costs);
    if (!param)
      return {};
    Value &panels = panelsOfParams[param];
    if (!panels) {
      OpBuilder behind(param->getContext());
      behind.setInsertionPointAfter(param);
      panels = rt::PanelsOp::create(
          behind, param.getLoc(),
          rt::getPanelsType(cast<ShapedType>(param.getType()), width, format),
          param.getParam(), format);
    }
    if (!slice)
      return panels;
    auto panelsType = cast<MemRefType>(panels.getType());
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
    offsets.push_back(b.getIndexAttr(0));
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
    sizes.truncate(sizes.size() - 2);
    for (int64_t size : panelsType.getShape().take_back(3))
      sizes.push_back(b.getIndexAttr(size));
    SmallVector<OpFoldResult> steps(offsets.size(), b.getIndexAttr(1));
    MemRefType part = memref::SubViewOp::inferRankReducedResultType(
        panelsType.getShape().take_back(3), panelsType, offsets, sizes, steps);
    return memref::SubViewOp::create(b, loc, part, panels, offsets, sizes,
                                     steps);
  }

  /// The transpose of a matrix of static size, made outside of all loops that
  /// do not change it. Null if there is no place for it.
  Value transposedOnce(linalg::MatmulOp op, Value matrix) {
    auto type = cast<MemRefType>(matrix.getType());
    auto entry = op->getParentOfType<func::FuncOp>();
    if (!type.hasStaticShape() || !rt::isEntry(entry) || rt::isInParallel(op))
      return {};
    Operation *place = topLevelAncestor(op);
    bool isOutside = place != op.getOperation() &&
                     !mayBeWrittenIn(place, matrix) &&
                     DominanceInfo(entry).properlyDominates(matrix, place);
    if (!isOutside)
      place = op;
    Value &result = transposes[{matrix, place}];
    if (result)
      return result;
    OpBuilder builder = OpBuilder::atBlockBegin(&entry.getBody().front());
    auto flipped = MemRefType::get({type.getDimSize(1), type.getDimSize(0)},
                                   type.getElementType());
    result = rt::AllocOp::create(builder, op.getLoc(), flipped, ValueRange());
    builder.setInsertionPoint(place);
    linalg::TransposeOp::create(builder, op.getLoc(), matrix, result,
                                ArrayRef<int64_t>{1, 0});
    return result;
  }

  TargetCosts costs;
  ProductFunctions functions;
  rt::PanelFormat format;
  TransposedPanels transposedPanels;
  llvm::DenseMap<Operation *, Value> transposed, panelsOfParams;
  llvm::DenseMap<std::pair<Value, Operation *>, Value> transposes;
};

struct EmitProducts : cambium::impl::EmitProductsBase<EmitProducts> {
  using EmitProductsBase::EmitProductsBase;

  void runOnOperation() override {
    ProductEmitter emitter(getOperation());
    SmallVector<linalg::MatmulOp> products;
    getOperation().walk([&](linalg::MatmulOp op) { products.push_back(op); });
    emitter.transpose(getOperation(), products);
    emitter.replace(products);
    eraseUnreadValues();
  }

  /// Parameters that are read in panels now, and the views of them: a function
  /// that is made of a loop would take them as arguments.
  void eraseUnreadValues() {
    SmallVector<Operation *> views;
    getOperation().walk([&](Operation *op) {
      if (isa<rt::ParamOp>(op) || sourceOfView(op))
        views.push_back(op);
    });
    for (Operation *op : llvm::reverse(views))
      if (isOpTriviallyDead(op))
        op->erase();
  }
};
} // namespace
