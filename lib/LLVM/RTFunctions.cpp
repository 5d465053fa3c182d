//===-- RTFunctions.cpp - Functions and values that hold the call --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RTFunctions.h"
#include "cambium/LLVM/EntrySignature.h"
#include "dialects/RT/IR/Kept.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace cambium;

RTTypes::RTTypes(ModuleOp module)
    : module(module), symbols(module), converter(module.getContext()),
      onDevice(rt::isGpu(rt::getTarget(module))),
      services(onDevice ? createDeviceServices(*this)
                        : createHostServices(*this)),
      markBytes(rt::countKept(module).marks) {
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
    params[param.getName()] = {index++, shape.empty() ? 1 : shape.front(),
                               shape.empty() ? 1 : shape.back()};
  }
}

int64_t RTTypes::paramIndex(Operation *op) const {
  return params.lookup(rt::getParam(op).getValue()).index;
}

int64_t RTTypes::paramRows(Operation *op) const {
  return params.lookup(rt::getParam(op).getValue()).rows;
}

int64_t RTTypes::paramColumns(Operation *op) const {
  return params.lookup(rt::getParam(op).getValue()).columns;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value RTTypes::cast(OpBuilder &builder, Location loc, Value value, Type type) {
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
  return cast(builder, loc, descriptor, type);
}

Value RTTypes::panels(OpBuilder &builder, Location loc, MemRefType type,
                      Value copy, Value value, int64_t columns) {
  AbiAccess abi = access(builder, loc);
  Value null = LLVM::ZeroOp::create(builder, loc, copy.getType());
  Value isCopy =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, copy, null);
  auto choose = [&](Value ofCopy, Value ofValue) -> Value {
    return LLVM::SelectOp::create(builder, loc, isCopy, ofCopy, ofValue);
  };
  auto descriptor =
      MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  Value memory = choose(copy, value);
  descriptor.setAllocatedPtr(builder, loc, memory);
  descriptor.setAlignedPtr(builder, loc, memory);
  descriptor.setConstantOffset(builder, loc, 0);
  // [..., panels, depth, width]: rows are next to each other in a panel of the
  // copy, and panels are in a row of the value.
  ArrayRef<int64_t> shape = type.getShape();
  size_t rank = shape.size();
  int64_t width = shape[rank - 1], depth = shape[rank - 2];
  SmallVector<int64_t> inCopy(rank, 1), inValue(rank, 1);
  inCopy[rank - 2] = width, inValue[rank - 2] = columns;
  inCopy[rank - 3] = width * depth, inValue[rank - 3] = width;
  for (size_t i = rank - 3; i-- > 0;) {
    bool isMatrix = i + 4 == rank;
    inCopy[i] = inCopy[i + 1] * shape[i + 1];
    inValue[i] = isMatrix ? columns * depth : inValue[i + 1] * shape[i + 1];
  }
  for (size_t i = 0; i < rank; ++i) {
    descriptor.setSize(builder, loc, i, abi.constant(shape[i]));
    descriptor.setStride(
        builder, loc, i,
        choose(abi.constant(inCopy[i]), abi.constant(inValue[i])));
  }
  return cast(builder, loc, descriptor, type);
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
  auto type = llvm::cast<MemRefType>(memref.getType());
  MemRefDescriptor descriptor(
      cast(builder, loc, memref, converter.convertType(type)));
  return descriptor.bufferPtr(builder, loc, converter, type);
}

Value RTTypes::toPointer(OpBuilder &builder, Value value) {
  return cast(builder, value.getLoc(), value,
              converter.convertType(value.getType()));
}

Value RTTypes::fromPointer(OpBuilder &builder, Value pointer, Type type) {
  return cast(builder, pointer.getLoc(), pointer, type);
}

Value RTTypes::stackMemory(func::FuncOp function, int64_t bytes, Location loc) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  AbiAccess abi = access(builder, loc);
  return LLVM::AllocaOp::create(builder, loc, abi.pointer(),
                                builder.getI8Type(), abi.constant(bytes),
                                /*alignment=*/16);
}

Type RTTypes::pointerTo(unsigned space) {
  return LLVM::LLVMPointerType::get(module->getContext(), space);
}

Value RTTypes::inAnyMemory(OpBuilder &builder, Location loc, Value pointer) {
  Type any = pointerTo(0);
  return pointer.getType() == any
             ? pointer
             : LLVM::AddrSpaceCastOp::create(builder, loc, any, pointer);
}

SmallVector<Value> RTTypes::unpack(OpBuilder &builder, Location loc,
                                   Value value) {
  Type type = converter.convertType(value.getType());
  auto memref = dyn_cast<MemRefType>(value.getType());
  if (!memref)
    return {cast(builder, loc, value, type)};
  SmallVector<Value> parts{firstElement(builder, loc, value)};
  MemRefDescriptor descriptor(cast(builder, loc, value, type));
  auto [strides, offset] = memref.getStridesAndOffset();
  for (int64_t i = 0; i < memref.getRank(); ++i) {
    if (memref.isDynamicDim(i))
      parts.push_back(descriptor.size(builder, loc, i));
    if (ShapedType::isDynamic(strides[i]))
      parts.push_back(descriptor.stride(builder, loc, i));
  }
  return parts;
}

Value RTTypes::pack(OpBuilder &builder, Location loc, Type type,
                    function_ref<Value(Type)> next) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return cast(builder, loc, next(converter.convertType(type)), type);
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
  return cast(builder, loc, descriptor, type);
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
// Functions
//===----------------------------------------------------------------------===//

LogicalResult RTTypes::addCallArgument(func::FuncOp function) {
  // A function of the host takes what the entry takes for which it works.
  bool isLikeEntry =
      function.getNumArguments() != 0 && rt::getArgumentRole(function, 0);
  if (rt::isEntry(function) || isLikeEntry)
    return bindEntry(function);
  if (tasks.contains(function.getSymName()))
    return services->bindLaunched(function);
  auto pointer = LLVM::LLVMPointerType::get(function.getContext());
  if (failed(function.insertArgument(0, pointer, {}, function.getLoc())))
    return failure();
  setCall(function, function.getArgument(0));
  return success();
}

void RTTypes::setCall(func::FuncOp function, Value value) {
  calls[function] = value;
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
  bool isEntry = rt::isEntry(entry);
  bool returnsStatus = isEntry && services->returnsStatus();
  Location loc = entry.getLoc();
  OpBuilder builder(entry.getContext());
  Block &body = entry.getBody().front();
  Value argument = body.insertArgument(
      0u, pointerTo(isEntry ? services->memoryOfCall() : 0), loc);
  builder.setInsertionPointToStart(&body);
  Value call = inAnyMemory(builder, loc, argument);
  SmallVector<Value> values = readArguments(builder, loc, call, *signature);
  for (auto [index, value] : llvm::enumerate(values)) {
    BlockArgument argument = body.getArgument(index + 1);
    argument.replaceAllUsesWith(cast(builder, loc, value, argument.getType()));
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
  setCall(entry, call);
  return success();
}
