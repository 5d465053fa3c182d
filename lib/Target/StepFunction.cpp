//===-- lib/Target/StepFunction.cpp - Functions that read frames ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepFunction.h"
#include "Tasks.h"
#include "cambium/abi.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include <cstddef>

using namespace llvm;
using namespace cambium;

namespace {
/// Makes of a function one that reads its arguments from a frame, and writes
/// its result there.
class StepFunction {
public:
  /// `slots`: where each of the calls that are steps has its arguments.
  StepFunction(Function &callee, ArrayRef<Slots *> slots, bool mayFail)
      : callee(callee), mayFail(mayFail), calls(slots.size()),
        slots(*slots.front()) {
    auto isAlwaysCall = [&](size_t i) {
      return all_of(slots, [&](Slots *each) { return (*each)[i] == kCall; });
    };
    uint16_t count = 0;
    places.resize(this->slots.size());
    onlyLaunch = findOnlyLaunch(isAlwaysCall);
    if (onlyLaunch)
      places[countOf(*onlyLaunch)->getArgNo()] = count++;
    // Where all have one place, lists need not say it.
    for (size_t i = 0; i < places.size(); ++i)
      if (!places[i] && calls > 1 && !isAlwaysCall(i))
        places[i] = count++;
    for (Slots *each : slots) {
      Slots listed(count);
      for (auto [place, slot] : zip_equal(places, *each))
        if (place)
          listed[*place] = slot;
      *each = std::move(listed);
    }
  }

  Step make() {
    if (onlyLaunch) {
      Type *pointer = onlyLaunch->memory->getType();
      DenseMap<uint64_t, Argument *> arguments;
      for (auto [place, store] : onlyLaunch->writes)
        arguments[place] = argumentOf(store->getValueOperand());
      readFrame(*onlyLaunch, arguments,
                StructType::get(callee.getContext(), {pointer, pointer}), 0);
      return {nullptr, onlyLaunch->task, grainOf(*onlyLaunch).value()};
    }
    return {makeFunction()};
  }

private:
  Function *makeFunction() {
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

  static Argument *countOf(const Launch &launch) {
    return dyn_cast<Argument>(launch.call->getArgOperand(3));
  }

  static std::optional<int32_t> grainOf(const Launch &launch) {
    auto *grain = dyn_cast<ConstantInt>(launch.call->getArgOperand(4));
    if (!grain || !isInt<32>(grain->getSExtValue()))
      return std::nullopt;
    return static_cast<int32_t>(grain->getSExtValue());
  }

  /// The launch of a task, with arguments alone, if the function does nothing
  /// else.
  std::optional<Launch>
  findOnlyLaunch(function_ref<bool(size_t)> isAlwaysCall) const {
    if (!callee.getReturnType()->isVoidTy() || callee.size() != 1 ||
        !callee.hasNUses(calls))
      return std::nullopt;
    BasicBlock &block = callee.getEntryBlock();
    auto *memory = dyn_cast<AllocaInst>(&block.front());
    std::optional<Launch> launch = memory ? findLaunch(*memory) : std::nullopt;
    if (!launch || !launch->task->hasOneUse() ||
        launch->call->arg_size() != 5 || !countOf(*launch) || !grainOf(*launch))
      return std::nullopt;
    auto *call = dyn_cast<Argument>(launch->call->getArgOperand(0));
    auto service = placeInCall(launch->call->getCalledOperand(), call);
    if (!call || !isAlwaysCall(call->getArgNo()) || !service ||
        *service != std::pair<uint64_t, uint64_t>(
                        offsetof(cambium_abi_call_t, services),
                        offsetof(cambium_abi_services_t, parallel_for)))
      return std::nullopt;
    DenseSet<Value *> known{memory, launch->call};
    for (auto [place, store] : launch->writes)
      if (argumentOf(store->getValueOperand()))
        known.insert(store);
    bool isAll = all_of(block, [&](Instruction &op) {
      return known.contains(&op) || isa<GetElementPtrInst, ReturnInst>(op) ||
             isa<LoadInst>(op);
    });
    bool isGiven = all_of(launch->reads, [&](const auto &read) {
      return launch->writes.contains(read.second);
    });
    return isAll && isGiven ? launch : std::nullopt;
  }

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
    for (unsigned i : {0, 1})
      builder.CreateStore(step->getArg(i),
                          builder.CreateStructGEP(type, launch.memory, i + 1));
    readFrame(launch, arguments, type, 1);
  }

  /// Has a task read in the frame what are arguments: it gets the frame's
  /// address and that of the places as fields of a struct.
  void readFrame(const Launch &launch,
                 const DenseMap<uint64_t, Argument *> &arguments,
                 StructType *type, unsigned firstField) const {
    Function &task = *launch.task;
    BasicBlock &start = task.getEntryBlock();
    IRBuilder<> builder(&start, start.getFirstNonPHIOrDbgOrAlloca());
    Value *passed[2];
    for (unsigned i : {0, 1})
      passed[i] = builder.CreateLoad(
          builder.getPtrTy(),
          builder.CreateStructGEP(type, task.getArg(0), firstField + i));
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
    if (!mayFail)
      return;
    Value *failed = builder.CreateIsNull(result);
    builder.CreateStore(builder.CreateZExt(failed, builder.getInt64Ty()),
                        step->getArg(0));
  }

  Function &callee;
  bool mayFail;
  size_t calls;
  /// Those of the first call, and for each its place in lists.
  Slots slots;
  SmallVector<std::optional<uint16_t>> places;
  /// Where the function does nothing else.
  std::optional<Launch> onlyLaunch;
  Function *step = nullptr;
};
} // namespace

Step cambium::makeStep(Function &callee, ArrayRef<Slots *> slots,
                       bool mayFail) {
  return StepFunction(callee, slots, mayFail).make();
}
