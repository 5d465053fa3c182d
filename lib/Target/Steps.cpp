//===-- lib/Target/Steps.cpp - The steps of an entry -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "cambium/Target/Machine.h"
#include "cambium/abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include <cstddef>

using namespace llvm;
using namespace cambium;

bool cambium::hasLoops(Function &function) {
  DominatorTree dominators(function);
  return !LoopInfo(dominators).empty();
}

bool cambium::isEntry(const Function &function) {
  return function.hasFnAttribute(kEntryCodeAttr) && !function.isDeclaration();
}

bool cambium::isPlainEntry(Function &function) {
  return isEntry(function) && !hasLoops(function);
}

/// What a load reads, and how far behind it.
static const Value *baseOf(const LoadInst &load, uint64_t &offset) {
  APInt sum(64, 0);
  const Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          load.getDataLayout(), sum, /*AllowNonInbounds=*/true);
  offset = sum.getZExtValue();
  return base;
}

std::optional<std::pair<uint64_t, uint64_t>>
cambium::placeInCall(const Value *value, const Argument *call) {
  uint64_t offset = 0, field = 0;
  auto *load = dyn_cast<LoadInst>(value);
  auto *address = load ? dyn_cast<LoadInst>(baseOf(*load, offset)) : nullptr;
  if (!call || !address || baseOf(*address, field) != call ||
      !load->getType()->isPointerTy())
    return std::nullopt;
  return std::pair(field, offset);
}

bool cambium::asks(const Services &services, const CallInst &call,
                   uint64_t offset) {
  auto found = services.find(call.getCalledFunction());
  return found != services.end() && found->second.offset == offset;
}

