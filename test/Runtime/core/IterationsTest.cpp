//===-- IterationsTest.cpp - Rows that iterate, as compiled code asks -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <climits>

using namespace cambium::test;

namespace {

using Numbers = std::vector<int32_t>;

/// A forest as the entry "iterations" writes it.
struct Dump {
  int32_t nodes, edges, levels, trees, maxNodes, maxEdges;
  Numbers levelNodes, childOffsets, childNodes, edgeParents, parentOffsets,
      parentEdges, rowOfNode, userOfEdge, roots;
};

class IterationsTest : public ::testing::Test {
public:
  Module module = fakeModule();
  Store store = makeStore(module.get());

  /// Calls an entry with a number per row; each list is an example.
  cambium_status_t call(const char *name, const std::vector<Numbers> &examples,
                        Numbers &output, int64_t memoryLimit = 0) {
    Batch batch = makeBatch(module.get(), name);
    for (const Numbers &rows : examples) {
      EXPECT_OK(cambium_batch_begin_example(batch.get(), 0));
      EXPECT_OK(cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I32,
                                        static_cast<int64_t>(rows.size()),
                                        rows.data()));
      EXPECT_OK(cambium_batch_end_example(batch.get()));
    }
    EXPECT_OK(cambium_batch_finish(batch.get()));
    int64_t bytes = cambium_batch_output_bytes(batch.get(), 0);
    output.assign(static_cast<size_t>(bytes / 4), -7);
    const cambium_buffer_t buffer = {output.data(), bytes};
    cambium_session_options_t options = {};
    options.num_threads = 1;
    options.memory_limit = memoryLimit;
    Session session = makeSession(options);
    return cambium_call(session.get(),
                        cambium_module_find_entry(module.get(), name),
                        store.get(), batch.get(), &buffer, 1);
  }

