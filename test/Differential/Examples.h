//===-- test/Differential/Examples.h - Random examples ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_DIFFERENTIAL_EXAMPLES_H
#define CAMBIUM_TEST_DIFFERENTIAL_EXAMPLES_H

#include "Random.h"
#include "cambium/runtime.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <string>

namespace cambium::difftest {

/// The children of each node, in order. A node may be the child of several.
using Children = std::vector<std::vector<int32_t>>;

/// Rows of a tensor input, row-major; integers are exact.
struct InputData {
  int64_t numRows = 0;
  std::vector<double> values;
};

/// One example: what each tree input and each tensor input of an entry holds.
struct ExampleData {
  std::vector<Children> trees;
  std::vector<InputData> inputs;
  /// Of each space whose rows are those of other rows: how many each has.
  std::vector<std::vector<int32_t>> rowCounts;
  uint64_t key = 0;
};

/// Shapes of trees.
enum class TreeShape { Single, Chain, Star, Comb, Any, Graph };

/// A tree of `numNodes` nodes (one if `Single`) in which no node has more than
/// `arity` children (-1: any number). Nodes are numbered in random order.
Children makeTree(TreeShape shape, int64_t numNodes, int64_t arity,
                  Random &random);

/// The number of edges.
int64_t countEdges(const Children &tree);

/// Makes examples for the entries whose inputs are the arguments of a function.
class ExampleMaker {
public:
  ExampleMaker(const cambium_entry_t *entry, mlir::FunctionOpInterface function,
               Random &random);

  /// An example whose trees and sequences have at most `size` rows.
  ExampleData make(int64_t size);
  /// Several.
  std::vector<ExampleData> make(int64_t count, int64_t size);

private:
  /// What integers mean that the manifest does not bound.
  struct Ids {
    int64_t limit = 0;
    bool areParents = false;
    /// They name rows of the example.
    bool areRows = false;
    std::optional<int64_t> ignored;
  };

  void findIds(mlir::FunctionOpInterface function);
  void makeTrees(ExampleData &example, std::vector<int64_t> &rows,
                 int64_t size);
  void countRows(ExampleData &example, std::vector<int64_t> &rows,
                 int64_t size);
  void fill(InputData &input, const cambium_tensor_info_t &info,
            const Ids &ids);

  const cambium_entry_t *entry;
  const cambium_entry_info_t *info;
  Random &random;
  std::vector<Ids> idsOfInputs;
  std::map<int64_t, InputData> perCall;
  int64_t fewestRows = 0;
};

} // namespace cambium::difftest

#endif // CAMBIUM_TEST_DIFFERENTIAL_EXAMPLES_H
