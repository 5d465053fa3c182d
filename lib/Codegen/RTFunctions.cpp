//===-- lib/Codegen/RTFunctions.cpp - Functions and values that hold the call's structs ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RTFunctions.h"
#include "AbiAccess.h"
#include "cambium/Codegen/EntrySignature.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace cambium;

RTTypes::RTTypes(ModuleOp module)
    : module(module), symbols(module), converter(module.getContext()) {
  converter.addConversion([](ragged::RowsType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  converter.addConversion([](ragged::ForestType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  int64_t index = 0;
  for (auto param : module.getOps<nn::ParamOp>()) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(param.getType()).getShape();
    params.try_emplace(param.getSymName(), index++, shape.empty() ? 1 : shape.front());
  }
}

int64_t RTTypes::paramIndex(Operation *op) const {
  return params.lookup(op->getAttrOfType<FlatSymbolRefAttr>("param").getValue()).first;
}

int64_t RTTypes::paramRows(Operation *op) const {
  return params.lookup(op->getAttrOfType<FlatSymbolRefAttr>("param").getValue()).second;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Value castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, loc, type, value).getResult(0);
}

Value RTTypes::memref(OpBuilder &builder, Location loc, MemRefType type, Value memory,
                      ValueRange sizes) {
  AbiAccess abi(builder, loc);
  auto descriptor = MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(builder, loc, memory);
  descriptor.setAlignedPtr(builder, loc, memory);
  descriptor.setConstantOffset(builder, loc, 0);
  // Strides from the last dimension; only sizes before it may be dynamic.
  Value stride = abi.constant(1);
  size_t left = sizes.size();
  for (int64_t i = type.getRank() - 1; i >= 0; --i) {
    Value extent = type.isDynamicDim(i) ? sizes[--left] : abi.constant(type.getDimSize(i));
    descriptor.setSize(builder, loc, i, extent);
    descriptor.setStride(builder, loc, i, stride);
    if (i > 0)
      stride = arith::MulIOp::create(builder, loc, stride, extent);
  }
  return castTo(builder, loc, descriptor, type);
}

Value RTTypes::arrayOf(OpBuilder &builder, Location loc, MemRefType type, Value base,
                       size_t offset, size_t lengthOffset, int64_t more) {
  AbiAccess abi(builder, loc);
  Value length = abi.load(base, lengthOffset, builder.getI64Type());
  if (more)
    length = arith::AddIOp::create(builder, loc, length, abi.constant(more));
  return memref(builder, loc, type, abi.loadPointer(base, offset), {length});
}

Value RTTypes::firstElement(OpBuilder &builder, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  MemRefDescriptor descriptor(castTo(builder, loc, memref, converter.convertType(type)));
  return descriptor.bufferPtr(builder, loc, converter, type);
}

Value RTTypes::toPointer(OpBuilder &builder, Value value) {
  return castTo(builder, value.getLoc(), value, converter.convertType(value.getType()));
}

Value RTTypes::fromPointer(OpBuilder &builder, Value pointer, Type type) {
  return castTo(builder, pointer.getLoc(), pointer, type);
}

Value RTTypes::stackMemory(func::FuncOp function, int64_t bytes, Location loc) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  AbiAccess abi(builder, loc);
  return LLVM::AllocaOp::create(builder, loc, abi.pointer(), builder.getI8Type(),
                                abi.constant(bytes), /*alignment=*/16);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult RTTypes::addCallArgument(func::FuncOp function) {
  if (rt::isEntry(function))
    return bindEntry(function);
  auto pointer = LLVM::LLVMPointerType::get(function.getContext());
  if (failed(function.insertArgument(0, pointer, {}, function.getLoc())))
    return failure();
  addToCalls(function);
  return success();
}

void RTTypes::addToCalls(func::FuncOp function) {
  function.walk([&](func::CallOp call) {
    call->insertOperands(0, ValueRange(function.getArgument(0)));
  });
}

LogicalResult RTTypes::bindEntry(func::FuncOp entry) {
  FailureOr<EntrySignature> signature = readSignature(entry);
  if (failed(signature))
    return failure();
  Location loc = entry.getLoc();
  OpBuilder builder(entry.getContext());
  Block &body = entry.getBody().front();
  Value call = body.insertArgument(0u, LLVM::LLVMPointerType::get(entry.getContext()), loc);
  builder.setInsertionPointToStart(&body);
  AbiAccess abi(builder, loc);

  SmallVector<Value> values;
  for (size_t i = 0; i < signature->spaces.size(); ++i)
    values.push_back(abi.space(call, i));
  SmallVector<Value> forests;
  for (size_t i = 0; i < signature->forests.size(); ++i)
    forests.push_back(abi.forest(call, i));
  llvm::append_range(values, forests);
  auto bindTensor = [&](const EntrySignature::Tensor &tensor, Value memory) {
    SmallVector<Value> rows;
    if (tensor.edgesOf >= 0)
      rows.push_back(abi.load(forests[tensor.edgesOf], offsetOf(rt::ForestSize::NumEdges),
                              builder.getI64Type()));
    else if (tensor.space >= 0)
      rows.push_back(abi.load(values[tensor.space], offsetOf(rt::RowsSize::NumRows),
                              builder.getI64Type()));
    else if (tensor.space == rt::kPerExample)
      rows.push_back(
          abi.load(call, offsetof(cambium_abi_call_t, num_examples), builder.getI64Type()));
    values.push_back(memref(builder, loc, tensor.type, memory, rows));
  };
  for (auto [index, tensor] : llvm::enumerate(signature->inputs))
    bindTensor(tensor, abi.input(call, index));
  for (auto [index, tensor] : llvm::enumerate(signature->outputs))
    bindTensor(tensor, abi.output(call, index));

  for (auto [index, value] : llvm::enumerate(values)) {
    BlockArgument argument = body.getArgument(index + 1);
    argument.replaceAllUsesWith(castTo(builder, loc, value, argument.getType()));
  }
  body.eraseArguments(1, values.size());
  entry.setArgAttrsAttr({});
  entry.setFunctionType(builder.getFunctionType(call.getType(), builder.getI32Type()));
  entry.setArgAttrs(0, ArrayRef<NamedAttribute>());
  entry.walk([&](func::ReturnOp exit) {
    builder.setInsertionPoint(exit);
    exit.getOperandsMutable().assign(abi.constant(0, 32));
  });
  addToCalls(entry);
  return success();
}

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

void RTTypes::launch(OpBuilder &builder, rt::LaunchOp op, Value call) {
  Location loc = op.getLoc();
  AbiAccess abi(builder, loc);
  // The task: the call, then the captured values.
  SmallVector<Value> values{call};
  SmallVector<Type> fields{call.getType()};
  for (Value capture : op.getCaptures()) {
    Type type = converter.convertType(capture.getType());
    values.push_back(castTo(builder, loc, capture, type));
    fields.push_back(type);
  }
  auto structType = LLVM::LLVMStructType::getLiteral(builder.getContext(), fields);
  auto function = op->getParentOfType<func::FuncOp>();
  Value task;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&function.getBody().front());
    task = LLVM::AllocaOp::create(builder, loc, abi.pointer(), structType, abi.constant(1));
  }
  for (auto [index, value] : llvm::enumerate(values)) {
    Value field = LLVM::GEPOp::create(builder, loc, abi.pointer(), structType, task,
                                      ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    LLVM::StoreOp::create(builder, loc, value, field);
  }
  Value thunk = createThunk(builder, op, fields);
  abi.callService(call, offsetof(cambium_abi_services_t, parallel_for), {},
                  {thunk, task, abi.fromIndex(op.getCount()), abi.constant(op.getGrain())});
}

/// A function of the task's memory and the bounds, which unpacks the values.
Value RTTypes::createThunk(OpBuilder &builder, rt::LaunchOp op, ArrayRef<Type> fields) {
  Location loc = op.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext()), i64 = builder.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                          {pointer, i64, i64});
  OpBuilder outside = OpBuilder::atBlockEnd(module.getBody());
  auto thunk = LLVM::LLVMFuncOp::create(outside, loc, (op.getCallee() + ".thunk").str(), type,
                                        LLVM::Linkage::Internal);
  symbols.insert(thunk);
  Block *body = thunk.addEntryBlock(outside);
  outside.setInsertionPointToStart(body);
  auto structType = LLVM::LLVMStructType::getLiteral(builder.getContext(), fields);
  SmallVector<Value> operands;
  auto callee = symbols.lookup<func::FuncOp>(op.getCallee());
  AbiAccess abi(outside, loc);
  for (auto [index, field] : llvm::enumerate(fields)) {
    Value address =
        LLVM::GEPOp::create(outside, loc, pointer, structType, body->getArgument(0),
                            ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    Value value = LLVM::LoadOp::create(outside, loc, field, address);
    operands.push_back(castTo(outside, loc, value, callee.getArgumentTypes()[index]));
  }
  operands.push_back(abi.toIndex(body->getArgument(1)));
  operands.push_back(abi.toIndex(body->getArgument(2)));
  func::CallOp::create(outside, loc, callee, operands);
  LLVM::ReturnOp::create(outside, loc, ValueRange());
  return LLVM::AddressOfOp::create(builder, loc, thunk);
}

