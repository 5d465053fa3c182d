//===-- lib/Target/ControlValues.cpp - What kernels keep ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All threads execute the control of an entry alike, and each has all of its
// values: addresses of arrays and sizes, hundreds in a training step. Registers
// do not hold them beside those of a stage, so ptxas writes them to memory, for
// each thread. Here the first thread of a block writes those that are computed
// once to shared memory, and all read them where they pass them to a stage.
// What loops compute, or use most, stays in registers.
//
//===----------------------------------------------------------------------===//
#include "ControlValues.h"
#include "cambium/Target/Object.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cambium;

/// The address space of memory that the threads of a block share, and the bytes
/// of a value there.
static constexpr unsigned kShared = 3, kSlotBytes = 8;

/// A stage, or a barrier: it takes the registers that it wants.
static bool isStage(const Instruction &op) {
  return isa<CallInst>(op) && !isa<IntrinsicInst>(op);
}

namespace {
/// A value of the control that lives across stages.
struct Kept {
  Instruction *value;
  /// Numbers of the stages while which it lives.
  BitVector stages;
  /// How deep in loops it is used, and how often.
  unsigned depth = 0, uses = 0;
  bool isOnce = false, isChosen = false;
};

/// Keeps values of one kernel.
class Keeper {
public:
  Keeper(Function &kernel, size_t most, size_t room)
      : kernel(kernel), most(most), room(room), tree(kernel), loops(tree) {}

  void run() {
    findDivergent();
    findKept();
    findLives();
    choose();
    if (chosen.empty())
      return;
    place();
    readSlots();
    writeSlots();
    assert(!verifyFunction(kernel, &errs()) && "expected a valid kernel");
  }

private:
  //===--- What all threads of a block have alike -------------------------===//

  /// Threads differ by what reads their numbers, and by what is made of it.
  static bool readsThread(const Instruction &op) {
    const auto *call = dyn_cast<CallInst>(&op);
    if (!call)
      return isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(op);
    const auto *intrinsic = dyn_cast<IntrinsicInst>(call);
    return !intrinsic || !intrinsic->doesNotAccessMemory() ||
           intrinsic->getCalledFunction()->getName().starts_with("llvm.nvvm.");
  }

  void findDivergent() {
    SmallVector<Instruction *> work;
    auto add = [&](Instruction *op) {
      if (divergent.insert(op).second)
        work.push_back(op);
    };
    for (Instruction &op : instructions(kernel))
      if (readsThread(op))
        add(&op);
    while (!work.empty()) {
      Instruction *op = work.pop_back_val();
      for (User *user : op->users())
        add(cast<Instruction>(user));
      // What joins behind a branch depends on it.
      if (op->isTerminator())
        for (BasicBlock *next : successors(op)) {
          divergentBlocks.insert(next);
          for (BasicBlock *join : successors(next))
            for (PHINode &phi : join->phis())
              add(&phi);
          for (PHINode &phi : next->phis())
            add(&phi);
        }
    }
  }

  /// Whether each thread comes to the block, and once.
  bool isOnce(BasicBlock *block) {
    if (loops.getLoopFor(block))
      return false;
    for (auto *node = tree.getNode(block); node; node = node->getIDom())
      if (divergentBlocks.contains(node->getBlock()) &&
          node->getBlock()->getSinglePredecessor())
        return false;
    return true;
  }

  static bool isWord(Type *type) {
    return type->isPointerTy() ||
           (type->isIntegerTy() && type->getIntegerBitWidth() >= 16 &&
            type->getIntegerBitWidth() <= 64);
  }

  //===--- What lives across stages ---------------------------------------===//

  void findKept() {
    for (BasicBlock &block : kernel)
      for (Instruction &op : block) {
        if (isStage(op))
          numbers[&op] = numStages++;
        if (isWord(op.getType()) && !isStage(op)) {
          indices[&op] = kept.size();
          kept.push_back({&op, {}});
        }
      }
    for (Kept &value : kept) {
      value.stages.resize(numStages);
      value.isOnce =
          !divergent.contains(value.value) && isOnce(value.value->getParent());
      for (Use &use : value.value->uses()) {
        ++value.uses;
        value.depth = std::max(value.depth, loops.getLoopDepth(blockOf(use)));
      }
    }
  }

