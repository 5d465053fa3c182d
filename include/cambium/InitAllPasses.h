//===-- InitAllPasses.h - All passes and pipelines of the compiler --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INITALLPASSES_H
#define CAMBIUM_INITALLPASSES_H

namespace cambium {

/// Registers Cambium's passes and pipelines, and the upstream passes.
void registerAllPasses();

} // namespace cambium

#endif // CAMBIUM_INITALLPASSES_H
