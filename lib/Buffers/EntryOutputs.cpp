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

/// The value of which this one is a view, or itself.
static Value viewedValue(Value value,
                         const bufferization::AnalysisState &state) {
  while (isa<OpResult>(value) && !state.bufferizesToMemoryWrite(value)) {
    bufferization::AliasingOpOperandList sources =
        state.getAliasingOpOperands(value);
    if (sources.getNumAliases() != 1)
      break;
    value = sources.getAliases().front().opOperand->get();
  }
  return value;
}

/// The results in the order in which their values, or what they are views of,
/// were computed. A value whose memory a later one is computed in is then the
/// first that asks for a place.
static SmallVector<unsigned> orderOf(func::ReturnOp ret) {
  bufferization::BufferizationOptions options;
  bufferization::AnalysisState state(options);
  auto definition = [&](unsigned number) -> Operation * {
    return viewedValue(ret.getOperand(number), state).getDefiningOp();
  };
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, ret.getNumOperands()));
  llvm::sort(order, [&](unsigned lhs, unsigned rhs) {
    Operation *left = definition(lhs), *right = definition(rhs);
    if (left == right)
      return lhs < rhs;
    return right && (!left || left->isBeforeInBlock(right));
  });
  return order;
}

/// Writes the returned values to the memrefs. First as tensors: a value may be
/// computed in the memory of another result, and must be read before that is
/// written, which only tensors tell the analysis.
static void writeOutputs(func::ReturnOp ret, ArrayRef<BlockArgument> outputs,
                         OpBuilder &builder) {
  Location loc = ret.getLoc();
  SmallVector<Value> written(outputs.size());
  for (unsigned i : orderOf(ret)) {
    Value value = ret.getOperand(i);
    builder.setInsertionPointToStart(outputs[i].getOwner());
    auto tensor = bufferization::ToTensorOp::create(
        builder, loc, value.getType(), outputs[i], /*restrict=*/true,
        /*writable=*/true);
    builder.setInsertionPoint(ret);
    written[i] = bufferization::MaterializeInDestinationOp::create(
                     builder, loc, value.getType(), value, tensor)
                     .getResult();
  }
  for (auto [value, output] : llvm::zip_equal(written, outputs)) {
    auto write = bufferization::MaterializeInDestinationOp::create(
        builder, loc, Type(), value, output);
    write.setRestrict(true);
    write.setWritable(true);
  }
}

/// Results become memref arguments.
static LogicalResult writeResults(func::FuncOp func, OpBuilder &builder) {
  SmallVector<BlockArgument> outputs;
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
    outputs.push_back(arg);
  }
  writeOutputs(ret, outputs, builder);
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
