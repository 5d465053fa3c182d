//===-- test/Runtime/core/ForestTest.cpp - Trees in level order -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The builder is compared with one that follows the definition in abi.h as
/// naively as possible: recursive heights, sorting, searching.
///
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace cambium::test;

namespace {

using Graph = std::vector<std::vector<int32_t>>; // children of each node

/// The forest of abi.h, from its definition.
struct NaiveForest {
  std::vector<int32_t> level_nodes, child_offsets, child_nodes, edge_parents,
      parent_offsets, parent_edges, node_to_user, user_to_node, edge_to_user,
      roots;

  explicit NaiveForest(const std::vector<Graph> &graphs);

private:
  void findParents();
  void findRoots(const std::vector<int32_t> &firstNode);
};

int32_t naiveHeight(const Graph &graph, int32_t node) {
  int32_t height = 0;
  for (int32_t child : graph[static_cast<size_t>(node)])
    height = std::max(height, naiveHeight(graph, child) + 1);
  return height;
}

NaiveForest::NaiveForest(const std::vector<Graph> &graphs) {
  Graph all;
  std::vector<int32_t> heights, isChild, firstEdge = {0}, firstNode = {0};
  for (const Graph &graph : graphs) {
    for (size_t i = 0; i < graph.size(); ++i) {
      all.push_back(graph[i]);
      for (int32_t &child : all.back())
        child += firstNode.back();
      heights.push_back(naiveHeight(graph, static_cast<int32_t>(i)));
      firstEdge.push_back(firstEdge.back() +
                          static_cast<int32_t>(graph[i].size()));
    }
    firstNode.push_back(static_cast<int32_t>(all.size()));
  }
  auto size = static_cast<int32_t>(all.size());
  node_to_user.resize(all.size());
  std::iota(node_to_user.begin(), node_to_user.end(), 0);
  std::sort(node_to_user.begin(), node_to_user.end(),
            [&](int32_t a, int32_t b) {
              return std::make_pair(heights[static_cast<size_t>(a)], a) <
                     std::make_pair(heights[static_cast<size_t>(b)], b);
            });
  user_to_node.resize(all.size());
  for (int32_t n = 0; n < size; ++n)
    user_to_node[static_cast<size_t>(node_to_user[static_cast<size_t>(n)])] = n;
  for (int32_t n = 0; n < size; ++n) {
    auto user = static_cast<size_t>(node_to_user[static_cast<size_t>(n)]);
    if (n == 0 ||
        heights[user] != heights[static_cast<size_t>(
                             node_to_user[static_cast<size_t>(n - 1)])])
      level_nodes.push_back(n);
    child_offsets.push_back(static_cast<int32_t>(child_nodes.size()));
    for (size_t k = 0; k < all[user].size(); ++k) {
      child_nodes.push_back(user_to_node[static_cast<size_t>(all[user][k])]);
      edge_parents.push_back(n);
      edge_to_user.push_back(firstEdge[user] + static_cast<int32_t>(k));
    }
  }
  level_nodes.push_back(size);
  child_offsets.push_back(static_cast<int32_t>(child_nodes.size()));
  findParents();
  findRoots(firstNode);
}

void NaiveForest::findParents() {
  for (size_t n = 0; n < node_to_user.size(); ++n) {
    parent_offsets.push_back(static_cast<int32_t>(parent_edges.size()));
    for (size_t e = 0; e < child_nodes.size(); ++e)
      if (child_nodes[e] == static_cast<int32_t>(n))
        parent_edges.push_back(static_cast<int32_t>(e));
  }
  parent_offsets.push_back(static_cast<int32_t>(parent_edges.size()));
}

/// The first node of each tree, in the user's order, that has no parent.
void NaiveForest::findRoots(const std::vector<int32_t> &firstNode) {
  for (size_t t = 0; t + 1 < firstNode.size(); ++t)
    for (int32_t u = firstNode[t]; u < firstNode[t + 1]; ++u) {
      auto n = static_cast<size_t>(user_to_node[static_cast<size_t>(u)]);
      if (parent_offsets[n] == parent_offsets[n + 1]) {
        roots.push_back(static_cast<int32_t>(n));
        break;
      }
    }
}

void expectArray(const char *name, const int32_t *actual, int64_t size,
                 const std::vector<int32_t> &expected) {
  EXPECT_EQ(std::vector<int32_t>(actual, actual + size), expected) << name;
}

void expectForest(const cambium_abi_forest_t *forest,
                  const std::vector<Graph> &graphs) {
  ASSERT_NE(forest, nullptr);
  NaiveForest naive(graphs);
  auto nodes = static_cast<int64_t>(naive.node_to_user.size());
  auto edges = static_cast<int64_t>(naive.child_nodes.size());
  ASSERT_EQ(forest->num_nodes, nodes);
  ASSERT_EQ(forest->num_edges, edges);
  ASSERT_EQ(forest->num_levels,
            static_cast<int64_t>(naive.level_nodes.size()) - 1);
  ASSERT_EQ(forest->num_trees, static_cast<int64_t>(graphs.size()));
  expectArray("level_nodes", forest->level_nodes, forest->num_levels + 1,
              naive.level_nodes);
  expectArray("child_offsets", forest->child_offsets, nodes + 1,
              naive.child_offsets);
  expectArray("child_nodes", forest->child_nodes, edges, naive.child_nodes);
  expectArray("edge_parents", forest->edge_parents, edges, naive.edge_parents);
  expectArray("parent_offsets", forest->parent_offsets, nodes + 1,
              naive.parent_offsets);
  expectArray("parent_edges", forest->parent_edges, edges, naive.parent_edges);
  expectArray("node_to_user", forest->node_to_user, nodes, naive.node_to_user);
  expectArray("user_to_node", forest->user_to_node, nodes, naive.user_to_node);
  expectArray("edge_to_user", forest->edge_to_user, edges, naive.edge_to_user);
  expectArray("roots", forest->roots, forest->num_trees, naive.roots);
  int64_t mostNodes = 0, mostEdges = 0;
  for (size_t l = 0; l + 1 < naive.level_nodes.size(); ++l) {
    auto begin = static_cast<size_t>(naive.level_nodes[l]);
    auto end = static_cast<size_t>(naive.level_nodes[l + 1]);
    mostNodes = std::max(mostNodes, static_cast<int64_t>(end - begin));
    mostEdges = std::max<int64_t>(mostEdges, naive.child_offsets[end] -
                                                 naive.child_offsets[begin]);
  }
  EXPECT_EQ(forest->max_level_nodes, mostNodes);
  EXPECT_EQ(forest->max_level_edges, mostEdges);
}

/// Random parents with one root and shuffled numbers, so that parents may come
/// before or after their children.
std::vector<int32_t> randomTree(std::mt19937 &random, int32_t nodes) {
  std::vector<int32_t> names(static_cast<size_t>(nodes));
  std::iota(names.begin(), names.end(), 0);
  std::shuffle(names.begin(), names.end(), random);
  std::vector<int32_t> parents(static_cast<size_t>(nodes), -1);
  // Deep, shallow or in between.
  int32_t window = std::max<int32_t>(
      1, static_cast<int32_t>(random() % static_cast<unsigned>(nodes)));
  for (int32_t i = 1; i < nodes; ++i) {
    int32_t low = random() % 2 ? std::max(0, i - window) : 0;
    auto parent = static_cast<size_t>(
        low + static_cast<int32_t>(random() % static_cast<unsigned>(i - low)));
    parents[static_cast<size_t>(names[static_cast<size_t>(i)])] = names[parent];
  }
  return parents;
}

Graph graphOf(const std::vector<int32_t> &parents) {
  Graph graph(parents.size());
  for (size_t i = 0; i < parents.size(); ++i)
    if (parents[i] >= 0)
      graph[static_cast<size_t>(parents[i])].push_back(static_cast<int32_t>(i));
  return graph;
}

/// Adds edges from parents to deeper nodes, also twice the same, in any order.
void shareChildren(std::mt19937 &random, Graph &graph) {
  std::vector<int32_t> heights;
  for (size_t i = 0; i < graph.size(); ++i)
    heights.push_back(naiveHeight(graph, static_cast<int32_t>(i)));
  for (size_t tries = 0; tries < graph.size(); ++tries) {
    size_t parent = random() % graph.size(), child = random() % graph.size();
    if (heights[child] < heights[parent])
      graph[parent].push_back(static_cast<int32_t>(child));
  }
  for (std::vector<int32_t> &children : graph)
    std::shuffle(children.begin(), children.end(), random);
}

/// Builds from child lists.
cambium_status_t buildFromChildren(cambium_forest_t *forest,
                                   const std::vector<Graph> &graphs) {
  std::vector<int32_t> trees = {0}, offsets = {0}, children;
  for (const Graph &graph : graphs) {
    for (const std::vector<int32_t> &list : graph) {
      children.insert(children.end(), list.begin(), list.end());
      offsets.push_back(static_cast<int32_t>(children.size()));
    }
    trees.push_back(trees.back() + static_cast<int32_t>(graph.size()));
  }
  return cambium_forest_build_from_children(
      forest, nullptr, static_cast<int64_t>(graphs.size()), trees.data(),
      offsets.data(), children.data());
}

} // namespace

