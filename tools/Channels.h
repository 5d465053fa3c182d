//===-- tools/Channels.h - Standard channels of a program -------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TOOLS_CHANNELS_H
#define CAMBIUM_TOOLS_CHANNELS_H

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace cambium {

/// To be called first in the `main` of a tool. Where a standard channel is
/// closed, the next file that is opened would take its place, and get what is
/// printed. Reading and printing fail as they would have; nobody reads
/// messages.
inline void fillStandardChannels() {
  const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (int channel : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(channel, F_GETFD) < 0)
      // The lowest free number is this one.
      (void)open("/dev/null", modes[channel]);
}

/// To be called after LLVM has its handlers, which end the tool with a trace of
/// its stack and leave temporary files: files that reach the limit of their
/// size are errors of writing.
inline void refuseLargeFiles() { std::signal(SIGXFSZ, SIG_IGN); }

} // namespace cambium

#endif // CAMBIUM_TOOLS_CHANNELS_H
