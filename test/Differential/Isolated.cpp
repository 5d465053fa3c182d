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
#include <ctime>
#include <poll.h>
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

/// Reads what the child reports, to the end. A child that waits for good uses
/// no time of the processor that could end it: after so many looks at which it
/// has used none since the last one, it is ended. Looks are counted, since the
/// whole machine may have stood still.
static std::string readReport(pid_t child, int report, bool &waitsForGood) {
  constexpr int kLooks = 180, kMilliseconds = 1000;
  std::string text;
  clockid_t clock;
  bool hasClock = clock_getcpuclockid(child, &clock) == 0;
  timespec last = {};
  int idle = 0;
  pollfd file = {report, POLLIN, 0};
  while (poll(&file, 1, kMilliseconds) == 0) {
    timespec used = {};
    if (!hasClock || clock_gettime(clock, &used) != 0)
      continue;
    bool isSame = used.tv_sec == last.tv_sec && used.tv_nsec == last.tv_nsec;
    idle = isSame ? idle + 1 : 0;
    last = used;
    if (idle == kLooks) {
      waitsForGood = true;
      kill(child, SIGKILL);
    }
  }
  return readAll(report);
}

/// What the child does: it never returns.
[[noreturn]] static void runChild(llvm::function_ref<llvm::Error(Tally &)> work,
                                  unsigned seconds, int report, FILE *log) {
  // Stack traces are of no use here, and take long.
  for (int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU})
    std::signal(number, SIG_DFL);
  dup2(fileno(log), STDERR_FILENO);
  // Time of the processor, so that a busy machine fails nothing.
  rlimit limit = {seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &limit);
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
  bool waitsForGood = false;
  std::string text = readReport(child, report, waitsForGood);
  int status = 0;
  waitpid(child, &status, 0);
  rewind(log);
  outcome.log = readAll(dup(fileno(log)));
  fclose(log);
  int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (waitsForGood)
    outcome.failure = "timeout: it waits for good";
  else if (signal == SIGXCPU)
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
