//===-- lib/Target/StepLists.cpp - Tables of what entries call ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// An entry calls hundreds of functions with tens of sizes and addresses each,
// most of which it passes to more than one. As instructions, an argument takes
// 16 bytes of code: it is read from where the entry keeps it and written where
// the function expects it. In a table it takes two.
//
// A frame is memory of words: one that says whether a service has failed, the
// address of the call, a copy of its table of parameters where many of their
// addresses are passed, what is chosen where parameters may have panels, then
// all else that is. A list of steps has, for each one, the number of its
// function in a table of all and the places in the frame that it reads and
// writes, 2 bytes each; 0 is the end. The table says how far behind it a
// function stands, and how many places it has. Where a step does nothing but
// launch a task, the function is the same for all tasks; it finds its own
// number before its places, and the task in the next row. Two of five steps
// allocate or release memory, which has its size in the place behind its own:
// two words say what is allocated, one what is released.
//
//===----------------------------------------------------------------------===//
#include "Frame.h"
#include "StepFunction.h"
#include "StepRunner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cambium;

/// Arguments of calls, in a function with loops, that are worth tables.
static constexpr size_t kMuchPassed = 60;

namespace {
/// A function whose steps are to be listed.
struct Listed {
  Steps steps;
  Frame *frame;
  Value *memory;
};

class StepLists {
public:
  explicit StepLists(Module &code)
      : code(code), builder(code.getContext()), runners(code) {}

  void make() {
    SmallVector<Function *> entries;
    for (Function &function : code)
      if (isPlainEntry(function) ||
          (isEntry(function) && isWorthLists(function)))
        entries.push_back(&function);
    if (entries.empty())
      return;
    params.emplace(code, entries);
    for (Function *function : entries)
      list(*function, function->getArg(0));
    // A copy: these call others.
    for (Function *callee : SmallVector<Function *>(make_first_range(callsOf)))
      if (isWorthLists(*callee))
        list(*callee, callArgument(*callee));
    for (auto &[callee, calls] : callsOf) {
      auto all = llvm::map_to_vector(
          calls, [&](CallInst *call) { return &slots[call]; });
      Step step = makeStep(*callee, all, mayFail(*callee));
      if (step.function)
        moveFrame(*callee, *step.function);
      numberOf[callee] = rows.size();
      rows.push_back({step.function ? step.function : runners.launcher(),
                      static_cast<int32_t>(all.front()->size())});
      if (!step.function)
        rows.push_back({step.task, step.grain});
    }
    runner = runners.make(rows);
    for (Listed &each : listed) {
      Function &function = *each.steps.runs.front().front()->getFunction();
      for (Run &run : each.steps.runs)
        replace(run, each);
      if (!each.frame->isInOuter())
        each.frame->finish();
      lists.push_back(&function);
    }
    finish();
  }

private:
  void list(Function &function, Argument *call) {
    Steps steps = findSteps(function, call, services);
    if (steps.runs.empty())
      return;
    // A function may have two rows of the table, the first of which is none.
    size_t most = 1 + 2 * callsOf.size();
    for (const Run &run : steps.runs)
      most += 2 * run.size();
    if (most >= kAllocates)
      return;
    // The frame of the only function that calls this one.
    Frame *outer = nullptr;
    ArrayRef<uint16_t> given;
    if (auto found = callsOf.find(&function); found != callsOf.end() &&
                                              found->second.size() == 1 &&
                                              function.hasOneUse()) {
      outer = frameOf.lookup(found->second.front());
      given = slots.find(found->second.front())->second;
    }
    auto &frame = frames.emplace_back(std::make_unique<Frame>(
        function, steps, services, *params, outer, given));
    if (!frame->getMemory()) {
      frames.pop_back();
      return;
    }
    frameOfFunction[&function] = listed.size();
    for (const Run &run : steps.runs)
      for (CallInst *call : run) {
        if (!call->getType()->isVoidTy())
          results[call] = frame->slotOf(call);
        if (std::optional<Slots> words = frame->memoryStep(*call)) {
          slots[call] = std::move(*words);
          memorySteps.push_back(call);
          continue;
        }
        callsOf[call->getCalledFunction()].push_back(call);
        slots[call] = frame->slotsOf(*call);
        frameOf[call] = frame.get();
      }
    listed.push_back({std::move(steps), frame.get(), frame->getMemory()});
  }

  /// The frame of a function that is in that of another one is what it gets.
  void moveFrame(Function &callee, Function &step) {
    auto found = frameOfFunction.find(&callee);
    if (found == frameOfFunction.end())
      return;
    Listed &each = listed[found->second];
    if (!each.frame->isInOuter())
      return;
    AllocaInst *memory = each.frame->getMemory();
    each.memory = step.getArg(0);
    memory->replaceAllUsesWith(each.memory);
    memory->eraseFromParent();
  }

