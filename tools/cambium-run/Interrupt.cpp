//===-- tools/cambium-run/Interrupt.cpp - Ctrl-C that saves first ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interrupt.h"

#include <csignal>
#include <cstring>
#include <unistd.h>

static volatile std::sig_atomic_t noted = 0;

static void note(int signal) {
  if (noted)
    _exit(128 + signal);
  noted = signal;
  static const char text[] =
      "\nstopping after this batch; once more to quit at once\n";
  ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  (void)written; // Nothing can be done about it here.
}

void cambium::run::catchInterrupts() {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int cambium::run::interruptedBy() { return noted; }
