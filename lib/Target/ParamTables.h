//===-- lib/Target/ParamTables.h - Parameters in frames ---------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_PARAMTABLES_H
#define CAMBIUM_TARGET_PARAMTABLES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include <array>
#include <map>
#include <optional>
#include <vector>

namespace cambium {

/// Brings what entries read of parameters into their frames. As instructions,
/// each would take 16 bytes of code, and a choice 24: where a parameter has
/// panels, an entry passes their address and strides, else those of the value.
class ParamTables {
public:
  /// Finds the choices that entries make.
  ParamTables(llvm::Module &code, llvm::ArrayRef<llvm::Function *> entries);

  /// The number of the word that a value is, in the call's table of parameters.
  static std::optional<uint64_t> wordOf(const llvm::Value *value,
                                        const llvm::Argument *call);
  /// The number of the choice that a value is.
  std::optional<size_t> choiceOf(const llvm::Value *value,
                                 const llvm::Argument *call) const;
  size_t numChoices() const { return choices.size(); }

  /// Copies the first words of the table to `to`.
  void copyWords(llvm::IRBuilderBase &builder, llvm::Value *to,
                 llvm::Argument *call, size_t count);
  /// Makes all choices, a word each, at `to`.
  void choose(llvm::IRBuilderBase &builder, llvm::Value *to,
              llvm::Argument *call);

private:
  /// The word that may be null, times two, and one more where words are chosen
  /// from; what stands for it then, and what otherwise: words or numbers.
  using Choice = std::array<int32_t, 3>;
  using Body = llvm::function_ref<void(llvm::Value *at)>;

  static std::optional<Choice> findChoice(const llvm::Value *value,
                                          const llvm::Argument *call);
  llvm::Value *tableOf(llvm::IRBuilderBase &builder, llvm::Argument *call);
  llvm::Function *makeCopy();
  llvm::Function *makeChooser();
  void makeChoice(llvm::Value *row, llvm::Value *params, llvm::Value *to);
  llvm::GlobalVariable *makeRows();
  llvm::Function *begin(llvm::StringRef name,
                        llvm::ArrayRef<llvm::Type *> types);
  void loop(llvm::Function *function, llvm::Value *count, Body body);

  llvm::Module &code;
  /// Of the body of a function.
  llvm::IRBuilder<> inside;
  std::vector<Choice> choices;
  std::map<Choice, size_t> numberOf;
  llvm::Function *copy = nullptr, *chooser = nullptr;
};

} // namespace cambium

#endif // CAMBIUM_TARGET_PARAMTABLES_H
