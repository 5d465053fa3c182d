//===-- RTFunctions.cpp - Functions and values that hold the call --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RTFunctions.h"
#include "cambium/LLVM/EntrySignature.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace cambium;

RTTypes::RTTypes(ModuleOp module)
    : module(module), symbols(module), converter(module.getContext()),
      onDevice(rt::isGpu(rt::getTarget(module))) {
  converter.addConversion([](ragged::RowsType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  converter.addConversion([](ragged::ForestType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  module.walk([&](rt::LaunchOp launch) { tasks.insert(launch.getCallee()); });
  int64_t index = 0;
  for (auto param : module.getOps<nn::ParamOp>()) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(param.getType()).getShape();
    params.try_emplace(param.getName(), index++,
                       shape.empty() ? 1 : shape.front());
  }
}

int64_t RTTypes::paramIndex(Operation *op) const {
  return params.lookup(rt::getParam(op).getValue()).first;
}

int64_t RTTypes::paramRows(Operation *op) const {
  return params.lookup(rt::getParam(op).getValue()).second;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Value castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, loc, type, value)
      .getResult(0);
}

Value RTTypes::text(OpBuilder &builder, Location loc, StringRef text) {
  auto bytes = (text + StringRef("\0", 1)).str();
  std::string name = "cambium.text." + std::to_string(numTexts++);
  OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  auto global = LLVM::GlobalOp::create(atStart, loc, type, /*isConstant=*/true,
                                       LLVM::Linkage::Internal, name,
                                       builder.getStringAttr(bytes));
  return LLVM::AddressOfOp::create(builder, loc, global);
}

Value RTTypes::memref(OpBuilder &builder, Location loc, MemRefType type,
                      Value memory, ValueRange sizes) {
  AbiAccess abi = access(builder, loc);
  auto descriptor =
      MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(builder, loc, memory);
  descriptor.setAlignedPtr(builder, loc, memory);
  descriptor.setConstantOffset(builder, loc, 0);
  // Strides from the last dimension; only sizes before it may be dynamic.
  Value stride = abi.constant(1);
  size_t left = sizes.size();
  for (int64_t i = type.getRank() - 1; i >= 0; --i) {
    Value extent =
        type.isDynamicDim(i) ? sizes[--left] : abi.constant(type.getDimSize(i));
    descriptor.setSize(builder, loc, i, extent);
    descriptor.setStride(builder, loc, i, stride);
    if (i > 0)
      stride = arith::MulIOp::create(builder, loc, stride, extent);
  }
  return castTo(builder, loc, descriptor, type);
}

Value RTTypes::arrayOf(OpBuilder &builder, Location loc, MemRefType type,
                       Value base, size_t offset, size_t lengthOffset,
                       int64_t more) {
  AbiAccess abi = access(builder, loc);
  Value length = abi.load(base, lengthOffset, builder.getI64Type());
  if (more)
    length = arith::AddIOp::create(builder, loc, length, abi.constant(more));
  return memref(builder, loc, type, abi.loadPointer(base, offset), {length});
}

Value RTTypes::firstElement(OpBuilder &builder, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  MemRefDescriptor descriptor(
      castTo(builder, loc, memref, converter.convertType(type)));
  return descriptor.bufferPtr(builder, loc, converter, type);
}

Value RTTypes::toPointer(OpBuilder &builder, Value value) {
  return castTo(builder, value.getLoc(), value,
                converter.convertType(value.getType()));
}

Value RTTypes::fromPointer(OpBuilder &builder, Value pointer, Type type) {
  return castTo(builder, pointer.getLoc(), pointer, type);
}

Value RTTypes::stackMemory(func::FuncOp function, int64_t bytes, Location loc) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  AbiAccess abi = access(builder, loc);
  return LLVM::AllocaOp::create(builder, loc, abi.pointer(),
                                builder.getI8Type(), abi.constant(bytes),
                                /*alignment=*/16);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult RTTypes::addCallArgument(func::FuncOp function) {
  // A function of the host takes what the entry takes for which it works.
  bool isLikeEntry =
      function.getNumArguments() != 0 && rt::getArgumentRole(function, 0);
  if (rt::isEntry(function) || isLikeEntry)
    return bindEntry(function);
  if (tasks.contains(function.getSymName()))
    return onDevice ? bindStage(function) : bindTask(function);
  auto pointer = LLVM::LLVMPointerType::get(function.getContext());
  if (failed(function.insertArgument(0, pointer, {}, function.getLoc())))
    return failure();
  calls[function] = function.getArgument(0);
  addToCalls(function);
  return success();
}

void RTTypes::addToCalls(func::FuncOp function) {
  Value value = calls.lookup(function);
  function.walk([&](func::CallOp call) { call->insertOperands(0, value); });
}

/// What the arguments of an entry stand for, in order, as reads of its call.
SmallVector<Value> RTTypes::readArguments(OpBuilder &builder, Location loc,
                                          Value call,
                                          const EntrySignature &signature) {
  AbiAccess abi = access(builder, loc);
  SmallVector<Value> values;
  for (size_t i = 0; i < signature.spaces.size(); ++i)
    values.push_back(abi.space(call, i));
  SmallVector<Value> forests;
  for (size_t i = 0; i < signature.forests.size(); ++i)
    forests.push_back(abi.forest(call, i));
  llvm::append_range(values, forests);
  auto bindTensor = [&](const EntrySignature::Tensor &tensor, Value memory) {
    SmallVector<Value> rows;
    if (tensor.edgesOf >= 0)
      rows.push_back(abi.load(forests[tensor.edgesOf],
                              offsetOf(rt::ForestSize::NumEdges),
                              builder.getI64Type()));
    else if (tensor.space >= 0)
      rows.push_back(abi.load(values[tensor.space],
                              offsetOf(rt::RowsSize::NumRows),
                              builder.getI64Type()));
    else if (tensor.space == rt::kPerExample)
      rows.push_back(abi.load(call, offsetof(cambium_abi_call_t, num_examples),
                              builder.getI64Type()));
    values.push_back(memref(builder, loc, tensor.type, memory, rows));
  };
  for (auto [index, tensor] : llvm::enumerate(signature.inputs))
    bindTensor(tensor, abi.input(call, index));
  for (auto [index, tensor] : llvm::enumerate(signature.outputs))
    bindTensor(tensor, abi.output(call, index));
  return values;
}

/// A kernel gets an address of global memory and returns nothing; a function
/// that works for an entry keeps its results.
LogicalResult RTTypes::bindEntry(func::FuncOp entry) {
  FailureOr<EntrySignature> signature = readSignature(entry);
  if (failed(signature))
    return failure();
  bool isKernel = onDevice && rt::isEntry(entry);
  bool returnsStatus = !onDevice && rt::isEntry(entry);
  Location loc = entry.getLoc();
  OpBuilder builder(entry.getContext());
  Block &body = entry.getBody().front();
  Value argument =
      body.insertArgument(0u, pointerTo(isKernel ? kGlobalMemory : 0), loc);
  builder.setInsertionPointToStart(&body);
  Value call = inAnyMemory(builder, loc, argument);
  SmallVector<Value> values = readArguments(builder, loc, call, *signature);
  for (auto [index, value] : llvm::enumerate(values)) {
    BlockArgument argument = body.getArgument(index + 1);
    argument.replaceAllUsesWith(
        castTo(builder, loc, value, argument.getType()));
  }
  body.eraseArguments(1, values.size());
  entry.setArgAttrsAttr({});
  SmallVector<Type> results(entry.getResultTypes());
  if (returnsStatus)
    results.push_back(builder.getI32Type());
  entry.setFunctionType(builder.getFunctionType(argument.getType(), results));
  entry.setArgAttrs(0, ArrayRef<NamedAttribute>());
  if (returnsStatus)
    entry.walk([&](func::ReturnOp exit) {
      builder.setInsertionPoint(exit);
      exit.getOperandsMutable().assign(access(builder, loc).constant(0, 32));
    });
  calls[entry] = call;
  addToCalls(entry);
  return success();
}

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

/// The parts of a captured value that a task's memory holds: of a memref the
/// address of its first element, and what its type does not say of sizes and
/// strides.
SmallVector<Value> RTTypes::unpack(OpBuilder &builder, Location loc,
                                   Value value) {
  Type type = converter.convertType(value.getType());
  auto memref = dyn_cast<MemRefType>(value.getType());
  if (!memref)
    return {castTo(builder, loc, value, type)};
  SmallVector<Value> parts{firstElement(builder, loc, value)};
  MemRefDescriptor descriptor(castTo(builder, loc, value, type));
  auto [strides, offset] = memref.getStridesAndOffset();
  for (int64_t i = 0; i < memref.getRank(); ++i) {
    if (memref.isDynamicDim(i))
      parts.push_back(descriptor.size(builder, loc, i));
    if (ShapedType::isDynamic(strides[i]))
      parts.push_back(descriptor.stride(builder, loc, i));
  }
  return parts;
}

/// The inverse of `unpack`. `next` gives the parts, by type, in order.
Value RTTypes::pack(OpBuilder &builder, Location loc, Type type,
                    function_ref<Value(Type)> next) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return castTo(builder, loc, next(converter.convertType(type)), type);
  AbiAccess abi = access(builder, loc);
  auto descriptor =
      MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  Value memory = next(abi.pointer());
  auto [strides, offset] = memref.getStridesAndOffset();
  // The address is that of the first element; a type that says how far behind
  // its memory that stands gets the address of the memory.
  int64_t before = ShapedType::isDynamic(offset) ? 0 : offset;
  if (before != 0)
    memory = LLVM::GEPOp::create(
        builder, loc, abi.pointer(),
        converter.convertType(memref.getElementType()), memory,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(-before)});
  descriptor.setAllocatedPtr(builder, loc, memory);
  descriptor.setAlignedPtr(builder, loc, memory);
  descriptor.setConstantOffset(builder, loc, before);
  auto value = [&](int64_t constant) {
    return ShapedType::isDynamic(constant) ? next(builder.getI64Type())
                                           : abi.constant(constant);
  };
  for (int64_t i = 0; i < memref.getRank(); ++i) {
    descriptor.setSize(builder, loc, i, value(memref.getDimSize(i)));
    descriptor.setStride(builder, loc, i, value(strides[i]));
  }
  return castTo(builder, loc, descriptor, type);
}

