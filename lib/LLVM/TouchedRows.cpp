//===-- lib/LLVM/TouchedRows.cpp - Functions that mark rows ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RTFunctions.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace cambium;

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
