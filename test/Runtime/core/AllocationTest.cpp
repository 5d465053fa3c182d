//===-- test/Runtime/core/AllocationTest.cpp - No warm call allocates -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A program of its own, because it counts the allocations of the process, and
/// the pages that it touches for the first time.
/// usage: CambiumRuntimeAllocationTest; exits with 0 when all counts are right,
/// with 77 where the allocator cannot be watched.
///
//===----------------------------------------------------------------------===//
#include "cambium/runtime.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAMBIUM_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CAMBIUM_SANITIZED 1
#endif
#endif

extern "C" const struct cambium_abi_module *fake_cambium_module_query(void);

#if !defined(__GLIBC__) || defined(CAMBIUM_SANITIZED)
int main() {
  std::puts("skipped: the allocator cannot be watched here");
  return 77;
}
#else

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
}

static std::atomic<int64_t> allocations{0};

// The functions that all of the process allocates with.
extern "C" void *malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
extern "C" void *calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
extern "C" void *realloc(void *memory, size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
extern "C" void *aligned_alloc(size_t alignment, size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}

namespace {

void check(cambium_status_t status) {
  if (!status)
    return;
  std::fprintf(stderr, "error: %s\n", cambium_last_error());
  std::exit(1);
}

/// Fills a batch of the entry "sum" with `examples` trees of `size` nodes.
void fill(cambium_batch_t *batch, int examples, int32_t size,
          const std::vector<int32_t> &parents,
          const std::vector<int32_t> &tokens,
          const std::vector<int64_t> &labels) {
  const float scale = 1, vectors[] = {1, 2};
  const double weight = 1;
  cambium_batch_clear(batch);
  for (int i = 0; i < examples; ++i) {
    check(cambium_batch_begin_example(batch, 0));
    check(cambium_batch_set_tree_parents(batch, 0, size, parents.data()));
    check(cambium_batch_set_input(batch, 0, CAMBIUM_TYPE_I32, size,
                                  tokens.data()));
    check(cambium_batch_set_input(batch, 1, CAMBIUM_TYPE_F32, 1, vectors));
    check(cambium_batch_set_input(batch, 2, CAMBIUM_TYPE_F64, 1, &weight));
    check(cambium_batch_set_input(batch, 3, CAMBIUM_TYPE_F32, 1, &scale));
    check(cambium_batch_set_input(batch, 4, CAMBIUM_TYPE_I64, size - 1,
                                  labels.data()));
    check(cambium_batch_end_example(batch));
  }
  check(cambium_batch_finish(batch));
}

/// Runs the entry "reuse" on arrays of `size` and more bytes, of which some
/// take the place of others; returns how many pages the call touched first.
int64_t touchedBy(cambium_session_t *session, const cambium_store_t *store,
                  const cambium_entry_t *entry, int64_t size) {
  cambium_batch_t *batch = nullptr;
  check(cambium_batch_create(entry, &batch));
  // Numbers below 0 release what the order before them, from 1, gave.
  for (int64_t order : {size, 2 * size, int64_t{-1}, 3 * size, int64_t{-2},
                        size, int64_t{-4}, 16 * size, 2 * size}) {
    check(cambium_batch_begin_example(batch, 0));
    check(cambium_batch_set_input(batch, 0, CAMBIUM_TYPE_I64, 1, &order));
    check(cambium_batch_end_example(batch));
  }
  check(cambium_batch_finish(batch));
  rusage before = {}, after = {};
  getrusage(RUSAGE_SELF, &before);
  check(cambium_call(session, entry, store, batch, nullptr, 0));
  getrusage(RUSAGE_SELF, &after);
  cambium_batch_destroy(batch);
  return after.ru_minflt - before.ru_minflt;
}

/// Calls that are not larger than one before touch no page for the first time,
/// whether arrays have regions of their own or not.
int countTouched(cambium_module_t *module, const cambium_store_t *store,
                 int64_t size) {
  // The system may take single pages away at any time.
  constexpr int64_t kStray = 16;
  const cambium_entry_t *entry = cambium_module_find_entry(module, "reuse");
  cambium_session_t *session = nullptr;
  check(cambium_session_create(nullptr, &session));
  int failures = 0;
  for (int64_t percent : {100, 100, 60, 97, 30, 100, 80}) {
    int64_t touched = touchedBy(session, store, entry, size * percent / 100);
    std::printf("%lld %% of %lld bytes: %lld pages\n",
                static_cast<long long>(percent), static_cast<long long>(size),
                static_cast<long long>(touched));
    failures += touched > kStray;
  }
  cambium_session_destroy(session);
  // The first call must count something, or the watching is broken.
  return failures == 1 ? 0 : 1;
}

} // namespace

int main() {
  cambium_module_t *module = nullptr;
  cambium_store_t *store = nullptr;
  cambium_session_t *session = nullptr;
  cambium_batch_t *batch = nullptr;
  cambium_session_options_t options = {};
  options.num_threads = 2;
  check(cambium_module_from_query(fake_cambium_module_query, &module));
  check(cambium_store_create(module, nullptr, &store));
  check(cambium_session_create(&options, &session));
  const cambium_entry_t *sum = cambium_module_find_entry(module, "sum");
  check(cambium_batch_create(sum, &batch));

  constexpr int32_t size = 50;
  std::vector<int32_t> parents(size), tokens(size, 3);
  std::vector<int64_t> labels(size, 7);
  for (int32_t i = 0; i < size; ++i)
    parents[static_cast<size_t>(i)] = (i + 2) / 3 - 1;
  int failures = 0;
  for (int round = 0; round < 4; ++round) {
    int64_t before = allocations;
    fill(batch, 100 - round, size, parents, tokens, labels);
    int64_t filled = allocations;
    check(cambium_call(session, sum, store, batch, nullptr, 0));
    int64_t called = allocations;
    std::printf("round %d: %lld allocations to fill, %lld to call\n", round,
                static_cast<long long>(filled - before),
                static_cast<long long>(called - filled));
    // The first round must count something, or the watching is broken.
    if (round == 0 ? filled == before || called == filled : called != before)
      ++failures;
  }
  if (failures)
    std::fprintf(stderr, "error: expected allocations in round 0 only\n");
  for (int64_t bytes : {100 << 10, 1 << 20, 4 << 20}) {
    int wrong = countTouched(module, store, bytes);
    if (wrong)
      std::fprintf(stderr, "error: expected pages in the first call only\n");
    failures += wrong;
  }
  cambium_batch_destroy(batch);
  cambium_session_destroy(session);
  cambium_store_destroy(store);
  cambium_module_destroy(module);
  return failures ? 1 : 0;
}
#endif
