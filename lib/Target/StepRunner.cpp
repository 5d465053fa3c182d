//===-- lib/Target/StepRunner.cpp - What does the steps of a list ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepRunner.h"
#include "Frame.h"
#include "cambium/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include <cstddef>

using namespace llvm;
using namespace cambium;

FunctionType *StepRunner::stepType() {
  return FunctionType::get(builder.getVoidTy(),
                           {builder.getPtrTy(), builder.getPtrTy()},
                           /*isVarArg=*/false);
}

Function *StepRunner::launcher() {
  if (!launch)
    launch = Function::Create(stepType(), GlobalValue::InternalLinkage,
                              "cambium.launch", code);
  return launch;
}

Function *StepRunner::make(const StepRows &rows) {
  makeTable(rows);
  if (launch)
    makeLauncher();
  return makeRunner();
}

//===----------------------------------------------------------------------===//
// The table of functions
//===----------------------------------------------------------------------===//

/// Distances are what a linker can fill in where code has no fixed place.
void StepRunner::makeTable(const StepRows &rows) {
  Type *number = builder.getInt32Ty();
  auto *type = ArrayType::get(ArrayType::get(number, 2), rows.size());
  table = new GlobalVariable(code, type, /*isConstant=*/true,
                             GlobalValue::InternalLinkage, nullptr,
                             "cambium.functions");
  auto address = [&](Constant *value) {
    return ConstantExpr::getPtrToInt(value, builder.getInt64Ty());
  };
  SmallVector<Constant *> constants;
  for (auto [function, places] : rows) {
    Constant *distance = builder.getInt32(0);
    if (function)
      distance = ConstantExpr::getTrunc(
          ConstantExpr::getSub(address(function), address(table)), number);
    constants.push_back(
        ConstantArray::get(cast<ArrayType>(type->getElementType()),
                           {distance, builder.getInt32(places)}));
  }
  table->setInitializer(ConstantArray::get(type, constants));
}

/// Where a row of the table has its fields.
Value *StepRunner::rowAt(Value *number) {
  return builder.CreateGEP(ArrayType::get(builder.getInt32Ty(), 2), table,
                           builder.CreateZExt(number, builder.getInt64Ty()));
}

Value *StepRunner::functionOf(Value *row) {
  Value *distance = builder.CreateLoad(builder.getInt32Ty(), row);
  return builder.CreateGEP(builder.getInt8Ty(), table,
                           builder.CreateSExt(distance, builder.getInt64Ty()));
}

//===----------------------------------------------------------------------===//
// The struct of the call
//===----------------------------------------------------------------------===//

Value *StepRunner::placeIn(Value *frame, Value *word) {
  return builder.CreateGEP(builder.getInt64Ty(), frame,
                           builder.CreateZExt(word, builder.getInt64Ty()));
}

Value *StepRunner::loadPointer(Value *base, uint64_t offset) {
  return builder.CreateLoad(
      builder.getPtrTy(),
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset));
}

Value *StepRunner::serviceOf(Value *call, uint64_t offset) {
  return loadPointer(loadPointer(call, offsetof(cambium_abi_call_t, services)),
                     offset);
}

void StepRunner::makeLauncher() {
  Type *pointer = builder.getPtrTy(), *number = builder.getInt32Ty(),
       *half = builder.getInt16Ty(), *index = builder.getInt64Ty();
  Value *frame = launch->getArg(0), *places = launch->getArg(1);
  builder.SetInsertPoint(BasicBlock::Create(code.getContext(), "", launch));
  auto *passed = StructType::get(code.getContext(), {pointer, pointer});
  Value *memory = builder.CreateAlloca(passed);
  for (unsigned i : {0, 1})
    builder.CreateStore(launch->getArg(i),
                        builder.CreateStructGEP(passed, memory, i));
  Value *own =
      builder.CreateLoad(half, builder.CreateConstGEP1_64(half, places, -1));
  Value *row = builder.CreateConstGEP1_64(number, rowAt(own), /*Idx0=*/2);
  Value *grain = builder.CreateSExt(
      builder.CreateLoad(number, builder.CreateConstGEP1_64(number, row, 1)),
      index);
  Value *count = builder.CreateLoad(
      index, placeIn(frame, builder.CreateLoad(half, places)));
  Value *call = loadPointer(frame, 8 * kCall);
  builder.CreateCall(
      FunctionType::get(builder.getVoidTy(),
                        {pointer, pointer, pointer, index, index},
                        /*isVarArg=*/false),
      serviceOf(call, offsetof(cambium_abi_services_t, parallel_for)),
      {call, functionOf(row), memory, count, grain});
  builder.CreateRetVoid();
}