  /// Whether a function gives null where it fails, which ends the list.
  bool mayFail(const Function &function) const {
    auto found = services.find(&function);
    return found != services.end() && found->second.isChecked;
  }

  /// Whether a function is one of calls that pass much.
  static bool isWorthLists(Function &function) {
    size_t passed = 0;
    for (Instruction &op : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&op);
          call && call->getCalledFunction() && call->arg_size() > 6)
        passed += call->arg_size();
    return passed > kMuchPassed;
  }

  /// The argument of a function that is the call for all that call it.
  Argument *callArgument(Function &function) {
    ArrayRef<CallInst *> calls = callsOf[&function];
    if (!function.hasNUses(calls.size()))
      return nullptr;
    for (Argument &argument : function.args())
      if (all_of(calls, [&](CallInst *call) {
            return slots[call][argument.getArgNo()] == kCall;
          }))
        return &argument;
    return nullptr;
  }

  void finish() {
    for (CallInst *call : memorySteps)
      call->eraseFromParent();
    for (auto &[callee, calls] : callsOf)
      for (CallInst *call : calls)
        call->eraseFromParent();
    for (Function &function : make_early_inc_range(code))
      if ((callsOf.contains(&function) || services.contains(&function)) &&
          function.use_empty())
        function.eraseFromParent();
    // What was only passed.
    for (Function *function : lists)
      for (BasicBlock &block : *function)
        for (Instruction &op : make_early_inc_range(reverse(block)))
          if (isInstructionTriviallyDead(&op))
            op.eraseFromParent();
  }

  GlobalVariable *makeList(const Run &run) {
    Slots words;
    for (CallInst *call : run) {
      if (frameOf.contains(call))
        words.push_back(numberOf.lookup(call->getCalledFunction()));
      words.append(slots[call]);
    }
    words.push_back(0);
    Constant *value = ConstantDataArray::get(code.getContext(), words);
    auto *list =
        new GlobalVariable(code, value->getType(), /*isConstant=*/true,
                           GlobalValue::PrivateLinkage, value, "steps");
    list->setAlignment(Align(2)); // not that of a large array
    list->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return list;
  }

  void replace(const Run &run, const Listed &entry) {
    CallInst *first = run.front(), *last = run.back();
    builder.SetInsertPoint(first);
    Value *isDone = builder.CreateCall(runner, {entry.memory, makeList(run)});
    Instruction *behind = last->getNextNode();
    if (any_of(run, [&](CallInst *call) {
          return mayFail(*call->getCalledFunction());
        })) {
      BasicBlock *block = first->getParent(),
                 *rest = block->splitBasicBlock(behind->getIterator());
      BasicBlock *failing =
          BasicBlock::Create(code.getContext(), "", block->getParent(), rest);
      ReturnInst::Create(code.getContext(), entry.steps.failure, failing);
      block->getTerminator()->eraseFromParent();
      builder.SetInsertPoint(block);
      builder.CreateCondBr(isDone, rest, failing);
    }
    builder.SetInsertPoint(behind);
    for (CallInst *call : run)
      loadResult(call, entry.memory);
  }

  /// What a step makes, for what is no step.
  void loadResult(CallInst *call, Value *memory) {
    auto isOutside = [&](const Use &use) {
      auto *user = dyn_cast<CallInst>(use.getUser());
      return !user || !slots.contains(user);
    };
    if (none_of(call->uses(), isOutside)) {
      call->replaceAllUsesWith(PoisonValue::get(call->getType()));
      return;
    }
    Value *place = builder.CreateConstGEP1_64(builder.getInt64Ty(), memory,
                                              results.lookup(call));
    call->replaceAllUsesWith(builder.CreateLoad(call->getType(), place));
  }

  Module &code;
  IRBuilder<> builder;
  std::optional<ParamTables> params;
  Services services;
  StepRunner runners;
  Function *runner = nullptr;
  std::vector<Listed> listed;
  SmallVector<Function *> lists;
  std::vector<std::unique_ptr<Frame>> frames;
  DenseMap<Function *, size_t> frameOfFunction;
  DenseMap<CallInst *, Frame *> frameOf;
  /// By what is called.
  MapVector<Function *, SmallVector<CallInst *>> callsOf;
  /// Steps that no function of the module does.
  SmallVector<CallInst *> memorySteps;
  /// The first row is none.
  StepRows rows{{nullptr, 0}};
  DenseMap<Function *, size_t> numberOf;
  DenseMap<CallInst *, Slots> slots;
  DenseMap<CallInst *, uint16_t> results;
};
} // namespace

void cambium::listSteps(Module &code) { StepLists(code).make(); }