/// The two trees ((0 1) 2) and a single node: written out by hand.
TEST(ForestTest, TwoTreesByHand) {
  Forest forest = makeForest();
  EXPECT_EQ(cambium_forest_view(forest.get()), nullptr);
  const int32_t trees[] = {0, 5, 6};
  const int32_t parents[] = {3, 3, 4, 4, -1, -1};
  ASSERT_OK(cambium_forest_build_from_parents(forest.get(), nullptr, 2, trees,
                                              parents));
  const cambium_abi_forest_t *view = cambium_forest_view(forest.get());
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(view->num_levels, 3);
  expectArray("level_nodes", view->level_nodes, 4, {0, 4, 5, 6});
  // Leaves by tree, then by number: 0, 1, 2 of the first, 5 is the second.
  expectArray("node_to_user", view->node_to_user, 6, {0, 1, 2, 5, 3, 4});
  expectArray("child_offsets", view->child_offsets, 7, {0, 0, 0, 0, 0, 2, 4});
  expectArray("child_nodes", view->child_nodes, 4, {0, 1, 2, 4});
  expectArray("edge_parents", view->edge_parents, 4, {4, 4, 5, 5});
  expectArray("parent_offsets", view->parent_offsets, 7, {0, 1, 2, 3, 3, 4, 4});
  expectArray("parent_edges", view->parent_edges, 4, {0, 1, 2, 3});
  expectArray("edge_to_user", view->edge_to_user, 4, {0, 1, 2, 3});
  expectArray("roots", view->roots, 2, {5, 3});
  EXPECT_EQ(view->max_level_nodes, 4);
  EXPECT_EQ(view->max_level_edges, 2);
}

