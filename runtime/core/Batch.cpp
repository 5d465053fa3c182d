//===-- runtime/core/Batch.cpp - Assembling examples ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Batch.h"
#include "Random.h"

#include <cstring>
#include <new>

using namespace cambium::runtime;
using State = cambium_batch::State;

//===----------------------------------------------------------------------===//
// Life of a batch
//===----------------------------------------------------------------------===//

cambium_status_t cambium_batch_create(const cambium_entry_t *entry,
                                      cambium_batch_t **out_batch) {
  CAMBIUM_CHECK_ARGUMENT(out_batch);
  *out_batch = nullptr;
  CAMBIUM_CHECK_ARGUMENT(entry);
  cambium_batch *batch = nullptr;
  CAMBIUM_TRY(guarded("a batch", [&] {
    batch = new cambium_batch(entry);
    return CAMBIUM_STATUS_OK;
  }));
  bool ok = true;
  for (size_t i = 0; ok && i < batch->spaceOffsets.size(); ++i)
    ok = batch->spaceOffsets[i].push(0);
  // Inputs without rows still have an address.
  for (size_t i = 0; ok && i < batch->inputs.size(); ++i)
    ok = batch->inputs[i].data.reserve(kAlignment);
  if (!ok) {
    delete batch;
    return failOutOfMemory("a batch");
  }
  *out_batch = batch;
  return CAMBIUM_STATUS_OK;
}

void cambium_batch_destroy(cambium_batch_t *batch) { delete batch; }

void cambium_batch_clear(cambium_batch_t *batch) {
  if (!batch)
    return;
  batch->state = State::Open;
  batch->numExamples = 0;
  batch->keys.clear();
  for (BatchTree &tree : batch->trees)
    tree.trees.clear();
  for (BatchInput &input : batch->inputs) {
    input.data.clear();
    input.rows = input.completeRows = 0;
    input.given = false;
  }
  for (RowCounts &space : batch->rowCounts)
    space.given = false;
  for (Buffer<int32_t> &offsets : batch->spaceOffsets)
    offsets.truncate(1);
}

void cambium_batch_set_key_seed(cambium_batch_t *batch, uint64_t seed) {
  if (!batch)
    return;
  batch->keySeed = seed;
}

cambium_status_t cambium_batch_begin_example(cambium_batch_t *batch,
                                             uint64_t ordinal) {
  CAMBIUM_CHECK_ARGUMENT(batch);
  if (batch->state == State::Finished)
    return fail(CAMBIUM_STATUS_WRONG_STATE,
                "the batch is finished: clear it before adding examples");
  if (batch->state == State::InExample)
    return fail(CAMBIUM_STATUS_WRONG_STATE,
                "example %lld has begun and not ended",
                static_cast<long long>(batch->numExamples));
  if (batch->numExamples >= kMaxRows)
    return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                "expected at most %lld examples in a batch",
                static_cast<long long>(kMaxRows));
  if (!batch->keys.push(mix(batch->keySeed, ordinal)))
    return failOutOfMemory("a batch");
  batch->state = State::InExample;
  return CAMBIUM_STATUS_OK;
}

void cambium_batch_abandon_example(cambium_batch_t *batch) {
  if (!batch || batch->state != State::InExample)
    return;
  for (BatchTree &tree : batch->trees)
    tree.trees.truncate(batch->numExamples);
  for (size_t i = 0; i < batch->inputs.size(); ++i) {
    BatchInput &input = batch->inputs[i];
    input.rows = input.completeRows;
    input.data.truncate(input.rows * batch->entry->inputs[i].row_bytes);
    input.given = false;
  }
  for (RowCounts &space : batch->rowCounts)
    space.given = false;
  batch->keys.truncate(batch->numExamples);
  batch->state = State::Open;
}

/// Drops the example at hand when a part of it cannot be added.
template <typename Part>
static cambium_status_t addPart(cambium_batch_t *batch, Part part) {
  cambium_status_t status = guarded("a batch", part);
  if (status)
    cambium_batch_abandon_example(batch);
  return status;
}

static cambium_status_t requireExample(const cambium_batch_t *batch) {
  if (batch->state == State::InExample)
    return CAMBIUM_STATUS_OK;
  return fail(CAMBIUM_STATUS_WRONG_STATE,
              "no example has begun: call cambium_batch_begin_example first");
}

