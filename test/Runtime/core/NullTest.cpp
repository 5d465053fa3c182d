//===-- test/Runtime/core/NullTest.cpp - Null for each pointer ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every function of runtime.h with null in every position of a pointer, the
/// others being right. What needs the pointer answers with a status or with
/// nothing; what does not, works.
///
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <regex>
#include <set>

using namespace cambium::test;

namespace {

/// Right arguments for everything.
struct NullTest : testing::Test {
  Module module = fakeModule();
  Store store = makeStore(module.get());
  Session session = makeSession();
  Batch batch = makeBatch(module.get(), "memory");
  Forest forest = makeForest();
  const cambium_entry_t *memory =
      cambium_module_find_entry(module.get(), "memory");
  const cambium_entry_t *accumulate =
      cambium_module_find_entry(module.get(), "train.accumulate");
  const cambium_entry_t *apply =
      cambium_module_find_entry(module.get(), "train.apply");
};

/// The status, and a text that says which argument.
#define EXPECT_NULL_REFUSED(call)                                              \
  EXPECT_ERROR_PART(call, INVALID_ARGUMENT, "null")

} // namespace

TEST_F(NullTest, Modules) {
  cambium_module_t *made = nullptr;
  EXPECT_NULL_REFUSED(cambium_module_load(nullptr, &made));
  EXPECT_NULL_REFUSED(cambium_module_load("x", nullptr));
  EXPECT_NULL_REFUSED(cambium_module_from_query(nullptr, &made));
  EXPECT_NULL_REFUSED(cambium_module_from_query(
      []() -> const cambium_abi_module * { return nullptr; }, nullptr));
  cambium_module_destroy(nullptr);
  EXPECT_STREQ(cambium_module_manifest(nullptr), "");
  EXPECT_STREQ(cambium_module_cpu(nullptr), "");
  EXPECT_STREQ(cambium_module_cpu_features(nullptr), "");
  EXPECT_EQ(cambium_module_num_entries(nullptr), 0);
  EXPECT_EQ(cambium_module_entry(nullptr, 0), nullptr);
  EXPECT_EQ(cambium_module_find_entry(nullptr, "sum"), nullptr);
  EXPECT_EQ(cambium_module_find_entry(module.get(), nullptr), nullptr);
  const cambium_entry_t *a = nullptr, *b = nullptr;
  EXPECT_NULL_REFUSED(cambium_module_find_step(nullptr, "train", &a, &b));
  EXPECT_OK(cambium_module_find_step(module.get(), nullptr, &a, &b));
  EXPECT_OK(cambium_module_find_step(module.get(), "train", nullptr, nullptr));
  EXPECT_EQ(cambium_module_num_parameters(nullptr), 0);
  EXPECT_EQ(cambium_module_parameter(nullptr, 0), nullptr);
  EXPECT_EQ(cambium_module_find_parameter(nullptr, "w"), -1);
  EXPECT_EQ(cambium_module_find_parameter(module.get(), nullptr), -1);
}

TEST_F(NullTest, Entries) {
  EXPECT_EQ(cambium_entry_info(nullptr), nullptr);
  EXPECT_EQ(cambium_entry_module(nullptr), nullptr);
  EXPECT_EQ(cambium_entry_space(nullptr, 0), nullptr);
  EXPECT_EQ(cambium_entry_space_in(nullptr, 0), CAMBIUM_SPACE_EXAMPLE);
  EXPECT_EQ(cambium_entry_tree(nullptr, 0), nullptr);
  EXPECT_EQ(cambium_entry_input(nullptr, 0), nullptr);
  EXPECT_EQ(cambium_entry_output(nullptr, 0), nullptr);
  EXPECT_EQ(cambium_entry_scalar(nullptr, 0), nullptr);
  for (const cambium_entry_t *entry : {memory, (const cambium_entry_t *)0}) {
    EXPECT_EQ(cambium_entry_find_tree(entry, entry ? nullptr : "x"), -1);
    EXPECT_EQ(cambium_entry_find_input(entry, entry ? nullptr : "x"), -1);
    EXPECT_EQ(cambium_entry_find_output(entry, entry ? nullptr : "x"), -1);
  }
}