  Dump iterations(const Numbers &steps) {
    Numbers words;
    EXPECT_OK(call("iterations", {steps}, words));
    size_t at = 0;
    auto take = [&](int64_t count) {
      auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
      at += static_cast<size_t>(count);
      return Numbers(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    Numbers counts = take(6);
    Dump dump = {counts[0], counts[1], counts[2], counts[3], counts[4],
                 counts[5], {},        {},        {},        {},
                 {},        {},        {},        {},        {}};
    dump.levelNodes = take(dump.levels + 1);
    dump.childOffsets = take(dump.nodes + 1);
    dump.childNodes = take(dump.edges);
    dump.edgeParents = take(dump.edges);
    dump.parentOffsets = take(dump.nodes + 1);
    dump.parentEdges = take(dump.edges);
    dump.rowOfNode = take(dump.nodes);
    dump.userOfEdge = take(dump.edges);
    dump.roots = take(dump.trees);
    EXPECT_EQ(words[at], -1) << "more was written than there is";
    return dump;
  }
};

} // namespace

/// Rows 0 and 2 stop after one iteration, row 1 after three:
///   level 0: nodes 0 1 2 of rows 0 1 2;  level 1: 3 4 5 of rows 0 1 2;
///   level 2: 6 of row 1;  level 3: 7 of row 1.
TEST_F(IterationsTest, Forest) {
  Dump f = iterations({1, 3, 1});
  EXPECT_EQ(f.nodes, 8);
  EXPECT_EQ(f.edges, 5);
  EXPECT_EQ(f.levels, 4);
  EXPECT_EQ(f.trees, 3);
  EXPECT_EQ(f.maxNodes, 3);
  EXPECT_EQ(f.maxEdges, 3);
  EXPECT_EQ(f.levelNodes, (Numbers{0, 3, 6, 7, 8}));
  EXPECT_EQ(f.childOffsets, (Numbers{0, 0, 0, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(f.childNodes, (Numbers{0, 1, 2, 4, 6}));
  EXPECT_EQ(f.edgeParents, (Numbers{3, 4, 5, 6, 7}));
  EXPECT_EQ(f.parentOffsets, (Numbers{0, 1, 2, 3, 3, 4, 4, 5, 5}));
  EXPECT_EQ(f.parentEdges, (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(f.rowOfNode, (Numbers{0, 1, 2, 0, 1, 2, 1, 1}));
  EXPECT_EQ(f.userOfEdge, (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(f.roots, (Numbers{3, 7, 5}));
}

TEST_F(IterationsTest, OneRow) {
  Dump f = iterations({2});
  EXPECT_EQ(f.levelNodes, (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(f.childNodes, (Numbers{0, 1}));
  EXPECT_EQ(f.rowOfNode, (Numbers{0, 0, 0}));
  EXPECT_EQ(f.roots, (Numbers{2}));
}

/// A row that has not begun is its initial node.
TEST_F(IterationsTest, RowsThatDoNotBegin) {
  Dump f = iterations({0, 2, 0});
  EXPECT_EQ(f.nodes, 5);
  EXPECT_EQ(f.levels, 3);
  EXPECT_EQ(f.levelNodes, (Numbers{0, 3, 4, 5}));
  EXPECT_EQ(f.childNodes, (Numbers{1, 3}));
  EXPECT_EQ(f.rowOfNode, (Numbers{0, 1, 2, 1, 1}));
  EXPECT_EQ(f.roots, (Numbers{0, 4, 2}));
  f = iterations({0, 0});
  EXPECT_EQ(f.nodes, 2);
  EXPECT_EQ(f.edges, 0);
  EXPECT_EQ(f.levelNodes, (Numbers{0, 2}));
  EXPECT_EQ(f.roots, (Numbers{0, 1}));
}

TEST_F(IterationsTest, NoRows) {
  Dump f = iterations({});
  EXPECT_EQ(f.nodes, 0);
  EXPECT_EQ(f.edges, 0);
  EXPECT_EQ(f.levels, 0);
  EXPECT_EQ(f.trees, 0);
  EXPECT_EQ(f.maxNodes, 0);
  EXPECT_EQ(f.levelNodes, (Numbers{0}));
  EXPECT_EQ(f.childOffsets, (Numbers{0}));
  EXPECT_EQ(f.parentOffsets, (Numbers{0}));
}

/// Against what the comment in abi.h says of every forest, for many numbers of
/// iterations.
TEST_F(IterationsTest, EveryNodeHasItsPlace) {
  for (int32_t pattern = 0; pattern < 256; ++pattern) {
    Numbers steps = {pattern % 4, pattern / 4 % 4, pattern / 16 % 4,
                     pattern / 64};
    Dump f = iterations(steps);
    Numbers seen(4, 0);
    for (int32_t n = 0; n < f.nodes; ++n) {
      auto node = static_cast<size_t>(n);
      auto row = static_cast<size_t>(f.rowOfNode[node]);
      int32_t level = seen[row]++;
      EXPECT_LE(f.levelNodes[static_cast<size_t>(level)], n);
      EXPECT_GT(f.levelNodes[static_cast<size_t>(level) + 1], n);
      int32_t edge = f.childOffsets[node];
      ASSERT_EQ(f.childOffsets[node + 1] - edge, level > 0);
      if (level == 0)
        continue;
      int32_t child = f.childNodes[static_cast<size_t>(edge)];
      EXPECT_EQ(f.rowOfNode[static_cast<size_t>(child)], f.rowOfNode[node]);
      EXPECT_EQ(f.edgeParents[static_cast<size_t>(edge)], n);
    }
    for (size_t row = 0; row < 4; ++row) {
      EXPECT_EQ(seen[row], steps[row] + 1);
      EXPECT_EQ(f.rowOfNode[static_cast<size_t>(f.roots[row])],
                static_cast<int32_t>(row));
    }
  }
}

TEST_F(IterationsTest, Errors) {
  Numbers words;
  EXPECT_ERROR(call("iterations", {{2, 1}, {-1}}, words), INVALID_ARGUMENT,
               "entry 'iterations': iterations: expected no negative number "
               "of iterations, but row 2 has -1");
  EXPECT_ERROR(call("iterations", {{-3}}, words), INVALID_ARGUMENT,
               "entry 'iterations': iterations: expected no negative number "
               "of iterations, but row 0 has -3");
  EXPECT_ERROR(call("iterations", {{INT32_MAX, 1}}, words), OUT_OF_RANGE,
               "entry 'iterations': iterations: expected at most 2147483645 "
               "iterations of all 2 rows together, but got 2147483648");
  EXPECT_ERROR(call("iterations", {{INT32_MAX}}, words), OUT_OF_RANGE,
               "entry 'iterations': iterations: expected at most 2147483646 "
               "iterations of all 1 rows together, but got 2147483647");
  // The most that can be numbered is only too much for the memory.
  EXPECT_ERROR_PART(call("iterations", {{INT32_MAX - 1}}, words, 1 << 20),
                    OUT_OF_MEMORY, "out of workspace memory");
}

TEST_F(IterationsTest, Group) {
  Numbers sizes;
  ASSERT_OK(call("group", {{1, 0, 1}, {}, {0, 0}, {1}, {}}, sizes));
  EXPECT_EQ(sizes, (Numbers{2, 0, 0, 1, 0}));
  ASSERT_OK(call("group", {{}, {}}, sizes));
  EXPECT_EQ(sizes, (Numbers{0, 0}));
  ASSERT_OK(call("group", {{0, 0}, {0}}, sizes));
  EXPECT_EQ(sizes, (Numbers{0, 0}));
  ASSERT_OK(call("group", {{1, 1}, {1, 1, 1}}, sizes));
  EXPECT_EQ(sizes, (Numbers{2, 3}));
  EXPECT_ERROR_PART(call("group", {Numbers(1000, 1)}, sizes, 1000),
                    OUT_OF_MEMORY, "out of workspace memory");
}
