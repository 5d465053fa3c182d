//===-- tools/cmake/AbsentParts.cpp - Parts of LLVM that are left out ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "llvm/Plugins/PassPlugin.h"

/// LLVM's link-time optimization, which LLD names and a model never needs,
/// names Polly, of which Debian has no archive.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "", [](llvm::PassBuilder &) {}};
}

/// LLD begins with all machines of LLVM, for the sake of link-time
/// optimization.
#define ABSENT(NAME)                                                           \
  void LLVMInitialize##NAME##TargetInfo() {}                                   \
  void LLVMInitialize##NAME##Target() {}                                       \
  void LLVMInitialize##NAME##TargetMC() {}                                     \
  void LLVMInitialize##NAME##AsmPrinter() {}                                   \
  void LLVMInitialize##NAME##AsmParser() {}                                    \
  void LLVMInitialize##NAME##Disassembler() {}

extern "C" {
CAMBIUM_ABSENT_MACHINES
}
