//===-- RandomExamples.h - Random examples for an entry -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_COMPARE_RANDOMEXAMPLES
#define CAMBIUM_TEST_COMPARE_RANDOMEXAMPLES

#include "Record.h"
#include "cambium/runtime.h"
#include "dialects/Train/Interpret/FiniteDifferences.h"
#include <map>
#include <random>
#include <string>

namespace cambium {

/// Makes examples that fit an entry, for the interpreter and for a batch.
class ExampleMaker {
public:
  /// `shape` is random, chain, star, comb or single.
  /// With `emptyRows` a row space may be empty; trees never are.
  ExampleMaker(const cambium_entry_t *entry, std::string shape,
               int64_t maxNodes, bool emptyRows, uint64_t seed, Record &record)
      : entry(entry), shape(std::move(shape)), maxNodes(maxNodes),
        emptyRows(emptyRows), random(seed), record(record) {}

  /// Adds an example to the batch and to the record; its arguments are in the
  /// order of `function`. Prints what is wrong and gives false on an error.
  bool add(cambium_batch_t *batch, mlir::FunctionOpInterface function,
           Example &example);

private:
  std::vector<int64_t> makeParents(int64_t arity);
  Tensor makeTensor(const cambium_tensor_info_t &info, int64_t rows);
  bool setRowCounts(cambium_batch_t *batch, std::vector<int64_t> &rows);
  RuntimeValue asValue(const cambium_tensor_info_t &info, Tensor tensor);
  bool setInput(cambium_batch_t *batch, int64_t input, int64_t rows,
                const Tensor &tensor);

  const cambium_entry_t *entry;
  std::string shape;
  int64_t maxNodes;
  bool emptyRows;
  std::mt19937_64 random;
  Record &record;
  std::map<int64_t, Tensor> perCall;
  /// Of each space with rows of rows, how many each row of the example has.
  std::map<int64_t, std::vector<int32_t>> rowCounts;
};

} // namespace cambium

#endif // CAMBIUM_TEST_COMPARE_RANDOMEXAMPLES