void RTTypes::launch(OpBuilder &builder, rt::LaunchOp op, Value call) {
  if (onDevice)
    return callStage(builder, op, call);
  Location loc = op.getLoc();
  AbiAccess abi = access(builder, loc);
  // The task: the call, then the captured values.
  SmallVector<Value> values{call};
  for (Value capture : op.getCaptures())
    llvm::append_range(values, unpack(builder, loc, capture));
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
  auto callee = symbols.lookup<func::FuncOp>(op.getCallee());
  Type type = callee.getFunctionType();
  Value constant =
      func::ConstantOp::create(builder, loc, type, op.getCalleeAttr());
  Value address = castTo(builder, loc, constant, abi.pointer());
  abi.callService(call, offsetof(cambium_abi_services_t, parallel_for), {},
                  {address, task, abi.fromIndex(op.getCount()),
                   abi.constant(op.getGrain())});
}

LogicalResult RTTypes::bindTask(func::FuncOp task) {
  Location loc = task.getLoc();
  Block &body = task.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  AbiAccess abi = access(builder, loc);
  unsigned captures = body.getNumArguments() - 2;
  Value memory = body.insertArgument(0u, abi.pointer(), loc);
  // Types of the struct first: the offset of a field depends on all before it.
  SmallVector<Type> types{abi.pointer()};
  for (unsigned i = 0; i < captures; ++i)
    appendPartTypes(body.getArgument(i + 1).getType(), types);
  auto structType =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
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
    argument.replaceAllUsesWith(pack(builder, loc, argument.getType(), next));
  }
  body.eraseArguments(1, captures);
  task.setFunctionType(builder.getFunctionType(body.getArgumentTypes(), {}));
  task.setArgAttrsAttr({});
  calls[task] = call;
  addToCalls(task);
  return success();
}

