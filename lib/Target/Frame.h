//===-- lib/Target/Frame.h - What a function passes --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_FRAME_H
#define CAMBIUM_TARGET_FRAME_H

#include "ParamTables.h"
#include "Steps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"

namespace cambium {

/// Places in a frame.
using Slots = llvm::SmallVector<uint16_t>;

/// The places of what says whether a service has failed, of the call, and of
/// what comes behind.
enum { kFailed, kCall, kFirst };

/// The memory in which a function keeps what it passes.
class Frame {
public:
  /// `outer` is the frame of the only function that calls this one, and `given`
  /// where it has the arguments: they stay there.
  Frame(llvm::Function &function, const Steps &steps, const Services &services,
        ParamTables &params, Frame *outer, llvm::ArrayRef<uint16_t> given);

  bool isInOuter() const { return &root != this; }
  /// Null where there are more values than a table can name.
  llvm::AllocaInst *getMemory() const { return memory; }
  uint16_t slotOf(llvm::Value *value) const {
    return values.lookup(value).slot;
  }
  /// Where a call has its arguments, then its result.
  Slots slotsOf(llvm::CallInst &call) const;
  /// The words of a step that allocates memory, or releases what one has
  /// allocated; nothing for other steps, and where places are too many to stand
  /// in such a word.
  std::optional<Slots> memoryStep(llvm::CallInst &call) const;
  /// All values have their places.
  void finish();

private:
  /// Where a value is made, where its place is read for the last time.
  struct Passed {
    size_t first = 0, last = 0;
    uint16_t slot = 0;
    /// Whether it stands there without being written.
    bool isThere = false;
  };

  void add(llvm::Instruction &op, size_t position);
  void extend();
  void placeGiven();
  void placeParams();
  void placeWords();
  void placeChoices();
  void giveSlots();
  void makeMemory();
  void readParams(llvm::IRBuilderBase &builder);
  bool isStep(llvm::Value *value) const;
  /// Whether a value is memory that a step allocates: its size stands in the
  /// place behind it.
  bool isAllocation(const llvm::Value *value) const;
  bool isRelease(const llvm::CallInst &call) const;

  llvm::Function &entry;
  llvm::Argument *call;
  const Services &services;
  ParamTables &params;
  /// The frame whose memory this is.
  Frame &root;
  bool mayLoop;
  llvm::ArrayRef<uint16_t> given;
  llvm::DenseSet<const llvm::Value *> calls;
  llvm::MapVector<llvm::Value *, Passed> values;
  llvm::DenseMap<llvm::Value *, size_t> positions;
  size_t numSlots = kFirst, numParamWords = 0;
  /// Where the choices of the entry stand, if it makes many.
  std::optional<size_t> firstChoice;
  llvm::AllocaInst *memory = nullptr;
};

} // namespace cambium

#endif // CAMBIUM_TARGET_FRAME_H