//===----------------------------------------------------------------------===//
// Touched rows
//===----------------------------------------------------------------------===//

func::FuncOp RTTypes::createHelper(StringRef name, TypeRange arguments) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(builder, module.getLoc(), name,
                                       builder.getFunctionType(arguments, {}));
  function.setPrivate();
  symbols.insert(function);
  function.addEntryBlock();
  return function;
}

func::FuncOp RTTypes::touchFunction() {
  if (touch)
    return touch;
  MLIRContext *context = module.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context), i64 = IntegerType::get(context, 64);
  touch = createHelper("touch_row", {pointer, i64});
  Location loc = module.getLoc();
  Block *entry = &touch.front(), *mark = touch.addBlock(), *done = touch.addBlock();
  Value param = entry->getArgument(0), row = entry->getArgument(1);
  OpBuilder builder = OpBuilder::atBlockEnd(entry);
  AbiAccess abi(builder, loc);
  auto element = [&](Value array, Type type, Value index) {
    return LLVM::GEPOp::create(builder, loc, pointer, type, array,
                               ArrayRef<LLVM::GEPArg>{index});
  };
  Value flags = abi.loadPointer(param, offsetof(cambium_abi_param_t, is_touched));
  Value flag = element(flags, builder.getI8Type(), row);
  Value old = abi.load(flag, 0, builder.getI8Type());
  Value isNew = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, old,
                                     abi.constant(0, 8));
  cf::CondBranchOp::create(builder, loc, isNew, mark, done);

  builder.setInsertionPointToStart(mark);
  LLVM::StoreOp::create(builder, loc, abi.constant(1, 8), flag);
  constexpr size_t countOffset = offsetof(cambium_abi_param_t, num_touched);
  Value count = abi.load(param, countOffset, i64);
  Value list = abi.loadPointer(param, offsetof(cambium_abi_param_t, touched));
  Value id = LLVM::TruncOp::create(builder, loc, builder.getI32Type(), row);
  LLVM::StoreOp::create(builder, loc, id, element(list, builder.getI32Type(), count));
  Value next = LLVM::AddOp::create(builder, loc, count, abi.constant(1));
  LLVM::StoreOp::create(builder, loc, next, abi.address(param, countOffset));
  cf::BranchOp::create(builder, loc, done);

  builder.setInsertionPointToStart(done);
  func::ReturnOp::create(builder, loc);
  return touch;
}

