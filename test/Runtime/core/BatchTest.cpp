//===-- test/Runtime/core/BatchTest.cpp - Assembling examples -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <thread>

using namespace cambium::test;

namespace {

/// An example of the entry "sum", complete unless a test takes something away.
struct Example {
  std::vector<int32_t> parents = {2, 2, -1};
  std::vector<int32_t> tokens = {1, 2, 3};
  std::vector<float> vectors = {1, 2, 3, 4};
  std::vector<double> weights = {1, 10};
  std::vector<float> scale = {2};
  std::vector<int64_t> labels = {5, 6};

  cambium_status_t add(cambium_batch_t *batch, uint64_t ordinal = 0) const {
    auto size = [](const auto &list) {
      return static_cast<int64_t>(list.size());
    };
    cambium_status_t status = cambium_batch_begin_example(batch, ordinal);
    if (!status)
      status = cambium_batch_set_tree_parents(batch, 0, size(parents),
                                              parents.data());
    if (!status)
      status = cambium_batch_set_input(batch, 0, CAMBIUM_TYPE_I32, size(tokens),
                                       tokens.data());
    if (!status)
      status = cambium_batch_set_input(batch, 1, CAMBIUM_TYPE_F32,
                                       size(vectors) / 2, vectors.data());
    if (!status)
      status = cambium_batch_set_input(batch, 2, CAMBIUM_TYPE_F64,
                                       size(weights), weights.data());
    if (!status)
      status = cambium_batch_set_input(batch, 3, CAMBIUM_TYPE_F32, size(scale),
                                       scale.data());
    if (!status)
      status = cambium_batch_set_input(batch, 4, CAMBIUM_TYPE_I64, size(labels),
                                       labels.data());
    return status ? status : cambium_batch_end_example(batch);
  }
};

class BatchTest : public ::testing::Test {
protected:
  Module module = fakeModule();
  Batch batch = makeBatch(module.get(), "sum");
};

} // namespace

TEST_F(BatchTest, CountsRows) {
  Example small, large;
  large.parents = {-1, 0, 1, 0};
  large.tokens = {0, 1, 2, 3};
  large.vectors = {1, 1, 1, 1, 1, 1};
  large.weights = {1, 2, 3};
  large.labels = {1, 2, 3};
  ASSERT_OK(small.add(batch.get()));
  ASSERT_OK(large.add(batch.get()));
  EXPECT_EQ(cambium_batch_forest(batch.get(), 0), nullptr);
  ASSERT_OK(cambium_batch_finish(batch.get()));
  ASSERT_OK(cambium_batch_finish(batch.get()));
  EXPECT_EQ(cambium_batch_num_examples(batch.get()), 2);
  const int32_t *nodes = cambium_batch_space_offsets(batch.get(), 0);
  EXPECT_EQ(std::vector<int32_t>(nodes, nodes + 3),
            (std::vector<int32_t>{0, 3, 7}));
  const int32_t *words = cambium_batch_space_offsets(batch.get(), 1);
  EXPECT_EQ(std::vector<int32_t>(words, words + 3),
            (std::vector<int32_t>{0, 2, 5}));
  const int32_t *edges = cambium_batch_edge_offsets(batch.get(), 0);
  EXPECT_EQ(std::vector<int32_t>(edges, edges + 3),
            (std::vector<int32_t>{0, 2, 5}));
  const int64_t rows[] = {7, 2, 2, 5, 1}, bytes[] = {28, 8, 16, 40, 16};
  for (int64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(cambium_batch_output_rows(batch.get(), i), rows[i]) << i;
    EXPECT_EQ(cambium_batch_output_bytes(batch.get(), i), bytes[i]) << i;
  }
  EXPECT_EQ(cambium_batch_output_rows(batch.get(), 5), -1);
  EXPECT_EQ(cambium_batch_output_bytes(batch.get(), -1), -1);
  EXPECT_EQ(cambium_batch_space_offsets(batch.get(), 2), nullptr);
  EXPECT_EQ(cambium_batch_edge_offsets(batch.get(), 1), nullptr);
  EXPECT_EQ(cambium_batch_forest(batch.get(), 1), nullptr);
  const cambium_abi_forest_t *forest = cambium_batch_forest(batch.get(), 0);
  ASSERT_NE(forest, nullptr);
  EXPECT_EQ(forest->num_nodes, 7);
  EXPECT_EQ(forest->num_edges, 5);
  EXPECT_EQ(forest->num_levels, 3);
}