TEST(ForestTest, RandomTreesFromParents) {
  std::mt19937 random = makeGenerator();
  Forest forest = makeForest();
  for (int round = 0; round < 300; ++round) {
    std::vector<int32_t> offsets = {0}, parents;
    std::vector<Graph> graphs;
    for (unsigned t = 0, n = 1 + random() % 6; t < n; ++t) {
      auto tree = randomTree(random, 1 + static_cast<int32_t>(random() % 30));
      parents.insert(parents.end(), tree.begin(), tree.end());
      offsets.push_back(static_cast<int32_t>(parents.size()));
      graphs.push_back(graphOf(tree));
    }
    ASSERT_OK(cambium_forest_build_from_parents(
        forest.get(), nullptr, static_cast<int64_t>(graphs.size()),
        offsets.data(), parents.data()));
    expectForest(cambium_forest_view(forest.get()), graphs);
    if (HasFailure())
      return;
  }
}

TEST(ForestTest, RandomGraphsFromChildren) {
  std::mt19937 random = makeGenerator();
  Forest forest = makeForest();
  for (int round = 0; round < 300; ++round) {
    std::vector<Graph> graphs;
    for (unsigned t = 0, n = 1 + random() % 6; t < n; ++t) {
      graphs.push_back(
          graphOf(randomTree(random, 1 + static_cast<int32_t>(random() % 20))));
      shareChildren(random, graphs.back());
    }
    ASSERT_OK(buildFromChildren(forest.get(), graphs));
    expectForest(cambium_forest_view(forest.get()), graphs);
    if (HasFailure())
      return;
  }
}

