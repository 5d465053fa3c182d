//===-- lib/Target/Split.cpp - A program in parts ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Split.h"
#include "Steps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cambium;

/// Lets other objects, but not other modules, use what is internal.
static void makeHidden(GlobalValue &value) {
  if (!value.hasLocalLinkage())
    return;
  value.setLinkage(GlobalValue::ExternalLinkage);
  value.setVisibility(GlobalValue::HiddenVisibility);
  value.setDSOLocal(true);
}

SplitProgram::SplitProgram(Module &code, const TargetCosts &costs) {
  std::vector<std::pair<size_t, size_t>> sizes; // and the function's place
  size_t total = 0;
  for (Function &function : code) {
    partOf.push_back(0);
    if (isPlainEntry(function)) {
      hasEntries = true;
      continue;
    }
    sizes.push_back({function.getInstructionCount(), partOf.size() - 1});
    total += sizes.back().first;
  }
  size_t first = hasEntries ? 1 : 0;
  std::vector<size_t> load(
      std::clamp<size_t>(total / costs.partInstructions, 1, costs.maxParts));
  numParts = first + load.size();
  // The largest first, each to the smallest part.
  llvm::sort(sizes, [](const auto &a, const auto &b) {
    return std::tie(b.first, a.second) < std::tie(a.first, b.second);
  });
  for (auto [size, place] : sizes) {
    size_t part = llvm::min_element(load) - load.begin();
    partOf[place] = first + part;
    load[part] += size;
  }
  if (numParts > 1) {
    shareConstants(code);
    llvm::for_each(code, makeHidden);
  }
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(code, stream);
}

/// The functions that use a constant; none where it is not only they.
static llvm::SmallPtrSet<const Function *, 4>
usersOf(const GlobalVariable &global) {
  llvm::SmallPtrSet<const Function *, 4> functions;
  SmallVector<const User *> users(global.users());
  while (!users.empty()) {
    const User *user = users.pop_back_val();
    if (auto *op = dyn_cast<Instruction>(user))
      functions.insert(op->getFunction());
    else if (isa<GlobalValue>(user))
      return {};
    else
      llvm::append_range(users, user->users());
  }
  return functions;
}

void SplitProgram::shareConstants(Module &code) {
  llvm::DenseMap<const Function *, size_t> parts;
  for (auto [function, part] : llvm::zip_equal(code, partOf))
    parts[&function] = part;
  for (GlobalVariable &global : code.globals()) {
    std::optional<size_t> first, last;
    for (const Function *function : usersOf(global)) {
      size_t part = parts.lookup(function);
      first = std::min(first.value_or(part), part);
      last = std::max(last.value_or(part), part);
    }
    bool isShared = global.hasLocalLinkage() && first != last;
    partOfConstant.push_back(isShared ? first : std::nullopt);
    if (isShared)
      makeHidden(global);
  }
}

Expected<std::unique_ptr<Module>>
SplitProgram::load(size_t index, LLVMContext &context) const {
  MemoryBufferRef buffer(StringRef(bitcode.data(), bitcode.size()), "cambium");
  Expected<std::unique_ptr<Module>> code =
      getLazyBitcodeModule(buffer, context);
  if (!code)
    return code.takeError();
  for (auto [function, part] : llvm::zip_equal(**code, partOf))
    if (part != index && !function.isDeclaration())
      function.deleteBody();
  if (!partOfConstant.empty())
    for (auto [global, part] :
         llvm::zip_equal((*code)->globals(), partOfConstant))
      if (part && part != index)
        global.setInitializer(nullptr);
  if (Error error = (*code)->materializeAll())
    return error;
  return code;
}