static bool isWord(Type *type) {
  return type->isPointerTy() || type->isFloatTy() || type->isDoubleTy() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

static bool hasWords(const CallInst &call) {
  return !call.isMustTailCall() && !call.hasOperandBundles() &&
         !call.getFunctionType()->isVarArg() &&
         (call.getType()->isVoidTy() || isWord(call.getType())) &&
         all_of(call.args(),
                [](const Use &use) { return isWord(use->getType()); });
}

static bool isStep(const Instruction &op) {
  const auto *call = dyn_cast<CallInst>(&op);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->hasLocalLinkage() && !callee->isDeclaration() &&
         hasWords(*call);
}

namespace {
class StepFinder {
public:
  StepFinder(Function &entry, Argument *call, Services &services)
      : entry(entry), services(services) {
    steps.call = call;
  }

  Steps find() {
    if (isEntry(entry))
      nameServices();
    for (BasicBlock &block : entry)
      findRuns(block);
    return std::move(steps);
  }

private:
  void nameServices() {
    SmallVector<std::pair<CallInst *, uint64_t>> asked;
    for (Instruction &op : instructions(entry))
      if (auto *call = dyn_cast<CallInst>(&op))
        if (std::optional<uint64_t> offset = serviceOf(*call))
          asked.push_back({call, *offset});
    for (auto [call, offset] : asked)
      callByName(call, offset);
    SmallVector<BasicBlock *> blocks(make_pointer_range(entry));
    for (BasicBlock *block : blocks)
      MergeBlockIntoPredecessor(block);
  }

  /// Which service of the call's a call asks, if it is one.
  std::optional<uint64_t> serviceOf(const CallInst &call) const {
    auto *address = dyn_cast<LoadInst>(call.getCalledOperand());
    if (!address || !hasWords(call) || call.arg_empty() ||
        call.getArgOperand(0) != entry.getArg(0))
      return std::nullopt;
    auto place = placeInCall(address, entry.getArg(0));
    if (!place || place->first != offsetof(cambium_abi_call_t, services))
      return std::nullopt;
    return place->second;
  }

  /// Calls a function that asks the service.
  void callByName(CallInst *call, uint64_t offset) {
    bool isChecked = removeCheck(*call);
    Function *function = serviceFunction(*call, {offset, isChecked});
    Value *address = call->getCalledOperand();
    call->setCalledFunction(function);
    call->setAttributes({});
    call->setTailCallKind(CallInst::TCK_None);
    RecursivelyDeleteTriviallyDeadInstructions(address);
  }

  Function *serviceFunction(const CallInst &call, Service service) {
    Module &code = *entry.getParent();
    // At most one: what differs in none of these is the same function.
    for (auto [known, what] : services)
      if (what.offset == service.offset &&
          what.isChecked == service.isChecked &&
          known->getFunctionType() == call.getFunctionType())
        return code.getFunction(known->getName());
    Function *function =
        Function::Create(call.getFunctionType(), GlobalValue::InternalLinkage,
                         "cambium.service." + Twine(service.offset) +
                             (service.isChecked ? ".checked" : ""),
                         code);
    services[function] = service;
    IRBuilder<> builder(BasicBlock::Create(code.getContext(), "", function));
    auto loadAt = [&](Value *base, uint64_t at) {
      return builder.CreateLoad(
          builder.getPtrTy(),
          builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, at));
    };
    Value *table =
        loadAt(function->getArg(0), offsetof(cambium_abi_call_t, services));
    SmallVector<Value *> arguments(make_pointer_range(function->args()));
    Value *result = builder.CreateCall(
        call.getFunctionType(), loadAt(table, service.offset), arguments);
    if (result->getType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(result);
    return function;
  }

  /// Removes what makes the entry return where a service fails, if that is
  /// looked at right behind the call.
  bool removeCheck(CallInst &call) {
    using namespace PatternMatch;
    BasicBlock *block = call.getParent(), *failing, *next;
    ICmpInst *check = nullptr;
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() ||
        !(check = dyn_cast<ICmpInst>(branch->getCondition())) ||
        !check->hasOneUse() ||
        !match(check,
               m_SpecificICmp(ICmpInst::ICMP_EQ, m_Specific(&call), m_Zero())))
      return false;
    failing = branch->getSuccessor(0);
    next = branch->getSuccessor(1);
    Constant *status = returnedBy(failing, block);
    if (!status || !next->getSinglePredecessor() ||
        (steps.failure && steps.failure != status) ||
        any_of(make_range(std::next(call.getIterator()), block->end()),
               [](Instruction &op) { return op.mayReadOrWriteMemory(); }))
      return false;
    steps.failure = status;
    failing->removePredecessor(block);
    BranchInst::Create(next, branch->getIterator());
    branch->eraseFromParent();
    check->eraseFromParent();
    if (pred_empty(failing))
      DeleteDeadBlock(failing);
    return true;
  }

  /// The constant that a block returns which is reached from `source`.
  static Constant *returnedBy(BasicBlock *block, BasicBlock *source) {
    auto *end = dyn_cast<ReturnInst>(block->getTerminator());
    if (!end || !end->getReturnValue() ||
        !all_of(*block, [](const Instruction &op) {
          return isa<PHINode, ReturnInst>(op);
        }))
      return nullptr;
    Value *status = end->getReturnValue();
    if (auto *phi = dyn_cast<PHINode>(status); phi && phi->getParent() == block)
      status = phi->getIncomingValueForBlock(source);
    return dyn_cast<Constant>(status);
  }

  /// Whether a value is an address that the call holds, which stays the same
  /// until the call ends.
  bool isOfCall(const Value *value) const {
    while (value != steps.call) {
      auto *load = dyn_cast<LoadInst>(value);
      if (!load || !load->getType()->isPointerTy())
        return false;
      uint64_t offset = 0;
      value = baseOf(*load, offset);
    }
    return true;
  }

  void findRuns(BasicBlock &block) {
    Run run;
    DenseSet<Value *> inRun;
    auto end = [&] {
      takeAgain(run);
      if (!run.empty())
        steps.runs.push_back(std::move(run));
      run.clear();
      inRun.clear();
    };
    for (Instruction &op : make_early_inc_range(block)) {
      if (isStep(op)) {
        run.push_back(cast<CallInst>(&op));
        inRun.insert(&op);
      } else if (run.empty()) {
        continue;
      } else if ((isOfCall(&op) ||
                  (!op.isTerminator() && !op.mayReadOrWriteMemory() &&
                   isSafeToSpeculativelyExecute(&op))) &&
                 none_of(op.operands(),
                         [&](Value *value) { return inRun.contains(value); })) {
        op.moveBefore(run.front()->getIterator());
      } else {
        end();
      }
    }
    end();
  }

  /// What is released is taken again where the next allocation is as large:
  /// neither is asked for. Another one in between could take it; what steps
  /// allocate themselves could, too, and then takes other memory.
  void takeAgain(Run &run) const {
    DenseMap<Value *, SmallVector<CallInst *>> released; // by size
    SmallPtrSet<CallInst *, 8> unused;
    for (CallInst *call : run) {
      if (asks(services, *call, offsetof(cambium_abi_services_t, release))) {
        released[call->getArgOperand(2)].push_back(call);
        continue;
      }
      if (!asks(services, *call, offsetof(cambium_abi_services_t, allocate)))
        continue;
      SmallVector<CallInst *> &known = released[call->getArgOperand(1)];
      if (known.empty()) {
        released.clear();
        continue;
      }
      CallInst *release = known.pop_back_val();
      call->replaceAllUsesWith(release->getArgOperand(1));
      unused.insert(call);
      unused.insert(release);
    }
    erase_if(run, [&](CallInst *call) { return unused.contains(call); });
    for (CallInst *call : unused)
      call->eraseFromParent();
  }

  Function &entry;
  Services &services;
  Steps steps;
};
} // namespace

Steps cambium::findSteps(Function &function, Argument *call,
                         Services &services) {
  return StepFinder(function, call, services).find();
}