/// A node with the same child twice has two edges.
TEST(ForestTest, SameChildTwice) {
  Forest forest = makeForest();
  ASSERT_OK(buildFromChildren(forest.get(), {{{1, 2, 1}, {}, {1}}}));
  expectForest(cambium_forest_view(forest.get()), {{{1, 2, 1}, {}, {1}}});
}

/// Chains forwards and backwards, a star and a comb of a million nodes: linear
/// time, and no recursion that a small stack would end.
TEST(ForestTest, MillionNodes) {
  constexpr int32_t size = 1000000;
  Forest forest = makeForest();
  const int32_t trees[] = {0, size};
  std::vector<int32_t> parents(size);
  auto build = [&](const std::function<int32_t(int32_t)> &parent) {
    for (int32_t i = 0; i < size; ++i)
      parents[static_cast<size_t>(i)] = parent(i);
    EXPECT_OK(cambium_forest_build_from_parents(forest.get(), nullptr, 1, trees,
                                                parents.data()));
    return cambium_forest_view(forest.get());
  };
  const cambium_abi_forest_t *view =
      build([](int32_t i) { return i + 1 < size ? i + 1 : -1; });
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(view->num_levels, size);
  EXPECT_EQ(view->max_level_nodes, 1);
  EXPECT_EQ(view->node_to_user[size - 1], size - 1);
  view = build([](int32_t i) { return i - 1; });
  EXPECT_EQ(view->num_levels, size);
  EXPECT_EQ(view->node_to_user[size - 1], 0);
  EXPECT_EQ(view->roots[0], size - 1);
  view = build([](int32_t i) { return i == 0 ? -1 : 0; });
  EXPECT_EQ(view->num_levels, 2);
  EXPECT_EQ(view->max_level_nodes, size - 1);
  EXPECT_EQ(view->max_level_edges, size - 1);
  view = build([](int32_t i) { return i == 0 ? -1 : i % 2 ? i - 1 : i - 2; });
  EXPECT_EQ(view->num_levels, size / 2 + 1);
}

/// Child lists reach the same size, also with a child that everyone shares.
TEST(ForestTest, MillionNodesFromChildren) {
  constexpr int32_t size = 1000000;
  Graph chain(size);
  for (int32_t i = 0; i + 1 < size; ++i) {
    chain[static_cast<size_t>(i)].push_back(i + 1);
    chain[static_cast<size_t>(i)].push_back(size - 1);
  }
  Forest forest = makeForest();
  ASSERT_OK(buildFromChildren(forest.get(), {chain}));
  const cambium_abi_forest_t *view = cambium_forest_view(forest.get());
  EXPECT_EQ(view->num_levels, size);
  EXPECT_EQ(view->parent_offsets[1],
            size); // one edge from each node, two from the last
}

TEST(ForestTest, SeveralRootsWhenAllowed) {
  Forest forest = makeForest();
  cambium_forest_options_t options = {};
  options.several_roots = true;
  const int32_t trees[] = {0, 4};
  const int32_t parents[] = {1, -1, -1, 2};
  ASSERT_OK(cambium_forest_build_from_parents(forest.get(), &options, 1, trees,
                                              parents));
  const cambium_abi_forest_t *view = cambium_forest_view(forest.get());
  EXPECT_EQ(view->node_to_user[view->roots[0]], 1);
}