  /// Where a value is needed.
  static BasicBlock *blockOf(const Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    return phi ? phi->getIncomingBlock(use) : user->getParent();
  }

  int indexOf(Value *value) const {
    auto found = indices.find(dyn_cast<Instruction>(value));
    return found == indices.end() ? -1 : static_cast<int>(found->second);
  }

  /// What is needed behind a block.
  BitVector liveBehind(BasicBlock &block,
                       DenseMap<BasicBlock *, BitVector> &before) {
    BitVector live(kept.size());
    for (BasicBlock *next : successors(&block)) {
      if (auto found = before.find(next); found != before.end())
        live |= found->second;
      for (PHINode &phi : next->phis())
        if (int index = indexOf(phi.getIncomingValueForBlock(&block));
            index >= 0)
          live.set(index);
    }
    return live;
  }

  /// Goes through a block from its end; tells what lives at stages.
  void goUp(BasicBlock &block, BitVector &live, bool isLast) {
    for (Instruction &op : reverse(block)) {
      if (int index = indexOf(&op); index >= 0)
        live.reset(index);
      if (isLast && isStage(op))
        for (unsigned index : live.set_bits())
          kept[index].stages.set(numbers.lookup(&op));
      if (!isa<PHINode>(op))
        for (Value *operand : op.operands())
          if (int index = indexOf(operand); index >= 0)
            live.set(index);
    }
  }

  void findLives() {
    DenseMap<BasicBlock *, BitVector> before;
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (BasicBlock *block : post_order(&kernel)) {
        BitVector live = liveBehind(*block, before);
        goUp(*block, live, /*isLast=*/false);
        BitVector &old = before[block];
        if (old != live) {
          old = std::move(live);
          isChanged = true;
        }
      }
    }
    for (BasicBlock *block : post_order(&kernel)) {
      BitVector live = liveBehind(*block, before);
      goUp(*block, live, /*isLast=*/true);
    }
  }

  /// First what loops do not use, then what is used least.
  void choose() {
    SmallVector<size_t> pressure(numStages);
    SmallVector<Kept *> order;
    for (Kept &value : kept) {
      for (unsigned stage : value.stages.set_bits())
        ++pressure[stage];
      if (value.isOnce && value.stages.any())
        order.push_back(&value);
    }
    // They stand in a list, in the order of the kernel.
    llvm::sort(order, [](const Kept *a, const Kept *b) {
      return std::tuple(a->depth, a->uses, a) <
             std::tuple(b->depth, b->uses, b);
    });
    size_t numChosen = 0;
    for (Kept *value : order) {
      if (numChosen == room)
        break;
      if (llvm::none_of(value->stages.set_bits(),
                        [&](unsigned stage) { return pressure[stage] > most; }))
        continue;
      for (unsigned stage : value->stages.set_bits())
        --pressure[stage];
      value->isChosen = true;
      ++numChosen;
    }
    for (Kept &value : kept)
      if (value.isChosen)
        chosen.push_back(value.value);
  }

  //===--- Shared memory --------------------------------------------------===//

  /// Each value has a slot of its own until the end; what is computed together
  /// stands together.
  void place() {
    Type *word = Type::getInt64Ty(kernel.getContext());
    auto *type = ArrayType::get(word, chosen.size());
    memory = new GlobalVariable(
        *kernel.getParent(), type, /*isConstant=*/false,
        GlobalValue::InternalLinkage, PoisonValue::get(type),
        kernel.getName() + "_control", /*InsertBefore=*/nullptr,
        GlobalValue::NotThreadLocal, kShared);
    memory->setAlignment(Align(2 * kSlotBytes));
    for (auto [slot, value] : enumerate(chosen))
      slots[value] = slot;
  }

