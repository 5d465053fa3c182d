//===-- test/Runtime/core/failure/Injection.cpp - Operations that fail ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Injection.h"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__GLIBC__) && !defined(CAMBIUM_SANITIZED)

using cambium::test::Failure;

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);
}

namespace {

struct State {
  bool isArmed = false;
  int64_t count = 0, number = 0;
  Failure failure = Failure::Refused;
  bool hit = false;
  const char *operation = "";
  /// Functions of the system call one another; only the outermost counts.
  int depth = 0;
};
thread_local State state;
std::atomic<int64_t> live{0};
/// Memory that the dynamic loader takes is its own affair.
thread_local bool inLoader = false;

enum class Kind { Memory, Read, Write, Other };

/// Counts an operation. Whether it shall fail.
bool shallFail(const char *operation, Kind kind) {
  if (!state.isArmed || state.depth > 0 || inLoader)
    return false;
  bool takesPart = state.failure == Failure::Refused ||
                   (state.failure == Failure::Full
                        ? kind == Kind::Write
                        : kind == Kind::Read || kind == Kind::Write);
  if (!takesPart || ++state.count != state.number)
    return false;
  state.hit = true;
  state.operation = operation;
  return true;
}

struct Inside {
  Inside() { ++state.depth; }
  ~Inside() { --state.depth; }
};

template <typename Function> Function *next(const char *name) {
  Inside inside;
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

void *counted(void *memory) {
  if (memory && !inLoader)
    live.fetch_add(1);
  return memory;
}

void *refuse() {
  errno = ENOMEM;
  return nullptr;
}

template <typename Result> Result refuseFile(Result result, int error = EIO) {
  errno = error;
  return result;
}

} // namespace

void cambium::test::arm(int64_t number, Failure failure) {
  state = State();
  state.number = number;
  state.failure = failure;
  state.isArmed = true;
}

int64_t cambium::test::disarm(bool &hit) {
  state.isArmed = false;
  hit = state.hit;
  return state.count;
}

cambium::test::Pause::Pause() : wasArmed(state.isArmed) {
  state.isArmed = false;
}
cambium::test::Pause::~Pause() { state.isArmed = wasArmed; }

const char *cambium::test::failedOperation() { return state.operation; }
int64_t cambium::test::livePieces() { return live.load(); }

extern "C" {

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *malloc(size_t size) {
  return shallFail("malloc", Kind::Memory) ? refuse()
                                           : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
  return shallFail("calloc", Kind::Memory)
             ? refuse()
             : counted(__libc_calloc(count, size));
}

void *realloc(void *memory, size_t size) {
  if (shallFail("realloc", Kind::Memory))
    return refuse();
  void *result = __libc_realloc(memory, size);
  if (!memory)
    counted(result);
  return result;
}

void *aligned_alloc(size_t alignment, size_t size) {
  return shallFail("aligned_alloc", Kind::Memory)
             ? refuse()
             : counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  if (shallFail("posix_memalign", Kind::Memory))
    return ENOMEM;
  *out = counted(__libc_memalign(alignment, size));
  return *out ? 0 : ENOMEM;
}

void *mmap(void *address, size_t size, int access, int flags, int file,
           off_t offset) noexcept {
  if (shallFail("mmap", Kind::Memory)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  static auto *real =
      next<void *(void *, size_t, int, int, int, off_t)>("mmap");
  return real(address, size, access, flags, file, offset);
}

int mprotect(void *memory, size_t size, int access) noexcept {
  if (shallFail("mprotect", Kind::Memory))
    return refuseFile(-1, ENOMEM);
  static auto *real = next<int(void *, size_t, int)>("mprotect");
  return real(memory, size, access);
}

void free(void *memory) {
  if (memory && !inLoader)
    live.fetch_sub(1);
  __libc_free(memory);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  auto mode = static_cast<mode_t>(flags & O_CREAT ? va_arg(list, int) : 0);
  va_end(list);
  if (shallFail("open", Kind::Other))
    return refuseFile(-1);
  return openat(AT_FDCWD, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
  if (shallFail("fopen", Kind::Other))
    return refuseFile<FILE *>(nullptr);
  Inside inside;
  static auto *real = next<FILE *(const char *, const char *)>("fopen");
  return real(path, mode);
}

size_t fread(void *data, size_t size, size_t count, FILE *stream) {
  if (shallFail("fread", Kind::Other))
    return refuseFile<size_t>(0);
  Inside inside;
  static auto *real = next<size_t(void *, size_t, size_t, FILE *)>("fread");
  return real(data, size, count, stream);
}

int fseek(FILE *stream, long offset, int origin) {
  if (shallFail("fseek", Kind::Other))
    return refuseFile(-1);
  static auto *real = next<int(FILE *, long, int)>("fseek");
  return real(stream, offset, origin);
}

int fstat(int file, struct stat *info) noexcept {
  if (shallFail("fstat", Kind::Other))
    return refuseFile(-1);
  return fstatat(file, "", info, AT_EMPTY_PATH);
}

ssize_t pread(int file, void *data, size_t size, off_t offset) {
  static auto *real = next<ssize_t(int, void *, size_t, off_t)>("pread");
  if (shallFail("pread", Kind::Read)) {
    if (state.failure == Failure::Interrupted)
      return refuseFile<ssize_t>(-1, EINTR);
    if (state.failure == Failure::Short && size > 1)
      return real(file, data, size / 2, offset);
    if (state.failure == Failure::Refused)
      return refuseFile<ssize_t>(-1);
  }
  return real(file, data, size, offset);
}

ssize_t write(int file, const void *data, size_t size) {
  static auto *real = next<ssize_t(int, const void *, size_t)>("write");
  if (shallFail("write", Kind::Write)) {
    if (state.failure == Failure::Interrupted)
      return refuseFile<ssize_t>(-1, EINTR);
    if (state.failure == Failure::Short && size > 1)
      return real(file, data, size / 2);
    if (state.failure == Failure::Full) {
      (void)!real(file, data, size / 2);
      return refuseFile<ssize_t>(-1, ENOSPC);
    }
    if (state.failure == Failure::Refused)
      return refuseFile<ssize_t>(-1);
  }
  return real(file, data, size);
}

off_t lseek(int file, off_t offset, int origin) noexcept {
  static auto *real = next<off_t(int, off_t, int)>("lseek");
  return shallFail("lseek", Kind::Other) ? refuseFile<off_t>(-1)
                                         : real(file, offset, origin);
}

int fsync(int file) {
  static auto *real = next<int(int)>("fsync");
  return shallFail("fsync", Kind::Other) ? refuseFile(-1) : real(file);
}

int close(int file) {
  static auto *real = next<int(int)>("close");
  // Closed all the same, as Linux does it.
  int result = real(file);
  return shallFail("close", Kind::Other) ? refuseFile(-1) : result;
}

int rename(const char *from, const char *to) noexcept {
  static auto *real = next<int(const char *, const char *)>("rename");
  return shallFail("rename", Kind::Other) ? refuseFile(-1) : real(from, to);
}

int unlink(const char *path) noexcept {
  static auto *real = next<int(const char *)>("unlink");
  return shallFail("unlink", Kind::Other) ? refuseFile(-1) : real(path);
}

char *realpath(const char *path, char *out) noexcept {
  if (shallFail("realpath", Kind::Other))
    return refuseFile<char *>(nullptr);
  Inside inside;
  static auto *real = next<char *(const char *, char *)>("realpath");
  return real(path, out);
}

//===----------------------------------------------------------------------===//
// Threads and code
//===----------------------------------------------------------------------===//

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*body)(void *), void *argument) noexcept {
  Dl_info caller;
  bool isRuntime = dladdr(__builtin_return_address(0), &caller) &&
                   std::strstr(caller.dli_fname, "cambium");
  if (isRuntime && shallFail("pthread_create", Kind::Other))
    return EAGAIN;
  // The stacks that the system keeps for later threads are its own.
  Inside inside;
  bool before = inLoader;
  inLoader = true;
  static auto *real =
      next<int(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)>(
          "pthread_create");
  int result = real(thread, attributes, body, argument);
  inLoader = before;
  return result;
}

void *dlopen(const char *path, int flags) noexcept {
  static auto *real = next<void *(const char *, int)>("dlopen");
  // A name that is not there makes a true error text.
  bool fails = shallFail("dlopen", Kind::Other);
  inLoader = true;
  void *library = real(fails ? "/nowhere/refused" : path, flags);
  inLoader = false;
  return library;
}

int dlclose(void *library) noexcept {
  static auto *real = next<int(void *)>("dlclose");
  inLoader = true;
  int result = real(library);
  inLoader = false;
  return result;
}

char *dlerror() noexcept {
  static auto *real = next<char *()>("dlerror");
  inLoader = true;
  char *text = real();
  inLoader = false;
  return text;
}

} // extern "C"

#endif
