//===-- lib/Target/StepRunner.h - What does the steps of a list -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_STEPRUNNER_H
#define CAMBIUM_TARGET_STEPRUNNER_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cambium {

/// What a word of a list of steps says where it is not the number of a
/// function, with a place in the frame: memory of the size in the place that
/// follows is allocated, its address and this size stand there then; or the
/// memory that stands there is released.
inline constexpr uint16_t kAllocates = 1 << 14, kReleases = 1 << 15;

/// Rows of the table of functions: a function and how many places it has; with
/// the task of a launch, in the row behind, its grain.
using StepRows = llvm::SmallVector<std::pair<llvm::Function *, int32_t>>;

/// Makes the functions that do the steps of lists.
class StepRunner {
public:
  explicit StepRunner(llvm::Module &code)
      : code(code), builder(code.getContext()) {}

  /// The step that launches the task in the row behind its own.
  llvm::Function *launcher();
  /// The function that does the steps of a list, until one fails.
  llvm::Function *make(const StepRows &rows);

private:
  void makeTable(const StepRows &rows);
  llvm::Value *rowAt(llvm::Value *number);
  llvm::Value *functionOf(llvm::Value *row);
  llvm::Value *placeIn(llvm::Value *frame, llvm::Value *word);
  llvm::Value *loadPointer(llvm::Value *base, uint64_t offset);
  llvm::Value *serviceOf(llvm::Value *call, uint64_t offset);
  void makeLauncher();
  llvm::Function *makeRunner();
  /// What a word stands for; all go on behind the last of their words.
  void makeStep(llvm::BasicBlock *failed);
  void makeAllocation(llvm::BasicBlock *failed);
  void makeRelease();
  void goOnUnless(llvm::Value *condition, llvm::BasicBlock *otherwise,
                  llvm::Value *next);
  llvm::FunctionType *stepType();

  llvm::Module &code;
  llvm::IRBuilder<> builder;
  llvm::GlobalVariable *table = nullptr;
  llvm::Function *launch = nullptr;
  /// Of the runner: its frame, a word of the list, and what is behind it.
  llvm::Value *frame = nullptr, *word = nullptr, *behind = nullptr;
  llvm::PHINode *at = nullptr;
};

} // namespace cambium

#endif // CAMBIUM_TARGET_STEPRUNNER_H