cambium_status_t cambium_batch_set_example_key(cambium_batch_t *batch,
                                               uint64_t key) {
  CAMBIUM_CHECK_ARGUMENT(batch);
  CAMBIUM_TRY(requireExample(batch));
  batch->keys.back() = key;
  return CAMBIUM_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// Parts of an example
//===----------------------------------------------------------------------===//

/// Finds the tree input and adds a tree with `append(list, rules)`.
template <typename Append>
static cambium_status_t setTree(cambium_batch_t *batch, int64_t tree,
                                Append append) {
  if (tree < 0 || tree >= batch->entry->info.num_trees)
    return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                "entry '%s' has %lld tree inputs, but got index %lld",
                batch->entry->info.name,
                static_cast<long long>(batch->entry->info.num_trees),
                static_cast<long long>(tree));
  auto index = static_cast<size_t>(tree);
  const cambium_tree_info_t &info = batch->entry->trees[index];
  TreeList &list = batch->trees[index].trees;
  if (list.numTrees() > batch->numExamples)
    return fail(CAMBIUM_STATUS_WRONG_STATE,
                "example %lld, tree '%s': given twice",
                static_cast<long long>(batch->numExamples), info.name);
  TreeRules rules;
  rules.name = info.name;
  rules.maxArity = info.arity;
  rules.severalRoots = !info.single_root;
  return append(list, rules);
}

cambium_status_t cambium_batch_set_tree_parents(cambium_batch_t *batch,
                                                int64_t tree, int64_t num_nodes,
                                                const int32_t *parents) {
  CAMBIUM_CHECK_ARGUMENT(batch);
  CAMBIUM_TRY(requireExample(batch));
  auto append = [&](TreeList &list, const TreeRules &rules) {
    return list.appendParents(rules, num_nodes, parents);
  };
  return addPart(batch, [&] { return setTree(batch, tree, append); });
}

cambium_status_t cambium_batch_set_tree_children(cambium_batch_t *batch,
                                                 int64_t tree,
                                                 int64_t num_nodes,
                                                 const int32_t *child_offsets,
                                                 const int32_t *child_nodes) {
  CAMBIUM_CHECK_ARGUMENT(batch);
  CAMBIUM_TRY(requireExample(batch));
  auto append = [&](TreeList &list, const TreeRules &rules) {
    if (num_nodes > 0 && child_offsets && child_offsets[0] != 0)
      return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                  "example %lld, tree '%s': expected child offsets that start "
                  "with 0, but got %d",
                  static_cast<long long>(batch->numExamples), rules.name,
                  child_offsets[0]);
    return list.appendChildren(rules, num_nodes, child_offsets, child_nodes);
  };
  return addPart(batch, [&] { return setTree(batch, tree, append); });
}

/// Every id is in [0, limit).
template <typename T>
static cambium_status_t checkIds(const cambium_batch_t *batch,
                                 const cambium_tensor_info_t &info,
                                 const T *ids, int64_t rows) {
  int64_t perRow = info.row_bytes / static_cast<int64_t>(sizeof(T));
  int64_t count = rows * perRow;
  bool inside = true;
  for (int64_t i = 0; i < count; ++i)
    inside &= ids[i] >= 0 && ids[i] < info.limit;
  if (inside)
    return CAMBIUM_STATUS_OK;
  int64_t bad = 0;
  while (ids[bad] >= 0 && ids[bad] < info.limit)
    ++bad;
  return fail(
      CAMBIUM_STATUS_OUT_OF_RANGE,
      "input '%s' of example %lld: row %lld has the id %lld, expected an "
      "id in [0, %lld)",
      info.name, static_cast<long long>(batch->numExamples),
      static_cast<long long>(bad / perRow), static_cast<long long>(ids[bad]),
      static_cast<long long>(info.limit));
}

/// Whether the arguments of set_input make sense together.
static cambium_status_t checkInput(const cambium_batch_t *batch,
                                   const cambium_tensor_info_t &info,
                                   const BatchInput &input, cambium_type_t type,
                                   int64_t rows, const void *data) {
  auto example = static_cast<long long>(batch->numExamples);
  if (input.given)
    return fail(CAMBIUM_STATUS_WRONG_STATE,
                "input '%s' of example %lld: given twice", info.name, example);
  if (type != info.type)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "input '%s' of example %lld: expected %s, but got %s",
                info.name, example, cambium_type_name(info.type),
                cambium_type_name(type));
  bool isPerExample = info.space < 0 && info.edges_of < 0;
  if (rows < 0 || (isPerExample && rows != 1))
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "input '%s' of example %lld has %lld rows, expected %s",
                info.name, example, static_cast<long long>(rows),
                isPerExample ? "1" : "0 or more");
  if (rows > kMaxRows - input.rows)
    return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                "input '%s' of example %lld: expected at most %lld rows in a "
                "batch, but got more",
                info.name, example, static_cast<long long>(kMaxRows));
  if (!data && rows > 0 && info.row_bytes > 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "input '%s' of example %lld: its data is null", info.name,
                example);
  return CAMBIUM_STATUS_OK;
}

/// A value per call that an example before has given.
static cambium_status_t setAgain(const cambium_batch_t *batch,
                                 const cambium_tensor_info_t &info,
                                 BatchInput &input, const void *data) {
  auto bytes = static_cast<size_t>(info.row_bytes);
  if (bytes > 0 && std::memcmp(input.data.data(), data, bytes) != 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "input '%s' of example %lld: expected the value that the "
                "examples before it have, as it is one per call, but got "
                "another",
                info.name, static_cast<long long>(batch->numExamples));
  input.given = true;
  return CAMBIUM_STATUS_OK;
}

