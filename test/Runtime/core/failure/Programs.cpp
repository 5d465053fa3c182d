//===-- test/Runtime/core/failure/Programs.cpp - What hosts do ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Programs.h"

#if defined(__GLIBC__) && !defined(CAMBIUM_SANITIZED)

using namespace cambium;
using namespace cambium::test;

static const int32_t kTokens[] = {1, 2, 3, 4}, kParents[] = {-1, 0, 0, 1};
static const float kVectors[] = {1, 2, 3, 4}, kScale[] = {2};
static const double kWeights[] = {1, 2};
static const int64_t kLabels[] = {1, 2, 3};

static cambium_status_t addExample(cambium_batch_t *batch, bool asChildren) {
  TRY(cambium_batch_begin_example(batch, 1));
  TRY(asChildren
          ? cambium_batch_set_tree_children(batch, 0, 4, kOffsets, kChildren)
          : cambium_batch_set_tree_parents(batch, 0, 4, kParents));
  TRY(cambium_batch_set_input(batch, 0, CAMBIUM_TYPE_I32, 4, kTokens));
  TRY(cambium_batch_set_input(batch, 1, CAMBIUM_TYPE_F32, 2, kVectors));
  TRY(cambium_batch_set_input(batch, 2, CAMBIUM_TYPE_F64, 2, kWeights));
  TRY(cambium_batch_set_input(batch, 3, CAMBIUM_TYPE_F32, 1, kScale));
  TRY(cambium_batch_set_input(batch, 4, CAMBIUM_TYPE_I64, 3, kLabels));
  return cambium_batch_end_example(batch);
}

/// Adds until it works, as a host would that waits for memory.
static cambium_status_t addAndTryAgain(cambium_batch_t *batch,
                                       bool asChildren) {
  if (cambium_status_t status = addExample(batch, asChildren)) {
    cambium_batch_abandon_example(batch);
    require(!addExample(batch, asChildren), cambium_last_error());
    return status;
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t test::sum(const World &world, int32_t threads,
                           int32_t *nodes) {
  cambium_session_options_t options = {};
  options.num_threads = threads;
  cambium_session_t *session = nullptr;
  cambium_batch_t *batch = nullptr;
  auto run = [&]() -> cambium_status_t {
    const cambium_entry_t *entry =
        cambium_module_find_entry(world.module, "sum");
    TRY(cambium_session_create(&options, &session));
    TRY(cambium_batch_create(entry, &batch));
    for (int i = 0; i < 3; ++i)
      TRY(addAndTryAgain(batch, i == 1));
    TRY(cambium_batch_finish(batch));
    cambium_buffer_t out = {nodes, 12 * sizeof(int32_t)};
    return cambium_call(session, entry, world.store, batch, &out, 1);
  };
  cambium_status_t status = run();
  cambium_batch_destroy(batch);
  cambium_session_destroy(session);
  return status;
}

cambium_status_t test::train(const World &world, std::string *result) {
  cambium_session_options_t options = {};
  options.num_threads = 1;
  cambium_store_t *store = nullptr;
  cambium_session_t *session = nullptr;
  cambium_batch_t *batch = nullptr;
  auto run = [&]() -> cambium_status_t {
    TRY(cambium_store_create(world.module, nullptr, &store));
    TRY(cambium_session_create(&options, &session));
    const cambium_entry_t *entry = nullptr, *apply = nullptr;
    TRY(cambium_module_find_step(world.module, "train", &entry, &apply));
    TRY(cambium_batch_create(entry, &batch));
    const int32_t row = 3;
    const float target = 2;
    TRY(cambium_batch_begin_example(batch, 0));
    TRY(cambium_batch_set_input(batch, 0, CAMBIUM_TYPE_I32, 1, &row));
    TRY(cambium_batch_set_input(batch, 1, CAMBIUM_TYPE_F32, 1, &target));
    TRY(cambium_batch_end_example(batch));
    TRY(cambium_batch_finish(batch));
    const cambium_learning_rate_t rate = {nullptr, 0.1};
    const std::string before = contentsOf(store);
    if (cambium_status_t status =
            cambium_step(session, store, batch, &rate, 1, nullptr)) {
      require(contentsOf(store) == before, "a failing step changed parameters");
      require(!cambium_step(session, store, batch, &rate, 1, nullptr),
              cambium_last_error());
      *result = contentsOf(store);
      return status;
    }
    *result = contentsOf(store);
    return CAMBIUM_STATUS_OK;
  };
  cambium_status_t status = run();
  cambium_batch_destroy(batch);
  cambium_session_destroy(session);
  cambium_store_destroy(store);
  return status;
}

#endif
