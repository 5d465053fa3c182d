//===-- lib/Buffers/EntryOutputs.cpp - Memory for the results of entries --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Buffers/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_ENTRYOUTPUTS
#include "cambium/Buffers/Passes.h.inc"
} // namespace cambium

using namespace cambium;

static MemRefType memoryOf(RankedTensorType type) {
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// Tensor arguments become memrefs that nothing writes to.
static void readArguments(func::FuncOp func, OpBuilder &builder) {
  builder.setInsertionPointToStart(&func.front());
  for (BlockArgument arg : func.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(arg.getType());
    if (!type)
      continue;
    arg.setType(memoryOf(type));
    auto tensor =
        bufferization::ToTensorOp::create(builder, arg.getLoc(), type, arg,
                                          /*restrict=*/true);
    arg.replaceAllUsesExcept(tensor, tensor);
  }
}

/// Results become memref arguments.
static LogicalResult writeResults(func::FuncOp func, OpBuilder &builder) {
  if (!llvm::hasSingleElement(func.getBody()))
    return func.emitOpError("expected one block");
  auto ret = cast<func::ReturnOp>(func.front().getTerminator());
  for (auto [i, value] : llvm::enumerate(ret.getOperands())) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return ret.emitOpError()
             << "expected tensors, but got " << value.getType();
    BlockArgument arg =
        func.front().addArgument(memoryOf(type), value.getLoc());
    func.setFunctionType(builder.getFunctionType(
        func.front().getArgumentTypes(), func.getFunctionType().getResults()));
    SmallVector<Attribute> all;
    if (ArrayAttr old = func.getArgAttrsAttr())
      llvm::append_range(all, old);
    all.resize(arg.getArgNumber(), builder.getDictionaryAttr({}));
    DictionaryAttr attrs = func.getResultAttrDict(i);
    all.push_back(attrs ? attrs : builder.getDictionaryAttr({}));
    func.setArgAttrsAttr(builder.getArrayAttr(all));
    builder.setInsertionPoint(ret);
    auto write = bufferization::MaterializeInDestinationOp::create(
        builder, ret.getLoc(), Type(), value, arg);
    write.setRestrict(true);
    write.setWritable(true);
  }
  ret->setOperands({});
  func.setResAttrsAttr(nullptr);
  func.setFunctionType(
      builder.getFunctionType(func.front().getArgumentTypes(), {}));
  return success();
}

namespace {
struct EntryOutputs : cambium::impl::EntryOutputsBase<EntryOutputs> {
  void runOnOperation() override {
    OpBuilder builder(&getContext());
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isExternal())
        continue;
      readArguments(func, builder);
      func.setFunctionType(
          builder.getFunctionType(func.front().getArgumentTypes(),
                                  func.getFunctionType().getResults()));
      if (failed(writeResults(func, builder)))
        return signalPassFailure();
    }
  }
};
} // namespace