func::FuncOp RTTypes::clearTouchedFunction() {
  if (clearTouched)
    return clearTouched;
  MLIRContext *context = module.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context), i64 = IntegerType::get(context, 64);
  clearTouched = createHelper("clear_touched_rows", {pointer});
  Location loc = module.getLoc();
  Block *entry = &clearTouched.front(), *head = clearTouched.addBlock(),
        *body = clearTouched.addBlock(), *done = clearTouched.addBlock();
  Value param = entry->getArgument(0);
  OpBuilder builder = OpBuilder::atBlockEnd(entry);
  AbiAccess abi(builder, loc);
  constexpr size_t countOffset = offsetof(cambium_abi_param_t, num_touched);
  Value count = abi.load(param, countOffset, i64);
  Value list = abi.loadPointer(param, offsetof(cambium_abi_param_t, touched));
  Value flags = abi.loadPointer(param, offsetof(cambium_abi_param_t, is_touched));
  Value index = head->addArgument(i64, loc);
  cf::BranchOp::create(builder, loc, head, ValueRange(abi.constant(0)));

  builder.setInsertionPointToStart(head);
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::slt, index, count);
  cf::CondBranchOp::create(builder, loc, more, body, done);

  builder.setInsertionPointToStart(body);
  Value place = LLVM::GEPOp::create(builder, loc, pointer, builder.getI32Type(), list,
                                    ArrayRef<LLVM::GEPArg>{index});
  Value row = abi.load(place, 0, builder.getI32Type());
  Value flag = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), flags,
                                   ArrayRef<LLVM::GEPArg>{row});
  LLVM::StoreOp::create(builder, loc, abi.constant(0, 8), flag);
  Value next = LLVM::AddOp::create(builder, loc, index, abi.constant(1));
  cf::BranchOp::create(builder, loc, head, ValueRange(next));

  builder.setInsertionPointToStart(done);
  LLVM::StoreOp::create(builder, loc, abi.constant(0), abi.address(param, countOffset));
  func::ReturnOp::create(builder, loc);
  return clearTouched;
}
