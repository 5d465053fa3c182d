//===-- include/cambium/Target/Assemble.h - Machine code of GPUs -*- C++
//-*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_ASSEMBLE_H
#define CAMBIUM_TARGET_ASSEMBLE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cambium {

/// Looks for NVIDIA's assembler: the program `name`, or where it is empty
/// `ptxas` in PATH, $CUDA_HOME/bin and /usr/local/cuda/bin. Returns an error
/// text, empty on success.
std::string findAssembler(llvm::StringRef name, std::string &program);

/// Makes a cubin for an architecture ("sm_90") of a PTX text, by NVIDIA's
/// assembler. Returns an error text with what that has said.
std::string assemblePtx(llvm::StringRef program, llvm::StringRef arch,
                        llvm::StringRef text, std::string &cubin);

} // namespace cambium

#endif // CAMBIUM_TARGET_ASSEMBLE_H
