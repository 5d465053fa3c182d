//===-- test/Runtime/core/RowsOfRowsTest.cpp - Examples that are sets -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

using namespace cambium::test;

namespace {

constexpr const char *kManifest = R"({"abi": 6, "entries": [{"name": "f",
  "spaces": [{"name": "sentences", "of": "rows"},
             {"name": "words", "of": "rows of rows", "in": 0}],
  "inputs": [{"name": "words", "type": "i32", "shape": [], "space": 1},
             {"name": "class", "type": "i32", "shape": [], "space": 0}]}]})";

/// Sentences with words and a class each.
class RowsOfRowsTest : public ::testing::Test {
protected:
  void SetUp() override {
    custom.abi.entries = entries;
    custom.abi.num_entries = 1;
    ASSERT_OK(custom.load(module));
    batch = makeBatch(module.get(), "f");
  }
  cambium_status_t add(std::vector<int32_t> counts, std::vector<int32_t> words,
                       std::vector<int32_t> classes) {
    auto size = [](const auto &list) {
      return static_cast<int64_t>(list.size());
    };
    cambium_status_t status = cambium_batch_begin_example(batch.get(), 0);
    if (!status)
      status = cambium_batch_set_row_counts(batch.get(), 1, size(counts),
                                            counts.data());
    if (!status)
      status = cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I32,
                                       size(words), words.data());
    if (!status)
      status = cambium_batch_set_input(batch.get(), 1, CAMBIUM_TYPE_I32,
                                       size(classes), classes.data());
    return status ? status : cambium_batch_end_example(batch.get());
  }
  static int32_t run(cambium_abi_call_t *call) {
    seen.assign({call->num_examples, call->spaces[0].num_segments,
                 call->spaces[0].num_rows, call->spaces[1].num_segments,
                 call->spaces[1].num_rows});
    return 0;
  }
  static inline std::vector<int64_t> seen;
  const cambium_abi_entry_t entries[1] = {{"f", run}};
  CustomModule custom{kManifest};
  Module module;
  Batch batch;
};

std::vector<int32_t> offsetsOf(const cambium_batch_t *batch, int64_t space,
                               size_t count) {
  const int32_t *offsets = cambium_batch_space_offsets(batch, space);
  return {offsets, offsets + count};
}

} // namespace

TEST_F(RowsOfRowsTest, SegmentsAreRows) {
  const cambium_entry_t *entry = cambium_module_entry(module.get(), 0);
  EXPECT_EQ(cambium_entry_space_in(entry, 0), CAMBIUM_SPACE_EXAMPLE);
  EXPECT_EQ(cambium_entry_space_in(entry, 1), 0);
  EXPECT_EQ(cambium_entry_space_in(entry, 2), CAMBIUM_SPACE_EXAMPLE);
  EXPECT_EQ(cambium_entry_space_in(nullptr, 0), CAMBIUM_SPACE_EXAMPLE);
  ASSERT_OK(add({2, 0, 1}, {7, 8, 9}, {0, 1, 0}));
  ASSERT_OK(add({}, {}, {}));
  ASSERT_OK(add({1}, {5}, {1}));
  ASSERT_OK(cambium_batch_finish(batch.get()));
  EXPECT_EQ(offsetsOf(batch.get(), 0, 4), (std::vector<int32_t>{0, 3, 3, 4}));
  EXPECT_EQ(offsetsOf(batch.get(), 1, 5),
            (std::vector<int32_t>{0, 2, 2, 3, 4}));
  cambium_batch_clear(batch.get());
  ASSERT_OK(add({1}, {5}, {1}));
  EXPECT_EQ(offsetsOf(batch.get(), 1, 2), (std::vector<int32_t>{0, 1}));
}