TEST_F(NullTest, Batches) {
  cambium_batch_t *made = nullptr;
  const int32_t parents[] = {-1}, offsets[] = {0, 0};
  const int64_t bytes = 8;
  EXPECT_NULL_REFUSED(cambium_batch_create(nullptr, &made));
  EXPECT_NULL_REFUSED(cambium_batch_create(memory, nullptr));
  cambium_batch_destroy(nullptr);
  cambium_batch_clear(nullptr);
  cambium_batch_set_key_seed(nullptr, 1);
  cambium_batch_abandon_example(nullptr);
  EXPECT_NULL_REFUSED(cambium_batch_begin_example(nullptr, 0));
  EXPECT_NULL_REFUSED(cambium_batch_set_example_key(nullptr, 1));
  EXPECT_NULL_REFUSED(cambium_batch_set_tree_parents(nullptr, 0, 1, parents));
  EXPECT_NULL_REFUSED(
      cambium_batch_set_tree_children(nullptr, 0, 1, offsets, parents));
  EXPECT_NULL_REFUSED(
      cambium_batch_set_input(nullptr, 0, CAMBIUM_TYPE_I64, 1, &bytes));
  EXPECT_NULL_REFUSED(cambium_batch_set_row_counts(nullptr, 0, 1, parents));
  EXPECT_NULL_REFUSED(cambium_batch_end_example(nullptr));
  EXPECT_NULL_REFUSED(cambium_batch_finish(nullptr));
  Batch trees = makeBatch(module.get(), "sum");
  auto begin = [](const Batch &batch) {
    return cambium_batch_begin_example(batch.get(), 0);
  };
  EXPECT_OK(begin(trees));
  EXPECT_NULL_REFUSED(
      cambium_batch_set_tree_parents(trees.get(), 0, 1, nullptr));
  EXPECT_OK(begin(trees));
  EXPECT_NULL_REFUSED(
      cambium_batch_set_tree_children(trees.get(), 0, 1, nullptr, parents));
  EXPECT_OK(begin(trees));
  EXPECT_OK(
      cambium_batch_set_tree_children(trees.get(), 0, 1, offsets, nullptr));
  EXPECT_OK(begin(batch));
  EXPECT_NULL_REFUSED(
      cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I64, 1, nullptr));
  EXPECT_EQ(cambium_batch_entry(nullptr), nullptr);
  EXPECT_EQ(cambium_batch_num_examples(nullptr), 0);
  EXPECT_EQ(cambium_batch_space_offsets(nullptr, 0), nullptr);
  EXPECT_EQ(cambium_batch_edge_offsets(nullptr, 0), nullptr);
  EXPECT_EQ(cambium_batch_output_rows(nullptr, 0), -1);
  EXPECT_EQ(cambium_batch_output_bytes(nullptr, 0), -1);
  EXPECT_EQ(cambium_batch_forest(nullptr, 0), nullptr);
}

