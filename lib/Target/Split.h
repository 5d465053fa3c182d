//===-- lib/Target/Split.h - A program in parts ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_SPLIT_H
#define CAMBIUM_TARGET_SPLIT_H

#include "cambium/Support/TargetCosts.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace cambium {

/// A program whose functions are divided among parts that cost about the same,
/// each of which can be worked on by a thread of its own. How it is divided
/// depends on the program alone, never on the machine.
class SplitProgram {
public:
  /// Divides `code`. Its internal functions become hidden ones, because parts
  /// call each other.
  SplitProgram(llvm::Module &code, const TargetCosts &costs);

  /// The number of parts.
  size_t size() const { return numParts; }

  /// Whether no function of part `index` has a loop or is called in one, so
  /// that its code need not be good.
  bool runsOnce(size_t index) const { return hasEntries && index == 0; }

  /// Part `index`: its functions and constants, declarations of all others.
  /// Can be called from several threads.
  llvm::Expected<std::unique_ptr<llvm::Module>>
  load(size_t index, llvm::LLVMContext &context) const;

private:
  /// All of it.
  llvm::SmallVector<char, 0> bitcode;
  /// Gives each constant that several parts use to one of them.
  void shareConstants(llvm::Module &code);

  /// The part of each function, and of each constant that several parts use, in
  /// the order of the program. Other constants are of every part that uses
  /// them.
  std::vector<size_t> partOf;
  std::vector<std::optional<size_t>> partOfConstant;
  size_t numParts = 1;
  /// Entries without loops are the first part.
  bool hasEntries = false;
};

} // namespace cambium

#endif // CAMBIUM_TARGET_SPLIT_H
