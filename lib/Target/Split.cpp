//===-- lib/Target/Split.cpp - A program in parts ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Split.h"
#include "Steps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cambium;

/// Lets other objects, but not other modules, use what is internal.
static void makeHidden(Function &function) {
  if (!function.hasLocalLinkage())
    return;
  function.setLinkage(GlobalValue::ExternalLinkage);
  function.setVisibility(GlobalValue::HiddenVisibility);
  function.setDSOLocal(true);
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
  if (numParts > 1)
    llvm::for_each(code, makeHidden);
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(code, stream);
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
  if (Error error = (*code)->materializeAll())
    return error;
  return code;
}
