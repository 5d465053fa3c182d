//===-- runtime/core/Services.cpp - What compiled code may call -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Chart.h"
#include "Iterations.h"
#include "Session.h"

using namespace cambium::runtime;

static cambium_session &sessionOf(cambium_abi_call_t *call) {
  return *static_cast<cambium_session *>(call->host);
}

/// Workspace memory; null after an error.
/// Nothing is thrown through compiled code.
template <typename Body>
static void serve(cambium_session &session, Body body) noexcept {
  if (cambium_status_t status = guarded("a service of a call", body))
    session.recordError(status, cambium_last_error());
}

static void *allocateOrFail(cambium_session &session, int64_t bytes) {
  void *memory = nullptr;
  serve(session, [&] {
    std::string message;
    memory = session.arena.allocate(bytes, message);
    if (!memory)
      session.recordError(CAMBIUM_STATUS_OUT_OF_MEMORY, message.c_str());
    return CAMBIUM_STATUS_OK;
  });
  return memory;
}

/// A forest with arrays of `words` words in the workspace; null after an error.
static cambium_abi_forest_t *
allocateForest(cambium_session &session, int64_t words, int32_t *&out_words) {
  auto *forest = static_cast<cambium_abi_forest_t *>(
      allocateOrFail(session, sizeof(cambium_abi_forest_t)));
  if (!forest)
    return nullptr;
  out_words = static_cast<int32_t *>(
      allocateOrFail(session, words * static_cast<int64_t>(sizeof(int32_t))));
  return out_words ? forest : nullptr;
}

static void *serveAllocate(cambium_abi_call_t *call, int64_t bytes) {
  return allocateOrFail(sessionOf(call), bytes);
}

static void serveRelease(cambium_abi_call_t *call, void *memory,
                         int64_t bytes) {
  cambium_session &session = sessionOf(call);
  serve(session, [&] {
    session.arena.release(memory, bytes);
    return CAMBIUM_STATUS_OK;
  });
}

static void serveParallelFor(cambium_abi_call_t *call, cambium_abi_task_fn fn,
                             void *task, int64_t count, int64_t grain) {
  parallelFor(sessionOf(call), fn, task, count, grain);
}

static const cambium_abi_forest_t *serveSequence(cambium_abi_call_t *call,
                                                 const cambium_abi_rows_t *rows,
                                                 int32_t kind) {
  cambium_session &session = sessionOf(call);
  bool isChart = kind == CAMBIUM_ABI_CHART;
  cambium_abi_forest_t *forest = nullptr;
  serve(session, [&] {
    CAMBIUM_TRY(checkRows(*rows, isChart ? "chart" : "chain"));
    cambium_abi_forest_t counts = {};
    if (isChart)
      CAMBIUM_TRY(measureChart(counts, *rows));
    else
      measureChain(counts, *rows);
    int32_t *words = nullptr;
    forest = allocateForest(session, forestWords(counts), words);
    if (!forest)
      return CAMBIUM_STATUS_OK;
    *forest = counts;
    if (isChart)
      orderChart(*forest, words, *rows);
    else
      orderChain(*forest, words, *rows, kind == CAMBIUM_ABI_REVERSED_CHAIN);
    return CAMBIUM_STATUS_OK;
  });
  return forest;
}

static const cambium_abi_forest_t *
serveFromParents(cambium_abi_call_t *call, const cambium_abi_rows_t *rows,
                 const int32_t *parents, int32_t maxArity) {
  cambium_session &session = sessionOf(call);
  TreeList &trees = session.parentTrees;
  TreeRules rules;
  rules.name = "from_parents";
  rules.maxArity = maxArity;
  trees.clear();
  cambium_abi_forest_t *forest = nullptr;
  serve(session, [&] {
    CAMBIUM_TRY(checkRows(*rows, "from_parents"));
    for (int64_t s = 0; s < rows->num_segments; ++s)
      CAMBIUM_TRY(trees.appendParents(rules,
                                      rows->offsets[s + 1] - rows->offsets[s],
                                      parents + rows->offsets[s]));
    int32_t *words = nullptr;
    forest = allocateForest(session, trees.numWords(), words);
    if (forest)
      trees.order(*forest, words);
    return CAMBIUM_STATUS_OK;
  });
  return forest;
}

static const cambium_abi_rows_t *serveGroup(cambium_abi_call_t *call,
                                            const cambium_abi_rows_t *rows,
                                            const int32_t *ids, int64_t count) {
  cambium_session &session = sessionOf(call);
  auto *group = static_cast<cambium_abi_rows_t *>(
      allocateOrFail(session, sizeof(cambium_abi_rows_t)));
  auto *offsets = static_cast<int32_t *>(
      allocateOrFail(session, (rows->num_segments + 1) *
                                  static_cast<int64_t>(sizeof(int32_t))));
  if (!group || !offsets)
    return nullptr;
  groupRows(offsets, *rows, ids, count);
  *group = {rows->num_segments, count, offsets};
  return group;
}

static const cambium_abi_forest_t *
serveIterations(cambium_abi_call_t *call, const int32_t *steps, int64_t count) {
  cambium_session &session = sessionOf(call);
  cambium_abi_forest_t *forest = nullptr;
  serve(session, [&] {
    cambium_abi_forest_t counts = {};
    CAMBIUM_TRY(measureIterations(counts, steps, count));
    int32_t *words = nullptr;
    forest = allocateForest(session, forestWords(counts), words);
    if (forest) {
      *forest = counts;
      orderIterations(*forest, words, steps);
    }
    return CAMBIUM_STATUS_OK;
  });
  return forest;
}

static void serveFail(cambium_abi_call_t *call, int32_t status,
                      const char *message) {
  bool isKnown =
      status > CAMBIUM_STATUS_OK && status <= CAMBIUM_STATUS_DEVICE_ERROR;
  sessionOf(call).recordError(isKnown ? static_cast<cambium_status_t>(status)
                                      : CAMBIUM_STATUS_FAILED,
                              message);
}

const cambium_abi_services_t cambium::runtime::kServices = {
    serveAllocate, serveParallelFor, serveSequence,   serveFromParents,
    serveFail,     serveGroup,       serveIterations, serveRelease};