  Value *addressOf(IRBuilder<> &builder, Instruction *value) {
    return builder.CreateConstInBoundsGEP2_64(memory->getValueType(), memory, 0,
                                              slots.lookup(value));
  }

  /// Behind a stage, and in another block, a value is read; once between two
  /// stages.
  void readSlots() {
    for (BasicBlock &block : kernel) {
      DenseMap<Instruction *, Instruction *> here;
      for (Instruction &op : make_early_inc_range(block)) {
        if (!isa<PHINode>(op))
          for (Use &use : op.operands())
            replace(use, op.getIterator(), here);
        if (slots.contains(&op))
          here[&op] = &op;
        if (op.isTerminator())
          for (BasicBlock *next : successors(&block))
            for (PHINode &phi : next->phis())
              for (Use &use : phi.incoming_values())
                if (phi.getIncomingBlock(use) == &block)
                  replace(use, op.getIterator(), here);
        if (isStage(op))
          here.clear();
      }
    }
  }

  void replace(Use &use, BasicBlock::iterator before,
               DenseMap<Instruction *, Instruction *> &here) {
    auto *value = dyn_cast<Instruction>(use.get());
    if (!value || !slots.contains(value))
      return;
    Instruction *&read = here[value];
    if (!read) {
      IRBuilder<> builder(before->getParent(), before);
      read = builder.CreateLoad(value->getType(), addressOf(builder, value));
    }
    use.set(read);
  }

  /// Where a value is written: in front of the next stage, or at the end of its
  /// block.
  static Instruction *placeBehind(Instruction *value) {
    for (auto &op :
         make_range(std::next(value->getIterator()), value->getParent()->end()))
      if (isStage(op) || op.isTerminator())
        return &op;
    llvm_unreachable("expected a terminator");
  }

  /// The first thread of a block writes, and the others wait for it.
  void writeSlots() {
    MapVector<Instruction *, SmallVector<Instruction *>> places;
    for (Instruction *value : chosen)
      places[placeBehind(value)].push_back(value);
    for (auto &[place, values] : places) {
      IRBuilder<> builder(place);
      Value *thread = builder.CreateIntrinsic(
          Intrinsic::nvvm_read_ptx_sreg_tid_x, ArrayRef<Value *>());
      Value *isFirst = builder.CreateICmpEQ(thread, builder.getInt32(0));
      Instruction *end =
          SplitBlockAndInsertIfThen(isFirst, place->getIterator(),
                                    /*Unreachable=*/false);
      IRBuilder<> writer(end);
      for (Instruction *value : values)
        writer.CreateStore(value, addressOf(writer, value));
      builder.SetInsertPoint(place);
      builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                              {builder.getInt32(0)});
    }
  }

  Function &kernel;
  size_t most, room;
  DominatorTree tree;
  LoopInfo loops;
  DenseSet<Instruction *> divergent;
  DenseSet<BasicBlock *> divergentBlocks;
  std::vector<Kept> kept;
  DenseMap<Instruction *, size_t> indices;
  DenseMap<Instruction *, unsigned> numbers;
  unsigned numStages = 0;
  SmallVector<Instruction *> chosen;
  DenseMap<Instruction *, size_t> slots;
  GlobalVariable *memory = nullptr;
};
} // namespace

void cambium::keepControlValues(Module &code, size_t most,
                                int64_t sharedBytes) {
  for (Function &function : code) {
    if (function.getCallingConv() != CallingConv::PTX_Kernel ||
        function.isDeclaration())
      continue;
    int64_t room = sharedBytes -
                   static_cast<int64_t>(
                       function.getFnAttributeAsParsedInteger(kSharedAtStart));
    // What the kernel asks for stands behind it, at a multiple of 128.
    room = alignDown(std::max<int64_t>(0, room), 128);
    Keeper(function, most, room / kSlotBytes).run();
  }
}
