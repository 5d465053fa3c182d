//===-- tools/cambium-run/Output.cpp - What is printed --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace cambium;

/// The first failure; later ones may be other ones.
static int failure = 0;

static void note(bool isGood) {
  if (!isGood && failure == 0)
    failure = errno ? errno : EIO;
}

void run::fillStandardChannels() {
  for (int channel : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(channel, F_GETFD) < 0)
      // The lowest free number is this one.
      (void)open("/dev/null", channel == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void run::print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  note(vprintf(format, arguments) >= 0);
  va_end(arguments);
}

void run::printText(std::string_view text) {
  note(fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

run::Status run::flushOutput() {
  note(fflush(stdout) == 0 && !ferror(stdout));
  return failure == 0 ? Status()
                      : Status::error(std::string("<stdout>: cannot write: ") +
                                      strerror(failure));
}
