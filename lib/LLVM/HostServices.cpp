//===-- lib/LLVM/HostServices.cpp - What the runtime does for code --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RTFunctions.h"
#include "RowText.h"
#include "Services.h"

using namespace mlir;
using namespace cambium;

namespace {
/// Functions of a table that the call names.
class HostServices : public Services {
public:
  explicit HostServices(RTTypes &types) : types(types) {}

  unsigned memoryOfCall() const override { return 0; }
  bool returnsStatus() const override { return true; }
  bool mayGiveNull() const override { return true; }
  LogicalResult bindLaunched(func::FuncOp task) override;
  void launch(OpBuilder &builder, rt::LaunchOp op, Value call) override;
  Value allocate(OpBuilder &builder, rt::AllocOp op, Value call,
                 Value bytes) override;
  void release(OpBuilder &builder, Operation *op, Value call, Value memory,
               Value bytes) override;
  Value isRecorder(OpBuilder &builder, Location loc) override;
  void fail(OpBuilder &builder, rt::FailIfOp op, Value call) override;
  FailureOr<Value> make(OpBuilder &builder, Operation *op, Value call,
                        size_t service, ValueRange arguments) override;
  LogicalResult barrier(OpBuilder &builder, rt::BarrierOp op,
                        Value call) override;

private:
  Value messageOf(OpBuilder &builder, rt::FailIfOp op, AbiAccess &abi);

  RTTypes &types;
};
} // namespace

std::unique_ptr<Services> cambium::createHostServices(RTTypes &types) {
  return std::make_unique<HostServices>(types);
}

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

void HostServices::launch(OpBuilder &builder, rt::LaunchOp op, Value call) {
  Location loc = op.getLoc();
  AbiAccess abi = types.access(builder, loc);
  // The task: the call, then the captured values.
  SmallVector<Value> values{call};
  for (Value capture : op.getCaptures())
    llvm::append_range(values, types.unpack(builder, loc, capture));
  auto structType = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(ValueRange(values).getTypes()));
  auto function = op->getParentOfType<func::FuncOp>();
  Value task;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&function.getBody().front());
    task = LLVM::AllocaOp::create(builder, loc, abi.pointer(), structType,
                                  abi.constant(1));
  }
  for (auto [index, value] : llvm::enumerate(values)) {
    Value field = LLVM::GEPOp::create(
        builder, loc, abi.pointer(), structType, task,
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    LLVM::StoreOp::create(builder, loc, value, field);
  }
  auto callee = types.lookup(op.getCallee());
  Type type = callee.getFunctionType();
  Value constant =
      func::ConstantOp::create(builder, loc, type, op.getCalleeAttr());
  Value address = types.cast(builder, loc, constant, abi.pointer());
  abi.callService(call, offsetof(cambium_abi_services_t, parallel_for), {},
                  {address, task, abi.fromIndex(op.getCount()),
                   abi.constant(op.getGrain())});
}

LogicalResult HostServices::bindLaunched(func::FuncOp task) {
  Location loc = task.getLoc();
  Block &body = task.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  AbiAccess abi = types.access(builder, loc);
  unsigned captures = body.getNumArguments() - 2;
  Value memory = body.insertArgument(0u, abi.pointer(), loc);
  // Types of the struct first: the offset of a field depends on all before it.
  SmallVector<Type> fields{abi.pointer()};
  for (unsigned i = 0; i < captures; ++i)
    types.appendPartTypes(body.getArgument(i + 1).getType(), fields);
  auto structType =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), fields);
  int32_t field = 0;
  auto next = [&](Type type) -> Value {
    Value address =
        LLVM::GEPOp::create(builder, loc, abi.pointer(), structType, memory,
                            ArrayRef<LLVM::GEPArg>{0, field++});
    return LLVM::LoadOp::create(builder, loc, type, address);
  };
  Value call = next(abi.pointer());
  for (unsigned i = 0; i < captures; ++i) {
    BlockArgument argument = body.getArgument(i + 1);
    argument.replaceAllUsesWith(
        types.pack(builder, loc, argument.getType(), next));
  }
  body.eraseArguments(1, captures);
  task.setFunctionType(builder.getFunctionType(body.getArgumentTypes(), {}));
  task.setArgAttrsAttr({});
  types.setCall(task, call);
  return success();
}

//===----------------------------------------------------------------------===//
// Memory, structure, failures
//===----------------------------------------------------------------------===//

Value HostServices::allocate(OpBuilder &builder, rt::AllocOp op, Value call,
                             Value bytes) {
  AbiAccess abi = types.access(builder, op.getLoc());
  return abi.callService(call, offsetof(cambium_abi_services_t, allocate),
                         abi.pointer(), {bytes});
}

void HostServices::release(OpBuilder &builder, Operation *op, Value call,
                           Value memory, Value bytes) {
  AbiAccess abi = types.access(builder, op->getLoc());
  abi.callService(call, offsetof(cambium_abi_services_t, release), Type(),
                  {memory, bytes});
}

FailureOr<Value> HostServices::make(OpBuilder &builder, Operation *op,
                                    Value call, size_t service,
                                    ValueRange arguments) {
  AbiAccess abi = types.access(builder, op->getLoc());
  return abi.callService(call, service, abi.pointer(), arguments);
}

Value HostServices::isRecorder(OpBuilder &, Location) { return {}; }

LogicalResult HostServices::barrier(OpBuilder &builder, rt::BarrierOp op,
                                    Value call) {
  return op.emitOpError("expected a GPU as target");
}

void HostServices::fail(OpBuilder &builder, rt::FailIfOp op, Value call) {
  AbiAccess abi = types.access(builder, op.getLoc());
  abi.callService(
      call, offsetof(cambium_abi_services_t, fail), Type(),
      {abi.constant(op.getStatus(), 32), messageOf(builder, op, abi)});
}

/// The text that a failure records, with the number of the row if it has one.
Value HostServices::messageOf(OpBuilder &builder, rt::FailIfOp op,
                              AbiAccess &abi) {
  if (!op.getRow())
    return types.text(builder, op.getLoc(), op.getMessage());
  std::string text = (op.getMessage() + ": row ").str();
  auto function = op->getParentOfType<func::FuncOp>();
  OpBuilder atStart = OpBuilder::atBlockBegin(&function.front());
  Value memory = RowText::allocate(atStart, op.getLoc(), text.size());
  return RowText(builder, op.getLoc())
      .write(memory, types.text(builder, op.getLoc(), text), text.size(),
             abi.fromIndex(op.getRow()));
}
