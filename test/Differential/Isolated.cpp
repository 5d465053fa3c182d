//===-- test/Differential/Isolated.cpp - Work in a process of its own ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Isolated.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cambium::difftest;

/// Reads to the end and closes.
static std::string readAll(int file) {
  std::string text;
  char buffer[4096];
  ssize_t count;
  while ((count = read(file, buffer, sizeof buffer)) > 0)
    text.append(buffer, count);
  close(file);
  return text;
}

/// What the child does: it never returns.
[[noreturn]] static void runChild(llvm::function_ref<llvm::Error(Tally &)> work,
                                  unsigned seconds, int report, FILE *log) {
  // Stack traces are of no use here, and take long.
  for (int number :
       {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM, SIGXCPU})
    std::signal(number, SIG_DFL);
  dup2(fileno(log), STDERR_FILENO);
  // Time of the processor, so that a busy machine fails nothing; something that
  // waits for good is ended all the same.
  rlimit limit = {seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &limit);
  alarm(20 * seconds);
  Tally tally;
  std::string text(sizeof tally, '\0');
  if (llvm::Error error = work(tally))
    text += llvm::toString(std::move(error));
  memcpy(text.data(), &tally, sizeof tally);
  llvm::StringRef rest = text;
  while (!rest.empty()) {
    ssize_t count = write(report, rest.data(), rest.size());
    if (count <= 0)
      break;
    rest = rest.drop_front(count);
  }
  _exit(0);
}

/// What the parent learns of it.
static Outcome waitFor(pid_t child, int report, FILE *log, unsigned seconds) {
  Outcome outcome;
  std::string text = readAll(report);
  int status = 0;
  waitpid(child, &status, 0);
  rewind(log);
  outcome.log = readAll(dup(fileno(log)));
  fclose(log);
  int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU || signal == SIGALRM)
    outcome.failure = "timeout: more than " + std::to_string(seconds) + " s";
  else if (WIFSIGNALED(status))
    outcome.failure = std::string("crash: ") + strsignal(WTERMSIG(status));
  else if (text.size() < sizeof(Tally))
    outcome.failure = "crash: the process has left without a word";
  else {
    memcpy(&outcome.tally, text.data(), sizeof(Tally));
    outcome.failure = text.substr(sizeof(Tally));
  }
  return outcome;
}

Outcome
cambium::difftest::runIsolated(llvm::function_ref<llvm::Error(Tally &)> work,
                               unsigned seconds) {
  int pipes[2];
  FILE *log = tmpfile();
  if (!log || pipe(pipes) != 0)
    llvm::report_fatal_error("no pipe, or no temporary file");
  llvm::outs().flush();
  pid_t child = fork();
  if (child < 0)
    llvm::report_fatal_error("no process");
  if (child == 0) {
    close(pipes[0]);
    runChild(work, seconds, pipes[1], log);
  }
  close(pipes[1]);
  return waitFor(child, pipes[0], log, seconds);
}