TEST_F(BatchTest, RowsMustAgree) {
  Example example;
  ASSERT_OK(example.add(batch.get()));
  example.tokens.push_back(1);
  EXPECT_ERROR(example.add(batch.get()), INVALID_ARGUMENT,
               "input 'tokens' of example 1 has 4 rows, expected 3 as 'tree'");
  example = {};
  example.weights.push_back(1);
  EXPECT_ERROR(
      example.add(batch.get()), INVALID_ARGUMENT,
      "input 'weights' of example 1 has 3 rows, expected 2 as 'vectors'");
  example = {};
  example.labels.push_back(1);
  EXPECT_ERROR(example.add(batch.get()), INVALID_ARGUMENT,
               "input 'labels' of example 1 has 3 rows, expected 2, the edges "
               "of tree 'tree'");
  example = {};
  example.scale.push_back(1);
  EXPECT_ERROR(example.add(batch.get()), INVALID_ARGUMENT,
               "input 'scale' of example 1 has 2 rows, expected 1");
  EXPECT_EQ(cambium_batch_num_examples(batch.get()), 1);
}

TEST_F(BatchTest, IdsMustBeKnown) {
  Example example;
  example.tokens[1] = 8;
  EXPECT_ERROR(
      example.add(batch.get()), OUT_OF_RANGE,
      "input 'tokens' of example 0: row 1 has the id 8, expected an id "
      "in [0, 8)");
  example.tokens[1] = -1;
  EXPECT_ERROR(example.add(batch.get()), OUT_OF_RANGE,
               "input 'tokens' of example 0: row 1 has the id -1, expected an "
               "id in [0, 8)");
  example = {};
  example.labels[0] = int64_t{1} << 40;
  EXPECT_ERROR(example.add(batch.get()), OUT_OF_RANGE,
               "input 'labels' of example 0: row 0 has the id 1099511627776, "
               "expected an id in [0, 100)");
}

TEST_F(BatchTest, TreesMustBeTrees) {
  Example example;
  ASSERT_OK(example.add(batch.get()));
  example.parents = {1, 0, -1};
  EXPECT_ERROR(example.add(batch.get()), INVALID_ARGUMENT,
               "example 1, tree 'tree': nodes 0 -> 1 -> 0 form a cycle");
  example.parents = {-1, -1, 1};
  EXPECT_ERROR(
      example.add(batch.get()), INVALID_ARGUMENT,
      "example 1, tree 'tree': expected one root, but got 2 (the first "
      "are nodes 0 and 1)");
  example.parents = {-1, 3, 1};
  EXPECT_ERROR(example.add(batch.get()), OUT_OF_RANGE,
               "example 1, tree 'tree': the parent of node 1 is 3, expected -1 "
               "or a node in [0, 3)");
  example.parents = {};
  EXPECT_ERROR(example.add(batch.get()), INVALID_ARGUMENT,
               "example 1, tree 'tree': expected at least one node, but got 0");
  example.parents = {-1, 0, 0, 0, 0};
  EXPECT_ERROR(
      example.add(batch.get()), INVALID_ARGUMENT,
      "example 1, tree 'tree': node 0 has 4 children, expected at most "
      "3");
}

TEST_F(BatchTest, SizesMustFit) {
  ASSERT_OK(cambium_batch_begin_example(batch.get(), 0));
  int32_t one = 0;
  EXPECT_ERROR(cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I32,
                                       int64_t{1} << 40, &one),
               OUT_OF_RANGE,
               "input 'tokens' of example 0: expected at most 2147483647 rows "
               "in a batch, but got more");
  ASSERT_OK(cambium_batch_begin_example(batch.get(), 0));
  EXPECT_ERROR(
      cambium_batch_set_tree_parents(batch.get(), 0, int64_t{1} << 40, &one),
      OUT_OF_RANGE,
      "example 0, tree 'tree': expected at most 2147483647 nodes and "
      "edges in a batch, but got more");
  ASSERT_OK(cambium_batch_begin_example(batch.get(), 0));
  EXPECT_ERROR(
      cambium_batch_set_input(batch.get(), 1, CAMBIUM_TYPE_F32, -1, &one),
      INVALID_ARGUMENT,
      "input 'vectors' of example 0 has -1 rows, expected 0 or more");
}

