//===-- lib/Codegen/EmitProducts.cpp - Matrix products as vector code ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductKernel.h"
#include "cambium/Codegen/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"

namespace cambium {
#define GEN_PASS_DEF_EMITPRODUCTS
#include "cambium/Codegen/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// Whether rows are contiguous.
bool hasUnitStride(Value memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(cast<MemRefType>(memref.getType()).getStridesAndOffset(strides, offset)) &&
         !strides.empty() && strides.back() == 1;
}

/// Whether the left operand is transposed: nothing if it is another product.
std::optional<bool> isTransposed(linalg::MatmulOp op) {
  AffineExpr m, n, k;
  bindDims(op.getContext(), m, n, k);
  auto maps = op.getIndexingMapsArray();
  auto is = [&](unsigned number, AffineExpr first, AffineExpr second) {
    return maps[number] == AffineMap::get(3, 0, {first, second}, op.getContext());
  };
  if (!is(1, k, n) || !is(2, m, n))
    return std::nullopt;
  if (is(0, m, k))
    return false;
  return is(0, k, m) ? std::optional<bool>(true) : std::nullopt;
}

/// The shape of the product, if there is a kernel for such.
std::optional<ProductShape> shapeOf(linalg::MatmulOp op) {
  if (!op.hasPureBufferSemantics())
    return std::nullopt;
  Value lhs = op.getDpsInputs()[0], rhs = op.getDpsInputs()[1], out = op.getDpsInits()[0];
  std::optional<bool> transposed = isTransposed(op);
  auto lhsType = cast<MemRefType>(lhs.getType()), outType = cast<MemRefType>(out.getType());
  Type element = outType.getElementType();
  if (!transposed || !(element.isF32() || element.isF64()) ||
      lhsType.getElementType() != element ||
      cast<MemRefType>(rhs.getType()).getElementType() != element ||
      outType.isDynamicDim(1) || !hasUnitStride(lhs) || !hasUnitStride(rhs) ||
      !hasUnitStride(out))
    return std::nullopt;
  ProductShape shape;
  shape.element = element;
  shape.transposed = *transposed;
  shape.columns = outType.getDimSize(1);
  // A size that a loop runs over at run time anyway is not worth a kernel of its own.
  int64_t depth = lhsType.getDimSize(*transposed ? 0 : 1);
  int64_t rows = ShapedType::kDynamic;
  shape.lhsRows = *transposed ? depth : rows;
  shape.lhsColumns = *transposed ? rows : depth;
  return shape;
}

/// The op before that gives the result its first value, if nothing else happens in
/// between.
Operation *initializationOf(linalg::MatmulOp op) {
  Operation *before = op->getPrevNode();
  while (before && isMemoryEffectFree(before))
    before = before->getPrevNode();
  auto init = dyn_cast_or_null<linalg::LinalgOp>(before);
  if (!init || init.getNumDpsInits() != 1 || init.getDpsInits()[0] != op.getDpsInits()[0])
    return nullptr;
  return init;
}

/// Folds a fill with zeros, or a broadcast of a row, into the product.
Operation *foldInit(linalg::MatmulOp op, ProductShape &shape, Value &row) {
  Operation *init = initializationOf(op);
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(init)) {
    if (!matchPattern(fill.getInputs()[0], m_AnyZeroFloat()))
      return nullptr;
    shape.init = ProductInit::Zero;
    return init;
  }
  auto broadcast = dyn_cast_or_null<linalg::BroadcastOp>(init);
  if (!broadcast || broadcast.getDimensions() != ArrayRef<int64_t>{0} ||
      !hasUnitStride(broadcast.getInput()))
    return nullptr;
  shape.init = ProductInit::Row;
  row = broadcast.getInput();
  return init;
}

struct EmitProducts : cambium::impl::EmitProductsBase<EmitProducts> {
  using EmitProductsBase::EmitProductsBase;

  void runOnOperation() override {
    kernels.clear();
    TargetTraits target = getTargetTraits(getOperation());
    SmallVector<linalg::MatmulOp> products;
    getOperation().walk([&](linalg::MatmulOp op) { products.push_back(op); });
    SymbolTable symbols(getOperation());
    for (linalg::MatmulOp op : products)
      replace(op, symbols, target);
  }

  void replace(linalg::MatmulOp op, SymbolTable &symbols, const TargetTraits &target) {
    std::optional<ProductShape> shape = shapeOf(op);
    if (!shape)
      return;
    Value row;
    Operation *init = foldInit(op, *shape, row);
    // Reductions of unknown length go in blocks, which start from what is there.
    if (shape->transposed && init) {
      shape->init = ProductInit::Old;
      init = nullptr;
    }
    func::FuncOp kernel = kernelOf(*shape, symbols, target);
    OpBuilder builder(op);
    SmallVector<Value> values(op->getOperands());
    if (shape->init == ProductInit::Row)
      values.push_back(row);
    SmallVector<Value> operands;
    for (auto [value, type] : llvm::zip_equal(values, kernel.getArgumentTypes()))
      operands.push_back(value.getType() == type
                             ? value
                             : memref::CastOp::create(builder, op.getLoc(), type, value));
    func::CallOp::create(builder, op.getLoc(), kernel, operands);
    op.erase();
    if (init)
      init->erase();
  }

  func::FuncOp kernelOf(const ProductShape &shape, SymbolTable &symbols,
                        const TargetTraits &target) {
    func::FuncOp &kernel = kernels[shape.name()];
    if (kernel)
      return kernel;
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    kernel = func::FuncOp::create(builder, getOperation().getLoc(), shape.name(),
                                  builder.getFunctionType(shape.argumentTypes(), {}));
    kernel.setPrivate();
    kernel.setNoInline(true);
    symbols.insert(kernel);
    emitProductKernel(kernel, shape, target);
    return kernel;
  }

  llvm::StringMap<func::FuncOp> kernels;
};
} // namespace
