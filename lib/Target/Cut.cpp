//===-- lib/Target/Cut.cpp - Long functions in pieces ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function is cut between two instructions of a block that every way to what
// comes behind must pass. The second half becomes a function that the first one
// calls and whose result it returns, so that each may return at any place. What
// one piece makes and another one uses is in a frame on the stack of the first.
//
//===----------------------------------------------------------------------===//
#include "Cut.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cambium;

namespace {

/// A value that pieces share: where it is made, and its uses in each other one.
struct SharedValue {
  size_t madeIn;
  MapVector<size_t, SmallVector<Use *>> uses;
  size_t slot = 0;

  size_t lastPiece() const {
    size_t last = madeIn;
    for (const auto &[piece, list] : uses)
      last = std::max(last, piece);
    return last;
  }
};

/// Cuts one function.
class Cutter {
public:
  Cutter(Function &function, size_t least) : function(function), least(least) {}

  void cut() {
    returnAtOnce();
    if (!findBlocks())
      return;
    splitBlocks();
    if (heads.empty())
      return;
    copyExits();
    findShared();
    giveSlots();
    makePieces();
    shareValues();
    moveBlocks();
    for ([[maybe_unused]] Function *piece : pieces)
      assert(!verifyFunction(*piece, &errs()) && "expected valid pieces");
  }

private:
  /// Whether a block does nothing but return: each piece has its own.
  static bool isExit(const BasicBlock &block) {
    return isa<ReturnInst>(block.getTerminator()) &&
           all_of(block, [](const Instruction &op) {
             return isa<PHINode, ReturnInst>(op);
           });
  }

  /// What jumps to a block that does nothing but return, returns itself.
  void returnAtOnce() {
    for (BasicBlock &block : make_early_inc_range(function)) {
      if (!isExit(block))
        continue;
      for (BasicBlock *source :
           SetVector<BasicBlock *>(pred_begin(&block), pred_end(&block)))
        if (source->getSingleSuccessor())
          FoldReturnIntoUncondBranch(cast<ReturnInst>(block.getTerminator()),
                                     &block, source);
      if (pred_empty(&block) && !block.isEntryBlock())
        DeleteDeadBlock(&block);
    }
  }

  bool findBlocks() {
    for (BasicBlock &block : function)
      (isExit(block) ? exits : blocks).push_back(&block);
    // A stack that shrinks again, and memory that lives for a while, belong to
    // one function.
    return range_size(depth_first(&function)) == function.size() &&
           none_of(instructions(function), [](const Instruction &op) {
             const auto *call = dyn_cast<IntrinsicInst>(&op);
             return call && (call->isLifetimeStartOrEnd() ||
                             call->getIntrinsicID() == Intrinsic::stacksave);
           });
  }

  /// Whether all ways from the blocks before one of `blocks` to those behind it
  /// lead through it, once.
  std::vector<bool> findCuttable() {
    DenseMap<BasicBlock *, long> indices;
    for (auto [index, block] : enumerate(blocks))
      indices[block] = index;
    // How many edges begin to pass by, less those that end to.
    std::vector<long> passing(blocks.size() + 2);
    for (auto [from, block] : enumerate(blocks))
      for (BasicBlock *next : successors(block)) {
        auto found = indices.find(next);
        if (found == indices.end())
          continue;
        auto begin = static_cast<long>(from), end = found->second;
        bool isBack = end <= begin;
        ++passing[isBack ? end : begin + 1];
        --passing[isBack ? begin + 1 : end];
      }
    std::vector<bool> cuttable;
    long edges = 0;
    for (size_t index = 0; index < blocks.size(); ++index) {
      edges += passing[index];
      cuttable.push_back(edges == 0);
    }
    return cuttable;
  }

  /// Where a piece is to begin in a block, and the size of the last piece so
  /// far.
  SmallVector<Instruction *> findCuts(BasicBlock &block, size_t &size) const {
    SmallVector<Instruction *> cuts;
    for (Instruction &op : block) {
      if (size >= least && !isa<PHINode, AllocaInst>(op)) {
        cuts.push_back(&op);
        size = 0;
      }
      ++size;
    }
    return cuts;
  }

