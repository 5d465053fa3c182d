//===-- RandomExamples.cpp - Random examples for an entry -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RandomExamples.h"
#include "cambium/Interpreter/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cambium;

static bool check(cambium_status_t status) {
  if (status == CAMBIUM_STATUS_OK)
    return true;
  llvm::errs() << "error: " << cambium_last_error() << "\n";
  return false;
}

/// Each node's parent comes before it, -1 for node 0; at most `arity` children.
std::vector<int64_t> ExampleMaker::makeParents(int64_t arity) {
  int64_t nodes =
      shape == "single" ? 1 : 1 + static_cast<int64_t>(random() % maxNodes);
  std::vector<int64_t> parents{-1}, counts(nodes, 0);
  for (int64_t i = 1; i < nodes; ++i) {
    int64_t parent = static_cast<int64_t>(random() % i);
    if (shape == "chain")
      parent = i - 1;
    else if (shape == "star")
      parent = 0;
    else if (shape == "comb")
      parent = i % 2 ? i - 1 : std::max<int64_t>(i - 2, 0);
    while (arity >= 0 && counts[parent] >= arity)
      parent = parent + 1 < i ? parent + 1 : 0;
    ++counts[parent];
    parents.push_back(parent);
  }
  return parents;
}

Tensor ExampleMaker::makeTensor(const cambium_tensor_info_t &info,
                                int64_t rows) {
  llvm::SmallVector<int64_t> dims;
  if (info.space >= 0 || info.edges_of >= 0)
    dims.push_back(rows);
  dims.append(info.shape, info.shape + info.rank);
  if (info.type == CAMBIUM_TYPE_I32 || info.type == CAMBIUM_TYPE_I64) {
    Tensor tensor = Tensor::ints(dims);
    int64_t limit = info.limit ? info.limit : 2;
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.i(i) = static_cast<int64_t>(random() % limit);
    return tensor;
  }
  Tensor tensor = Tensor::floats(dims);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.f(i) = uniform(random);
  return tensor;
}

bool ExampleMaker::setInput(cambium_batch_t *batch, int64_t input, int64_t rows,
                            const Tensor &tensor) {
  const cambium_tensor_info_t &info = *cambium_entry_input(entry, input);
  auto set = [&](auto zero) {
    std::vector<decltype(zero)> data;
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      data.push_back(tensor.isFloat() ? tensor.f(i) : tensor.i(i));
    record.addInput(input, info.type, rows, data.data(),
                    static_cast<int64_t>(data.size()));
    return check(
        cambium_batch_set_input(batch, input, info.type, rows, data.data()));
  };
  switch (info.type) {
  case CAMBIUM_TYPE_F32:
    return set(float());
  case CAMBIUM_TYPE_F64:
    return set(double());
  case CAMBIUM_TYPE_I32:
    return set(int32_t());
  case CAMBIUM_TYPE_I64:
    return set(int64_t());
  default:
    llvm::errs() << "error: input '" << info.name
                 << "' has a type without random values\n";
    return false;
  }
}

/// Draws how many rows each row has, where rows have rows.
bool ExampleMaker::setRowCounts(cambium_batch_t *batch,
                                std::vector<int64_t> &rows) {
  for (int64_t space = 0; space < static_cast<int64_t>(rows.size()); ++space) {
    int32_t in = cambium_entry_space_in(entry, space);
    if (in < 0)
      continue;
    std::vector<int32_t> &counts = rowCounts[space];
    counts.clear();
    rows[space] = 0;
    for (int64_t row = 0; row < rows[in]; ++row) {
      counts.push_back(!emptyRows + static_cast<int32_t>(random() % maxNodes));
      rows[space] += counts.back();
    }
    if (!check(cambium_batch_set_row_counts(batch, space, rows[in],
                                            counts.data())))
      return false;
  }
  return true;
}

/// As the interpreter takes it: rows that have rows are values of their own.
RuntimeValue ExampleMaker::asValue(const cambium_tensor_info_t &info,
                                   Tensor tensor) {
  auto counts = rowCounts.find(info.space);
  if (counts == rowCounts.end())
    return tensor;
  std::vector<RuntimeValue> rows;
  int64_t size = tensor.getSize(1, tensor.getRank()), first = 0;
  for (int32_t count : counts->second) {
    SmallVector<int64_t> dims(tensor.getShape());
    dims[0] = count;
    Tensor row = tensor.zeros(dims);
    row.copy(0, tensor, first * size, count * size);
    first += count;
    rows.push_back(std::move(row));
  }
  return rows;
}

bool ExampleMaker::add(cambium_batch_t *batch, FunctionOpInterface function,
                       Example &example) {
  uint64_t ordinal = random();
  if (!check(cambium_batch_begin_example(batch, ordinal)) ||
      !check(cambium_batch_set_example_key(batch, ordinal)))
    return false;
  example.key = ordinal;
  record.addKey(ordinal);
  const cambium_entry_info_t &info = *cambium_entry_info(entry);
  std::vector<int64_t> rows, edges;
  for (int64_t i = 0; i < info.num_spaces; ++i)
    rows.push_back(!emptyRows + static_cast<int64_t>(random() % maxNodes));
  std::map<std::string, RuntimeValue> values;
  for (int64_t t = 0; t < info.num_trees; ++t) {
    const cambium_tree_info_t &tree = *cambium_entry_tree(entry, t);
    std::vector<int64_t> parents = makeParents(tree.arity);
    std::vector<int32_t> narrow(parents.begin(), parents.end());
    rows[tree.space] = static_cast<int64_t>(parents.size());
    edges.push_back(rows[tree.space] - 1);
    record.addTree(t, narrow);
    if (!check(cambium_batch_set_tree_parents(batch, t, rows[tree.space],
                                              narrow.data())))
      return false;
    values[tree.name] = llvm::cantFail(Tree::fromParents(parents));
  }
  if (!setRowCounts(batch, rows))
    return false;
  for (int64_t i = 0; i < info.num_inputs; ++i) {
    const cambium_tensor_info_t &input = *cambium_entry_input(entry, i);
    int64_t count = input.edges_of >= 0 ? edges[input.edges_of]
                    : input.space >= 0  ? rows[input.space]
                                        : 1;
    // One per call: what the first example has.
    bool isPerCall = input.space == CAMBIUM_SPACE_CALL;
    if (isPerCall && !perCall.count(i))
      perCall[i] = makeTensor(input, count);
    Tensor tensor = isPerCall ? perCall[i] : makeTensor(input, count);
    if (!setInput(batch, i, count, tensor))
      return false;
    values[input.name] = asValue(input, std::move(tensor));
  }
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    example.args.push_back(values[getArgumentName(function, i)]);
  return check(cambium_batch_end_example(batch));
}