//===----------------------------------------------------------------------===//
// The loop over a list
//===----------------------------------------------------------------------===//

Function *StepRunner::makeRunner() {
  Type *pointer = builder.getPtrTy(), *half = builder.getInt16Ty();
  Function *runner = Function::Create(
      FunctionType::get(builder.getInt1Ty(), {pointer, pointer}, false),
      GlobalValue::InternalLinkage, "cambium.steps", code);
  frame = runner->getArg(0);
  auto block = [&] {
    return BasicBlock::Create(code.getContext(), "", runner);
  };
  BasicBlock *start = block(), *head = block(), *some = block(),
             *kept = block(), *step = block(), *allocation = block(),
             *release = block(), *done = block(), *failed = block();
  builder.SetInsertPoint(start);
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  at = builder.CreatePHI(pointer, 4);
  at->addIncoming(runner->getArg(1), start);
  word = builder.CreateLoad(half, at);
  behind = builder.CreateConstGEP1_64(half, at, 1);
  builder.CreateCondBr(builder.CreateIsNull(word), done, some);
  auto has = [&](uint16_t bit) {
    return builder.CreateIsNotNull(
        builder.CreateAnd(word, builder.getInt16(bit)));
  };
  builder.SetInsertPoint(some);
  builder.CreateCondBr(has(kReleases), release, kept);
  builder.SetInsertPoint(kept);
  builder.CreateCondBr(has(kAllocates), allocation, step);
  builder.SetInsertPoint(step);
  makeStep(failed);
  builder.SetInsertPoint(allocation);
  makeAllocation(failed);
  builder.SetInsertPoint(release);
  makeRelease();
  builder.SetInsertPoint(done);
  builder.CreateRet(builder.getTrue());
  builder.SetInsertPoint(failed);
  builder.CreateRet(builder.getFalse());
  return runner;
}

void StepRunner::makeStep(BasicBlock *failed) {
  Type *number = builder.getInt32Ty(), *index = builder.getInt64Ty();
  Value *row = rowAt(word), *step = functionOf(row);
  Value *count =
      builder.CreateLoad(number, builder.CreateConstGEP1_64(number, row, 1));
  builder.CreateCall(stepType(), step, {frame, behind});
  Value *next = builder.CreateGEP(builder.getInt16Ty(), behind,
                                  builder.CreateZExt(count, index));
  Value *any = builder.CreateLoad(index, frame);
  goOnUnless(builder.CreateIsNotNull(any), failed, next);
}

void StepRunner::makeAllocation(BasicBlock *failed) {
  Type *half = builder.getInt16Ty(), *index = builder.getInt64Ty(),
       *pointer = builder.getPtrTy();
  Value *size = builder.CreateLoad(
      index, placeIn(frame, builder.CreateLoad(half, behind)));
  Value *call = loadPointer(frame, 8 * kCall);
  Value *memory = builder.CreateCall(
      FunctionType::get(pointer, {pointer, index}, /*isVarArg=*/false),
      serviceOf(call, offsetof(cambium_abi_services_t, allocate)),
      {call, size});
  Value *place =
      placeIn(frame, builder.CreateXor(word, builder.getInt16(kAllocates)));
  builder.CreateStore(memory, place);
  builder.CreateStore(size, builder.CreateConstGEP1_64(index, place, 1));
  goOnUnless(builder.CreateIsNull(memory), failed,
             builder.CreateConstGEP1_64(half, behind, 1));
}

void StepRunner::makeRelease() {
  Type *index = builder.getInt64Ty(), *pointer = builder.getPtrTy();
  Value *place =
      placeIn(frame, builder.CreateXor(word, builder.getInt16(kReleases)));
  Value *memory = builder.CreateLoad(pointer, place);
  Value *size =
      builder.CreateLoad(index, builder.CreateConstGEP1_64(index, place, 1));
  Value *call = loadPointer(frame, 8 * kCall);
  builder.CreateCall(FunctionType::get(builder.getVoidTy(),
                                       {pointer, pointer, index},
                                       /*isVarArg=*/false),
                     serviceOf(call, offsetof(cambium_abi_services_t, release)),
                     {call, memory, size});
  at->addIncoming(behind, builder.GetInsertBlock());
  builder.CreateBr(at->getParent());
}

void StepRunner::goOnUnless(Value *condition, BasicBlock *otherwise,
                            Value *next) {
  at->addIncoming(next, builder.GetInsertBlock());
  builder.CreateCondBr(condition, otherwise, at->getParent());
}