TEST_F(RowsOfRowsTest, CallsSeeThem) {
  ASSERT_OK(add({2, 0, 1}, {7, 8, 9}, {0, 1, 0}));
  ASSERT_OK(add({1}, {5}, {1}));
  ASSERT_OK(cambium_batch_finish(batch.get()));
  cambium_session_t *session = nullptr;
  ASSERT_OK(cambium_session_create(nullptr, &session));
  cambium_store_t *store = nullptr;
  ASSERT_OK(cambium_store_create(module.get(), nullptr, &store));
  ASSERT_OK(cambium_call(session, cambium_module_entry(module.get(), 0), store,
                         batch.get(), nullptr, 0));
  EXPECT_EQ(seen, (std::vector<int64_t>{2, 2, 4, 4, 4}));
  cambium_store_destroy(store);
  cambium_session_destroy(session);
}

TEST_F(RowsOfRowsTest, CountsMustAgree) {
  EXPECT_ERROR(add({2, 1}, {7, 8}, {0, 1}), INVALID_ARGUMENT,
               "the row counts of space 'words' of example 0 has 3 rows in "
               "all, expected 2 as 'words'");
  EXPECT_ERROR(add({2}, {7, 8}, {0, 1}), INVALID_ARGUMENT,
               "the row counts of space 'words' of example 0 has 1 numbers, "
               "expected 2 as 'class'");
  EXPECT_ERROR(add({-1, 3}, {7, 8}, {0, 1}), OUT_OF_RANGE,
               "space 'words' of example 0: row 0 has -1 rows, expected 0 or "
               "more");
  // Nothing is left of them.
  ASSERT_OK(add({2}, {7, 8}, {0}));
  EXPECT_EQ(offsetsOf(batch.get(), 1, 2), (std::vector<int32_t>{0, 2}));
}

TEST_F(RowsOfRowsTest, ArgumentsMustFit) {
  const int32_t counts[] = {1};
  EXPECT_ERROR(cambium_batch_set_row_counts(nullptr, 1, 1, counts),
               INVALID_ARGUMENT,
               "cambium_batch_set_row_counts: argument 'batch' is null");
  EXPECT_ERROR(cambium_batch_set_row_counts(batch.get(), 1, 1, counts),
               WRONG_STATE,
               "no example has begun: call cambium_batch_begin_example first");
  auto begun = [&](int64_t space, int64_t rows, const int32_t *data) {
    EXPECT_OK(cambium_batch_begin_example(batch.get(), 0));
    return cambium_batch_set_row_counts(batch.get(), space, rows, data);
  };
  EXPECT_ERROR(begun(2, 1, counts), OUT_OF_RANGE,
               "entry 'f' has 2 row spaces, but got index 2");
  EXPECT_ERROR(begun(0, 1, counts), INVALID_ARGUMENT,
               "space 'sentences' of example 0: expected a space with rows of "
               "rows, but got one with rows of examples");
  EXPECT_ERROR(begun(1, 1, nullptr), INVALID_ARGUMENT,
               "space 'words' of example 0: argument 'counts' is null");
  EXPECT_ERROR(begun(1, -1, counts), OUT_OF_RANGE,
               "space 'words' of example 0: expected 0 or more rows, and at "
               "most 2147483647 in a batch, but got -1");
  ASSERT_OK(begun(1, 1, counts));
  EXPECT_ERROR(cambium_batch_set_row_counts(batch.get(), 1, 1, counts),
               WRONG_STATE,
               "space 'words' of example 0: row counts given twice");
  ASSERT_OK(cambium_batch_begin_example(batch.get(), 0));
  const int32_t words[] = {1};
  ASSERT_OK(
      cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I32, 1, words));
  ASSERT_OK(
      cambium_batch_set_input(batch.get(), 1, CAMBIUM_TYPE_I32, 1, words));
  EXPECT_ERROR(cambium_batch_end_example(batch.get()), INVALID_ARGUMENT,
               "example 0: the row counts of space 'words' was not given");
}

TEST(RowsOfRowsManifestTest, MustBeRowsOfExamples) {
  CustomModule custom(R"({"abi": 6, "entries": [{"name": "f", "spaces": [
    {"name": "a", "of": "rows"}, {"name": "b", "of": "rows of rows", "in": 0},
    {"name": "c", "of": "rows of rows", "in": 1}]}]})");
  Module module;
  EXPECT_ERROR(custom.load(module), MALFORMED,
               "manifest of module 'static': entries[0].spaces[2].in: expected "
               "a space with rows of examples, but got \"b\"");
}
