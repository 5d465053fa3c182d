//===-- test/Runtime/core/failure/Programs.h - What hosts do ------------*- C++
//-*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_RUNTIME_FAILURE_PROGRAMS_H
#define CAMBIUM_TEST_RUNTIME_FAILURE_PROGRAMS_H

#include "Harness.h"

#include "cambium/abi.h"

#include <cstdlib>
#include <vector>

extern "C" const cambium_abi_module_t *fake_cambium_module_query(void);

namespace cambium::test {

/// A module and a store for scenarios that begin with them.
struct World {
  cambium_module_t *module = nullptr;
  cambium_store_t *store = nullptr;

  World() {
    if (cambium_module_from_query(fake_cambium_module_query, &module) ||
        cambium_store_create(module, nullptr, &store))
      std::abort();
  }
  ~World() {
    cambium_store_destroy(store);
    cambium_module_destroy(module);
  }
};

/// A tree as child lists.
inline constexpr int32_t kOffsets[] = {0, 2, 3, 3, 3}, kChildren[] = {1, 2, 3};

/// Three trees in a call; the sums at their nodes.
cambium_status_t sum(const World &world, int32_t threads, int32_t *nodes);

/// An entry with one input per example or row, called once.
template <typename T>
cambium_status_t callWith(const World &world, const char *name,
                          cambium_type_t type, const std::vector<T> &values,
                          bool asRows) {
  cambium_session_options_t options = {};
  options.num_threads = 1;
  cambium_session_t *session = nullptr;
  cambium_batch_t *batch = nullptr;
  auto run = [&]() -> cambium_status_t {
    const cambium_entry_t *entry =
        cambium_module_find_entry(world.module, name);
    TRY(cambium_session_create(&options, &session));
    TRY(cambium_batch_create(entry, &batch));
    TRY(cambium_batch_begin_example(batch, 0));
    auto rows = asRows ? static_cast<int64_t>(values.size()) : 1;
    TRY(cambium_batch_set_input(batch, 0, type, rows, values.data()));
    TRY(cambium_batch_end_example(batch));
    TRY(cambium_batch_finish(batch));
    return cambium_call(session, entry, world.store, batch, nullptr, 0);
  };
  cambium_status_t status = run();
  cambium_batch_destroy(batch);
  cambium_session_destroy(session);
  return status;
}

/// One training step of a new store.
cambium_status_t train(const World &world, std::string *result);

} // namespace cambium::test

#endif // CAMBIUM_TEST_RUNTIME_FAILURE_PROGRAMS_H
