//===-- runtime/core/Batch.h - Examples of a call ---------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_BATCH_H
#define CAMBIUM_RUNTIME_CORE_BATCH_H

#include "Forest.h"
#include "Module.h"

#include <vector>

namespace cambium::runtime {

/// A tree input: its trees, and in a finished batch their level order.
struct BatchTree {
  TreeList trees;
  Buffer<int32_t> words;
  cambium_abi_forest_t forest = {};
};

/// A tensor input: the rows of all examples.
struct BatchInput {
  Buffer<char> data;
  /// Rows in `data`, and those that belong to complete examples.
  int64_t rows = 0;
  int64_t completeRows = 0;
  /// Whether the example at hand has given its rows.
  bool given = false;
};

/// How many rows a space has in the example at hand, and who said so first.
struct SpaceSize {
  int64_t rows = -1;
  const char *source = nullptr;
};

/// Of a space with rows of rows: how many each row of the example at hand has.
struct RowCounts {
  Buffer<int32_t> counts;
  bool given = false;
};

} // namespace cambium::runtime

struct cambium_batch {
  enum class State { Open, InExample, Finished };

  explicit cambium_batch(const cambium_entry *entry)
      : entry(entry), trees(entry->trees.size()), inputs(entry->inputs.size()),
        spaceOffsets(entry->spaces.size()), sizes(entry->spaces.size()),
        rowCounts(entry->spaces.size()), spaces(entry->spaces.size()),
        forests(entry->trees.size()), inputData(entry->inputs.size()) {
    cambium::runtime::retain(entry->module);
  }
  cambium_batch(const cambium_batch &) = delete;
  cambium_batch &operator=(const cambium_batch &) = delete;
  ~cambium_batch() { cambium::runtime::release(entry->module); }

  const cambium_entry *entry;
  State state = State::Open;
  uint64_t keySeed = 0;
  /// One per complete example, then that of the example at hand.
  cambium::runtime::Buffer<uint64_t> keys;
  int64_t numExamples = 0;
  std::vector<cambium::runtime::BatchTree> trees;
  std::vector<cambium::runtime::BatchInput> inputs;
  /// Per space: first row of each example, or of each row that has its rows.
  std::vector<cambium::runtime::Buffer<int32_t>> spaceOffsets;

  /// Scratch of the example at hand, per space.
  std::vector<cambium::runtime::SpaceSize> sizes;
  std::vector<cambium::runtime::RowCounts> rowCounts;

  // What a call hands to compiled code.
  std::vector<cambium_abi_rows_t> spaces;
  std::vector<const cambium_abi_forest_t *> forests;
  std::vector<const void *> inputData;

  /// The rows of an output of a call with this batch.
  int64_t numRows(const cambium_tensor_info_t &tensor) const;
};

namespace cambium::runtime {

/// Whether batches made for one entry fit the other: the same inputs.
bool haveSameInputs(const cambium_entry &a, const cambium_entry &b);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_BATCH_H
