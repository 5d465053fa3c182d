//===-- cambium/Support/CommandLine.h - Options of the tools ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_COMMANDLINE_H
#define CAMBIUM_SUPPORT_COMMANDLINE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

namespace cambium {

/// Leaves the options that libraries have registered so far (of LLVM's code
/// generators, hundreds) out of --help; --help-hidden shows them. To be called
/// first in the `main` of a tool whose own options MLIR registers.
inline void hideOptionsOfLibraries() {
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (llvm::is_contained(entry.second->Categories,
                           &llvm::cl::getGeneralCategory()) &&
        entry.second->getOptionHiddenFlag() == llvm::cl::NotHidden)
      entry.second->setHiddenFlag(llvm::cl::Hidden);
}

} // namespace cambium

#endif // CAMBIUM_SUPPORT_COMMANDLINE_H
