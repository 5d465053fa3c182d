//===-- runtime/core/BatchFinish.cpp - Checking and finishing batches -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Batch.h"

#include <algorithm>

using namespace cambium::runtime;
using State = cambium_batch::State;

//===----------------------------------------------------------------------===//
// Ending an example
//===----------------------------------------------------------------------===//

namespace {

/// All counts of the example at hand.
class ExampleSizes {
public:
  explicit ExampleSizes(cambium_batch &batch)
      : batch(batch), sizes(batch.sizes) {
    for (SpaceSize &size : sizes)
      size = {};
  }

  cambium_status_t check();
  int64_t rows(size_t space) const {
    return sizes[space].rows < 0 ? 0 : sizes[space].rows;
  }

private:
  cambium_status_t meet(SpaceSize &size, int64_t rows, const char *kind,
                        const char *name, const char *unit);
  cambium_status_t checkTree(size_t index);
  cambium_status_t checkInput(size_t index);
  cambium_status_t checkCounts(size_t space);
  cambium_status_t failMissing(const char *kind, const char *name) const {
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "example %lld: %s '%s' was not given",
                static_cast<long long>(batch.numExamples), kind, name);
  }

  const cambium_batch &batch;
  std::vector<SpaceSize> &sizes;
};

cambium_status_t ExampleSizes::meet(SpaceSize &size, int64_t rows,
                                    const char *kind, const char *name,
                                    const char *unit) {
  if (size.rows < 0) {
    size = {rows, name};
    return CAMBIUM_STATUS_OK;
  }
  if (size.rows == rows)
    return CAMBIUM_STATUS_OK;
  return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
              "%s '%s' of example %lld has %lld %s, expected %lld as '%s'",
              kind, name, static_cast<long long>(batch.numExamples),
              static_cast<long long>(rows), unit,
              static_cast<long long>(size.rows), size.source);
}

cambium_status_t ExampleSizes::checkTree(size_t index) {
  const cambium_tree_info_t &info = batch.entry->trees[index];
  const TreeList &trees = batch.trees[index].trees;
  if (trees.numTrees() == batch.numExamples)
    return failMissing("tree", info.name);
  int64_t nodes = trees.numNodes() - trees.nodeOffsets()[batch.numExamples];
  return meet(sizes[static_cast<size_t>(info.space)], nodes, "tree", info.name,
              "nodes");
}

cambium_status_t ExampleSizes::checkInput(size_t index) {
  const cambium_tensor_info_t &info = batch.entry->inputs[index];
  const BatchInput &input = batch.inputs[index];
  if (!input.given)
    return failMissing("input", info.name);
  int64_t rows = input.rows - input.completeRows;
  if (info.edges_of >= 0) {
    const TreeList &trees =
        batch.trees[static_cast<size_t>(info.edges_of)].trees;
    SpaceSize edges = {
        trees.numEdges() - trees.edgeOffsets()[batch.numExamples],
        batch.entry->trees[static_cast<size_t>(info.edges_of)].name};
    if (cambium_status_t status = meet(edges, rows, "input", info.name, "rows"))
      return fail(
          status,
          "input '%s' of example %lld has %lld rows, expected %lld, the "
          "edges of tree '%s'",
          info.name, static_cast<long long>(batch.numExamples),
          static_cast<long long>(rows), static_cast<long long>(edges.rows),
          edges.source);
    return CAMBIUM_STATUS_OK;
  }
  if (info.space < 0)
    return CAMBIUM_STATUS_OK;
  return meet(sizes[static_cast<size_t>(info.space)], rows, "input", info.name,
              "rows");
}

