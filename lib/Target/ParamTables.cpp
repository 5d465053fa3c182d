//===-- lib/Target/ParamTables.cpp - Parameters in frames -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ParamTables.h"
#include "Steps.h"
#include "cambium/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <cstddef>

using namespace llvm;
using namespace cambium;

ParamTables::ParamTables(Module &code, ArrayRef<Function *> entries)
    : code(code), inside(code.getContext()) {
  for (Function *entry : entries)
    for (const Instruction &op : instructions(*entry))
      if (std::optional<Choice> choice = findChoice(&op, entry->getArg(0));
          choice && numberOf.try_emplace(*choice, choices.size()).second)
        choices.push_back(*choice);
}

std::optional<uint64_t> ParamTables::wordOf(const Value *value,
                                            const Argument *call) {
  auto place = placeInCall(value, call);
  if (!place || place->first != offsetof(cambium_abi_call_t, params))
    return std::nullopt;
  return place->second / 8;
}

std::optional<ParamTables::Choice>
ParamTables::findChoice(const Value *value, const Argument *call) {
  auto *select = dyn_cast<SelectInst>(value);
  auto *check = select ? dyn_cast<ICmpInst>(select->getCondition()) : nullptr;
  if (!check || !check->isEquality() ||
      !isa<ConstantPointerNull>(check->getOperand(1)))
    return std::nullopt;
  std::optional<uint64_t> word = wordOf(check->getOperand(0), call);
  const Value *arms[] = {select->getTrueValue(), select->getFalseValue()};
  if (check->getPredicate() == ICmpInst::ICMP_NE)
    std::swap(arms[0], arms[1]);
  bool ofWords = select->getType()->isPointerTy();
  Choice choice;
  for (unsigned i : {0, 1}) {
    auto *number = dyn_cast<ConstantInt>(arms[i]);
    std::optional<uint64_t> found = wordOf(arms[i], call);
    if (!ofWords)
      found = number && number->getType()->isIntegerTy(64)
                  ? std::optional(number->getZExtValue())
                  : std::nullopt;
    if (!found || !isInt<32>(static_cast<int64_t>(*found)))
      return std::nullopt;
    choice[1 + i] = static_cast<int32_t>(*found);
  }
  if (!word || *word > INT32_MAX / 2)
    return std::nullopt;
  choice[0] = static_cast<int32_t>(2 * *word + ofWords);
  return choice;
}

std::optional<size_t> ParamTables::choiceOf(const Value *value,
                                            const Argument *call) const {
  std::optional<Choice> choice = findChoice(value, call);
  auto found = choice ? numberOf.find(*choice) : numberOf.end();
  return found == numberOf.end() ? std::nullopt : std::optional(found->second);
}

/// The address of the call's table of parameters.
Value *ParamTables::tableOf(IRBuilderBase &builder, Argument *call) {
  Value *field = builder.CreateConstInBoundsGEP1_64(
      builder.getInt8Ty(), call, offsetof(cambium_abi_call_t, params));
  return builder.CreateLoad(builder.getPtrTy(), field);
}

void ParamTables::copyWords(IRBuilderBase &builder, Value *to, Argument *call,
                            size_t count) {
  if (!copy)
    copy = makeCopy();
  builder.CreateCall(copy,
                     {to, tableOf(builder, call), builder.getInt64(count)});
}

void ParamTables::choose(IRBuilderBase &builder, Value *to, Argument *call) {
  if (!chooser)
    chooser = makeChooser();
  builder.CreateCall(chooser, {to, tableOf(builder, call)});
}

Function *ParamTables::begin(StringRef name, ArrayRef<Type *> types) {
  Function *function = Function::Create(
      FunctionType::get(inside.getVoidTy(), types, /*isVarArg=*/false),
      GlobalValue::InternalLinkage, name, code);
  inside.SetInsertPoint(BasicBlock::Create(code.getContext(), "", function));
  return function;
}

/// Does something `count` times, which is not 0, and ends the function.
void ParamTables::loop(Function *function, Value *count, Body body) {
  BasicBlock *start = inside.GetInsertBlock(),
             *head = BasicBlock::Create(code.getContext(), "", function),
             *end = BasicBlock::Create(code.getContext(), "", function);
  inside.CreateBr(head);
  inside.SetInsertPoint(head);
  PHINode *at = inside.CreatePHI(inside.getInt64Ty(), 2);
  at->addIncoming(inside.getInt64(0), start);
  body(at);
  Value *next = inside.CreateAdd(at, inside.getInt64(1));
  at->addIncoming(next, inside.GetInsertBlock());
  inside.CreateCondBr(inside.CreateICmpULT(next, count), head, end);
  inside.SetInsertPoint(end);
  inside.CreateRetVoid();
}

Function *ParamTables::makeCopy() {
  Type *pointer = inside.getPtrTy(), *word = inside.getInt64Ty();
  Function *function = begin("cambium.copy", {pointer, pointer, word});
  loop(function, function->getArg(2), [&](Value *at) {
    Value *from = inside.CreateGEP(word, function->getArg(1), at);
    inside.CreateStore(inside.CreateLoad(word, from),
                       inside.CreateGEP(word, function->getArg(0), at));
  });
  return function;
}

Function *ParamTables::makeChooser() {
  Type *pointer = inside.getPtrTy(), *word = inside.getInt64Ty();
  GlobalVariable *rows = makeRows();
  Type *row = cast<ArrayType>(rows->getValueType())->getElementType();
  Function *function = begin("cambium.choose", {pointer, pointer});
  loop(function, inside.getInt64(choices.size()), [&](Value *at) {
    makeChoice(inside.CreateGEP(row, rows, at), function->getArg(1),
               inside.CreateGEP(word, function->getArg(0), at));
  });
  return function;
}

void ParamTables::makeChoice(Value *row, Value *params, Value *to) {
  Type *half = inside.getInt32Ty(), *word = inside.getInt64Ty();
  auto wordAt = [&](Value *at) {
    return inside.CreateLoad(word, inside.CreateGEP(word, params, at));
  };
  Value *what = inside.CreateLoad(half, row);
  Value *isNull = inside.CreateIsNull(
      wordAt(inside.CreateZExt(inside.CreateLShr(what, 1), word)));
  Value *place =
      inside.CreateSelect(isNull, inside.getInt64(1), inside.getInt64(2));
  Value *chosen = inside.CreateSExt(
      inside.CreateLoad(half, inside.CreateGEP(half, row, place)), word);
  inside.CreateStore(chosen, to);
  BasicBlock *start = inside.GetInsertBlock();
  auto block = [&] {
    return BasicBlock::Create(code.getContext(), "", start->getParent());
  };
  BasicBlock *ofWords = block(), *done = block();
  inside.CreateCondBr(inside.CreateTrunc(what, inside.getInt1Ty()), ofWords,
                      done);
  inside.SetInsertPoint(ofWords);
  inside.CreateStore(wordAt(chosen), to);
  inside.CreateBr(done);
  inside.SetInsertPoint(done);
}

GlobalVariable *ParamTables::makeRows() {
  std::vector<Constant *> rows;
  for (const Choice &choice : choices)
    rows.push_back(ConstantDataArray::get(code.getContext(), choice));
  auto *type =
      ArrayType::get(ArrayType::get(inside.getInt32Ty(), 3), choices.size());
  return new GlobalVariable(code, type, /*isConstant=*/true,
                            GlobalValue::InternalLinkage,
                            ConstantArray::get(type, rows), "cambium.choices");
}
