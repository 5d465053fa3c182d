//===-- test/Runtime/core/ForestErrorTest.cpp - Trees that are none -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

using namespace cambium::test;

namespace {

cambium_status_t build(std::vector<int32_t> parents,
                       cambium_forest_options_t options = {}) {
  Forest forest = makeForest();
  const int32_t trees[] = {0, static_cast<int32_t>(parents.size())};
  cambium_status_t status = cambium_forest_build_from_parents(
      forest.get(), &options, 1, trees, parents.data());
  EXPECT_EQ(cambium_forest_view(forest.get()) != nullptr, status == 0);
  return status;
}

cambium_status_t buildChildren(std::vector<int32_t> offsets,
                               std::vector<int32_t> children) {
  Forest forest = makeForest();
  const int32_t trees[] = {0, static_cast<int32_t>(offsets.size()) - 1};
  return cambium_forest_build_from_children(forest.get(), nullptr, 1, trees,
                                            offsets.data(), children.data());
}

} // namespace

TEST(ForestErrorTest, Cycles) {
  EXPECT_ERROR(build({-1, 0, 4, 2, 3}), INVALID_ARGUMENT,
               "tree 0, tree 'tree': nodes 2 -> 3 -> 4 -> 2 form a cycle");
  EXPECT_ERROR(build({0}), INVALID_ARGUMENT,
               "tree 0, tree 'tree': nodes 0 -> 0 form a cycle");
  EXPECT_ERROR(buildChildren({0, 1, 2, 3}, {1, 2, 1}), INVALID_ARGUMENT,
               "tree 0, tree 'tree': nodes 1 -> 2 -> 1 form a cycle");
  // Below a long cycle hangs a chain; above it stands one.
  std::vector<int32_t> parents;
  for (int32_t i = 0; i < 100000; ++i)
    parents.push_back(i + 1);
  parents.push_back(50000);
  EXPECT_ERROR(
      build(parents), INVALID_ARGUMENT,
      "tree 0, tree 'tree': nodes 50000 -> 100000 -> 99999 -> 99998 -> "
      "99997 -> 99996 -> 99995 -> 99994 -> 99993 -> ... (50001 nodes) "
      "form a cycle");
}

/// A cycle through a node with very many children is found in linear time.
TEST(ForestErrorTest, CycleThroughStar) {
  constexpr int32_t size = 1000000;
  std::vector<int32_t> parents(size, 0);
  parents[0] = size - 1;
  EXPECT_ERROR(build(parents), INVALID_ARGUMENT,
               "tree 0, tree 'tree': nodes 0 -> 999999 -> 0 form a cycle");
}

TEST(ForestErrorTest, Roots) {
  EXPECT_ERROR(build({1, -1, -1, 2, -1}), INVALID_ARGUMENT,
               "tree 0, tree 'tree': expected one root, but got 3 (the first "
               "are nodes 1 and 2)");
}

TEST(ForestErrorTest, Indices) {
  EXPECT_ERROR(build({-1, 2}), OUT_OF_RANGE,
               "tree 0, tree 'tree': the parent of node 1 is 2, expected -1 or "
               "a node in [0, 2)");
  EXPECT_ERROR(
      build({-1, -2}), OUT_OF_RANGE,
      "tree 0, tree 'tree': the parent of node 1 is -2, expected -1 or "
      "a node in [0, 2)");
  EXPECT_ERROR(
      buildChildren({0, 1, 1}, {2}), OUT_OF_RANGE,
      "tree 0, tree 'tree': child 0 in the lists is node 2, expected a "
      "node in [0, 2)");
  EXPECT_ERROR(buildChildren({0, 1, 1}, {-1}), OUT_OF_RANGE,
               "tree 0, tree 'tree': child 0 in the lists is node -1, expected "
               "a node in [0, 2)");
  EXPECT_ERROR(buildChildren({0, 1, 0}, {1}), INVALID_ARGUMENT,
               "tree 0, tree 'tree': child offset 2 is 0, expected at least 1, "
               "the one before");
}

TEST(ForestErrorTest, Arity) {
  cambium_forest_options_t options = {};
  options.name = "syntax";
  options.max_arity = 2;
  EXPECT_OK(build({2, 2, -1}, options));
  EXPECT_ERROR(build({3, 3, 3, -1}, options), INVALID_ARGUMENT,
               "tree 0, tree 'syntax': node 3 has 3 children, expected at most "
               "2");
}

TEST(ForestErrorTest, Empty) {
  EXPECT_ERROR(build({}), INVALID_ARGUMENT,
               "tree 0, tree 'tree': expected at least one node, but got 0");
  Forest forest = makeForest();
  const int32_t none[] = {0}, shifted[] = {1, 2}, parents[] = {-1, -1};
  EXPECT_ERROR(cambium_forest_build_from_parents(forest.get(), nullptr, 0, none,
                                                 parents),
               INVALID_ARGUMENT,
               "forest 'tree': expected at least one tree, but got 0");
  EXPECT_ERROR(
      cambium_forest_build_from_parents(forest.get(), nullptr, 1, shifted,
                                        parents),
      INVALID_ARGUMENT,
      "forest 'tree': expected tree offsets that start with 0, but got "
      "1");
  EXPECT_ERROR(cambium_forest_build_from_parents(forest.get(), nullptr, 1,
                                                 nullptr, parents),
               INVALID_ARGUMENT,
               "cambium_forest_build_from_parents: argument 'tree_offsets' is "
               "null");
}

/// The second of two trees is at fault, and a forest can be used after
/// failures.
TEST(ForestErrorTest, UsableAfterFailure) {
  Forest forest = makeForest();
  const int32_t trees[] = {0, 2, 4};
  const int32_t bad[] = {1, -1, 1, 0}, good[] = {1, -1, -1, 0};
  EXPECT_ERROR(
      cambium_forest_build_from_parents(forest.get(), nullptr, 2, trees, bad),
      INVALID_ARGUMENT, "tree 1, tree 'tree': nodes 0 -> 1 -> 0 form a cycle");
  ASSERT_OK(
      cambium_forest_build_from_parents(forest.get(), nullptr, 2, trees, good));
  EXPECT_EQ(cambium_forest_view(forest.get())->num_levels, 2);
}
