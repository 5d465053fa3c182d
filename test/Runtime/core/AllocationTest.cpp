//===-- test/Runtime/core/AllocationTest.cpp - No warm call allocates -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A program of its own, because it counts the allocations of the process.
/// usage: CambiumRuntimeAllocationTest; exits with 0 when all counts are right,
/// with 77 where the allocator cannot be watched.
///
//===----------------------------------------------------------------------===//
#include "cambium/runtime.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
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
  cambium_batch_destroy(batch);
  cambium_session_destroy(session);
  cambium_store_destroy(store);
  cambium_module_destroy(module);
  if (failures)
    std::fprintf(stderr, "error: expected allocations in round 0 only\n");
  return failures ? 1 : 0;
}
#endif
