//===-- lib/LLVM/RTStages.cpp - Functions that all threads of a GPU call --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RTFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;

Type RTTypes::pointerTo(unsigned space) {
  return LLVM::LLVMPointerType::get(module->getContext(), space);
}

Value RTTypes::inAnyMemory(OpBuilder &builder, Location loc, Value pointer) {
  Type any = pointerTo(0);
  return pointer.getType() == any
             ? pointer
             : LLVM::AddrSpaceCastOp::create(builder, loc, any, pointer);
}

/// All threads call it with the parts of the captured values: a call within a
/// kernel has no memory that a task could be in. Addresses say that they are
/// global.
void RTTypes::callStage(OpBuilder &builder, rt::LaunchOp op, Value call) {
  Location loc = op.getLoc();
  SmallVector<Value> values;
  auto pass = [&](Value value) {
    if (isa<LLVM::LLVMPointerType>(value.getType()))
      value = LLVM::AddrSpaceCastOp::create(builder, loc,
                                            pointerTo(kGlobalMemory), value);
    values.push_back(value);
  };
  pass(call);
  for (Value capture : op.getCaptures())
    for (Value part : unpack(builder, loc, capture))
      pass(part);
  values.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  values.push_back(op.getCount());
  func::CallOp::create(builder, loc, op.getCallee(), TypeRange(), values);
}

LogicalResult RTTypes::bindStage(func::FuncOp stage) {
  Location loc = stage.getLoc();
  Block &body = stage.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  unsigned captures = body.getNumArguments() - 2, parts = 0;
  auto next = [&](Type type) -> Value {
    bool isPointer = isa<LLVM::LLVMPointerType>(type);
    Value part = body.insertArgument(
        parts++, isPointer ? pointerTo(kGlobalMemory) : type, loc);
    return isPointer ? inAnyMemory(builder, loc, part) : part;
  };
  Value call = next(LLVM::LLVMPointerType::get(stage.getContext()));
  for (unsigned i = 0; i < captures; ++i) {
    BlockArgument argument = body.getArgument(parts + i);
    argument.replaceAllUsesWith(pack(builder, loc, argument.getType(), next));
  }
  body.eraseArguments(parts, captures);
  stage.setFunctionType(builder.getFunctionType(body.getArgumentTypes(), {}));
  stage.setArgAttrsAttr({});
  calls[stage] = call;
  addToCalls(stage);
  return success();
}
