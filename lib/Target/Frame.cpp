//===-- lib/Target/Frame.cpp - What a function passes ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frame.h"
#include "StepRunner.h"
#include "cambium/abi.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include <cstddef>
#include <queue>

using namespace llvm;
using namespace cambium;

/// Addresses of parameters that are worth a copy of all, and choices that are
/// worth a table.
static constexpr size_t kMany = 8;

Frame::Frame(Function &function, const Steps &steps, const Services &services,
             ParamTables &params, Frame *outer, ArrayRef<uint16_t> given)
    : entry(function), call(steps.call), services(services), params(params),
      root(outer ? outer->root : *this), mayLoop(hasLoops(function)),
      given(given) {
  for (const Run &run : steps.runs)
    calls.insert_range(run);
  size_t position = 0;
  // No block is reached before those that lead to it.
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&entry))
    for (Instruction &op : *block)
      add(op, ++position);
  extend();
  size_t before = root.numSlots;
  if (isInOuter())
    placeGiven();
  else
    placeParams();
  giveSlots();
  if (root.numSlots <= size_t(UINT16_MAX))
    makeMemory();
  else
    root.numSlots = before;
}

Slots Frame::slotsOf(CallInst &call) const {
  Slots slots;
  for (Value *value : call.args())
    slots.push_back(slotOf(value));
  if (!call.getType()->isVoidTy())
    slots.push_back(slotOf(&call));
  return slots;
}

bool Frame::isAllocation(const Value *value) const {
  auto *call = dyn_cast<CallInst>(value);
  return call && calls.contains(call) &&
         asks(services, *call, offsetof(cambium_abi_services_t, allocate)) &&
         services.lookup(call->getCalledFunction()).isChecked;
}

bool Frame::isRelease(const CallInst &call) const {
  return asks(services, call, offsetof(cambium_abi_services_t, release)) &&
         isAllocation(call.getArgOperand(1)) &&
         cast<CallInst>(call.getArgOperand(1))->getArgOperand(1) ==
             call.getArgOperand(2);
}

std::optional<Slots> Frame::memoryStep(CallInst &call) const {
  if (root.numSlots > kAllocates)
    return std::nullopt;
  auto with = [](uint16_t slot, uint16_t bit) {
    return static_cast<uint16_t>(slot | bit);
  };
  if (isAllocation(&call))
    return Slots{with(slotOf(&call), kAllocates),
                 slotOf(call.getArgOperand(1))};
  if (isRelease(call))
    return Slots{with(slotOf(call.getArgOperand(1)), kReleases)};
  return std::nullopt;
}

void Frame::finish() {
  memory->setAllocatedType(
      ArrayType::get(Type::getInt64Ty(entry.getContext()), numSlots));
}

static bool isMadeAtStart(const Value *value) {
  return !isa<Instruction>(value) || isa<AllocaInst>(value);
}

bool Frame::isStep(Value *value) const { return calls.contains(value); }

void Frame::add(Instruction &op, size_t position) {
  positions[&op] = position;
  auto *call = dyn_cast<CallInst>(&op);
  if (!call || !isStep(call))
    return;
  for (Value *value : call->args()) {
    Passed &passed = values[value];
    passed.first = isMadeAtStart(value) ? 0 : positions.lookup(value);
    passed.last = position;
  }
  if (!call->getType()->isVoidTy())
    values[call] = {position, position};
}

/// What a step makes is read where it is used outside of steps.
void Frame::extend() {
  for (auto &[value, passed] : values) {
    if (!isStep(value))
      continue;
    for (User *user : value->users())
      passed.last =
          std::max(passed.last, isa<PHINode>(user) ? positions.size()
                                                   : positions.lookup(user));
  }
}

/// What the outer function has passed stands in its places.
void Frame::placeGiven() {
  for (auto &[value, passed] : values)
    if (auto *argument = dyn_cast<Argument>(value)) {
      passed.slot = given[argument->getArgNo()];
      passed.isThere = true;
    }
}

/// The call has its place, and what is read of parameters is where their tables
/// have it.
void Frame::placeParams() {
  if (auto found = values.find(call); found != values.end())
    found->second.slot = kCall;
  placeWords();
  placeChoices();
}

void Frame::placeWords() {
  SmallVector<std::pair<Passed *, uint64_t>> found;
  uint64_t words = 0;
  for (auto &[value, passed] : values)
    if (std::optional<uint64_t> word = ParamTables::wordOf(value, call)) {
      found.push_back({&passed, *word});
      words = std::max(words, *word + 1);
    }
  if (found.size() < kMany || words > UINT16_MAX / 2)
    return;
  for (auto [passed, word] : found) {
    passed->slot = static_cast<uint16_t>(kFirst + word);
    passed->isThere = true;
  }
  numParamWords = words;
  numSlots += words;
}

void Frame::placeChoices() {
  SmallVector<std::pair<Passed *, size_t>> found;
  for (auto &[value, passed] : values)
    if (std::optional<size_t> choice = params.choiceOf(value, call))
      found.push_back({&passed, *choice});
  if (found.size() < kMany || params.numChoices() > UINT16_MAX / 4)
    return;
  firstChoice = numSlots;
  for (auto [passed, choice] : found) {
    passed->slot = static_cast<uint16_t>(numSlots + choice);
    passed->isThere = true;
  }
  numSlots += params.numChoices();
}

/// A value takes the place of one that is not passed any more.
void Frame::giveSlots() {
  SmallVector<std::pair<size_t, size_t>> order;
  for (auto [index, entry] : enumerate(values))
    if (entry.first != call && !entry.second.isThere)
      order.push_back({entry.second.first, index});
  sort(order);
  using Used = std::pair<size_t, size_t>; // its last use, and the place
  // Of places for a value, and of two for memory and its size.
  std::priority_queue<Used, std::vector<Used>, std::greater<>> usedBy[2];
  for (auto [first, index] : order) {
    auto &[value, passed] = values.begin()[index];
    bool hasSize = isAllocation(value);
    auto &used = usedBy[hasSize];
    size_t slot = root.numSlots;
    if (!mayLoop && !used.empty() && used.top().first < first) {
      slot = used.top().second;
      used.pop();
    } else {
      root.numSlots += 1 + hasSize;
    }
    used.push({passed.last, slot});
    passed.slot = static_cast<uint16_t>(slot);
  }
}

void Frame::makeMemory() {
  BasicBlock &block = entry.getEntryBlock();
  IRBuilder<> builder(&block, block.begin());
  Type *word = builder.getInt64Ty();
  memory = builder.CreateAlloca(word, nullptr, "frame");
  BasicBlock::iterator start = block.getFirstNonPHIOrDbgOrAlloca();
  builder.SetInsertPoint(start);
  if (!isInOuter())
    builder.CreateStore(builder.getInt64(0), memory);
  readParams(builder);
  for (auto &[value, passed] : values) {
    auto *op = dyn_cast<Instruction>(value);
    if (isa<UndefValue>(value) || passed.isThere || isStep(value))
      continue;
    builder.SetInsertPoint(
        isMadeAtStart(value) ? start : *op->getInsertionPointAfterDef());
    builder.CreateStore(value,
                        builder.CreateConstGEP1_64(word, memory, passed.slot));
  }
}

void Frame::readParams(IRBuilderBase &builder) {
  auto place = [&](size_t slot) {
    return builder.CreateConstGEP1_64(builder.getInt64Ty(), memory, slot);
  };
  if (numParamWords)
    params.copyWords(builder, place(kFirst), call, numParamWords);
  if (firstChoice)
    params.choose(builder, place(*firstChoice), call);
}