TEST_F(NullTest, Stores) {
  cambium_store_t *made = nullptr;
  EXPECT_NULL_REFUSED(cambium_store_create(nullptr, nullptr, &made));
  EXPECT_NULL_REFUSED(cambium_store_create(module.get(), nullptr, nullptr));
  EXPECT_NULL_REFUSED(cambium_store_create_for_calls(nullptr, nullptr, &made));
  EXPECT_NULL_REFUSED(
      cambium_store_create_for_calls(module.get(), nullptr, nullptr));
  EXPECT_OK(cambium_store_create(module.get(), nullptr, &made));
  cambium_store_destroy(made);
  cambium_store_destroy(nullptr);
  EXPECT_EQ(cambium_store_module(nullptr), nullptr);
  EXPECT_EQ(cambium_store_value(nullptr, 0), nullptr);
  const float number = 1;
  EXPECT_NULL_REFUSED(
      cambium_store_set_value(nullptr, 1, CAMBIUM_TYPE_F32, 1, &number));
  EXPECT_NULL_REFUSED(
      cambium_store_set_value(store.get(), 1, CAMBIUM_TYPE_F32, 3, nullptr));
  EXPECT_EQ(cambium_store_gradient(nullptr, 0), nullptr);
  EXPECT_EQ(cambium_store_state(nullptr, 0, 0), nullptr);
  EXPECT_EQ(cambium_store_state_elements(nullptr, 0, 0), 0);
  const int32_t *rows = nullptr;
  EXPECT_EQ(cambium_store_touched_rows(nullptr, 0, &rows), 0);
  EXPECT_EQ(cambium_store_touched_rows(store.get(), 0, nullptr), 0);
  EXPECT_NULL_REFUSED(cambium_store_prepare_training(nullptr));
  cambium_store_clear_gradients(nullptr);
  EXPECT_EQ(cambium_store_step_count(nullptr, "train"), -1);
  EXPECT_EQ(cambium_store_step_count(store.get(), nullptr), 0);
  EXPECT_NULL_REFUSED(cambium_store_set_step_count(nullptr, "train", 1));
  EXPECT_OK(cambium_store_set_step_count(store.get(), nullptr, 0));
  EXPECT_NULL_REFUSED(cambium_store_set_metadata(nullptr, "k", "v"));
  EXPECT_NULL_REFUSED(cambium_store_set_metadata(store.get(), nullptr, "v"));
  EXPECT_OK(cambium_store_set_metadata(store.get(), "k", nullptr));
  EXPECT_EQ(cambium_store_metadata(nullptr, "k"), nullptr);
  EXPECT_EQ(cambium_store_metadata(store.get(), nullptr), nullptr);
  EXPECT_EQ(cambium_store_num_metadata(nullptr), 0);
  EXPECT_EQ(cambium_store_metadata_key(nullptr, 0), nullptr);
  EXPECT_NULL_REFUSED(cambium_store_save(nullptr, "x", 0));
  EXPECT_NULL_REFUSED(cambium_store_save(store.get(), nullptr, 0));
  EXPECT_NULL_REFUSED(cambium_store_load(nullptr, "x", 0));
  EXPECT_NULL_REFUSED(cambium_store_load(store.get(), nullptr, 0));
}

TEST_F(NullTest, Calls) {
  cambium_session_t *made = nullptr;
  EXPECT_NULL_REFUSED(cambium_session_create(nullptr, nullptr));
  EXPECT_OK(cambium_session_create(nullptr, &made));
  cambium_session_destroy(made);
  cambium_session_destroy(nullptr);
  EXPECT_EQ(cambium_session_num_threads(nullptr), 0);
  EXPECT_EQ(cambium_session_memory_held(nullptr), 0);
  EXPECT_EQ(cambium_session_memory_peak(nullptr), 0);
  cambium_session_trim(nullptr);
  cambium_session_t *ours = session.get();
  cambium_store_t *values = store.get();
  cambium_batch_t *examples = batch.get();
  Batch training = makeBatch(module.get(), "train.accumulate");
  cambium_batch_t *steps = training.get();
  const cambium_learning_rate_t rate = {nullptr, 0.1};
  EXPECT_NULL_REFUSED(
      cambium_call(nullptr, memory, values, examples, nullptr, 0));
  EXPECT_NULL_REFUSED(
      cambium_call(ours, nullptr, values, examples, nullptr, 0));
  EXPECT_NULL_REFUSED(
      cambium_call(ours, memory, nullptr, examples, nullptr, 0));
  EXPECT_NULL_REFUSED(cambium_call(ours, memory, values, nullptr, nullptr, 0));
  EXPECT_NULL_REFUSED(cambium_call(ours, memory, values, examples, nullptr, 1));
  EXPECT_NULL_REFUSED(cambium_step_accumulate(nullptr, accumulate, values,
                                              examples, nullptr, 0, nullptr));
  EXPECT_NULL_REFUSED(cambium_step_accumulate(ours, nullptr, values, examples,
                                              nullptr, 0, nullptr));
  EXPECT_NULL_REFUSED(cambium_step_accumulate(ours, accumulate, nullptr,
                                              examples, nullptr, 0, nullptr));
  EXPECT_NULL_REFUSED(cambium_step_accumulate(ours, accumulate, values, nullptr,
                                              nullptr, 0, nullptr));
  EXPECT_NULL_REFUSED(cambium_step_accumulate(ours, accumulate, values,
                                              examples, nullptr, 1, nullptr));
  EXPECT_NULL_REFUSED(cambium_step_apply(nullptr, apply, values, &rate, 1, 1));
  EXPECT_NULL_REFUSED(cambium_step_apply(ours, nullptr, values, &rate, 1, 1));
  EXPECT_NULL_REFUSED(cambium_step_apply(ours, apply, nullptr, &rate, 1, 1));
  EXPECT_NULL_REFUSED(cambium_step(nullptr, values, steps, &rate, 1, 0));
  EXPECT_NULL_REFUSED(cambium_step(ours, nullptr, steps, &rate, 1, 0));
  EXPECT_NULL_REFUSED(cambium_step(ours, values, nullptr, &rate, 1, 0));
  EXPECT_NULL_REFUSED(cambium_step(ours, values, steps, nullptr, 1, 0));
}

