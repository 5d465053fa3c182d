//===-- lib/LLVM/DeviceServices.cpp - What a kernel does by itself --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceBarrier.h"
#include "RTFunctions.h"
#include "Services.h"
#include "cambium/device_abi.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;

namespace {
/// What stands in a kernel where a function of the host calls a service. All
/// threads of the grid execute it.
class DeviceServices : public Services {
public:
  explicit DeviceServices(RTTypes &types) : types(types) {}

  unsigned memoryOfCall() const override { return kGlobalMemory; }
  bool returnsStatus() const override { return false; }
  bool mayGiveNull() const override { return false; }
  LogicalResult bindLaunched(func::FuncOp stage) override;
  void launch(OpBuilder &builder, rt::LaunchOp op, Value call) override;
  Value allocate(OpBuilder &builder, rt::AllocOp op, Value call,
                 Value bytes) override;
  /// The whole workspace of a call is given at once.
  void release(OpBuilder &, Operation *, Value, Value, Value) override {}
  Value isRecorder(OpBuilder &builder, Location loc) override;
  void fail(OpBuilder &builder, rt::FailIfOp op, Value call) override;
  FailureOr<Value> make(OpBuilder &builder, Operation *op, Value call,
                        size_t service, ValueRange arguments) override;
  LogicalResult barrier(OpBuilder &builder, rt::BarrierOp op,
                        Value call) override;

private:
  RTTypes &types;
  /// Where the workspace of an entry begins that is left.
  llvm::DenseMap<Operation *, Value> workspaces;
};
} // namespace

std::unique_ptr<Services> cambium::createDeviceServices(RTTypes &types) {
  return std::make_unique<DeviceServices>(types);
}

FailureOr<Value> DeviceServices::make(OpBuilder &, Operation *op, Value, size_t,
                                      ValueRange) {
  return op->emitOpError("expected an op that GPU code can be made of");
}

//===----------------------------------------------------------------------===//
// Functions that all threads call
//===----------------------------------------------------------------------===//

/// All threads call it with the parts of the captured values: a call within a
/// kernel has no memory that a task could be in. Addresses say that they are
/// global.
void DeviceServices::launch(OpBuilder &builder, rt::LaunchOp op, Value call) {
  Location loc = op.getLoc();
  SmallVector<Value> values;
  auto pass = [&](Value value) {
    if (isa<LLVM::LLVMPointerType>(value.getType()))
      value = LLVM::AddrSpaceCastOp::create(
          builder, loc, types.pointerTo(kGlobalMemory), value);
    values.push_back(value);
  };
  pass(call);
  for (Value capture : op.getCaptures())
    for (Value part : types.unpack(builder, loc, capture))
      pass(part);
  values.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  values.push_back(op.getCount());
  func::CallOp::create(builder, loc, op.getCallee(), TypeRange(), values);
}

LogicalResult DeviceServices::bindLaunched(func::FuncOp stage) {
  Location loc = stage.getLoc();
  Block &body = stage.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  unsigned captures = body.getNumArguments() - 2, parts = 0;
  auto next = [&](Type type) -> Value {
    bool isPointer = isa<LLVM::LLVMPointerType>(type);
    Value part = body.insertArgument(
        parts++, isPointer ? types.pointerTo(kGlobalMemory) : type, loc);
    return isPointer ? types.inAnyMemory(builder, loc, part) : part;
  };
  Value call = next(LLVM::LLVMPointerType::get(stage.getContext()));
  for (unsigned i = 0; i < captures; ++i) {
    BlockArgument argument = body.getArgument(parts + i);
    argument.replaceAllUsesWith(
        types.pack(builder, loc, argument.getType(), next));
  }
  body.eraseArguments(parts, captures);
  stage.setFunctionType(builder.getFunctionType(body.getArgumentTypes(), {}));
  stage.setArgAttrsAttr({});
  types.setCall(stage, call);
  return success();
}

//===----------------------------------------------------------------------===//
// Workspace
//===----------------------------------------------------------------------===//

Value DeviceServices::allocate(OpBuilder &builder, rt::AllocOp op, Value call,
                               Value bytes) {
  Location loc = op.getLoc();
  Value &left = workspaces[op->getParentOfType<func::FuncOp>()];
  AbiAccess abi = types.access(builder, loc);
  Value begin = left ? left
                     : abi.loadPointer(call, offsetof(cambium_abi_device_call_t,
                                                      workspace));
  // As the function of the host counts: whole lines.
  constexpr int64_t line = CAMBIUM_ABI_DEVICE_ALIGNMENT;
  Value more = LLVM::AddOp::create(builder, loc, bytes, abi.constant(line - 1));
  more = LLVM::AndOp::create(builder, loc, more, abi.constant(-line));
  left = LLVM::GEPOp::create(builder, loc, abi.pointer(), builder.getI8Type(),
                             begin, ArrayRef<LLVM::GEPArg>{more});
  return begin;
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

/// The number of the first failure of the entry's that says the same.
static int64_t codeOf(rt::FailIfOp op) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto module = function->getParentOfType<ModuleOp>();
  for (auto entry : module.getOps<rt::DeviceEntryOp>()) {
    if (entry.getName() != function.getSymName())
      continue;
    auto texts = entry.getTexts().getAsValueRange<StringAttr>();
    for (auto [i, status, text] : llvm::enumerate(entry.getStatuses(), texts))
      if (status == static_cast<int32_t>(op.getStatus()) &&
          text == op.getMessage())
        return i + 1;
  }
  llvm_unreachable("expected every failure to be described");
}

Value DeviceServices::isRecorder(OpBuilder &builder, Location loc) {
  Value number =
      LLVM::OrOp::create(builder, loc, readRegister(builder, loc, "tid.x"),
                         readRegister(builder, loc, "ctaid.x"));
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, number,
                              types.access(builder, loc).constant(0, 32));
}

void DeviceServices::fail(OpBuilder &builder, rt::FailIfOp op, Value call) {
  Location loc = op.getLoc();
  AbiAccess abi = types.access(builder, loc);
  Value state =
      abi.loadPointer(call, offsetof(cambium_abi_device_call_t, state));
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto update = [&](size_t offset, Type type, Value isNew, Value value) {
    Value old = abi.load(state, offset, type);
    value = LLVM::SelectOp::create(builder, loc, isNew, value, old);
    LLVM::StoreOp::create(builder, loc, value, abi.address(state, offset));
  };
  constexpr size_t codeOffset = offsetof(cambium_abi_device_state_t, code);
  Value code = abi.load(state, codeOffset, i32);
  Value isNew = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                     code, abi.constant(0, 32));
  update(codeOffset, i32, isNew, abi.constant(codeOf(op), 32));
  update(offsetof(cambium_abi_device_state_t, has_row), i32, isNew,
         abi.constant(op.getRow() ? 1 : 0, 32));
  if (op.getRow())
    update(offsetof(cambium_abi_device_state_t, row), i64, isNew,
           abi.fromIndex(op.getRow()));
}

LogicalResult DeviceServices::barrier(OpBuilder &builder, rt::BarrierOp op,
                                      Value call) {
  callBarrier(builder, op, call);
  return success();
}