TEST_F(BatchTest, ArgumentsMustFit) {
  int32_t one = 0;
  auto begin = [&] { ASSERT_OK(cambium_batch_begin_example(batch.get(), 0)); };
  begin();
  EXPECT_ERROR(
      cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I64, 1, &one),
      INVALID_ARGUMENT,
      "input 'tokens' of example 0: expected i32, but got i64");
  begin();
  EXPECT_ERROR(
      cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I32, 1, nullptr),
      INVALID_ARGUMENT, "input 'tokens' of example 0: its data is null");
  begin();
  EXPECT_ERROR(
      cambium_batch_set_input(batch.get(), 5, CAMBIUM_TYPE_I32, 1, &one),
      OUT_OF_RANGE, "entry 'sum' has 5 inputs, but got index 5");
  begin();
  EXPECT_ERROR(cambium_batch_set_tree_parents(batch.get(), 1, 1, &one),
               OUT_OF_RANGE, "entry 'sum' has 1 tree inputs, but got index 1");
  begin();
  EXPECT_ERROR(cambium_batch_set_tree_parents(batch.get(), 0, 1, nullptr),
               INVALID_ARGUMENT,
               "example 0, tree 'tree': argument 'parents' is null");
  begin();
  EXPECT_ERROR(
      cambium_batch_set_tree_children(batch.get(), 0, 1, nullptr, nullptr),
      INVALID_ARGUMENT,
      "example 0, tree 'tree': argument 'child_offsets' is null");
  begin();
  const int32_t offsets[] = {1, 1};
  EXPECT_ERROR(
      cambium_batch_set_tree_children(batch.get(), 0, 1, offsets, nullptr),
      INVALID_ARGUMENT,
      "example 0, tree 'tree': expected child offsets that start with 0, but "
      "got 1");
}

TEST_F(BatchTest, OrderOfCalls) {
  int32_t root = -1;
  EXPECT_ERROR(cambium_batch_set_tree_parents(batch.get(), 0, 1, &root),
               WRONG_STATE,
               "no example has begun: call cambium_batch_begin_example first");
  EXPECT_ERROR(cambium_batch_end_example(batch.get()), WRONG_STATE,
               "no example has begun: call cambium_batch_begin_example first");
  EXPECT_ERROR(cambium_batch_set_example_key(batch.get(), 1), WRONG_STATE,
               "no example has begun: call cambium_batch_begin_example first");
  EXPECT_ERROR(cambium_batch_finish(batch.get()), INVALID_ARGUMENT,
               "the batch for entry 'sum' is empty: expected at least one "
               "example");
  ASSERT_OK(cambium_batch_begin_example(batch.get(), 0));
  EXPECT_ERROR(cambium_batch_begin_example(batch.get(), 0), WRONG_STATE,
               "example 0 has begun and not ended");
  EXPECT_ERROR(cambium_batch_finish(batch.get()), WRONG_STATE,
               "example 0 has begun and not ended");
  EXPECT_ERROR(cambium_batch_end_example(batch.get()), INVALID_ARGUMENT,
               "example 0: tree 'tree' was not given");
  ASSERT_OK(cambium_batch_begin_example(batch.get(), 0));
  ASSERT_OK(cambium_batch_set_tree_parents(batch.get(), 0, 1, &root));
  EXPECT_ERROR(cambium_batch_set_tree_parents(batch.get(), 0, 1, &root),
               WRONG_STATE, "example 0, tree 'tree': given twice");
  ASSERT_OK(cambium_batch_begin_example(batch.get(), 0));
  ASSERT_OK(cambium_batch_set_tree_parents(batch.get(), 0, 1, &root));
  EXPECT_ERROR(cambium_batch_end_example(batch.get()), INVALID_ARGUMENT,
               "example 0: input 'tokens' was not given");
  ASSERT_OK(cambium_batch_begin_example(batch.get(), 0));
  int32_t token = 1;
  ASSERT_OK(
      cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I32, 1, &token));
  EXPECT_ERROR(
      cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I32, 1, &token),
      WRONG_STATE, "input 'tokens' of example 0: given twice");
  ASSERT_OK(Example().add(batch.get()));
  ASSERT_OK(cambium_batch_finish(batch.get()));
  EXPECT_ERROR(cambium_batch_begin_example(batch.get(), 0), WRONG_STATE,
               "the batch is finished: clear it before adding examples");
  cambium_batch_clear(batch.get());
  EXPECT_EQ(cambium_batch_num_examples(batch.get()), 0);
  EXPECT_OK(Example().add(batch.get()));
}