  /// Splits blocks where a piece is to begin.
  void splitBlocks() {
    std::vector<bool> cuttable = findCuttable();
    size_t size = 0;
    for (auto [index, block] : enumerate(blocks)) {
      pieceOf[block] = heads.size();
      if (!cuttable[index]) {
        size += block->size();
        continue;
      }
      SmallVector<Instruction *> cuts = findCuts(*block, size);
      SmallVector<BasicBlock *> begun;
      // From the end: each split moves what is behind it.
      for (Instruction *cut : reverse(cuts))
        begun.push_back(block->splitBasicBlock(cut->getIterator()));
      for (BasicBlock *head : reverse(begun)) {
        heads.push_back(head);
        pieceOf[head] = heads.size();
      }
    }
  }

  void copyExits() {
    for (BasicBlock *exit : exits) {
      SetVector<BasicBlock *> sources(pred_begin(exit), pred_end(exit));
      pieceOf[exit] = pieceOf.at(sources.front());
      MapVector<size_t, BasicBlock *> copies;
      copies[pieceOf[exit]] = exit;
      for (BasicBlock *source : sources) {
        BasicBlock *&copy = copies[pieceOf.at(source)];
        if (!copy)
          copy = copyExit(exit, pieceOf.at(source));
        source->getTerminator()->replaceSuccessorWith(exit, copy);
      }
      for (auto [piece, copy] : copies)
        for (PHINode &phi : copy->phis())
          phi.removeIncomingValueIf(
              [&, piece = piece](unsigned index) {
                return pieceOf.at(phi.getIncomingBlock(index)) != piece;
              },
              /*DeletePHIIfEmpty=*/false);
    }
  }

