//===-- lib/Target/StepFunction.cpp - Functions that read frames ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepFunction.h"
#include "Tasks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cambium;

namespace {
/// Makes of a function one that reads its arguments from a frame, and writes
/// its result there.
class StepFunction {
public:
  /// `slots`: where each of the calls that are steps has its arguments.
  StepFunction(Function &callee, ArrayRef<Slots *> slots)
      : callee(callee), calls(slots.size()), slots(*slots.front()) {
    // Where all have one place, lists need not say it.
    uint16_t count = 0;
    for (size_t i = 0; i < this->slots.size(); ++i) {
      bool isFixed = calls == 1 || all_of(slots, [&](Slots *each) {
                       return (*each)[i] == kCall;
                     });
      places.push_back(isFixed ? std::nullopt : std::optional(count++));
    }
    for (Slots *each : slots) {
      Slots listed;
      for (auto [place, slot] : zip_equal(places, *each))
        if (place)
          listed.push_back(slot);
      *each = std::move(listed);
    }
  }

  Function *make() {
    LLVMContext &context = callee.getContext();
    auto *pointer = PointerType::getUnqual(context);
    step = Function::Create(
        FunctionType::get(Type::getVoidTy(context), {pointer, pointer},
                          /*isVarArg=*/false),
        GlobalValue::InternalLinkage, callee.getAddressSpace());
    callee.getParent()->getFunctionList().insert(callee.getIterator(), step);
    step->setUnnamedAddr(callee.getUnnamedAddr());
    step->setAttributes(
        AttributeList::get(context, callee.getAttributes().getFnAttrs(), {}, {})
            // What is said of the memory of arguments is not true of a frame.
            .removeFnAttribute(context, Attribute::Memory));
    if (callee.hasNUses(calls))
      takeBody();
    else
      callBody();
    // Code that is executed once and need not begin at a line of its own.
    if (!hasLoops(*step))
      step->addFnAttr(Attribute::OptimizeForSize);
    return step;
  }

private:
  void takeBody() {
    step->takeName(&callee);
    step->splice(step->begin(), &callee);
    passFrames();
    BasicBlock &block = step->getEntryBlock();
    IRBuilder<> builder(&block, block.getFirstNonPHIOrDbgOrAlloca());
    for (Argument &argument : callee.args())
      if (!argument.use_empty())
        argument.replaceAllUsesWith(
            read(builder, argument, step->getArg(0), step->getArg(1)));
    for (BasicBlock &each : *step) {
      auto *end = dyn_cast<ReturnInst>(each.getTerminator());
      if (!end || !end->getReturnValue())
        continue;
      IRBuilder<> atEnd(end);
      write(atEnd, end->getReturnValue());
      atEnd.CreateRetVoid();
      end->eraseFromParent();
    }
  }

  void callBody() {
    step->setName(callee.getName() + ".step");
    IRBuilder<> builder(BasicBlock::Create(callee.getContext(), "", step));
    SmallVector<Value *> values;
    for (Argument &argument : callee.args())
      values.push_back(
          read(builder, argument, step->getArg(0), step->getArg(1)));
    CallInst *call = builder.CreateCall(&callee, values);
    call->setCallingConv(callee.getCallingConv());
    if (!call->getType()->isVoidTy())
      write(builder, call);
    builder.CreateRetVoid();
  }

  /// A task that nothing else launches reads in the frame what it would get
  /// from there.
  void passFrames() {
    SmallVector<AllocaInst *> memory;
    for (Instruction &op : step->getEntryBlock())
      if (auto *allocation = dyn_cast<AllocaInst>(&op))
        memory.push_back(allocation);
    for (AllocaInst *allocation : memory)
      if (std::optional<Launch> launch = findLaunch(*allocation);
          launch && launch->task->hasOneUse())
        passFrame(*launch);
  }

  void passFrame(const Launch &launch) {
    DenseMap<uint64_t, Argument *> arguments;
    for (auto [place, store] : launch.writes)
      if (Argument *argument = argumentOf(store->getValueOperand())) {
        arguments[place] = argument;
        store->eraseFromParent();
      }
    if (arguments.empty())
      return;
    // The frame and the places come behind all else.
    Type *old = launch.memory->getAllocatedType();
    Type *pointer = step->getArg(0)->getType();
    auto *type = StructType::get(step->getContext(), {old, pointer, pointer});
    launch.memory->setAllocatedType(type);
    launch.memory->setAlignment(Align(8));
    BasicBlock &block = step->getEntryBlock();
    IRBuilder<> builder(&block, block.getFirstNonPHIOrDbgOrAlloca());
    Function &task = *launch.task;
    BasicBlock &start = task.getEntryBlock();
    IRBuilder<> inTask(&start, start.getFirstNonPHIOrDbgOrAlloca());
    Value *passed[2];
    for (unsigned i : {0, 1}) {
      builder.CreateStore(step->getArg(i),
                          builder.CreateStructGEP(type, launch.memory, i + 1));
      passed[i] = inTask.CreateLoad(
          pointer, inTask.CreateStructGEP(type, task.getArg(0), i + 1));
    }
    for (auto [load, place] : launch.reads)
      if (Argument *argument = arguments.lookup(place)) {
        IRBuilder<> atLoad(load);
        Value *value = read(atLoad, *argument, passed[0], passed[1]);
        load->replaceAllUsesWith(value);
        load->eraseFromParent();
      }
  }

  /// The argument that a value is, for all that LLVM says of views.
  static Argument *argumentOf(Value *value) {
    while (auto *view = dyn_cast<GetElementPtrInst>(value)) {
      if (!view->hasAllZeroIndices())
        return nullptr;
      value = view->getPointerOperand();
    }
    return dyn_cast<Argument>(value);
  }

  Value *place(IRBuilderBase &builder, unsigned index, Value *frame,
               Value *list) const {
    Value *slot = builder.getInt64(slots[index]);
    if (std::optional<uint16_t> listed = places[index]) {
      Type *type = builder.getInt16Ty();
      slot = builder.CreateZExt(
          builder.CreateLoad(type,
                             builder.CreateConstGEP1_64(type, list, *listed)),
          builder.getInt64Ty());
    }
    return builder.CreateGEP(builder.getInt64Ty(), frame, slot);
  }

  Value *read(IRBuilderBase &builder, Argument &argument, Value *frame,
              Value *list) const {
    return builder.CreateLoad(argument.getType(),
                              place(builder, argument.getArgNo(), frame, list));
  }

  void write(IRBuilderBase &builder, Value *result) const {
    builder.CreateStore(result, place(builder, callee.arg_size(),
                                      step->getArg(0), step->getArg(1)));
    if (!mayFail(callee))
      return;
    Value *failed = builder.CreateIsNull(result);
    builder.CreateStore(builder.CreateZExt(failed, builder.getInt64Ty()),
                        step->getArg(0));
  }

  Function &callee;
  size_t calls;
  /// Those of the first call, and for each its place in lists.
  Slots slots;
  SmallVector<std::optional<uint16_t>> places;
  Function *step = nullptr;
};
} // namespace

Function *cambium::makeStepFunction(Function &callee, ArrayRef<Slots *> slots) {
  return StepFunction(callee, slots).make();
}