/// The counts of a space with rows of rows: one for each of these, and together
/// as many as its inputs have.
cambium_status_t ExampleSizes::checkCounts(size_t space) {
  const cambium_space_info_t &info = batch.entry->spaces[space];
  const RowCounts &known = batch.rowCounts[space];
  int32_t in = batch.entry->outerSpaces[space];
  if (in < 0)
    return CAMBIUM_STATUS_OK;
  if (!known.given)
    return failMissing("the row counts of space", info.name);
  int64_t sum = 0;
  for (int64_t i = 0; i < known.counts.size(); ++i)
    sum += known.counts.data()[i];
  CAMBIUM_TRY(meet(sizes[space], sum, "the row counts of space", info.name,
                   "rows in all"));
  return meet(sizes[static_cast<size_t>(in)], known.counts.size(),
              "the row counts of space", info.name, "numbers");
}

cambium_status_t ExampleSizes::check() {
  for (size_t i = 0; i < batch.trees.size(); ++i)
    CAMBIUM_TRY(checkTree(i));
  for (size_t i = 0; i < batch.inputs.size(); ++i)
    CAMBIUM_TRY(checkInput(i));
  for (size_t i = 0; i < batch.entry->spaces.size(); ++i)
    CAMBIUM_TRY(checkCounts(i));
  return CAMBIUM_STATUS_OK;
}

} // namespace