  BasicBlock *copyExit(BasicBlock *exit, size_t piece) {
    ValueToValueMapTy map;
    BasicBlock *copy = CloneBasicBlock(exit, map, "", &function);
    for (Instruction &op : *copy)
      RemapInstruction(&op, map,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    pieceOf[copy] = piece;
    return copy;
  }

  /// The block at whose end, or in which, a value is used.
  static BasicBlock *blockOf(const Use &use) {
    if (auto *phi = dyn_cast<PHINode>(use.getUser()))
      return phi->getIncomingBlock(use);
    return cast<Instruction>(use.getUser())->getParent();
  }

  void findShared() {
    for (Instruction &op : instructions(function))
      for (Use &use : op.operands()) {
        auto *made = dyn_cast<Instruction>(use);
        if (!made && !isa<Argument>(use))
          continue;
        size_t from = made ? pieceOf.at(made->getParent()) : 0;
        size_t to = pieceOf.at(blockOf(use));
        if (from == to)
          continue;
        SharedValue &value = shared[use];
        value.madeIn = from;
        value.uses[to].push_back(&use);
      }
  }

  /// Gives each value a slot of the frame. Values that are of no use any more
  /// leave theirs to others.
  void giveSlots() {
    std::vector<SmallVector<SharedValue *>> made(heads.size() + 1);
    std::vector<SmallVector<size_t>> ended(heads.size() + 1);
    DenseMap<Type *, SmallVector<size_t>> free;
    DenseMap<SharedValue *, Type *> types;
    for (auto &[value, use] : shared) {
      made[use.madeIn].push_back(&use);
      types[&use] = value->getType();
    }
    for (size_t piece = 0; piece < made.size(); ++piece) {
      for (SharedValue *value : made[piece]) {
        SmallVector<size_t> &slots = free[types[value]];
        if (slots.empty()) {
          slots.push_back(slotTypes.size());
          slotTypes.push_back(types[value]);
        }
        value->slot = slots.pop_back_val();
        ended[value->lastPiece()].push_back(value->slot);
      }
      for (size_t slot : ended[piece])
        free[slotTypes[slot]].push_back(slot);
    }
  }

  /// Makes the functions, each of which is called at the end of the one before.
  void makePieces() {
    LLVMContext &context = function.getContext();
    frameType = StructType::get(context, slotTypes);
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> atStart(&entry, entry.begin());
    pieces = {&function};
    frames = {atStart.CreateAlloca(frameType, nullptr, "frame")};
    auto *type = FunctionType::get(function.getReturnType(),
                                   {atStart.getPtrTy()}, /*isVarArg=*/false);
    AttributeList attributes =
        AttributeList::get(context, function.getAttributes().getFnAttrs(),
                           function.getAttributes().getRetAttrs(), {});
    // What is said of the memory of arguments is not true of a frame.
    attributes = attributes.removeFnAttribute(context, Attribute::Memory);
    for (auto [index, head] : enumerate(heads)) {
      auto *piece = Function::Create(
          type, GlobalValue::InternalLinkage,
          function.getName() + "." + Twine(index + 1), function.getParent());
      piece->setAttributes(attributes);
      piece->setCallingConv(function.getCallingConv());
      pieces.push_back(piece);
      frames.push_back(piece->getArg(0));
    }
  }

  Value *pointer(IRBuilderBase &builder, size_t piece,
                 const SharedValue &value) {
    return builder.CreateStructGEP(frameType, frames[piece], value.slot);
  }

  void shareValues() {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    // Allocations at the start stay together: only they are of a fixed size.
    BasicBlock &entry = function.getEntryBlock();
    Instruction *first = &*entry.getFirstNonPHIOrDbgOrAlloca();
    DenseSet<Value *> atStart;
    for (Instruction &op : make_range(entry.begin(), first->getIterator()))
      atStart.insert(&op);
    for (auto &[value, use] : shared) {
      for (auto &[piece, list] : use.uses) {
        IRBuilder<> builder(firstUse(list, dominators, loops));
        Value *loaded =
            builder.CreateLoad(value->getType(), pointer(builder, piece, use));
        for (Use *each : list)
          each->set(loaded);
      }
      auto *op = dyn_cast<Instruction>(value);
      bool isEarly = !op || atStart.contains(op);
      IRBuilder<> builder(isEarly ? first
                                  : &*op->getInsertionPointAfterDef().value());
      builder.CreateStore(value, pointer(builder, use.madeIn, use));
    }
  }

  /// Where all uses are reached from, as late as possible outside of loops.
  static Instruction *firstUse(ArrayRef<Use *> uses,
                               const DominatorTree &dominators,
                               const LoopInfo &loops) {
    BasicBlock *block = blockOf(*uses.front());
    for (Use *use : uses)
      block = dominators.findNearestCommonDominator(block, blockOf(*use));
    while (loops.getLoopFor(block))
      block = dominators.getNode(block)->getIDom()->getBlock();
    Instruction *first = block->getTerminator();
    for (Use *use : uses) {
      auto *user = cast<Instruction>(use->getUser());
      if (!isa<PHINode>(user) && user->getParent() == block &&
          user->comesBefore(first))
        first = user;
    }
    return first;
  }

  void moveBlocks() {
    for (auto [index, head] : enumerate(heads)) {
      Instruction *jump = head->getSinglePredecessor()->getTerminator();
      IRBuilder<> builder(jump);
      CallInst *call = builder.CreateCall(pieces[index + 1], {frames[index]});
      call->setCallingConv(function.getCallingConv());
      if (call->getType()->isVoidTy())
        builder.CreateRetVoid();
      else
        builder.CreateRet(call);
      jump->eraseFromParent();
      move(*head);
    }
    for (BasicBlock &block : make_early_inc_range(function))
      if (pieceOf.at(&block) != 0)
        move(block);
  }

  /// Moves a block to the end of its piece.
  void move(BasicBlock &block) {
    Function &piece = *pieces[pieceOf.at(&block)];
    piece.splice(piece.end(), &function, block.getIterator());
  }

  Function &function;
  size_t least;
  /// Blocks in the order of the text, where loops are in one piece; and those
  /// that just return.
  SmallVector<BasicBlock *> blocks, exits;
  /// The first block of each piece but the first one.
  SmallVector<BasicBlock *> heads;
  DenseMap<BasicBlock *, size_t> pieceOf;
  MapVector<Value *, SharedValue> shared;
  SmallVector<Type *> slotTypes;
  StructType *frameType = nullptr;
  SmallVector<Function *> pieces;
  SmallVector<Value *> frames;
};

} // namespace

void cambium::cutFunctions(Module &code, size_t most) {
  SmallVector<Function *> large;
  for (Function &function : code)
    if (function.getInstructionCount() > most)
      large.push_back(&function);
  for (Function *function : large)
    Cutter(*function, most / 2).cut();
}
