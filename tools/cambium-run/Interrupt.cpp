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

static struct sigaction ofInterrupt, ofTermination;
static bool isCatching = false;

void cambium::run::catchInterrupts() {
  if (isCatching)
    return;
  isCatching = true;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &ofInterrupt);
  sigaction(SIGTERM, &action, &ofTermination);
}

void cambium::run::releaseInterrupts() {
  if (!isCatching)
    return;
  isCatching = false;
  sigaction(SIGINT, &ofInterrupt, nullptr);
  sigaction(SIGTERM, &ofTermination, nullptr);
  if (noted)
    raise(noted);
}

void cambium::run::outliveReaders() { std::signal(SIGPIPE, SIG_IGN); }

int cambium::run::interruptedBy() { return noted; }
