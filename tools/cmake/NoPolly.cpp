//===-- tools/cmake/NoPolly.cpp - What Debian's archives of LLVM lack ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "llvm/Plugins/PassPlugin.h"

/// LLVM's link-time optimization, which LLD names and a model never needs,
/// names Polly, of which there is no archive.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "", [](llvm::PassBuilder &) {}};
}
