//===-- tools/cambium-run/Interrupt.h - Ctrl-C that saves first -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_INTERRUPT_H
#define CAMBIUM_RUN_INTERRUPT_H

namespace cambium::run {

/// From now on the first SIGINT or SIGTERM is only noted; a second one ends the
/// process at once.
void catchInterrupts();

/// As before `catchInterrupts`: a signal ends the process at once, also one
/// that was noted.
void releaseInterrupts();

/// From now on what nobody reads is an error of writing, which is found at the
/// end, not the end of the process: for commands that write files, too.
void outliveReaders();

/// The signal that asked to stop, or 0. The exit code is 128 more.
int interruptedBy();

} // namespace cambium::run

#endif // CAMBIUM_RUN_INTERRUPT_H