static cambium_status_t setInput(cambium_batch_t *batch, int64_t index,
                                 cambium_type_t type, int64_t rows,
                                 const void *data) {
  if (index < 0 || index >= batch->entry->info.num_inputs)
    return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                "entry '%s' has %lld inputs, but got index %lld",
                batch->entry->info.name,
                static_cast<long long>(batch->entry->info.num_inputs),
                static_cast<long long>(index));
  const cambium_tensor_info_t &info =
      batch->entry->inputs[static_cast<size_t>(index)];
  BatchInput &input = batch->inputs[static_cast<size_t>(index)];
  CAMBIUM_TRY(checkInput(batch, info, input, type, rows, data));
  if (info.space == CAMBIUM_SPACE_CALL && input.rows > 0)
    return setAgain(batch, info, input, data);
  if (info.limit > 0 && info.type == CAMBIUM_TYPE_I32)
    CAMBIUM_TRY(
        checkIds(batch, info, static_cast<const int32_t *>(data), rows));
  if (info.limit > 0 && info.type == CAMBIUM_TYPE_I64)
    CAMBIUM_TRY(
        checkIds(batch, info, static_cast<const int64_t *>(data), rows));
  // Rows and row sizes are bounded, but not their product.
  int64_t bytes = 0;
  if (__builtin_mul_overflow(rows, info.row_bytes, &bytes) ||
      bytes > (int64_t{1} << 60) ||
      !input.data.append(static_cast<const char *>(data), bytes))
    return failOutOfMemory("the inputs of a batch");
  input.rows += rows;
  input.given = true;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t cambium_batch_set_input(cambium_batch_t *batch, int64_t input,
                                         cambium_type_t type, int64_t num_rows,
                                         const void *data) {
  CAMBIUM_CHECK_ARGUMENT(batch);
  CAMBIUM_TRY(requireExample(batch));
  return addPart(batch,
                 [&] { return setInput(batch, input, type, num_rows, data); });
}

/// Whether the counts make sense for the space.
static cambium_status_t checkCounts(const cambium_batch_t *batch,
                                    const cambium_space_info_t &info,
                                    int32_t in, int64_t rows,
                                    const int32_t *counts) {
  auto example = static_cast<long long>(batch->numExamples);
  if (in < 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "space '%s' of example %lld: expected a space with rows of "
                "rows, but got one with rows of examples",
                info.name, example);
  int64_t before = batch->spaceOffsets[static_cast<size_t>(in)].back();
  if (rows < 0 || rows > kMaxRows - before)
    return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                "space '%s' of example %lld: expected 0 or more rows, and at "
                "most %lld in a batch, but got %lld",
                info.name, example, static_cast<long long>(kMaxRows),
                static_cast<long long>(rows));
  if (!counts && rows > 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "space '%s' of example %lld: argument 'counts' is null",
                info.name, example);
  for (int64_t i = 0; i < rows; ++i)
    if (counts[i] < 0)
      return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                  "space '%s' of example %lld: row %lld has %d rows, expected "
                  "0 or more",
                  info.name, example, static_cast<long long>(i), counts[i]);
  return CAMBIUM_STATUS_OK;
}

static cambium_status_t setRowCounts(cambium_batch_t *batch, int64_t space,
                                     int64_t rows, const int32_t *counts) {
  if (space < 0 || space >= batch->entry->info.num_spaces)
    return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                "entry '%s' has %lld row spaces, but got index %lld",
                batch->entry->info.name,
                static_cast<long long>(batch->entry->info.num_spaces),
                static_cast<long long>(space));
  const cambium_space_info_t &info =
      batch->entry->spaces[static_cast<size_t>(space)];
  RowCounts &known = batch->rowCounts[static_cast<size_t>(space)];
  if (known.given)
    return fail(CAMBIUM_STATUS_WRONG_STATE,
                "space '%s' of example %lld: row counts given twice", info.name,
                static_cast<long long>(batch->numExamples));
  CAMBIUM_TRY(checkCounts(
      batch, info, cambium_entry_space_in(batch->entry, space), rows, counts));
  known.counts.clear();
  if (!known.counts.append(counts, rows))
    return failOutOfMemory("a batch");
  known.given = true;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t cambium_batch_set_row_counts(cambium_batch_t *batch,
                                              int64_t space, int64_t num_rows,
                                              const int32_t *counts) {
  CAMBIUM_CHECK_ARGUMENT(batch);
  CAMBIUM_TRY(requireExample(batch));
  return addPart(batch,
                 [&] { return setRowCounts(batch, space, num_rows, counts); });
}