TEST_F(NullTest, Forests) {
  const int32_t trees[] = {0, 1}, parents[] = {-1}, offsets[] = {0, 0};
  EXPECT_NULL_REFUSED(cambium_forest_create(nullptr));
  cambium_forest_destroy(nullptr);
  EXPECT_EQ(cambium_forest_view(nullptr), nullptr);
  cambium_forest_t *ours = forest.get();
  EXPECT_NULL_REFUSED(
      cambium_forest_build_from_parents(nullptr, nullptr, 1, trees, parents));
  EXPECT_NULL_REFUSED(
      cambium_forest_build_from_parents(ours, nullptr, 1, nullptr, parents));
  EXPECT_NULL_REFUSED(
      cambium_forest_build_from_parents(ours, nullptr, 1, trees, nullptr));
  EXPECT_NULL_REFUSED(cambium_forest_build_from_children(
      nullptr, nullptr, 1, trees, offsets, parents));
  EXPECT_NULL_REFUSED(cambium_forest_build_from_children(
      ours, nullptr, 1, nullptr, offsets, parents));
  EXPECT_NULL_REFUSED(cambium_forest_build_from_children(
      ours, nullptr, 1, trees, nullptr, parents));
  EXPECT_OK(cambium_forest_build_from_children(ours, nullptr, 1, trees, offsets,
                                               nullptr));
}

TEST_F(NullTest, OthersAndInitializers) {
  const cambium_init_t init = {CAMBIUM_INIT_ZEROS, 0, 0, nullptr, nullptr};
  const int64_t shape[] = {1};
  float out[1] = {1};
  auto draw = [&](const cambium_init_t *what, const char *name,
                  const int64_t *sizes, void *data) {
    return cambium_initialize(what, 1, name, CAMBIUM_TYPE_F32, 1, sizes, data);
  };
  EXPECT_OK(draw(&init, "w", shape, out));
  EXPECT_NULL_REFUSED(draw(nullptr, "w", shape, out));
  EXPECT_NULL_REFUSED(draw(&init, nullptr, shape, out));
  EXPECT_NULL_REFUSED(draw(&init, "w", nullptr, out));
  EXPECT_NULL_REFUSED(draw(&init, "w", shape, nullptr));
  cambium_set_logger(nullptr, nullptr, CAMBIUM_LOG_ERROR);
}

/// A function that is new stands above too.
TEST(NullTestItself, NamesEveryFunction) {
  const std::string folder = CAMBIUM_TEST_SOURCES;
  const std::string includes = folder + "/../../runtime/include/cambium/";
  std::string header;
  for (const char *part :
       {"status", "module", "batch", "store", "session", "forest"})
    header += readFile(includes + part + ".h");
  const std::string here = readFile(folder + "/core/NullTest.cpp");
  const std::set<std::string> withoutPointers = {
      "cambium_abi_version", "cambium_last_error", "cambium_mix",
      "cambium_status_name", "cambium_type_name",  "cambium_type_size",
      "cambium_uniform",     "cambium_version"};
  const std::regex declaration(
      R"(CAMBIUM_API[^;()]*?\b(cambium_[a-z_]+)\s*\()");
  int found = 0;
  for (auto match =
           std::sregex_iterator(header.begin(), header.end(), declaration);
       match != std::sregex_iterator(); ++match, ++found)
    EXPECT_TRUE(withoutPointers.count((*match)[1]) ||
                here.find((*match)[1].str() + "(") != std::string::npos)
        << (*match)[1];
  EXPECT_GT(found, 70);
}
