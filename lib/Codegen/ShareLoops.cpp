//===-- lib/Codegen/ShareLoops.cpp - One function for equal linalg ops ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Codegen/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"

namespace cambium {
#define GEN_PASS_DEF_SHARELOOPS
#include "cambium/Codegen/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// Ops that one function can do: linalg ops, or loops of them over rows.
struct Group {
  func::FuncOp function;
  /// Each with what it passes to the function.
  SmallVector<std::pair<Operation *, SmallVector<Value>>> ops;
};

/// Strides and offset known only when the code runs, but for a last stride of
/// one. A memref without gaps stays as it is: its loops are simpler.
Type withDynamicLayout(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memref || memref.getLayout().isIdentity() ||
      failed(memref.getStridesAndOffset(strides, offset)))
    return type;
  for (size_t i = 0; i + 1 < strides.size(); ++i)
    strides[i] = ShapedType::kDynamic;
  auto layout =
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return MemRefType::get(memref.getShape(), memref.getElementType(), layout,
                         memref.getMemorySpace());
}

struct ShareLoops : cambium::impl::ShareLoopsBase<ShareLoops> {
  using ShareLoopsBase::ShareLoopsBase;

  void runOnOperation() override {
    // The text of a function is what ops have in common.
    llvm::MapVector<StringRef, Group> groups;
    llvm::BumpPtrAllocator memory;
    llvm::StringSaver texts(memory);
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<rt::ParallelOp>(op))
        return WalkResult::skip();
      if (!isWorthACall(op))
        return WalkResult::advance();
      SmallVector<Value> arguments;
      func::FuncOp function = makeFunction(op, arguments);
      std::string text;
      llvm::raw_string_ostream stream(text);
      function.print(stream, OpPrintingFlags().useLocalScope());
      auto [group, isNew] = groups.try_emplace(texts.save(text));
      if (isNew)
        group->second.function = function;
      else
        function.erase();
      group->second.ops.push_back({op, arguments});
      return WalkResult::skip();
    });
    SymbolTable symbols(getOperation());
    for (auto &[text, group] : groups)
      if (group.ops.size() > 1)
        share(group, symbols);
      else
        group.function.erase();
  }

private:
  /// Whole loops over vectors. In a loop, a vector alone has about as much work
  /// as a call.
  static bool isWorthACall(Operation *op) {
    if (auto loops = dyn_cast<linalg::LinalgOp>(op))
      return loops.hasPureBufferSemantics() &&
             (loops.getNumLoops() > 1 || isa<func::FuncOp>(op->getParentOp()));
    return isa<scf::ForOp>(op) && op->getNumResults() == 0 && isGather(op);
  }

  /// Whether `loop` only moves and changes vectors: it has no memory of its
  /// own, calls nothing, and asks nothing of the runtime.
  static bool isGather(Operation *loop) {
    return !loop->walk([](Operation *op) {
                  bool isPlain =
                      isa<linalg::LinalgOp, scf::ForOp, scf::IfOp, scf::YieldOp,
                          memref::LoadOp, memref::StoreOp>(op) ||
                      op->getParentOfType<linalg::LinalgOp>() || isPure(op);
                  return isPlain ? WalkResult::advance()
                                 : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  /// A function that does what `op` does with `arguments`: its operands, and
  /// what its body uses from around it but constants, which are copied.
  func::FuncOp makeFunction(Operation *op, SmallVectorImpl<Value> &arguments) {
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    SmallVector<Operation *> constants;
    for (Value value : used)
      if (matchPattern(value, m_Constant()))
        constants.push_back(value.getDefiningOp());
      else
        arguments.push_back(value);

    // Other ops than linalg's derive the layouts of their results.
    bool canChange = isa<linalg::LinalgOp>(op);
    SmallVector<Type> types = llvm::map_to_vector(arguments, [&](Value value) {
      return canChange ? withDynamicLayout(value.getType()) : value.getType();
    });
    OpBuilder builder(op->getContext());
    auto function = func::FuncOp::create(builder, op->getLoc(), "loops",
                                         builder.getFunctionType(types, {}));
    function.setPrivate();
    function.setNoInline(true);
    builder.setInsertionPointToStart(function.addEntryBlock());
    IRMapping mapping;
    mapping.map(arguments, function.getArguments());
    for (Operation *constant : constants)
      builder.clone(*constant, mapping);
    builder.clone(*op, mapping);
    func::ReturnOp::create(builder, op->getLoc());
    return function;
  }

  void share(Group &group, SymbolTable &symbols) {
    symbols.insert(group.function);
    for (auto &[op, arguments] : group.ops) {
      OpBuilder builder(op);
      for (auto [argument, parameter] :
           llvm::zip_equal(arguments, group.function.getArguments()))
        if (argument.getType() != parameter.getType())
          argument = memref::CastOp::create(builder, op->getLoc(),
                                            parameter.getType(), argument);
      func::CallOp::create(builder, op->getLoc(), group.function, arguments);
      remark::passed(op->getLoc(), remark::RemarkOpts::name("Loop").category(
                                       "linalg-share-loops"))
          << remark::metric("Places", group.ops.size());
      op->erase();
    }
  }
};
} // namespace