void RTTypes::appendPartTypes(Type type, SmallVectorImpl<Type> &types) {
  auto memref = dyn_cast<MemRefType>(type);
  types.push_back(memref ? LLVM::LLVMPointerType::get(type.getContext())
                         : converter.convertType(type));
  if (!memref)
    return;
  auto [strides, offset] = memref.getStridesAndOffset();
  size_t dynamic =
      memref.getNumDynamicDims() + llvm::count(strides, ShapedType::kDynamic);
  types.append(dynamic, IntegerType::get(type.getContext(), 64));
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
  Type pointer = LLVM::LLVMPointerType::get(context),
       i64 = IntegerType::get(context, 64);
  touch = createHelper("touch_row", {pointer, i64});
  Location loc = module.getLoc();
  Block *entry = &touch.front(), *mark = touch.addBlock(),
        *done = touch.addBlock();
  Value param = entry->getArgument(0), row = entry->getArgument(1);
  OpBuilder builder = OpBuilder::atBlockEnd(entry);
  AbiAccess abi = access(builder, loc);
  auto element = [&](Value array, Type type, Value index) {
    return LLVM::GEPOp::create(builder, loc, pointer, type, array,
                               ArrayRef<LLVM::GEPArg>{index});
  };
  Value flags =
      abi.loadPointer(param, offsetof(cambium_abi_param_t, is_touched));
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
  LLVM::StoreOp::create(builder, loc, id,
                        element(list, builder.getI32Type(), count));
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
  Type pointer = LLVM::LLVMPointerType::get(context),
       i64 = IntegerType::get(context, 64);
  clearTouched = createHelper("clear_touched_rows", {pointer});
  Location loc = module.getLoc();
  Block *entry = &clearTouched.front(), *head = clearTouched.addBlock(),
        *body = clearTouched.addBlock(), *done = clearTouched.addBlock();
  Value param = entry->getArgument(0);
  OpBuilder builder = OpBuilder::atBlockEnd(entry);
  AbiAccess abi = access(builder, loc);
  constexpr size_t countOffset = offsetof(cambium_abi_param_t, num_touched);
  Value count = abi.load(param, countOffset, i64);
  Value list = abi.loadPointer(param, offsetof(cambium_abi_param_t, touched));
  Value flags =
      abi.loadPointer(param, offsetof(cambium_abi_param_t, is_touched));
  Value index = head->addArgument(i64, loc);
  cf::BranchOp::create(builder, loc, head, ValueRange(abi.constant(0)));

  builder.setInsertionPointToStart(head);
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::slt,
                                    index, count);
  cf::CondBranchOp::create(builder, loc, more, body, done);

  builder.setInsertionPointToStart(body);
  Value place = LLVM::GEPOp::create(builder, loc, pointer, builder.getI32Type(),
                                    list, ArrayRef<LLVM::GEPArg>{index});
  Value row = abi.load(place, 0, builder.getI32Type());
  Value flag = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(),
                                   flags, ArrayRef<LLVM::GEPArg>{row});
  LLVM::StoreOp::create(builder, loc, abi.constant(0, 8), flag);
  Value next = LLVM::AddOp::create(builder, loc, index, abi.constant(1));
  cf::BranchOp::create(builder, loc, head, ValueRange(next));

  builder.setInsertionPointToStart(done);
  LLVM::StoreOp::create(builder, loc, abi.constant(0),
                        abi.address(param, countOffset));
  func::ReturnOp::create(builder, loc);
  return clearTouched;
}