static cambium_status_t endExample(cambium_batch &batch) {
  ExampleSizes sizes(batch);
  CAMBIUM_TRY(sizes.check());
  for (size_t i = 0; i < batch.spaceOffsets.size(); ++i) {
    Buffer<int32_t> &offsets = batch.spaceOffsets[i];
    if (!offsets.reserve(offsets.size() + 1 + batch.rowCounts[i].counts.size()))
      return failOutOfMemory("a batch");
  }
  for (size_t i = 0; i < batch.spaceOffsets.size(); ++i) {
    // Fits: what says how many rows there are was checked when it was added.
    Buffer<int32_t> &offsets = batch.spaceOffsets[i];
    RowCounts &inner = batch.rowCounts[i];
    for (int64_t row = 0; inner.given && row < inner.counts.size(); ++row)
      (void)offsets.push(offsets.back() + inner.counts.data()[row]);
    if (!inner.given)
      (void)offsets.push(offsets.back() + static_cast<int32_t>(sizes.rows(i)));
    inner.given = false;
  }
  for (BatchInput &input : batch.inputs) {
    input.completeRows = input.rows;
    input.given = false;
  }
  ++batch.numExamples;
  batch.state = State::Open;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t cambium_batch_end_example(cambium_batch_t *batch) {
  CAMBIUM_CHECK_ARGUMENT(batch);
  if (batch->state != State::InExample)
    return fail(CAMBIUM_STATUS_WRONG_STATE,
                "no example has begun: call cambium_batch_begin_example first");
  cambium_status_t status =
      guarded("a batch", [&] { return endExample(*batch); });
  if (status)
    cambium_batch_abandon_example(batch);
  return status;
}

//===----------------------------------------------------------------------===//
// Finishing
//===----------------------------------------------------------------------===//

cambium_status_t cambium_batch_finish(cambium_batch_t *batch) {
  CAMBIUM_CHECK_ARGUMENT(batch);
  if (batch->state == State::Finished)
    return CAMBIUM_STATUS_OK;
  if (batch->state == State::InExample)
    return fail(CAMBIUM_STATUS_WRONG_STATE,
                "example %lld has begun and not ended",
                static_cast<long long>(batch->numExamples));
  if (batch->numExamples == 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "the batch for entry '%s' is empty: expected at least one "
                "example",
                batch->entry->info.name);
  for (size_t i = 0; i < batch->trees.size(); ++i) {
    BatchTree &tree = batch->trees[i];
    if (!tree.words.resize(tree.trees.numWords()))
      return failOutOfMemory("the trees of a batch");
    tree.trees.order(tree.forest, tree.words.data());
    batch->forests[i] = &tree.forest;
  }
  for (size_t i = 0; i < batch->spaces.size(); ++i) {
    const Buffer<int32_t> &offsets = batch->spaceOffsets[i];
    batch->spaces[i] = {offsets.size() - 1, offsets.back(), offsets.data()};
  }
  for (size_t i = 0; i < batch->inputs.size(); ++i)
    batch->inputData[i] = batch->inputs[i].data.data();
  batch->state = State::Finished;
  return CAMBIUM_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

const cambium_entry_t *cambium_batch_entry(const cambium_batch_t *batch) {
  if (!batch)
    return nullptr;
  return batch->entry;
}

int64_t cambium_batch_num_examples(const cambium_batch_t *batch) {
  if (!batch)
    return 0;
  return batch->numExamples;
}

const int32_t *cambium_batch_space_offsets(const cambium_batch_t *batch,
                                           int64_t space) {
  if (!batch)
    return nullptr;
  if (space < 0 || space >= batch->entry->info.num_spaces)
    return nullptr;
  return batch->spaceOffsets[static_cast<size_t>(space)].data();
}

const int32_t *cambium_batch_edge_offsets(const cambium_batch_t *batch,
                                          int64_t tree) {
  if (!batch)
    return nullptr;
  if (tree < 0 || tree >= batch->entry->info.num_trees)
    return nullptr;
  static const int32_t none[] = {0};
  const int32_t *offsets =
      batch->trees[static_cast<size_t>(tree)].trees.edgeOffsets();
  return offsets ? offsets : none;
}

int64_t cambium_batch::numRows(const cambium_tensor_info_t &tensor) const {
  if (tensor.edges_of >= 0) {
    const int32_t *offsets = cambium_batch_edge_offsets(this, tensor.edges_of);
    return offsets[numExamples];
  }
  if (tensor.space == CAMBIUM_SPACE_CALL)
    return 1;
  if (tensor.space == CAMBIUM_SPACE_EXAMPLE)
    return numExamples;
  return spaceOffsets[static_cast<size_t>(tensor.space)].back();
}

int64_t cambium_batch_output_rows(const cambium_batch_t *batch,
                                  int64_t output) {
  if (!batch)
    return -1;
  const cambium_tensor_info_t *info =
      cambium_entry_output(batch->entry, output);
  return info ? batch->numRows(*info) : -1;
}

int64_t cambium_batch_output_bytes(const cambium_batch_t *batch,
                                   int64_t output) {
  if (!batch)
    return -1;
  const cambium_tensor_info_t *info =
      cambium_entry_output(batch->entry, output);
  return info ? batch->numRows(*info) * info->row_bytes : -1;
}

const struct cambium_abi_forest *
cambium_batch_forest(const cambium_batch_t *batch, int64_t tree) {
  if (!batch)
    return nullptr;
  if (batch->state != State::Finished || tree < 0 ||
      tree >= batch->entry->info.num_trees)
    return nullptr;
  return &batch->trees[static_cast<size_t>(tree)].forest;
}

static bool isSameTensor(const cambium_tensor_info_t &a,
                         const cambium_tensor_info_t &b) {
  return a.type == b.type && a.row_bytes == b.row_bytes && a.rank == b.rank &&
         a.space == b.space && a.edges_of == b.edges_of && a.limit == b.limit &&
         std::strcmp(a.name, b.name) == 0 &&
         std::equal(a.shape, a.shape + a.rank, b.shape);
}

bool cambium::runtime::haveSameInputs(const cambium_entry &a,
                                      const cambium_entry &b) {
  if (&a == &b)
    return true;
  if (a.outerSpaces != b.outerSpaces || a.trees.size() != b.trees.size() ||
      a.inputs.size() != b.inputs.size())
    return false;
  for (size_t i = 0; i < a.trees.size(); ++i) {
    const cambium_tree_info_t &x = a.trees[i], &y = b.trees[i];
    if (x.space != y.space || x.arity != y.arity ||
        x.single_root != y.single_root || std::strcmp(x.name, y.name) != 0)
      return false;
  }
  for (size_t i = 0; i < a.inputs.size(); ++i)
    if (!isSameTensor(a.inputs[i], b.inputs[i]))
      return false;
  return true;
}
