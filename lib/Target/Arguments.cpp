//===-- lib/Target/Arguments.cpp - Arguments that say nothing ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Arguments.h"
#include "Tasks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cambium;

/// The calls of a function that nothing else is done with; none otherwise.
static SmallVector<CallInst *> callsOf(const Function &function) {
  SmallVector<CallInst *> calls;
  if (!function.hasLocalLinkage() || function.isDeclaration() ||
      function.isVarArg())
    return {};
  for (const Use &use : function.uses()) {
    auto *call = dyn_cast<CallInst>(use.getUser());
    if (!call || !call->isCallee(&use) || call->isMustTailCall() ||
        call->hasOperandBundles() ||
        call->getFunctionType() != function.getFunctionType())
      return {};
    calls.push_back(call);
  }
  return calls;
}

/// What each argument always equals: a constant, an earlier argument, poison
/// where nobody looks, or itself.
static SmallVector<Value *> valuesOf(Function &function,
                                     ArrayRef<CallInst *> calls) {
  // Arguments are in one class while all calls seen so far pass one value.
  SmallVector<unsigned> classes(function.arg_size());
  for (CallInst *call : calls) {
    DenseMap<std::pair<unsigned, Value *>, unsigned> next;
    for (auto [of, value] : llvm::zip_equal(classes, call->args()))
      of = next.try_emplace({of, value.get()}, next.size()).first->second;
  }
  DenseMap<unsigned, Argument *> first;
  SmallVector<Value *> values;
  for (Argument &argument : function.args()) {
    unsigned index = argument.getArgNo();
    auto *constant = dyn_cast<Constant>(calls.front()->getArgOperand(index));
    if (function.getAttributes().hasParamAttrs(index))
      values.push_back(&argument);
    else if (argument.use_empty())
      values.push_back(PoisonValue::get(argument.getType()));
    else if (constant && llvm::all_of(calls, [&](CallInst *call) {
               return call->getArgOperand(index) == constant;
             }))
      values.push_back(constant);
    else
      values.push_back(
          first.try_emplace(classes[index], &argument).first->second);
  }
  return values;
}

namespace {
/// Gives a function those arguments only that are to stay.
class Rewriter {
public:
  Rewriter(Function &function, ArrayRef<CallInst *> calls,
           ArrayRef<Value *> values)
      : function(function), calls(calls), values(values) {
    for (auto [index, value] : enumerate(values))
      if (value == function.getArg(index))
        kept.push_back(index);
  }

  void rewrite() {
    if (kept.size() == values.size())
      return;
    Function *copy = createFunction();
    for (auto [index, value] : enumerate(values))
      if (value != function.getArg(index))
        function.getArg(index)->replaceAllUsesWith(value);
    for (auto [place, index] : enumerate(kept)) {
      function.getArg(index)->replaceAllUsesWith(copy->getArg(place));
      copy->getArg(place)->takeName(function.getArg(index));
    }
    for (CallInst *call : calls)
      replace(call, copy);
    function.eraseFromParent();
  }

private:
  AttributeList keptAttributes(AttributeList all) const {
    SmallVector<AttributeSet> parameters;
    for (unsigned index : kept)
      parameters.push_back(all.getParamAttrs(index));
    return AttributeList::get(function.getContext(), all.getFnAttrs(),
                              all.getRetAttrs(), parameters);
  }

  Function *createFunction() {
    SmallVector<Type *> types;
    for (unsigned index : kept)
      types.push_back(function.getArg(index)->getType());
    auto *type = FunctionType::get(function.getReturnType(), types,
                                   /*isVarArg=*/false);
    auto *copy = Function::Create(type, function.getLinkage(),
                                  function.getAddressSpace());
    function.getParent()->getFunctionList().insert(function.getIterator(),
                                                   copy);
    copy->takeName(&function);
    copy->copyAttributesFrom(&function);
    copy->setAttributes(keptAttributes(function.getAttributes()));
    copy->copyMetadata(&function, 0);
    copy->splice(copy->begin(), &function);
    return copy;
  }

  void replace(CallInst *call, Function *callee) {
    SmallVector<Value *> arguments;
    for (unsigned index : kept)
      arguments.push_back(call->getArgOperand(index));
    auto *other = CallInst::Create(callee, arguments, "", call->getIterator());
    other->setCallingConv(call->getCallingConv());
    other->setTailCallKind(call->getTailCallKind());
    other->setAttributes(keptAttributes(call->getAttributes()));
    other->copyMetadata(*call);
    other->takeName(call);
    call->replaceAllUsesWith(other);
    call->eraseFromParent();
  }

  Function &function;
  ArrayRef<CallInst *> calls;
  ArrayRef<Value *> values;
  SmallVector<unsigned> kept;
};
} // namespace

void cambium::dropArguments(Module &code) {
  dropCaptures(code);
  for (Function &function : make_early_inc_range(code)) {
    SmallVector<CallInst *> calls = callsOf(function);
    if (calls.empty())
      continue;
    SmallVector<Value *> values = valuesOf(function, calls);
    Rewriter(function, calls, values).rewrite();
  }
}

/// What is left of a function's arguments without `unused`.
static SmallVector<Value *> valuesWithout(Function &function,
                                          ArrayRef<unsigned> unused) {
  SmallVector<Value *> values;
  for (Argument &argument : function.args())
    values.push_back(is_contained(unused, argument.getArgNo())
                         ? PoisonValue::get(argument.getType())
                         : static_cast<Value *>(&argument));
  return values;
}

UnusedArguments cambium::dropUnused(Module &code) {
  UnusedArguments all;
  for (Function &function : make_early_inc_range(code)) {
    if (function.isDeclaration() || function.hasLocalLinkage() ||
        !function.use_empty())
      continue;
    std::vector<unsigned> &unused = all[function.getName().str()];
    for (Argument &argument : function.args())
      if (argument.use_empty())
        unused.push_back(argument.getArgNo());
    Rewriter(function, {}, valuesWithout(function, unused)).rewrite();
  }
  return all;
}

void cambium::dropUnused(Module &code, const UnusedArguments &unused) {
  for (const auto &[name, arguments] : unused) {
    Function *function = code.getFunction(name);
    if (!function)
      continue;
    SmallVector<CallInst *> calls;
    for (User *user : function->users())
      calls.push_back(cast<CallInst>(user));
    Rewriter(*function, calls, valuesWithout(*function, arguments)).rewrite();
  }
}
