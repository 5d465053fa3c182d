/*===-- test/Tools/cambium-run/Inputs/kill_at.c - An end at a moment -------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Loaded before a program (LD_PRELOAD), counts what it does to files: every
 * write (of which only half is done), flush, rename and removal. At number
 * KILL_AT the process ends as `kill -9` ends it, before the operation is
 * complete; or it ends so after KILL_AFTER nanoseconds of a processor, which do
 * not depend on what else the machine does. Without either, the count and the
 * nanoseconds that it took are written to the file KILL_COUNT.
 *
 *===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long count, last;

static void endAfter(long nanoseconds) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                           .sigev_signo = SIGKILL};
  struct itimerspec time = {
      .it_value = {nanoseconds / 1000000000, nanoseconds % 1000000000 + 1}};
  timer_t timer;
  if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0 ||
      timer_settime(timer, 0, &time, NULL) != 0)
    abort();
}

__attribute__((constructor)) static void start(void) {
  const char *at = getenv("KILL_AT"), *after = getenv("KILL_AFTER");
  last = at ? strtol(at, NULL, 10) : -1;
  if (after)
    endAfter(strtol(after, NULL, 10));
}

__attribute__((destructor)) static void finish(void) {
  const char *path = getenv("KILL_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file)
    return;
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  fprintf(file, "%ld %ld\n", count, used.tv_sec * 1000000000 + used.tv_nsec);
  fclose(file);
}

static int isTime(void) { return ++count == last; }

ssize_t write(int file, const void *data, size_t size) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real)
    real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (file > 2 && isTime()) {
    if (real(file, data, size / 2) >= -1)
      kill(getpid(), SIGKILL);
  }
  return real(file, data, size);
}

int fsync(int file) {
  static int (*real)(int);
  if (!real)
    real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  if (isTime())
    kill(getpid(), SIGKILL);
  return real(file);
}

int rename(const char *from, const char *to) {
  static int (*real)(const char *, const char *);
  if (!real)
    real = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  if (isTime())
    kill(getpid(), SIGKILL);
  return real(from, to);
}

int unlink(const char *path) {
  static int (*real)(const char *);
  if (!real)
    real = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
  if (isTime())
    kill(getpid(), SIGKILL);
  return real(path);
}