/// A failed or abandoned example leaves no trace among the others.
TEST_F(BatchTest, DroppedExamplesLeaveNothing) {
  Example good, bad;
  bad.parents = {1, 2, 3, -1};
  ASSERT_OK(good.add(batch.get()));
  EXPECT_EQ(bad.add(batch.get()), CAMBIUM_STATUS_INVALID_ARGUMENT);
  ASSERT_OK(cambium_batch_begin_example(batch.get(), 9));
  ASSERT_OK(
      cambium_batch_set_tree_parents(batch.get(), 0, 4, bad.parents.data()));
  cambium_batch_abandon_example(batch.get());
  cambium_batch_abandon_example(batch.get());
  ASSERT_OK(good.add(batch.get()));
  ASSERT_OK(cambium_batch_finish(batch.get()));
  EXPECT_EQ(cambium_batch_num_examples(batch.get()), 2);
  EXPECT_EQ(cambium_batch_forest(batch.get(), 0)->num_nodes, 6);
  EXPECT_EQ(cambium_batch_output_rows(batch.get(), 0), 6);
}

TEST_F(BatchTest, SharedChildren) {
  ASSERT_OK(cambium_batch_begin_example(batch.get(), 0));
  const int32_t offsets[] = {0, 0, 1, 3}, children[] = {0, 1, 0};
  ASSERT_OK(
      cambium_batch_set_tree_children(batch.get(), 0, 3, offsets, children));
  cambium_batch_abandon_example(batch.get());
  Example example;
  example.labels = {1, 2, 3};
  example.parents = {2, 2, -1};
  EXPECT_EQ(example.add(batch.get()), CAMBIUM_STATUS_INVALID_ARGUMENT);
}

/// Another thread may fill a batch while this one does something else.
TEST_F(BatchTest, BuiltOnAnotherThread) {
  std::thread([&] {
    for (int i = 0; i < 100; ++i)
      ASSERT_OK(Example().add(batch.get()));
    ASSERT_OK(cambium_batch_finish(batch.get()));
  }).join();
  EXPECT_EQ(cambium_batch_forest(batch.get(), 0)->num_trees, 100);
}

/// Of a value per call there is one row, however many examples give it.
TEST(BatchPerCallTest, ExamplesAgree) {
  CustomModule custom("{\"abi\": 6, \"entries\": [{\"name\": \"f\", "
                      "\"inputs\": [{\"name\": \"rho\", \"type\": \"f32\", "
                      "\"shape\": [2], \"space\": -2}]}]}");
  const cambium_abi_entry_t entries[] = {
      {"f", [](cambium_abi_call_t *) -> int32_t { return 0; }}};
  custom.abi.entries = entries;
  custom.abi.num_entries = 1;
  Module module;
  ASSERT_OK(custom.load(module));
  Batch batch = makeBatch(module.get(), "f");
  auto add = [&](std::vector<float> rho) {
    cambium_status_t status = cambium_batch_begin_example(batch.get(), 0);
    if (!status)
      status = cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_F32, 1,
                                       rho.data());
    return status ? status : cambium_batch_end_example(batch.get());
  };
  ASSERT_OK(add({1, 2}));
  ASSERT_OK(add({1, 2}));
  EXPECT_ERROR(add({1, 3}), INVALID_ARGUMENT,
               "input 'rho' of example 2: expected the value that the examples "
               "before it have, as it is one per call, but got another");
  EXPECT_EQ(cambium_batch_num_examples(batch.get()), 2);
  ASSERT_OK(cambium_batch_finish(batch.get()));
}
